"""The core's trees are the oracle's, whatever the sizes at which the core changes its ways."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import CLASSIFICATION, Growth, grow, leaf_of, weakest_links
from tests.support.strategies import (
    PAIRS_OF_SIZES,
    Case,
    all_gains,
    almost_tied,
    cases,
    constrained_cases,
    differences,
    examples,
    growths,
    native,
    same_tree,
    sizes_of,
    well_formed,
)
from treewright import _core

KINDS = dict(_core.criteria())
every = pytest.mark.parametrize("criterion", sorted(KINDS))
SHAPE = (
    "first_child",
    "n_children",
    "feature",
    "threshold",
    "integer_threshold",
    "integer_exact",
    "missing_seen",
)


def assert_same(a, b, names=SHAPE):
    for name in names:
        np.testing.assert_array_equal(a[name], b[name], err_msg=f"{name} differs")


@every
@given(st.data())
@examples(4)
def test_the_tree_is_the_oracles(criterion, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    tree = native(case, growth, **data.draw(st.sampled_from(sizes_of(criterion))))
    well_formed(tree)
    same_tree(tree, grow(case.table, growth), case.table, growth)


@every
@given(st.data())
@examples(2)
def test_the_constrained_tree_is_the_oracles(criterion, data):
    (case, signs), growth = data.draw(constrained_cases(criterion)), data.draw(growths(criterion))
    growth = replace(growth, monotonic=signs)
    tree = native(case, growth, **data.draw(st.sampled_from(sizes_of(criterion))))
    same_tree(tree, grow(case.table, growth), case.table, growth)


@pytest.mark.parametrize("criterion", sorted(set(KINDS) - {"sqrt_gini"}))  # its slope is infinite at p = 0
def test_scores_of_40_bits_do_not_distinguish_almost_equal_splits(criterion):
    tree = native(almost_tied(criterion in CLASSIFICATION), Growth(criterion))
    assert tree["feature"].tolist() == [0, 1, -2, -2, -2]


@pytest.mark.parametrize("criterion", sorted(set(KINDS) - {"poisson"}))  # its gains depend on the mean
def test_of_equal_gains_the_leaf_opened_first_is_split_first(criterion):
    y = np.array([[0], [1], [2], [3]] if criterion in CLASSIFICATION else [[0], [2], [10], [12]])
    case = Case([(np.arange(4), None)], y, [4] if criterion in CLASSIFICATION else None, None)
    growth = Growth(criterion, order="best", max_leaf_nodes=3)
    same_tree(native(case, growth), grow(case.table, growth), case.table, growth)


@every
@pytest.mark.parametrize(
    "choices",
    [pytest.param(PAIRS_OF_SIZES, id="pairs"), pytest.param(None, id="all", marks=pytest.mark.slow)],
)
@given(st.data())
@examples(0.4)
def test_no_size_changes_a_bit(criterion, choices, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    usual = native(case, growth)
    for size in sizes_of(criterion, None if criterion == "absolute_error" else choices):  # it has no pages
        changed = differences(usual, native(case, growth, **size))
        assert not changed, f"{changed} differ with {size}"


@every
@given(st.data())
@examples()
def test_rows_have_no_order(criterion, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(case.n_rows)
    size = data.draw(st.sampled_from(sizes_of(criterion)))
    assert not differences(native(case, growth, **size), native(case.rows(order), growth, **size))


@every
@given(st.data())
@examples()
def test_a_weight_of_2_is_a_row_twice(criterion, data):
    case = data.draw(cases(criterion))
    times = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 3, case.n_rows)
    times[-1] += not times.any()
    heavy = native(replace(case, weights=times.astype(float)), Growth(criterion))
    twice = native(
        replace(case.rows(np.repeat(np.arange(case.n_rows), times)), weights=None), Growth(criterion)
    )
    assert_same(heavy, twice, (*SHAPE, "weighted_n_node_samples"))
    assert_same(heavy, native(replace(case, weights=times / 4), Growth(criterion)), SHAPE)
    for name in ("impurity", "value", "gain"):
        np.testing.assert_allclose(heavy[name], twice[name], rtol=1e-12, atol=1e-12)


@every
@given(st.data())
@examples()
def test_columns_may_be_scaled_by_powers_of_two(criterion, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    small = [rng.integers(0, 9, case.n_rows).astype(float) for _ in case.columns]
    powers = rng.integers(-30, 30, len(small))
    plain = native(replace(case, columns=[(x, None) for x in small]), growth)
    scaled = replace(case, columns=[(np.ldexp(x, p), None) for x, p in zip(small, powers, strict=True)])
    grown = native(scaled, growth)
    assert_same(plain, grown, [name for name in SHAPE if name != "threshold"])
    factors = np.where(plain["feature"] < 0, 1, 2.0 ** powers[np.maximum(plain["feature"], 0)])
    np.testing.assert_array_equal(plain["threshold"] * factors, grown["threshold"])


@pytest.mark.parametrize("criterion", sorted(CLASSIFICATION))
@given(st.data())
@examples()
def test_classes_have_no_order(criterion, data):
    """The oracle grows the labels as they are, the core grows them renamed."""
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    names = [np.array(data.draw(st.permutations(range(k)))) for k in case.n_classes]
    renamed = np.stack([name[labels] for name, labels in zip(names, case.y.T, strict=True)], axis=1)
    tree = native(replace(case, y=renamed), growth)
    value = np.zeros_like(tree["value"])
    for k, name in enumerate(names):
        value[:, k, : len(name)] = tree["value"][:, k, name]
    same_tree(tree | {"value": value}, grow(case.table, growth), case.table, growth)


@pytest.mark.parametrize(
    "criterion", sorted(set(KINDS) - {"gain_ratio"})
)  # which is not for the greatest gain
@given(st.data())
@examples(2)
def test_a_stump_is_the_exhaustive_optimum(criterion, data):
    case, growth = data.draw(cases(criterion)), Growth(criterion, max_depth=1)
    tree = native(case, growth, **data.draw(st.sampled_from(sizes_of(criterion))))
    assert tree["gain"][0] == pytest.approx(float(max(all_gains(case.table, growth))), rel=1e-9, abs=1e-9)


@every
@given(st.data())
@examples()
def test_every_row_walks_to_the_leaf_that_counted_it(criterion, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    tree = native(case, growth)
    walk = [leaf_of(tree, row) for row in zip(*case.table.columns, strict=True)]
    counted = np.bincount(np.array(walk)[[w > 0 for w in case.table.weights]], minlength=len(tree["feature"]))
    leaves = tree["n_children"] == 0
    np.testing.assert_array_equal(counted[leaves], tree["n_node_samples"][leaves])
    columns = _core.Columns(case.n_rows)
    for values, missing in case.columns:
        columns.add_column(values, missing)
    arrays = {name: array for name, array in tree.items() if isinstance(array, np.ndarray)}
    predictor = _core.Predictor(**arrays, strict=np.zeros(0, np.uint8))
    for n_threads in (1, 3):
        assert predictor.apply(columns, n_threads).tolist() == walk
        table = np.arange(2.0 * len(leaves)).reshape(-1, 2)
        np.testing.assert_array_equal(predictor.take(columns, table, n_threads), table[walk])


@given(st.data())
@examples(4)
def test_the_weakest_links_are_the_oracles(data):
    """Gains are whole numbers of eighths: risks are exact and links often tie."""
    case = data.draw(cases("gini"))
    tree = native(case, Growth("gini"))
    first, n = tree["first_child"], tree["n_children"]
    gains = data.draw(st.lists(st.integers(0, 5), min_size=len(first), max_size=len(first)))
    risk = np.array(gains) / 8
    for t in reversed(range(len(first))):
        risk[t] += risk[first[t] : first[t] + n[t]].sum() if n[t] else 0
    stop = np.array(_core.weakest_link(first, n, risk))
    alphas = np.unique([0.0, *stop[np.isfinite(stop)]])
    wanted_alphas, wanted_stop = weakest_links(first.tolist(), n.tolist(), risk.tolist())
    np.testing.assert_allclose(alphas, wanted_alphas, rtol=1e-12)
    for t in range(len(first)):  # what is below a collapsed node is gone with it
        below = slice(first[t], first[t] + n[t])
        stop[below] = np.where(n[below] > 0, np.minimum(stop[below], stop[t]), stop[below])
    np.testing.assert_allclose(stop, wanted_stop, rtol=1e-12)


def large(criterion, seed, n, grid=0, stretch=1):
    """Rows that follow a rule, with noise, missing values, weights, and ties where the grid is coarse."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)) if not grid else rng.integers(0, grid, (n, 5)) / 4
    x[rng.random((n, 5)) < 0.05 * (seed % 2)] = np.nan
    size = max(grid / 8, 1)
    signal = (
        np.nan_to_num(x[:, 0]) / size * 2 + (np.nan_to_num(x[:, 1], nan=3) > size / 2) + rng.normal(size=n)
    )
    if KINDS[criterion] == "classification":
        y = np.clip(np.round(signal), 0, 2 + seed % 2)
        classes = [4]
    else:
        y, classes = np.round(np.exp(signal / 2 * stretch) * 64) / 64, None
    weights = rng.integers(0, 12, n) / 4 if seed % 3 == 1 else None
    return Case([(column, None) for column in x.T], y.reshape(-1, 1), classes, weights)


