"""Weka's and R's trees of tables of 1,000 to 10,000 rows, as the programs printed and predicted them.

Recorded with Weka 3.9.6, rpart 4.1.19 and partykit 1.2-16. A text is compared by its CRC-32.
"""

import zlib

import numpy as np
import pytest

from treewright import classics

pd = pytest.importorskip("pandas")


def table(seed, n, target, missing=False):
    """Numbers with and without ties, levels, and a target that depends on them."""
    rng = np.random.RandomState(seed)
    tenths, count, level = np.round(rng.randn(n), 1) + 0.0, rng.randint(0, 30, n), rng.randint(0, 9, n)
    X = pd.DataFrame({"x0": rng.randn(n), "x1": tenths, "x2": count.astype(float), "x3": rng.randn(n)})
    score = X["x0"] * (count > 12) + np.abs(tenths) + rng.randn(9)[level]
    noisy = (score + rng.randn(n)).to_numpy()
    if missing:
        X[rng.rand(n, 4) < 0.1] = np.nan
        level[rng.rand(n) < 0.1] = -1
    X["x4"] = pd.Categorical.from_codes(level, [f"v{k}" for k in range(9)])
    if target == "number":
        return X, pd.Series(noisy, name="y")
    if target == "count":
        return X, pd.Series(rng.poisson(np.exp(score.clip(-3, 1) - 1)).astype(float), name="y")
    n_classes = int(target[0])
    cuts = np.quantile(noisy, np.arange(1, n_classes) / n_classes)
    return X, pd.Categorical.from_codes(np.searchsorted(cuts, noisy), [f"c{k}" for k in range(n_classes)])


def text_sum(text):
    """The CRC-32 of a printed model, without blanks at the ends of lines."""
    return zlib.crc32("\n".join(line.rstrip() for line in text.strip().split("\n")).encode())


def numbers_sum(model, X):
    """The sum over the rows of the predicted numbers, or of the greatest probability, and of all squares."""
    found = model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)[:, None]
    return found.max(axis=1).sum(), (found**2).sum()


TASK = {"number": "regression", "3 classes": "classification"}

# (rows, target, missing values, options): the text
J48 = {
    (1000, "3 classes", False, ""): 2062049890,
    (1000, "3 classes", True, "-R"): 3984434548,
    (3000, "3 classes", False, "-R"): 1951989078,
    (3000, "3 classes", True, ""): 287461829,
    (3000, "3 classes", True, "-C 0.1"): 1454791437,
    (3000, "3 classes", False, "-U"): 1498191208,
    (3000, "3 classes", True, "-B"): 38174127,
    (3000, "3 classes", False, "-M 5"): 3015935270,
    (10000, "3 classes", False, ""): 3885143049,
    (10000, "3 classes", False, "-R"): 244593569,
    (10000, "5 classes", False, "-B"): 1435031875,
}
M5P = {
    (1000, "number", False, ""): 1697128353,
    (1000, "number", True, "-R"): 1516366806,
    (3000, "number", False, "-R"): 458512786,
    (3000, "number", True, ""): 2567057070,
    (1000, "number", True, "-N -M 20"): 3423662060,
}
# (rows, target, missing values, cp): the text
RPART = {
    (1000, "2 classes", False, 0): 3235873879,
    (1000, "5 classes", False, 0.01): 841278194,
    (3000, "3 classes", False, 0): 966853306,
    (3000, "3 classes", True, 0.01): 1091800917,
    (10000, "3 classes", True, 0.01): 1794219443,
    (3000, "number", True, 0.01): 3627812254,
    (10000, "number", False, 0): 1931666896,
}
# ... leaves, and sums of what is predicted
RPART_POISSON = {
    (1000, 0): (85, 872.5394229288693, 1029.907052521168),
    (3000, 0.01): (4, 2276.6288616129314, 1952.814777199922),
    (3000, 0): (250, 2265.4930561431647, 2610.6102557026243),
    (10000, 0): (802, 6680.5263160105005, 7048.254507832964),
}
CTREE = {
    (1000, "3 classes", False, None): (10, 514.0, 428.28494371521924),
    (3000, "3 classes", True, None): (20, 1803.0000000000002, 1485.2676065718729),
    (10000, "3 classes", False, 3): (8, 5319.0, 4336.504245907997),
    (1000, "number", True, None): (11, 1307.4341045258548, 2301.570637097845),
    (10000, "number", False, None): (39, 8088.859812983398, 18207.076158756776),
}
REP_TREE = {
    (1000, "3 classes", ""): (55, 633.0, 517.6295068289505),
    (3000, "3 classes", ""): (101, 2110.0, 1738.3531936037111),
    (10000, "3 classes", ""): (302, 6635.0, 5488.646140376135),
    (3000, "3 classes", "-P -M 50"): (28, 1893.0, 1537.1298995570016),
    (1000, "number", ""): (48, 1307.434104525855, 2514.3314049254905),
    (3000, "number", "-P"): (592, 3573.878343195111, 11873.279443652267),
    (10000, "number", "-P"): (1693, 8088.859812983399, 26239.257752103324),
}
STUMP = {
    (1000, "3 classes", False): (456.0, 363.488167810685),
    (3000, "3 classes", True): (1243.0, 1104.7294259454661),
    (10000, "number", False): (8088.859812983398, 9837.167167504393),
    (10000, "number", True): (8088.859812983394, 9521.123368551649),
}


@pytest.mark.parametrize("case", J48, ids=str)
def test_j48(case):
    n, target, missing, options = case
    X, y = table(n + 1, n, target, missing)
    assert text_sum(classics.output_text(classics.j48(options).fit(X, y))) == J48[case]


@pytest.mark.parametrize("case", M5P, ids=str)
def test_m5p(case):
    n, target, missing, options = case
    X, y = table(n + 1, n, target, missing)
    assert text_sum(classics.output_text(classics.m5p(options).fit(X, y), X, y)) == M5P[case]


@pytest.mark.parametrize("case", RPART, ids=str)
def test_rpart(case):
    n, target, missing, cp = case
    X, y = table(n + 1, n, target, missing)
    model = classics.rpart("anova" if target == "number" else "class", cp=cp, xval=0).fit(X, y)
    assert text_sum(classics.output_text(model, X, y)) == RPART[case]


@pytest.mark.parametrize("case", RPART_POISSON, ids=str)
def test_rpart_of_counts(case):
    n, cp = case
    X, y = table(n + 1, n, "count")
    check(classics.rpart("poisson", cp=cp, xval=0).fit(X, y), X, RPART_POISSON[case])


@pytest.mark.parametrize("case", CTREE, ids=str)
def test_ctree(case):
    n, target, missing, depth = case
    X, y = table(n + 1, n, target, missing)
    check(classics.ctree(TASK[target], maxdepth=depth).fit(X, y), X, CTREE[case])


@pytest.mark.parametrize("case", REP_TREE, ids=str)
def test_rep_tree(case):
    n, target, options = case
    X, y = table(n + 1, n, target)
    check(classics.rep_tree(options, task=TASK[target]).fit(X, y), X, REP_TREE[case])


@pytest.mark.parametrize("case", STUMP, ids=str)
def test_stump(case):
    n, target, missing = case
    X, y = table(n + 1, n, target, missing)
    model = classics.stump(task=TASK[target]).fit(X, y)
    np.testing.assert_allclose(numbers_sum(model, X), STUMP[case], rtol=1e-9)


def check(model, X, recorded):
    leaves, *sums = recorded
    assert model.get_n_leaves() == leaves
    np.testing.assert_allclose(numbers_sum(model, X), sums, rtol=1e-9)
