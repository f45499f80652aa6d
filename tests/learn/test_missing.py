"""Missing values: learned, a child of their own, surrogates, shares; at fit and at predict."""

import csv
import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import CRITERIA, Growth, Table, check_tree, ends_of, grow
from tests.oracle.grow import root_of
from tests.oracle.route import SHARED
from tests.oracle.search import Scored, sides_of
from tests.oracle.splits import Split
from tests.oracle.surrogates import surrogates_of
from tests.support import strategies
from tests.support.golden import GOLDEN, INSIDE, cases_of
from tests.support.nominal_strategies import MISSING, NOMINAL_SPLITS, cells, grown, mixed_cases, mixed_growths
from tests.support.strategies import Case, differences, examples, sizes_of
from treewright import _core

RECORDED = cases_of("rpart")
every = pytest.mark.parametrize("criterion", sorted(CRITERIA))
ways = pytest.mark.parametrize("missing", MISSING)


def drawn_case(data, criterion, missing):
    binary = [kind for kind in NOMINAL_SPLITS if kind != "multiway"]  # surrogates take one of two sides
    kind = data.draw(st.sampled_from(binary if missing == "surrogate" else NOMINAL_SPLITS))
    growth = data.draw(mixed_growths(criterion, missing=missing, nominal_splits=kind))
    return data.draw(mixed_cases(criterion, max_rows=18, max_levels=5)), growth


def sizes_for(criterion, missing):
    """Rows that are shared out, or follow surrogates, live in memory."""
    sizes = sizes_of(criterion)
    return sizes if missing in ("learned", "branch") else [size for size in sizes if not size["n_pages"]]


@ways
@every
@given(st.data())
@examples(0.8)
def test_every_node_is_as_defined(criterion, missing, data):
    case, growth = drawn_case(data, criterion, missing)
    grown(case, growth, **data.draw(st.sampled_from(sizes_for(criterion, missing))))


@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate"])
@every
@given(st.data())
@examples(0.5)
def test_every_node_of_a_constrained_tree_is_as_defined(criterion, missing, data):
    case, signs = data.draw(strategies.constrained_cases(criterion))
    growth = replace(data.draw(strategies.growths(criterion)), monotonic=signs, missing=missing)
    kept = missing != "learned"  # in memory: others may have no limit on leaves with three branches
    sizes = [size for size in sizes_for(criterion, missing) if not (kept and size["n_pages"])]
    grown(case, growth, **data.draw(st.sampled_from(sizes)))


@ways
@every
@given(st.data())
@examples(0.3)
def test_no_size_changes_a_bit(criterion, missing, data):
    case, growth = drawn_case(data, criterion, missing)
    usual = strategies.native(case, growth)
    for size in sizes_for(criterion, missing)[::5]:
        changed = differences(usual, strategies.native(case, growth, **size))
        assert not changed, f"{changed} differ with {size}"


@ways
@every
@given(st.data())
@examples(0.5)
def test_rows_have_no_order(criterion, missing, data):
    case, growth = drawn_case(data, criterion, missing)
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(case.n_rows)
    assert not differences(strategies.native(case, growth), strategies.native(case.rows(order), growth))


@every
@given(st.data())
@examples(0.5)
def test_without_missing_values_every_option_grows_the_same_tests(criterion, data):
    case = data.draw(mixed_cases(criterion, gaps=False))
    trees = [strategies.native(case, Growth(criterion, missing=missing)) for missing in MISSING]
    names = ("first_child", "feature", "threshold", "level_code", "level_child", "n_node_samples", "gain")
    for tree in trees[1:3]:
        for name in names:
            np.testing.assert_array_equal(tree[name], trees[0][name], err_msg=name)
    if case.weights is None:  # shares are measured in weight
        np.testing.assert_array_equal(trees[3]["feature"], trees[0]["feature"])


# ------------------------------------------------------------------ every row ends where it was counted
def predictor(tree):
    names = ("first_child", "n_children", "feature", "threshold", "integer_threshold", "integer_exact")
    names += ("missing_child", "level_begin", "level_code", "level_child")
    optional = {name: tree.get(name, np.array([])) for name in ("strict", "share")}
    return _core.Predictor(
        **{name: tree[name] for name in names}, **optional, surrogates=tree.get("surrogates")
    )


