"""Which thresholds are tried, which number stands between two values, and the correction for many levels."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

# -- gaussian


def crossings(x, y):
    """Where the weighted normal densities of two classes are equal, by dense search."""
    from scipy.stats import norm

    grid = np.linspace(x.min(), x.max(), 200_001)
    parts = [x[y == k] for k in (0, 1)]
    density = [len(p) * norm.pdf(grid, p.mean(), p.std()) for p in parts]
    sign = np.sign(density[0] - density[1])
    return grid[np.flatnonzero(sign[1:] != sign[:-1])]


@given(st.integers(0, 999))
@examples()
def test_gaussian_thresholds_lie_where_densities_cross(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 300)
    x = np.where(y, rng.normal(2, 1, 300), rng.normal(0, rng.uniform(0.5, 3), 300))
    tree = DecisionTreeClassifier(splitter="gaussian", max_depth=1).fit(x[:, None], y).tree_
    assert np.abs(crossings(x, y) - tree.threshold[0]).min() < 1e-3
    assert tree.how(0) == "gaussian"


def test_gaussian_is_never_better_on_its_own_rows_and_agrees_on_normal_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 3000)
    X = rng.normal(size=(3000, 4)) + np.eye(4)[y] * 2
    best = DecisionTreeClassifier(max_depth=1).fit(X, y)
    gaussian = DecisionTreeClassifier(splitter="gaussian", max_depth=1).fit(X, y)
    assert gaussian.tree_.gain[0] <= best.tree_.gain[0] * (1 + 1e-12)
    assert gaussian.tree_.gain[0] > 0.9 * best.tree_.gain[0]
    shuffled = rng.permutation(3000)
    assert DecisionTreeClassifier(splitter="gaussian").fit(X[shuffled], y[shuffled]).tree_ == (
        DecisionTreeClassifier(splitter="gaussian").fit(X, y).tree_
    )


def test_gaussian_is_worse_where_classes_are_not_normal():
    """Long tails pull means and variances away from where the rows are."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    x = np.exp(2 * (y + rng.normal(size=2000)))
    gains = [
        DecisionTreeClassifier(splitter=splitter, max_depth=1).fit(x[:, None], y).tree_.gain[0]
        for splitter in ("best", "gaussian")
    ]
    assert gains[1] < 0.8 * gains[0]


def test_gaussian_takes_missing_values_weights_and_infinities():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    x = y + rng.normal(0, 0.5, 500)
    x[::7], x[3], x[5] = np.nan, np.inf, -np.inf
    weights = rng.integers(0, 3, 500)
    tree = DecisionTreeClassifier(splitter="gaussian", max_depth=2).fit(x[:, None], y, weights).tree_
    rows = np.repeat(np.arange(500), weights)
    assert tree.missing_seen[0]
    twice = DecisionTreeClassifier(splitter="gaussian", max_depth=2).fit(x[rows, None], y[rows]).tree_
    np.testing.assert_allclose(tree.threshold, twice.threshold, rtol=1e-9)


def test_gaussian_needs_classes_and_one_output():
    with pytest.raises(ValueError, match="needs classes"):
        DecisionTreeRegressor(splitter="gaussian").fit([[1], [2]], [1.0, 2.0])
    with pytest.raises(ValueError, match="needs one output"):
        DecisionTreeClassifier(splitter="gaussian").fit([[1], [2]], [[0, 1], [1, 0]])


# -- which number is the threshold


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30, unique=True), st.integers(0, 99))
@examples(2)
def test_every_rule_gives_the_same_rows_and_a_number_between_the_neighbours(values, seed):
    x = np.array(values)[:, None]
    y = np.random.default_rng(seed).integers(0, 2, len(values))
    rules = ("midpoint", "observed", "rounded")
    trees = {rule: DecisionTreeClassifier(thresholds=rule).fit(x, y) for rule in rules}
    leaves = trees["midpoint"].apply(x)
    for rule, model in trees.items():
        assert np.array_equal(model.apply(x), leaves), rule
        for threshold in model.tree_.threshold[model.tree_.n_children > 0]:
            below, above = x[x <= threshold], x[x > threshold]
            assert below.max() <= threshold < above.min()
            if rule == "observed":
                assert threshold == below.max()


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [(0.12, 0.13, 0.125), (98, 103, 100.0), (-3.0, 5.0, 0.0), (1234.0, 1244.0, 1240.0), (1e-9, 3e-9, 2e-9),
     (0.1 + 0.2, 0.3000001, None)],
)  # fmt: skip
def test_rounded_is_the_shortest_decimal_in_the_middle_half(low, high, wanted):
    model = DecisionTreeClassifier(thresholds="rounded").fit([[low], [high]], [0, 1])
    found = float(model.tree_.threshold[0])
    quarter = (high - low) / 4
    assert low + quarter <= found <= high - quarter
    assert len(repr(found)) <= len(repr(low / 2 + high / 2))
    assert wanted is None or found == wanted


