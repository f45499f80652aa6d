"""Nominal columns: every split of the core is the best by brute force, in all three kinds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import CLASSIFICATION, CRITERIA, Growth, check_tree, ends_of, grow
from tests.oracle.tree import FOUND_BY
from tests.support import strategies
from tests.support.nominal_strategies import (
    NOMINAL_SPLITS,
    cells,
    grown,
    mixed_cases,
    mixed_growths,
    noisy_levels,
)
from tests.support.strategies import Case, differences, examples, sizes_of, well_formed

every = pytest.mark.parametrize("criterion", sorted(CRITERIA))
kinds = pytest.mark.parametrize("nominal_splits", NOMINAL_SPLITS)
ADDITIVE = sorted(set(CRITERIA) - {"absolute_error"})


@kinds
@every
@given(st.data())
@examples(0.8)
def test_every_split_is_the_best_of_its_kind(criterion, nominal_splits, data):
    case = data.draw(mixed_cases(criterion))
    growth = data.draw(mixed_growths(criterion, nominal_splits=nominal_splits))
    tree = grown(case, growth, **data.draw(st.sampled_from(sizes_of(criterion))))
    well_formed(tree)


@kinds
@every
@given(st.data())
@examples(0.4)
def test_a_budget_of_leaves_goes_to_the_best(criterion, nominal_splits, data):
    case = data.draw(mixed_cases(criterion))
    order = data.draw(st.sampled_from(["depth", "breadth", "best"]))
    most = data.draw(st.integers(2, 5))
    grown(case, Growth(criterion, order=order, max_leaf_nodes=most, nominal_splits=nominal_splits))


BEYOND_TWELVE = [
    pytest.param(
        c, k, gaps, marks=() if c in ("gini", "squared_error") or (k < 3 and not gaps) else pytest.mark.slow
    )
    for c in ADDITIVE
    for k in ((2, 3) if c in CLASSIFICATION else (0,))
    for gaps in (0, 0.2)
]


@pytest.mark.parametrize(("criterion", "n_classes", "gaps"), BEYOND_TWELVE)
def test_the_theorems_hold_beyond_twelve_levels(criterion, n_classes, gaps):
    """The best of the 4095 ways to divide 13 levels, found by ordering (two sums) or the sweep (three)."""
    case = noisy_levels(13, 13, 28, n_classes, gaps)
    tree = grown(case, Growth(criterion, max_depth=1))
    assert (
        not tree["heuristic"].any() or criterion == "poisson"
    )  # a mean of 0 may forbid what the theorem wants
    assert FOUND_BY[tree["found_by"][0]] == ("sweep" if n_classes == 3 else "order of levels")


@pytest.mark.parametrize("criterion", sorted(set(ADDITIVE) & set(CLASSIFICATION)))
@pytest.mark.parametrize("seed", [0, 1])
def test_up_to_twelve_levels_of_many_classes_are_all_tried(criterion, seed):
    tree = grown(noisy_levels(seed, 9 + seed, 40, 5), Growth(criterion, max_depth=1))
    assert not tree["heuristic"].any()
    assert FOUND_BY[tree["found_by"][0]] == "every subset"


@pytest.mark.parametrize(
    "criterion",
    [
        pytest.param(c, marks=() if c in ("gini", "entropy") else pytest.mark.slow)
        for c in sorted(set(ADDITIVE) & set(CLASSIFICATION))
    ],
)
def test_many_levels_of_many_classes_are_called_a_heuristic(criterion):
    """And still no single level against the rest is better."""
    tree = grown(noisy_levels(3, 13, 60, 5), Growth(criterion, max_depth=1))
    assert tree["heuristic"].tolist() == [1, 0, 0]
    assert FOUND_BY[tree["found_by"][0]] == "principal component"


@every
@given(st.data())
@examples(0.5)
def test_the_corrected_gain_chooses_the_column(criterion, data):
    case = data.draw(mixed_cases(criterion))
    if criterion != "absolute_error":
        kind = data.draw(st.sampled_from(NOMINAL_SPLITS))
        grown(case, Growth(criterion, level_correction=True, nominal_splits=kind, max_depth=2))


@kinds
@every
@given(st.data())
@examples(0.3)
def test_no_size_changes_a_bit(criterion, nominal_splits, data):
    case = data.draw(mixed_cases(criterion, max_rows=60, max_levels=30))
    growth = data.draw(mixed_growths(criterion, nominal_splits=nominal_splits))
    usual = strategies.native(case, growth)
    for size in sizes_of(criterion)[::7]:
        changed = differences(usual, strategies.native(case, growth, **size))
        assert not changed, f"{changed} differ with {size}"


@kinds
@every
@given(st.data())
@examples(0.5)
def test_rows_have_no_order(criterion, nominal_splits, data):
    case = data.draw(mixed_cases(criterion, max_rows=60, max_levels=30))
    growth = data.draw(mixed_growths(criterion, nominal_splits=nominal_splits))
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(case.n_rows)
    assert not differences(strategies.native(case, growth), strategies.native(case.rows(order), growth))


@kinds
@every
@given(st.data())
@examples(0.25)
def test_names_of_levels_do_not_matter(criterion, nominal_splits, data):
    """Renamed levels give a tree that is right as well, and a root that gains the same."""
    case = data.draw(mixed_cases(criterion))
    growth = Growth(criterion, nominal_splits=nominal_splits)
    columns = [
        (np.where(codes < 0, -1, 7 - codes).astype(np.int32), None, 8) if n_levels else (codes, gone)
        for codes, gone, *n_levels in case.columns
    ]
    usual, renamed = grown(case, growth), grown(replace(case, columns=columns), growth)
    assert usual["gain"][0] == pytest.approx(renamed["gain"][0], rel=1e-9, abs=1e-9)


@kinds
@pytest.mark.parametrize("criterion", sorted(CLASSIFICATION))
@given(st.data())
@examples(0.5)
def test_two_levels_divide_like_a_number(criterion, nominal_splits, data):
    case = data.draw(mixed_cases(criterion, max_levels=2, gaps=False))
    nominal = strategies.native(case, Growth(criterion, nominal_splits=nominal_splits))
    columns = [(column[0], None) for column in case.columns]
    number = strategies.native(replace(case, columns=columns), Growth(criterion))
    for name in ("first_child", "feature", "n_node_samples", "gain", "value"):
        np.testing.assert_array_equal(nominal[name], number[name], err_msg=name)


def test_a_level_that_a_node_has_not_seen_goes_where_missing_values_go():
    codes = np.array([0, 0, 1, 1, 2, 2, 2], np.int32)
    case = Case([(codes, None, 5)], np.array([[0, 0, 1, 1, 1, 1, 1]]).T, [2], None)
    for kind, children in (("subset", 2), ("one_vs_rest", 2), ("multiway", 3)):
        tree = grown(case, Growth("gini", nominal_splits=kind))
        assert tree["n_children"][0] == children
        fullest = children  # the last child has most rows
        assert [ends_of(tree, [x]) for x in (None, 3, 4)] == [{fullest: 1.0}] * 3
        assert tree["level_code"].tolist() == [0, 1, 2]


@kinds
def test_xor_of_levels_is_grown(nominal_splits):
    a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.int32)
    case = Case([(a, None, 2), (b, None, 2)], np.array([[0, 1, 1, 0]]).T, [2], None)
    assert (grown(case, Growth("gini", nominal_splits=nominal_splits))["n_children"] == 0).sum() == 4


# ------------------------------------------------------------------ the checker itself
@st.composite
def oracle_trees(draw):
    criterion = draw(st.sampled_from(sorted(CRITERIA)))
    growth = draw(mixed_growths(criterion, nominal_splits=draw(st.sampled_from(NOMINAL_SPLITS))))
    case = draw(mixed_cases(criterion))
    return case, growth, grow(case.table, growth)


@given(oracle_trees())
@examples(2)
def test_the_oracle_passes_its_own_check(drawn):
    case, growth, tree = drawn
    check_tree(case.table, growth, tree)
    ends = [ends_of(tree, row) for row in cells(case)]
    counted = np.bincount(
        [next(iter(e)) for e, w in zip(ends, case.table.weights, strict=True) if w],
        minlength=len(tree["feature"]),
    )
    leaves = tree["n_children"] == 0
    np.testing.assert_array_equal(counted[leaves], tree["n_node_samples"][leaves])


LEVELS = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], np.int32)
SUNNY = np.array([[0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]]).T  # levels 0 and 2 against 1 and 3
FOUR = Case([(np.zeros(12), None), (LEVELS, None, 4)], SUNNY, [2], None)
CHANGES = {
    "feature": -1,
    "n_children": 1,
    "missing_child": -1,
    "missing_seen": 1,
    "level_child": 1,
    "level_code": 4,
    "n_node_samples": 1,
    "weighted_n_node_samples": 0.5,
    "impurity": 1e-3,
    "value": 0.25,
    "gain": 1e-3,
    "heuristic": 1,
    "found_by": 2,  # "every level"
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_the_checker_sees_every_difference(name):
    growth = Growth("gini")
    tree = grow(FOUR.table, growth)
    check_tree(FOUR.table, growth, tree)
    changed = tree[name].astype(float if tree[name].dtype.kind == "f" else int)
    changed[0] += CHANGES[name]
    with pytest.raises(AssertionError):
        check_tree(FOUR.table, growth, tree | {name: changed})


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
def test_the_checker_refuses_the_second_best(criterion):
    growth = Growth(criterion, max_depth=1)
    best = grow(FOUR.table, growth)
    assert best["level_child"].tolist() == [0, 1, 0, 1]
    for child in ([0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 0]):
        with pytest.raises(AssertionError, match="is not best"):
            check_tree(FOUR.table, growth, best | {"level_child": np.array(child)}, counts=False)
    with pytest.raises(AssertionError, match="not one of the feasible"):  # level 0 must be in the first child
        check_tree(FOUR.table, growth, best | {"level_child": np.array([1, 0, 1, 0])}, counts=False)


def test_the_checker_knows_a_heuristic():
    """With a limit the theorem is void: a heuristic may fall short, but not of a single level."""
    growth = Growth("gini", max_depth=1, min_samples_leaf=2)
    best = grow(FOUR.table, growth)
    good = best | {"level_child": np.array([0, 0, 1, 0]), "missing_child": np.array([0, 0, 0])}
    with pytest.raises(AssertionError, match="is not best"):
        check_tree(FOUR.table, growth, good, counts=False)
    check_tree(FOUR.table, growth, good | {"heuristic": np.array([1, 0, 0])}, counts=False)
    bad = best | {"level_child": np.array([0, 0, 1, 1]), "heuristic": np.array([1, 0, 0])}
    with pytest.raises(AssertionError, match="is not best"):
        check_tree(FOUR.table, growth, bad, counts=False)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_the_checker_knows_the_budget(criterion):
    y = SUNNY if criterion == "gini" else SUNNY + np.arange(12).reshape(-1, 1)
    case = replace(FOUR, y=y, n_classes=[2] if criterion == "gini" else None)
    free = Growth(criterion, order="best")
    tight = replace(free, max_leaf_nodes=3)
    large, small = grow(case.table, free), grow(case.table, tight)
    check_tree(case.table, tight, small)
    with pytest.raises(AssertionError, match="stops"):
        check_tree(case.table, free, small)
    with pytest.raises(AssertionError, match="must not be split"):
        check_tree(case.table, tight, large)
    with pytest.raises(AssertionError, match="must be split"):
        check_tree(case.table, replace(free, max_leaf_nodes=4), small)