@ways
@every
@given(st.data())
@examples(0.4)
def test_every_row_ends_where_it_was_counted(criterion, missing, data):
    """By the oracle's walk and by the core's; shares of rows add up to what the leaves weigh."""
    case, growth = drawn_case(data, criterion, missing)
    tree = strategies.native(case, growth)
    ends = [ends_of(tree, row) for row in cells(case)]
    weights = np.array([float(w * case.table.unit) for w in case.table.weights])
    found = np.zeros(len(tree["feature"]))
    for end, weight in zip(ends, weights, strict=True):
        assert sum(end.values()) == pytest.approx(1)
        for node, share in end.items():
            found[node] += share * weight
    leaves = tree["n_children"] == 0
    np.testing.assert_allclose(found[leaves], tree["weighted_n_node_samples"][leaves], rtol=1e-6, atol=1e-9)
    start, node, share = predictor(tree).shares(strategies.native_columns(case), 1)
    for r, end in enumerate(ends):
        part = slice(start[r], start[r + 1])
        assert dict(zip(node[part].tolist(), share[part].tolist(), strict=True)) == pytest.approx(end)


# ------------------------------------------------------------------ worked by hand
NAN = math.nan
AGE = np.array([1.0, 2.0, 3.0, 4.0, NAN, NAN])
CLASS = np.array([[0, 0, 1, 1, 1, 1]]).T


def test_learned_missing_values_go_where_they_gain_most():
    tree = grown(Case([(AGE, None)], CLASS, [2], None), Growth("gini"))
    assert (tree["threshold"][0], tree["missing_child"][0], len(tree["feature"])) == (2.5, 1, 3)


def test_missing_values_have_a_branch_of_their_own():
    case = Case([(AGE, None)], CLASS, [2], None)
    tree = grown(case, Growth("gini", missing="branch"))
    assert (tree["threshold"][0], tree["n_children"][0], tree["missing_child"][0]) == (2.5, 3, 2)
    assert tree["n_node_samples"].tolist() == [6, 2, 2, 2]
    too_few = grown(case, Growth("gini", missing="branch", min_samples_leaf=3))
    assert (too_few["threshold"][0], too_few["n_children"][0]) != (2.5, 3)


@pytest.mark.parametrize("missing", ["learned", "branch"])
def test_missing_rows_that_may_not_stand_alone_may_need_an_odd_set_of_levels(missing):
    """Best were the one missing row alone; as a child needs two rows, it goes best with the rarest level."""
    codes = np.array([2, 0, -1, 0, 2, 1, 0], np.int32)
    case = Case([(codes, None, 3)], np.array([[0, 0, 1, 0, 0, 0, 0]]).T, [2], None)
    tree = grown(case, Growth("gini", missing=missing, min_samples_leaf=2, max_depth=1))
    assert (tree["level_child"].tolist(), tree["missing_child"][0]) == ([0, 1, 0], 1)


@pytest.mark.parametrize("nominal", [False, True])
def test_one_present_value_differs_from_none(nominal):
    codes = np.array([0, 0, 0, -1, -1, -1], np.int32)
    column = (codes, None, 1) if nominal else (np.where(codes < 0, NAN, 3.0), None)
    for missing in ("learned", "branch"):
        tree = grown(Case([column], CLASS, [2], None), Growth("gini", missing=missing, max_depth=1))
        assert (tree["n_children"][0], tree["missing_child"][0]) == (2, 1)
    for missing in ("surrogate", "fractional"):
        assert len(grown(Case([column], CLASS, [2], None), Growth("gini", missing=missing))["feature"]) == 1


def test_a_row_without_a_value_goes_down_every_branch_with_its_share():
    """Known are 3 + 1 rows: a missing row of weight 1 counts 3/4 on the left and 1/4 on the right."""
    x = np.array([1.0, 1.0, 1.0, 2.0, NAN])
    case = Case([(x, None)], np.array([[0, 0, 0, 1, 1]]).T, [2], None)
    tree = grown(case, Growth("entropy", missing="fractional", max_depth=1))
    assert tree["missing_child"][0] == SHARED
    assert tree["weighted_n_node_samples"].tolist() == [5, 3.75, 1.25]
    assert tree["n_node_samples"].tolist() == [5, 4, 2]
    assert tree["share"].tolist() == [1, 0.75, 0.25]
    assert tree["gain"][0] == pytest.approx(4 * (2 - 0.75 * math.log2(3)))  # 4 times the entropy of 3 to 1
    np.testing.assert_allclose(tree["value"][1, 0], [0.8, 0.2])
    assert ends_of(tree, [None]) == {1: 0.75, 2: 0.25}


def test_a_surrogate_worked_by_hand():
    """Column 0 is the test. Column 1 agrees in 5 of 6 known rows, column 2 backwards in all 4 of its own."""
    primary = np.array([1.0, 1, 1, 2, 2, 2, NAN, NAN])
    helper = np.array([1.0, 1, 2, 2, 2, 2, 1, NAN])
    backwards = np.array([9.0, 9, NAN, 4, 4, NAN, NAN, 9])
    case = Case(
        [(x, None) for x in (primary, helper, backwards)], np.array([[0] * 3 + [1] * 3 + [0, 0]]).T, [2], None
    )
    tree = grown(case, Growth("gini", missing="surrogate", max_depth=1))
    assert tree["feature"][0] == 0
    found = tree["surrogates"]
    assert found["feature"].tolist() == [1, 2]
    np.testing.assert_allclose(found["agreement"], [5 / 6, 4 / 6])
    np.testing.assert_allclose(found["adjusted"], [2 / 3, 1 / 3])
    assert np.array(found["reversed"], bool).tolist() == [False, True]
    assert tree["n_node_samples"].tolist() == [8, 5, 3]  # one by column 1, one by column 2


