"""The oracle itself: worked examples, laws, and scikit-learn as a second opinion."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.oracle import CLASSIFICATION, CRITERIA, Growth, Table, candidates, grow, leaf_of, weakest_links
from tests.oracle.criteria import median
from tests.oracle.search import round_half_up
from tests.oracle.splits import between
from tests.support.strategies import (
    all_gains,
    almost_tied,
    cases,
    constrained_cases,
    examples,
    growths,
    same_tree,
    well_formed,
)

NAN, INF = math.nan, math.inf


def table(x, y, w=None, n_classes=None):
    columns = [(np.asarray(column), None) for column in x]
    return Table.of(
        columns, np.asarray(y).reshape(len(y), -1), None if w is None else np.asarray(w), n_classes
    )


@pytest.mark.parametrize(
    ("criterion", "y", "w", "expected"),
    [
        ("gini", [0, 0, 1], [1, 1, 1], 4 / 9),
        ("gini", [0, 1, 2], [2, 1, 1], 5 / 8),
        ("entropy", [0, 1, 2], [2, 1, 1], 1.5),
        ("error", [0, 1, 2], [2, 1, 1], 0.5),
        ("sqrt_gini", [0, 1], [1, 4], 0.8),
        ("squared_error", [1, 2, 6], [1, 1, 2], 5.1875),
        ("absolute_error", [1, 2, 6], [1, 1, 1], 5 / 3),
        ("absolute_error", [1, 2, 6], [1, 1, 2], 2.25),
        ("poisson", [0, 1, 2], [1, 2, 1], 0.5 * math.log(2)),
        ("poisson", [0, 0], [1, 1], 0.0),
    ],
)
def test_impurities_worked_by_hand(criterion, y, w, expected):
    assert float(CRITERIA[criterion](y, w)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("y", "w", "expected"),
    [
        ([3], [1], 3),
        ([1, 2], [1, 1], 1.5),
        ([1, 2, 9], [1, 1, 2], 5.5),
        ([9, 1, 2], [3, 1, 1], 9),
        ([4, 4], [1, 2], 4),
    ],
)
def test_the_median_is_the_middle_of_the_lower_and_the_upper(y, w, expected):
    assert median(y, w) == expected


@pytest.mark.parametrize(
    ("a", "b", "t"),
    [
        (1.0, 2.0, 1.5),
        (1.0, 1.0 + 2**-52, 1.0),
        (1.0 + 2**-52, 1.0 + 2**-51, 1.0 + 2**-52),  # the middle rounds up to b
        (-1.7e308, 1.7e308, 0.0),
        (2.0**1023, 1.5 * 2.0**1023, 1.25 * 2.0**1023),
        (-INF, 3.0, -INF),
        (3.0, INF, 3.0),
        (-INF, INF, -INF),
        (0.0, 5e-324, 0.0),
    ],
)
def test_a_threshold_lies_between_its_neighbours(a, b, t):
    assert between(a, b) == t


def test_candidates_come_in_the_order_that_breaks_ties():
    found = [
        (s.feature, s.threshold, s.missing_left)
        for s in candidates([[7, 7, 7], [2.0, None, 1.0], [0.0, -0.0, 4.0]])
    ]
    assert found == [(1, 1.5, False), (1, 1.5, True), (1, INF, False), (2, 2.0, False)]
    assert list(candidates([[None, None, None]])) == []


@pytest.mark.parametrize(
    ("a", "b", "t"),
    [
        (1, 2, 1.5),
        (2**53, 2**53 + 1, 2.0**53),
        (2**53 + 1, 2**53 + 2, 2**53 + 1),  # 2.0**53 and 2.0**53 + 2 are the nearest
        (2**53 + 3, 2**53 + 4, 2**53 + 3),
        (2**62 + 1, 2**62 + 2, 2**62 + 1),
        (2**53 + 1, 2**60, 2.0**59 + 2.0**52),
        (False, True, 0.5),
    ],
)
def test_whole_numbers_are_cut_exactly(a, b, t):
    found = between(a, b)
    assert (found, type(found)) == (t, type(t))
    (split,) = candidates([[b, a]])
    assert [split.goes_left(x) for x in (a - 1, a, b, b + 1)] == [True, True, False, False]


def test_scores_round_half_up():
    assert [round_half_up(Fraction(n, 2)) for n in (0, 1, 2, 3)] == [0, 1, 1, 2]


def test_a_tree_worked_by_hand():
    x = [[1, 2, 3, 4, 5, 6], [0, 0, 0, NAN, NAN, 0]]
    tree = grow(table(x, [0, 0, 1, 1, 1, 0], n_classes=[2]), Growth("gini"))
    assert tree["feature"].tolist() == [0, -1, 0, -1, -1]
    assert tree["threshold"][[0, 2]].tolist() == [2.5, 5.5]
    assert tree["first_child"].tolist() == [1, -1, 3, -1, -1]
    assert tree["n_node_samples"].tolist() == [6, 2, 4, 3, 1]
    assert tree["missing_child"][[0, 2]].tolist() == [1, 0]  # the larger child
    assert (
        grow(table([[0, 1]], [0, 1]), Growth("squared_error"))["missing_child"][0] == 1
    )  # neither is larger
    assert tree["value"][:, 0].tolist() == [[0.5, 0.5], [1, 0], [0.25, 0.75], [0, 1], [1, 0]]
    assert tree["gain"][0] == pytest.approx(3 - 1.5)
    assert tree["impurity"].tolist() == [0.5, 0, 0.375, 0, 0]


def test_missing_against_the_rest():
    tree = grow(table([[1, 2, NAN, NAN]], [5, 5, 8, 8]), Growth("squared_error"))
    assert (tree["threshold"][0], tree["missing_child"][0], tree["missing_seen"][0]) == (INF, 1, 1)


def test_an_impure_node_splits_at_a_gain_of_nothing():
    tree = grow(table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], n_classes=[2]), Growth("gini"))
    assert tree["n_node_samples"].tolist() == [4, 2, 2, 1, 1, 1, 1]
    assert tree["gain"][0] == 0


def test_each_setting_stops_growth():
    rows = table([range(8)], [0, 1, 2, 3, 10, 11, 12, 13])

    def sizes(**settings):
        return grow(rows, Growth("squared_error", **settings))["n_node_samples"].tolist()

    assert sizes(max_depth=1) == [8, 4, 4]
    assert sizes(min_samples_split=5) == [8, 4, 4]
    assert sizes(min_samples_leaf=2) == [8, 4, 4, 2, 2, 2, 2]
    assert sizes(min_weight_leaf=2.0) == [8, 4, 4, 2, 2, 2, 2]
    assert sizes(min_weight_leaf=2.5) == [8, 4, 4]
    assert sizes(min_impurity_decrease=1.0) == [8, 4, 4]
    assert sizes(min_impurity_decrease=0.5) == [8, 4, 4, 2, 2, 2, 2]  # 4/8 is enough
    assert sizes(max_leaf_nodes=3) == [8, 4, 4, 2, 2]
    assert len(sizes()) == 15


def test_the_order_decides_which_leaves_a_budget_buys():
    rows = table([range(6)], [0, 1, 2, 20, 30, 40])

    def children(order, budget):
        return grow(rows, Growth("squared_error", order=order, max_leaf_nodes=budget))["n_children"].tolist()

    assert children("depth", 3) == children("breadth", 3) == [2, 2, 0, 0, 0]
    assert children("depth", 4) == [2, 2, 0, 0, 2, 0, 0]
    assert children("breadth", 4) == [2, 2, 2, 0, 0, 0, 0]
    assert children("best", 3) == [2, 0, 2, 0, 0]
    assert children("best", 4) == [2, 0, 2, 0, 2, 0, 0]


def test_of_equal_gains_the_leaf_opened_first_is_split_first():
    rows = table([range(4)], [0, 2, 10, 12])
    tree = grow(rows, Growth("squared_error", order="best", max_leaf_nodes=3))
    assert tree["n_children"].tolist() == [2, 2, 0, 0, 0]


def test_the_impurity_of_several_outputs_is_their_mean():
    tree = grow(table([[0, 1]], [[0, 0], [1, 0]], n_classes=[2, 3]), Growth("gini"))
    assert tree["impurity"].tolist() == [0.25, 0, 0]
    assert tree["value"][0].tolist() == [[0.5, 0.5, 0], [1, 0, 0]]


def test_a_mask_makes_values_missing():
    rows = Table.of([(np.array([1, 2, 3]), np.array([False, True, False]))], np.zeros((3, 1)))
    assert rows.columns == [[1, None, 3]]


def test_constraints_bound_the_children_and_clip_their_values():
    rows = table([[0, 1, 2, 3]], [0, 4, 2, 6])
    free = grow(rows, Growth("squared_error"))
    bound = grow(rows, Growth("squared_error", monotonic=[1]))
    assert free["n_children"].tolist() == [2, 0, 2, 2, 0, 0, 0]
    assert bound["lower"][1:3].tolist() == [-INF, 2.0]
    assert bound["upper"][1:3].tolist() == [2.0, INF]
    leaves = [bound["value"][leaf_of(bound, [x]), 0, 0] for x in (0, 1, 2, 3)]
    assert leaves == sorted(leaves)


def test_rows_of_weight_0_take_no_part():
    case = table([[0, 1, 2, 3]], [0, 1, 1, 5], [1.0, 0.0, 0.5, 0.0])
    tree = grow(case, Growth("squared_error"))
    assert tree["n_node_samples"].tolist() == [2, 1, 1]
    assert tree["threshold"][0] == 1.0
    assert tree["weighted_n_node_samples"].tolist() == [1.5, 1.0, 0.5]


def test_poisson_makes_no_child_of_zeros():
    tree = grow(table([[0, 1, 2, 3]], [0, 0, 1, 3]), Growth("poisson"))
    assert tree["threshold"][0] == 2.5
    assert (tree["value"] > 0).all()
    two = grow(table([[0, 1, 2, 3]], [[0, 1], [0, 2], [0, 1], [3, 4]]), Growth("poisson"))
    assert len(two["feature"]) == 1  # the first output allows no cut


def drawn(criterion):
    return st.tuples(cases(criterion, max_rows=16), growths(criterion))


ANY = st.sampled_from(sorted(CRITERIA)).flatmap(drawn)


@given(ANY)
@examples(2)
def test_every_row_walks_to_the_leaf_that_counted_it(drawn):
    case, growth = drawn
    rows = case.table
    tree = grow(rows, growth)
    well_formed(tree)
    for i, node in enumerate(tree["nodes"]):
        if not node.children:
            assert {leaf_of(tree, [column[r] for column in rows.columns]) for r in node.rows} == {i}


@given(ANY)
@examples(2)
def test_a_stump_is_the_best_of_all_splits_of_one_column(drawn):
    case, growth = drawn
    growth = Growth(growth.criterion, max_depth=1, min_samples_leaf=growth.min_samples_leaf)
    gains = all_gains(case.table, growth)
    assert grow(case.table, growth)["gain"][0] == pytest.approx(float(max(gains)), rel=2**-39, abs=1e-12)
    assert min(gains) >= -Fraction(1, 10**30)


@given(st.sampled_from(sorted(CRITERIA)).flatmap(constrained_cases), st.sampled_from(["depth", "best"]))
@examples()
def test_predictions_follow_the_constraints(drawn, order):
    case, signs = drawn
    criterion = "gini" if case.n_classes else "squared_error"
    rows = case.table
    tree = grow(rows, Growth(criterion, monotonic=signs, order=order))
    for f, sign in enumerate(signs):
        ladder = sorted(x for x in set(rows.columns[f]) if x is not None)
        for r in range(0, case.n_rows, 5):
            others = [column[r] for column in rows.columns]
            steps = [tree["value"][leaf_of(tree, [*others[:f], x, *others[f + 1 :]]), 0, -1] for x in ladder]
            assert sign == 0 or steps == sorted(steps)[::sign]


@given(
    ANY,
    st.sampled_from(["feature", "threshold", "missing_child", "n_node_samples", "impurity", "value", "gain"]),
)
@examples(2)
def test_same_tree_sees_every_difference(drawn, name):
    case, growth = drawn
    rows = case.table
    tree = grow(rows, growth)
    same_tree(tree, tree, rows, growth)
    changed = tree | {name: tree[name].copy()}
    changed[name][0] += 1 if name != "threshold" else 1 + abs(changed[name][0]) * 2**-50
    if len(tree["feature"]) > 1 and np.isfinite(tree["threshold"][0]) and not len(tree["integer_exact"]):
        with pytest.raises(AssertionError, match=r"At the root .* the oracle"):
            same_tree(changed, tree, rows, growth)


def random_rows(seed, classes):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    x = rng.integers(0, 12, (n, 3)) / 4
    x[rng.random((n, 3)) < (0.15 if seed % 2 else 0)] = np.nan
    w = rng.integers(1, 9, n) / 4
    return x, (rng.integers(0, 3, n) if classes else rng.integers(0, 20, n) / 4), w


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("seed", range(12))
def test_stumps_gain_what_scikit_learn_gains(criterion, seed):
    classes = criterion in CLASSIFICATION
    x, y, w = random_rows(seed, classes)
    model = DecisionTreeClassifier if classes else DecisionTreeRegressor
    sklearn_tree = model(criterion=criterion, max_depth=1, min_samples_leaf=2).fit(x, y, w).tree_
    labels = np.unique(y, return_inverse=True)[1] if classes else y
    n_classes = [len(np.unique(y))] if classes else None
    ours = grow(table(x.T, labels, w, n_classes), Growth(criterion, max_depth=1, min_samples_leaf=2))
    mass = sklearn_tree.impurity * sklearn_tree.weighted_n_node_samples
    assert ours["gain"][0] == pytest.approx(mass[0] - mass[1:].sum(), abs=1e-9)
    assert ours["impurity"][0] == pytest.approx(sklearn_tree.impurity[0], abs=1e-12)
    np.testing.assert_allclose(ours["value"][0], sklearn_tree.value[0], atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
@pytest.mark.parametrize("seed", range(5))
def test_constrained_trees_are_scikit_learns(criterion, seed):
    """The trees are equal, node by node, but where two features tie: scikit-learn then takes any."""
    rng = np.random.default_rng(seed)
    x = rng.permutation(120).reshape(40, 3) / 4.0
    noisy = x[:, 0] - x[:, 1] + rng.integers(-40, 40, 40) / 2
    y = (noisy > 0).astype(int) if criterion == "gini" else noisy
    model = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
    sklearn_tree = model(criterion=criterion, monotonic_cst=[1, -1, 0], random_state=0).fit(x, y).tree_
    rows = table(x.T, y, n_classes=[2] if criterion == "gini" else None)
    ours = grow(rows, Growth(criterion, monotonic=[1, -1, 0]))
    mass = sklearn_tree.impurity * sklearn_tree.weighted_n_node_samples
    pairs = [(0, 0)]
    for i, j in pairs:
        np.testing.assert_allclose(ours["value"][i], sklearn_tree.value[j], atol=1e-12)
        assert (ours["n_children"][i] == 0) == (sklearn_tree.children_left[j] == -1)
        if ours["n_children"][i]:
            first, left, right = (
                ours["first_child"][i],
                sklearn_tree.children_left[j],
                sklearn_tree.children_right[j],
            )
            assert ours["gain"][i] == pytest.approx(mass[j] - mass[left] - mass[right], abs=1e-9)
            if (ours["feature"][i], ours["threshold"][i]) == (
                sklearn_tree.feature[j],
                sklearn_tree.threshold[j],
            ):
                pairs += [(first, left), (first + 1, right)]
    assert len(pairs) > 10


def pruned_costs(first_child, n_children, risk, alpha):
    """R + alpha |T| of every way to prune, by enumeration, with the inner nodes that it keeps."""

    def prunings(t):
        yield Fraction(risk[t]) + alpha, frozenset()
        if n_children[t]:
            for a, b in itertools.product(prunings(first_child[t]), prunings(first_child[t] + 1)):
                yield a[0] + b[0], a[1] | b[1] | {t}

    return list(prunings(0))


@given(st.lists(st.integers(0, 6), min_size=7, max_size=7))
@examples(4)
def test_each_alpha_leaves_the_smallest_tree_of_least_cost(gains):
    """Every node of a complete tree of depth 2 gains a few eighths: risks are exact and often tie."""
    first_child, n_children = [1, 3, 5, -1, -1, -1, -1], [2, 2, 2, 0, 0, 0, 0]
    risk = [0.0] * 7
    for t in (6, 5, 4, 3):
        risk[t] = gains[t] / 8
    for t in (2, 1, 0):
        risk[t] = risk[first_child[t]] + risk[first_child[t] + 1] + gains[t] / 8
    alphas, stop = weakest_links(first_child, n_children, risk)
    assert alphas[0] == 0
    assert alphas == sorted(set(alphas))
    assert set(stop[:3]) <= set(alphas)
    for alpha in {*alphas, *(a + 1 / 64 for a in alphas)}:
        prunings = pruned_costs(first_child, n_children, risk, Fraction(alpha))
        least = min(cost for cost, _ in prunings)
        kept = {t for t in range(3) if stop[t] > alpha}
        smallest = min((inner for cost, inner in prunings if cost <= least + Fraction(1, 10**12)), key=len)
        assert kept == smallest


def test_the_pruning_path_is_scikit_learns():
    rng = np.random.default_rng(0)
    x, y = rng.permutation(60).reshape(30, 2) / 2.0, rng.integers(0, 3, 30)
    sklearn_tree = DecisionTreeClassifier(random_state=0, min_samples_leaf=2).fit(x, y)
    path = sklearn_tree.cost_complexity_pruning_path(x, y)
    ours = grow(table(x.T, y, n_classes=[3]), Growth("gini", min_samples_leaf=2))
    assert len(ours["feature"]) == sklearn_tree.tree_.node_count
    risk = ours["impurity"] * ours["weighted_n_node_samples"] / 30
    alphas, _ = weakest_links(ours["first_child"], ours["n_children"], risk)
    merged = [a for i, a in enumerate(path.ccp_alphas) if i == 0 or a > path.ccp_alphas[i - 1] + 1e-12]
    np.testing.assert_allclose(
        [a for i, a in enumerate(alphas) if i == 0 or a > alphas[i - 1] + 1e-12], merged, atol=1e-12
    )


@pytest.mark.parametrize("criterion", sorted(set(CRITERIA) - {"sqrt_gini"}))  # its slope is infinite at p = 0
def test_scores_of_40_bits_do_not_distinguish_almost_equal_splits(criterion):
    case = almost_tied(criterion in CLASSIFICATION).table
    tree = grow(case, Growth(criterion))
    assert tree["feature"].tolist() == [0, 1, -1, -1, -1]
    assert grow(case, Growth(criterion, min_samples_leaf=3, max_depth=1))["feature"].tolist() == [-1]
