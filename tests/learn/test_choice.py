"""How a node chooses: gain ratio, thresholds, drawn splits; and the laws of weights and of sqrt_gini."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.oracle import CLASSIFICATION, CRITERIA, Growth, check_tree, grow
from tests.oracle.thresholds import threshold_fault
from tests.support import strategies
from tests.support.nominal_strategies import MISSING, NOMINAL_SPLITS, grown, mixed_cases, mixed_growths
from tests.support.strategies import Case, cases, drawn_integers, examples, growths, sizes_of

every = pytest.mark.parametrize("criterion", sorted(CRITERIA))


# ------------------------------------------------------------------ gain ratio
# the 14 days of the tennis table, a letter each: sunny, overcast, rain; high, normal; weak, strong; no, yes
OUTLOOK, HUMIDITY, WIND, PLAY = "ssorrrossrsoor", "hhhhnnnhnnnhnh", "wswwwsswwwssws", "nnyyynynyyyyyn"


def coded(letters):
    levels = sorted(set(letters))
    return np.array([levels.index(letter) for letter in letters], np.int32), None, len(levels)


def test_gain_ratios_of_the_tennis_table():
    """Gains of 0.2467, 0.1518 and 0.0481 bits: two reach the mean, and 0.2467 / 1.577 > 0.1518 / 1."""
    y = coded(PLAY)[0].reshape(-1, 1)
    case = Case([coded(OUTLOOK), coded(HUMIDITY), coded(WIND)], y, [2], None)
    growth = Growth("gain_ratio", nominal_splits="multiway", max_depth=1)
    tree = grown(case, growth)
    assert (tree["feature"][0], tree["n_children"][0]) == (0, 3)
    assert tree["gain"][0] / 14 == pytest.approx(0.24675, abs=1e-5)


def test_gain_ratio_prefers_few_branches():
    """A key of eight levels gains all there is, and a column of two levels nearly as much."""
    y = np.array([[0, 0, 0, 0, 1, 1, 1, 1]]).T
    key = (np.arange(8, dtype=np.int32), None, 8)
    flag = (np.array([0, 0, 0, 0, 1, 1, 1, 1], np.int32), None, 2)
    case = Case([key, flag], y, [2], None)
    by_gain = grown(case, Growth("entropy", nominal_splits="multiway"))
    by_ratio = grown(case, Growth("gain_ratio", nominal_splits="multiway"))
    assert (by_gain["feature"][0], by_ratio["feature"][0]) == (0, 1)


@pytest.mark.parametrize("missing", MISSING)
@given(st.data())
@examples(1.5)
def test_the_best_ratio_is_chosen(missing, data):
    kinds = NOMINAL_SPLITS if missing != "surrogate" else ("subset", "one_vs_rest")
    growth = data.draw(
        mixed_growths("gain_ratio", missing=missing, nominal_splits=data.draw(st.sampled_from(kinds)))
    )
    sizes = [size for size in sizes_of("gain_ratio") if not size["n_pages"]]
    grown(data.draw(mixed_cases("entropy")), growth, **data.draw(st.sampled_from(sizes)))


@given(cases("gain_ratio"), growths("gain_ratio"), st.sampled_from(sizes_of("gain_ratio")))
@examples(2)
def test_the_best_ratio_of_numbers_is_chosen(case, growth, sizes):
    check_tree(case.table, growth, strategies.native(case, growth, **sizes))


def test_the_checker_sees_a_worse_ratio():
    y = np.array([[0, 0, 0, 0, 1, 1, 1, 1]]).T
    key = (np.arange(8, dtype=np.int32), None, 8)
    flag = (np.array([0, 0, 0, 0, 1, 1, 1, 1], np.int32), None, 2)
    case = Case([key, flag], y, [2], None)
    by_gain = grow(case.table, Growth("entropy", nominal_splits="multiway"))
    with pytest.raises(AssertionError, match="is not best"):
        check_tree(case.table, Growth("gain_ratio", nominal_splits="multiway"), by_gain)


# ------------------------------------------------------------------ thresholds, and splits that are not best
@pytest.mark.parametrize("thresholds", ["midpoint", "observed", "rounded"])
@every
@given(st.data())
@examples(0.7)
def test_thresholds_lie_where_the_option_puts_them(criterion, thresholds, data):
    case, growth = data.draw(cases(criterion)), data.draw(growths(criterion))
    growth = replace(growth, thresholds=thresholds)
    check_tree(case.table, growth, strategies.native(case, growth))


@pytest.mark.parametrize(
    ("a", "b", "t"),
    [(1.0, 2.0, 1.5), (23.4, 23.9, 23.6), (0.123, 0.1239, 0.1235), (99.0, 104.0, 100.0), (-1.0, 2.0, 0.0)],
)
def test_rounded_thresholds_are_short(a, b, t):
    case = Case([(np.array([a, b]), None)], np.array([[0, 1]]).T, [2], None)
    tree = grown(case, Growth("gini", thresholds="rounded"))
    assert a + (b - a) / 4 <= tree["threshold"][0] <= b - (b - a) / 4
    assert len(repr(tree["threshold"][0].item())) <= len(repr(t))


def test_the_checker_sees_a_wrong_threshold():
    case = Case([(np.array([1.01, 2.03]), None)], np.array([[0, 1]]).T, [2], None)
    tree = grow(case.table, Growth("gini"))
    for rule, wrong in (("midpoint", 1.5), ("observed", 1.52), ("rounded", 1.52)):
        changed = tree | {"threshold": np.array([wrong, math.nan, math.nan])}
        with pytest.raises(AssertionError, match=r"threshold is|shorter"):
            check_tree(case.table, Growth("gini", thresholds=rule), changed)
    assert threshold_fault("rounded", [1.01, 2.03], *splits_at(case, 1.5)) is None


def test_no_decimal_is_shorter_between_neighbouring_doubles():
    """1.000000000000007 lies between these two as a decimal, but as a double it is the upper one."""
    low = 1.0000000000000069
    high = math.nextafter(low, 2)
    case = Case([(np.array([low, high]), None)], np.array([[0, 1]]).T, [2], None)
    growth = Growth("gini", thresholds="rounded")
    tree = grown(case, growth)
    assert tree["threshold"][0] == low


def splits_at(case, t):
    best = grow(case.table, Growth("gini"))["nodes"][0].best.split
    return replace(best, threshold=t), best


@pytest.mark.parametrize("splitter", ["random", "gaussian"])
@given(st.data())
@examples(2)
def test_drawn_splits_keep_the_rules(splitter, data):
    """Whatever splits are drawn: children are large enough, counts are right, levels are those present."""
    additive = set(CRITERIA) - {"absolute_error"}  # it refuses to draw sets of levels
    criterion = data.draw(st.sampled_from(sorted(CLASSIFICATION if splitter == "gaussian" else additive)))
    growth = data.draw(mixed_growths(criterion, splitter=splitter))
    grown(data.draw(mixed_cases(criterion)), growth)


# ------------------------------------------------------------------ laws
@pytest.mark.parametrize("criterion", sorted(CLASSIFICATION))
@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate"])
@given(st.data())
@examples(0.5)
def test_oversampling_a_class_is_weighting_it(criterion, missing, data):
    """Copies are weights, except where rows are counted: each side of a surrogate needs two."""
    case = replace(data.draw(mixed_cases(criterion)), weights=None)
    times = np.where(case.y[:, 0] == 0, data.draw(st.integers(2, 4)), 1)
    growth = Growth(criterion, missing=missing)
    copied = strategies.native(case.rows(np.repeat(np.arange(case.n_rows), times)), growth)
    heavy = strategies.native(replace(case, weights=times.astype(float)), growth)
    if missing != "surrogate":
        for name in ("first_child", "feature", "threshold", "level_code", "level_child"):
            np.testing.assert_array_equal(copied[name], heavy[name], err_msg=name)
        for name in ("weighted_n_node_samples", "value", "gain"):
            np.testing.assert_allclose(copied[name], heavy[name], rtol=1e-12, atol=1e-12)
    else:
        assert copied["feature"][0] == heavy["feature"][0]
        np.testing.assert_allclose(copied["gain"][0], heavy["gain"][0], rtol=1e-12)


@given(st.data())
@examples(1)
def test_oversampling_is_class_weight_for_users(data):
    n, k = data.draw(st.integers(4, 40)), data.draw(st.integers(2, 5))
    X, y = data.draw(drawn_integers(2 * n, 0, 6)).reshape(n, 2), data.draw(drawn_integers(n, 0, 2))
    rows = np.repeat(np.arange(n), np.where(y == 1, k, 1))
    copied = treewright.DecisionTreeClassifier().fit(X[rows], y[rows])
    weighted = treewright.DecisionTreeClassifier(class_weight={0: 1, 1: k, 2: 1}).fit(X, y)
    np.testing.assert_allclose(copied.predict_proba(X), weighted.predict_proba(X), rtol=1e-12)
    np.testing.assert_array_equal(copied.tree_.feature, weighted.tree_.feature)


@pytest.mark.parametrize("nominal_splits", NOMINAL_SPLITS)
@given(st.data())
@examples(2)
def test_sqrt_gini_does_not_see_how_rare_a_class_is(nominal_splits, data):
    """For two classes φ = 2 √(n₀ n₁): a factor of one class is a factor of every gain. Ties aside."""
    case = data.draw(mixed_cases("sqrt_gini"))
    case = replace(case, y=case.y[:, :1] % 2, n_classes=[2])
    factor = data.draw(st.sampled_from([2, 3, 7, 100, 1024]))
    weights = np.ones(case.n_rows) if case.weights is None else case.weights
    rare = replace(case, weights=weights * np.where(case.y[:, 0] == 1, factor, 1))
    growth = Growth("sqrt_gini", nominal_splits=nominal_splits)
    check_tree(case.table, growth, strategies.native(rare, growth), counts=False)


def test_gini_does_see_how_rare_a_class_is():
    x = np.array([[1, 1, 0, 1, 0, 1, 1, 0, 1, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]], float)
    y = np.array([[0, 1, 1, 0, 0, 0, 0, 1, 0, 1]]).T
    for criterion, features in (("gini", [1, 0]), ("sqrt_gini", [1, 1])):
        for factor, feature in zip((1, 16), features, strict=True):
            case = Case([(column, None) for column in x], y, [2], np.where(y[:, 0] == 1, factor, 1.0))
            assert grown(case, Growth(criterion))["feature"][0] == feature