@given(st.data())
@examples(1)
def test_the_checker_passes_every_tree_of_the_oracle(data):
    criterion, missing = data.draw(st.sampled_from(sorted(CRITERIA))), data.draw(st.sampled_from(MISSING))
    case, growth = drawn_case(data, criterion, missing)
    check_tree(case.table, growth, grow(case.table, growth))


@pytest.mark.parametrize("name", ["feature", "threshold", "reversed", "agreement", "adjusted"])
def test_the_checker_sees_a_wrong_surrogate(name):
    x = np.array([1.0, 1, 1, 2, 2, 2, NAN])
    case = Case([(x, None), (2 * x, None), (3 * x, None)], np.array([[0] * 3 + [1] * 4]).T, [2], None)
    growth = Growth("gini", missing="surrogate")
    tree = grow(case.table, growth)
    check_tree(case.table, growth, tree)
    wrong = tree["surrogates"][name].astype(float)
    wrong[0] += -1 if name == "reversed" else 0.25
    if name == "feature":
        wrong = wrong[::-1]
    with pytest.raises(AssertionError, match="surrogate"):
        check_tree(case.table, growth, tree | {"surrogates": tree["surrogates"] | {name: wrong}})


# ------------------------------------------------------------------ rpart's surrogates are the oracle's
def recorded_root(path):
    """The rows of a recorded rpart tree with its first test; None where there is no test."""
    recorded = json.loads(path.read_text())
    data, control, root = recorded["dataset"], recorded["settings"]["control"], recorded["tree"]
    usual = control["surrogatestyle"] == 0 and control["maxsurrogate"] == 5 and control["usesurrogate"] > 0
    if not usual or root["leaf"] or data["n_rows"] > 210:  # the oracle takes its time
        return None
    described = json.loads((GOLDEN / data["meta"]).read_text())
    levels = {c["name"]: c.get("levels") for c in described["columns"]}
    nominal = {c["name"] for c in described["columns"] if c["type"] == "nominal"}
    with (GOLDEN / data["csv"]).open() as file:
        rows = [row for row in csv.DictReader(file) if any(row[name] for name in data["feature_order"])]

    def cell(name, text):
        if text == "":
            return None
        return levels[name].index(text) + (name not in nominal) if levels.get(name) else float(text)

    columns = [[cell(name, row[name]) for row in rows] for name in data["feature_order"]]
    weights = [Fraction(row[data["weight"]]) if data["weight"] else Fraction(1) for row in rows]
    codes = frozenset(f for f, name in enumerate(data["feature_order"]) if name in nominal)
    table = Table(columns, [[0] * len(rows)], weights, Fraction(1), [1], codes)
    return table, recorded, levels


def primary(split, feature, levels):
    """The test of a recorded node; which of its sides is left does not matter for agreement."""
    if split["type"] == "threshold":
        return Split(feature, split["threshold"], strict=True)
    names = levels[split["feature"]]
    return Split(
        feature, NAN, None, tuple(tuple(map(names.index, split[side])) for side in ("left", "right"))
    )


@pytest.mark.recorded
def test_the_surrogates_of_recorded_roots_are_the_oracles():
    n_compared = 0
    for path in RECORDED:
        known = recorded_root(path)
        if known is None or known[1]["tree"]["split"]["type"] not in ("threshold", "subset"):
            continue
        table, recorded, levels = known
        names, split = recorded["dataset"]["feature_order"], recorded["tree"]["split"]
        node = root_of(table)
        test = primary(split, names.index(split["feature"]), levels)
        scored = Scored(test, sides_of(table, node, test), Fraction(0), Fraction(0))
        found, wanted = surrogates_of(table, node, scored), recorded["tree"]["surrogates"]
        assert [names[s.split.feature] for s in found] == [s["feature"] for s in wanted], path.name
        for ours, theirs in zip(found, wanted, strict=True):
            assert float(ours.agreement) == pytest.approx(theirs["agreement"]), path.name
            assert float(ours.adjusted) == pytest.approx(theirs["adj"]), path.name
            if "threshold" in theirs:
                assert ours.split.threshold == pytest.approx(theirs["threshold"]), path.name
            n_compared += 1
    assert n_compared == 11 if GOLDEN == INSIDE else n_compared > 50