def test_whole_numbers_have_whole_rounded_thresholds():
    x = np.array([[3], [17], [18], [200]])
    tree = DecisionTreeClassifier(thresholds="rounded").fit(x, [0, 1, 0, 1]).tree_
    assert set(tree.threshold[tree.n_children > 0]) == {10.0, 17.5, 100.0}


# -- many levels win by chance alone


def chosen(fits, target, correction, kind, runs=600, rows=1000):
    """How often columns of 2, 20 and 200 levels of pure noise are split on first."""
    wins = np.zeros(3, dtype=int)
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({f"x{m}": pd.Categorical(rng.integers(0, m, rows)) for m in (2, 20, 200)})
        model = fits(level_correction=correction, nominal_splits=kind, max_depth=1).fit(X, target(rng, rows))
        wins[model.tree_.feature[0]] += 1
    return wins


TARGETS = {
    "two classes": (DecisionTreeClassifier, lambda rng, n: rng.integers(0, 2, n)),
    "three classes": (DecisionTreeClassifier, lambda rng, n: rng.choice(3, n, p=[0.6, 0.3, 0.1])),
    "numbers": (DecisionTreeRegressor, lambda rng, n: rng.normal(size=n)),
}


PAIRS = [("two classes", "one_vs_rest"), ("three classes", "multiway"), ("numbers", "subset")]
MORE = [(name, kind) for name in TARGETS for kind in ("subset", "multiway", "one_vs_rest")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [*PAIRS, *(pytest.param(*pair, marks=pytest.mark.slow) for pair in MORE if pair not in PAIRS)],
)
def test_corrected_columns_of_noise_are_chosen_equally_often(name, kind):
    wins = chosen(*TARGETS[name], True, kind)
    assert np.abs(wins - 200).max() < 50, wins  # 4.3 standard deviations


def test_without_the_correction_many_levels_always_win():
    wins = chosen(*TARGETS["two classes"], False, "subset", runs=40)
    assert wins[2] == 40


def test_the_correction_does_not_hide_a_real_effect():
    rng = np.random.default_rng(0)
    level = rng.integers(0, 50, 2000)
    y = (rng.random(2000) < np.where(level % 2, 0.8, 0.2)).astype(int)
    X = pd.DataFrame({"noise": rng.normal(size=2000), "real": pd.Categorical(level)})
    tree = DecisionTreeClassifier(level_correction=True, max_depth=1).fit(X, y).tree_
    assert tree.feature[0] == 1
    plain = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_
    assert tree.gain[0] == plain.gain[0]  # it compares columns, and changes nothing that is reported


def test_an_id_gains_nothing_under_the_correction():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = pd.DataFrame({"id": [f"row {i}" for i in range(60)], "x": y + rng.normal(0, 1, 60)})
    assert DecisionTreeClassifier(max_depth=1).fit(X, y).tree_.feature[0] == 0
    assert DecisionTreeClassifier(max_depth=1, level_correction=True).fit(X, y).tree_.feature[0] == 1


@given(st.integers(0, 999))
@examples()
def test_the_correction_counts_rows_so_that_the_scale_of_the_weights_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"level": pd.Categorical(rng.integers(0, 12, 80)), "x": rng.integers(0, 9, 80)})
    y, weight = rng.integers(0, 2, 80), rng.integers(1, 4, 80)
    trees = [
        DecisionTreeClassifier(level_correction=True, max_depth=4)
        .fit(X, y, sample_weight=weight * scale)
        .tree_
        for scale in (1, 2, 0.25)
    ]
    for tree in trees[1:]:
        for name in ("feature", "threshold", "level_code", "level_child", "value"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(trees[0], name))