FEW_SIZES = [
    (2, 0, 1, 0),
    (3, 0, 2, 1),
    (16, 5, 4, 3),
    (255, 0, 2, 7),
    (255, 5, 1, 3),
    (3, 2048, 4, 0),
    (16, 60, 2, 0),
]


@every
@pytest.mark.parametrize(
    ("seed", "n", "grid"),
    [
        (0, 500, 0),
        (1, 1000, 40),
        (2, 800, 0),
        pytest.param(2, 1500, 0, marks=pytest.mark.slow),
        (3, 2500, 400),
        pytest.param(4, 3000, 0, marks=pytest.mark.slow),
    ],
)
def test_large_trees_do_not_depend_on_sizes(criterion, seed, n, grid):
    """The oracle is too slow here: sorting every node whole stands in for it."""
    case = large(criterion, seed, n, grid)
    limits = [{}, {"min_samples_leaf": 7, "order": "best", "max_leaf_nodes": 40}, {"min_weight_leaf": 11.25}]
    growth = Growth(criterion, **limits[seed % 3])
    plain = native(case, growth, sort_below=2**31 - 1)
    well_formed(plain)
    assert len(plain["feature"]) > 30
    for size in sizes_of(criterion, FEW_SIZES):
        changed = differences(plain, native(case, growth, **size))
        assert not changed, f"{changed} differ with {size}"


