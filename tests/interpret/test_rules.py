"""Rules partition every row and decide as the tree does; their words say what they do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.pruning_problems import CRITERIA, MISSING, table
from tests.support.random_trees import COLUMNS, core_columns, random_rows, random_tree
from tests.support.rule_reading import Reader
from tests.support.strategies import COLUMNS as PALETTES
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.interpret.rules import rules
from treewright.interpret.rules.printing import known_only
from treewright.learn.fitted_tree import as_model
from treewright.tree.condition_text import condition_text
from treewright.tree.tree import tree_from_dict
from treewright.tree.tree_text import tree_text

SEEDS = st.integers(0, 2**32 - 1)
NAT = np.iinfo(np.int64).min


def frame_of(rows):
    """Rows of the columns of random trees as a table with a type for each column."""
    pd = pytest.importorskip("pandas")

    def times(values, kind):
        return np.array([NAT if x is None else x for x in values], dtype=np.int64).view(kind)

    make = {
        "number": lambda values: np.array(values, dtype=float),
        "boolean": lambda values: pd.array(values, "boolean"),
        "datetime": lambda values: times(values, "M8[us]"),
        "duration": lambda values: times(values, "m8[us]"),
        "whole": lambda values: pd.array(values, "Int64"),
        "text": lambda values: np.array(values, dtype=object),
    }
    made = {}
    for number, (column, values) in enumerate(zip(COLUMNS, zip(*rows, strict=True), strict=True)):
        kind = ("whole" if 10 in column["levels"] else "text") if "levels" in column else column["kind"]
        made[number] = make[kind](values)
    return pd.DataFrame(made)


@given(SEEDS)
@examples(3)
def test_rules_of_any_tree_partition_the_rows(seed):
    """Missing values, unseen levels, infinities, stops, shares and surrogates included."""
    tree, rows = tree_from_dict(random_tree(seed)), random_rows(seed)
    found, X, columns = rules(tree), frame_of(rows), core_columns(tree, rows)
    shares = found.shares(X)
    by_node = np.zeros((len(rows), tree.node_count))
    by_node[:, [rule.leaf for rule in found]] = shares
    assert_allclose(by_node, tree.shares(columns).toarray(), rtol=1e-12)
    assert_array_equal(found.matches(X), shares > 0)
    assert_allclose(found.predict(X), tree.predict(columns)[:, 0], rtol=1e-9)
    if not tree.shares_rows:
        assert_array_equal(found.matches(X).sum(axis=1), 1)
        assert_array_equal(found.predict(X), tree.predict(columns)[:, 0])


@given(SEEDS)
@examples(2)
def test_printed_rules_can_be_followed_by_hand(seed):
    tree, rows = tree_from_dict(random_tree(seed)), random_rows(seed, 15)
    found = rules(tree)
    reader = Reader([clause for rule in found for clause in rule.conditions], COLUMNS)
    wanted = tree.shares(core_columns(tree, rows)).toarray()
    for row, ends in zip(rows, wanted, strict=True):
        for rule in found:
            share = np.prod([reader.share(clause, row) for clause in rule.conditions])
            assert share == pytest.approx(ends[rule.leaf], abs=4e-3), (rule.conditions, row)


@given(SEEDS)
@examples(2)
def test_rules_for_complete_rows_can_be_followed_by_hand(seed):
    """What `text(missing=False)` writes; a level may still be unknown to one test, and ask stand-ins."""
    tree = tree_from_dict(random_tree(seed))
    usual = [{"number": 2.0, "boolean": True}.get(c["kind"], (c.get("levels") or [0])[-1]) for c in COLUMNS]
    unknown = (None, "new", 99)
    rows = [
        [often if x in unknown else x for x, often in zip(row, usual, strict=True)]
        for row in random_rows(seed, 15)
    ]
    paths = {rule.leaf: known_only(rule.path) for rule in rules(tree)}
    words = tree_text(tree)
    texts = {
        leaf: [condition_text(c, words) for c in path.conditions] for leaf, path in paths.items() if path
    }
    reader = Reader([clause for clauses in texts.values() for clause in clauses], COLUMNS)
    wanted = tree.shares(core_columns(tree, rows)).toarray()
    for row, ends in zip(rows, wanted, strict=True):
        for leaf, clauses in texts.items():
            share = np.prod([reader.share(clause, row) for clause in clauses])
            assert share == pytest.approx(ends[leaf], abs=4e-3), (clauses, row)
        assert sum(ends[leaf] for leaf in texts) == pytest.approx(1)


def grown(seed, classes=None, missing=None):
    """A fitted tree of mixed columns, and rows to ask it about: some of unseen levels, some incomplete."""
    rng = np.random.default_rng(seed)
    classes = bool(rng.random() < 0.7) if classes is None else classes
    X, signal = table(rng, 60)
    noisy = signal + rng.normal(size=len(signal))
    y = np.array(["low", "mid", "high"])[np.digitize(noisy, [-0.3, 0.9])] if classes else np.abs(noisy)
    params = {"criterion": str(rng.choice(CRITERIA[classes])), "max_leaf_nodes": int(rng.integers(2, 12))}
    params["missing"] = missing or str(rng.choice(MISSING))
    if params["missing"] != "surrogate":
        params["nominal_splits"] = str(rng.choice(["subset", "multiway", "one_vs_rest"]))
    n_outputs = 2 if rng.random() < 0.3 and params["criterion"] != "gain_ratio" else 1
    y = y if n_outputs == 1 else np.stack([y, np.roll(y, 1)], axis=1)
    if classes and n_outputs == 1 and rng.random() < 0.3:
        k = len(np.unique(y))
        params["costs"] = (1 + rng.integers(0, 3, (k, k))) * (1 - np.eye(k))
    model = (DecisionTreeClassifier if classes else DecisionTreeRegressor)(**params)
    model.fit(X, y, sample_weight=None if rng.random() < 0.5 else rng.integers(1, 4, len(y)) / 2)
    tested = table(rng, 60)[0]
    tested[:, 2][rng.random(60) < 0.2] = "never seen"
    return model, tested


@pytest.mark.filterwarnings("ignore:The table has levels that were not seen")
@given(SEEDS)
@examples(2)
def test_rules_decide_as_grown_trees_do(seed):
    model, X = grown(seed)
    for source in (model, model.tree_):
        found = rules(source)
        assert found.predict(X).shape == model.predict(X).shape
        if isinstance(model, DecisionTreeClassifier):
            assert_array_equal(found.predict(X), model.predict(X))
        else:
            assert_allclose(found.predict(X), model.predict(X), rtol=1e-12)
        assert_allclose(found.shares(X).sum(axis=1), 1)
    if not model.tree_.shares_rows:
        assert_array_equal(
            np.array([rule.leaf for rule in found])[found.matches(X).argmax(1)], model.apply(X)
        )


@pytest.mark.filterwarnings("ignore:The table has levels that were not seen")
@given(SEEDS)
@examples(2)
def test_merged_rules_and_normal_forms_stay_exact(seed):
    model, X = grown(seed, classes=True, missing=MISSING[seed % 3])
    plain, fewer = rules(model), rules(model, merge=True)
    decided = model.predict(X).reshape(len(X), -1)
    assert len(fewer) <= len(plain)
    assert_array_equal(fewer.matches(X).sum(axis=1), 1)
    assert_array_equal(fewer.predict(X).reshape(len(X), -1), decided)
    assert sum(rule.weight for rule in fewer) == pytest.approx(sum(rule.weight for rule in plain))
    assert sum(rule.rows for rule in fewer) == sum(rule.rows for rule in plain)
    for output, labels in enumerate(plain.labels):
        for label in labels.tolist():
            form, others = plain.dnf(label, output), plain.complement(label, output)
            assert_array_equal(form.matches(X), decided[:, output] == label)
            assert_array_equal(others.matches(X), decided[:, output] != label)


@given(SEEDS)
@examples()
def test_negated_conditions_let_through_what_is_left(seed):
    tree, rows = tree_from_dict(random_tree(seed, surrogates=False)), random_rows(seed)
    columns = as_model(tree).read(frame_of(rows)).columns
    for rule in rules(tree):
        for condition in rule.path.values.values():
            column = columns[condition.feature]
            against = sum(each.share(column) for each in condition.negated())
            assert_allclose(against, 1 - condition.share(column), atol=1e-15)


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_numbers_of_every_type_are_compared_exactly(name):
    values = PALETTES[name]
    X = np.resize(values, 80).reshape(-1, 1)
    y = np.random.default_rng(len(name)).integers(0, 2, len(X))
    model = DecisionTreeClassifier().fit(X, y)
    found = rules(model)
    assert_array_equal(found.matches(X).sum(axis=1), 1)
    assert_array_equal(np.array([rule.leaf for rule in found])[found.matches(X).argmax(1)], model.apply(X))
    other = X.astype(np.float64)  # a column of another type than at fit
    assert_array_equal(found.predict(other), model.predict(other))


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_the_two_greatest_integers_count_as_one_as_in_the_core(dtype):
    most = int(np.iinfo(dtype).max)
    leaves = {"left": {"value": 1}, "right": {"value": 2}}
    for threshold in (most - 2, most - 1):
        tree = tree_from_dict({"feature": 0, "threshold": threshold, **leaves})
        X = np.array([[most - 2], [most - 1], [most]], dtype=dtype)
        assert_array_equal(rules(tree).predict(X), tree.predict(X)[:, 0])


def test_sparse_tables_are_read():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(60, 4, 0.5, "csr", random_state=0)
    model = DecisionTreeClassifier().fit(X, np.arange(60) % 3)
    assert_array_equal(rules(model).predict(X), model.predict(X))


# -- what is said of the training rows


@given(SEEDS)
@examples()
def test_support_confidence_and_lift_are_those_of_the_training_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (50, 2)) * 1.0, rng.integers(0, 3, 50)
    weight = rng.integers(1, 5, 50) / 4
    found = rules(
        DecisionTreeClassifier(max_leaf_nodes=6).fit(X, y, sample_weight=weight), merge=seed % 2 == 0
    )
    for rule, here in zip(found, found.matches(X).T, strict=True):
        right = here & (y == rule.prediction)
        assert rule.rows == here.sum()
        assert rule.weight == pytest.approx(weight[here].sum())
        assert rule.support == pytest.approx(weight[here].sum() / weight.sum())
        assert rule.confidence == pytest.approx(weight[right].sum() / weight[here].sum())
        assert rule.lift == pytest.approx(
            rule.confidence / (weight[y == rule.prediction].sum() / weight.sum())
        )
        assert rule.proportions == pytest.approx(
            {k: weight[here & (y == k)].sum() / rule.weight for k in range(3)}
        )


def test_the_spread_of_numbers():
    X, y = np.array([[0.0], [0], [1], [1]]), np.array([1.0, 3, 10, 10])
    low = rules(DecisionTreeRegressor(max_depth=1).fit(X, y))[1]
    assert (low.prediction, low.spread, low.confidence, low.lift, low.proportions) == (2, 1, None, None, None)
    absolute = rules(DecisionTreeRegressor(max_depth=1, criterion="absolute_error").fit(X, y))
    assert absolute.spread_name == "mean absolute deviation"
    assert absolute[1].spread == 1


STOPPING = {
    "feature": 0, "threshold": 3, "strict": True, "missing": "stop",
    "value": [0.4, 0.6], "n": 10, "weight": 10,
    "left": {"value": [1, 0], "n": 2},
    "right": {"value": [0.25, 0.75], "n": 4},
}  # fmt: skip


def test_rows_that_stop_have_a_rule_of_their_own():
    found = rules(tree_from_dict(STOPPING, feature_names=["x"], classes=["no", "yes"]), "leaf")
    stopped = found[0]
    assert stopped.conditions == ("x is missing",)
    assert (stopped.prediction, stopped.rows, stopped.leaf) == ("yes", 4, 0)
    assert stopped.confidence == pytest.approx(3 / 4)  # 6 - 3 of 10 - 2 - 4
    assert [rule.conditions for rule in found[1:]] == [("x < 3",), ("x >= 3",)]
    assert_array_equal(found.predict([[np.nan], [2.9], [3]]), ["yes", "no", "yes"])