@pytest.mark.parametrize("criterion", sorted(set(KINDS) - set(CLASSIFICATION)))
@pytest.mark.parametrize("stretch", [8, 25])
def test_targets_of_a_huge_range_do_not_depend_on_sizes(criterion, stretch):
    """Log-normal, up to 1e14 and 1e43: small targets may be lost in the grid, but for all sizes alike."""
    case = large(criterion, 0, 3000 if criterion != "absolute_error" else 1000, stretch=stretch)
    plain = native(case, Growth(criterion), sort_below=2**31 - 1)
    for size in sizes_of(criterion, FEW_SIZES):
        assert not differences(plain, native(case, Growth(criterion), **size)), size


@every
@pytest.mark.parametrize(
    ("seed", "n"),
    [(0, 600), (2, 600), *(pytest.param(seed, 1200, marks=pytest.mark.slow) for seed in (0, 2))],
)
def test_large_constrained_trees_do_not_depend_on_sizes(criterion, seed, n):
    case = large(criterion, seed, n)
    if case.n_classes:
        case = replace(case, y=(case.y > 1) * 1, n_classes=[2])
    growth = Growth(criterion, min_samples_leaf=3, monotonic=[1, -1, 0, 1, 0])
    plain = native(case, growth, sort_below=2**31 - 1)
    assert len(plain["feature"]) > 5
    for size in sizes_of(criterion, FEW_SIZES):
        assert not differences(plain, native(case, growth, **size)), size


@every
def test_columns_have_no_order_but_for_ties(criterion):
    """Where the two trees part, both splits gain the same."""
    case = large(criterion, 0, 800)
    order = np.array([3, 0, 4, 2, 1])
    growth = Growth(criterion, min_samples_leaf=5)
    one, two = native(case, growth), native(replace(case, columns=[case.columns[f] for f in order]), growth)
    pairs = [(0, 0)]
    for i, j in pairs:
        assert one["n_children"][i] == two["n_children"][j]
        assert one["gain"][i] == pytest.approx(two["gain"][j], rel=1e-11)
        same = one["feature"][i] == order[two["feature"][j]] and one["threshold"][i] == two["threshold"][j]
        if one["n_children"][i] and same:
            pairs += [(one["first_child"][i] + side, two["first_child"][j] + side) for side in (0, 1)]
    assert len(pairs) > 5 or criterion == "error"  # which ties everywhere


@every
def test_a_best_first_tree_without_a_budget_is_the_depth_first_tree(criterion):
    case = large(criterion, 1, 400, 30)
    trees = [native(case, Growth(criterion, order=order)) for order in ("depth", "breadth", "best")]
    assert not differences(trees[0], trees[1])
    assert not differences(trees[0], trees[2])
