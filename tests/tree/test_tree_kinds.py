"""Trees with levels, many branches, surrogates and shares: their arrays, walks and refusals."""

import dataclasses
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.random_trees import random_rows, random_tree, walk
from treewright.data.schema import ColumnType
from treewright.tree.tree import FOUND_BY, SHARED, STOPS, Surrogates, tree_from_dict

SEEDS = range(60)
WEATHER = {
    "feature": "forecast",
    "levels": [["overcast"], ["rainy", "snowy"]],
    "missing": {"value": [0.25, 0.75], "n": 2},
    "found_by": "order of levels",
    "children": [
        {"value": [0, 1], "n": 4},
        {
            "feature": "wind",
            "threshold": 3,
            "strict": True,
            "missing": "stop",
            "heuristic": True,
            "found_by": "random",
            "left": {"value": [0.5, 0.5], "n": 4},
            "right": {"value": [1, 0], "n": 2},
            "surrogates": [{"feature": "forecast", "levels": [["rainy"], ["snowy"]], "agreement": 0.75}],
        },
    ],
}
NAMES = ["forecast", "wind"]


@pytest.fixture(scope="module")
def weather():
    return tree_from_dict(WEATHER, feature_names=NAMES, classes=["no", "yes"])


def test_the_arrays_of_a_small_tree(weather):
    assert weather.n_children.tolist() == [3, 0, 2, 0, 0, 0]
    assert weather.missing_child.tolist() == [2, 0, STOPS, 0, 0, 0]
    assert weather.column_types == (
        ColumnType("nominal", ("overcast", "rainy", "snowy")),
        ColumnType("number"),
    )
    assert_array_equal(weather.level_begin, [0, 3, 3, 3, 3, 3, 3])
    assert_array_equal(weather.level_code, [0, 1, 2])
    assert_array_equal(weather.level_child, [0, 1, 1])
    assert weather.test(0).levels == ((0,), (1, 2), ())
    assert weather.test(2)[1:4] == (3.0, True, False)
    assert_array_equal(weather.is_nominal, [1, 0, 0, 0, 0, 0])
    assert_array_equal(weather.parent, [-1, 0, 0, 0, 2, 2])
    assert weather.surrogates.of(2) == range(1)
    assert len(weather.surrogates.of(0)) == 0
    assert weather.surrogates.test(0).levels == ((1,), (2,))
    assert np.isnan(weather.surrogates.adjusted[0])
    for name, array in weather.surrogates.arrays().items():
        assert not array.flags.writeable, name


def test_how_splits_were_found(weather):
    assert weather.how(0) == "order of levels, exact"
    assert weather.how(2) == "random"
    assert weather.how(1) == "no split"
    silent = tree_from_dict({key: WEATHER[key] for key in WEATHER if key != "found_by"}, feature_names=NAMES)
    assert silent.how(0) == "not recorded"
    assert len(FOUND_BY) == 10


def test_relative_impurity():
    node = {"feature": 0, "threshold": 0, "impurity": 0.5, "n": 8}
    tree = tree_from_dict(
        {**node, "left": {"value": 1, "n": 4, "impurity": 0.25},
         "right": {"feature": 0, "threshold": 1, "left": {"value": 1, "n": 2}, "right": {"value": 2, "n": 2}}}
    )  # fmt: skip
    assert_allclose(tree.relative_impurity, [np.nan, 0.25, 0, np.nan, np.nan])


def test_costs_choose_the_label():
    leaves = {"left": {"value": [0.7, 0.3]}, "right": {"value": [0.95, 0.05]}}
    nested = {"feature": 0, "threshold": 0, **leaves, "costs": [[0, 1], [5, 0]]}
    tree = tree_from_dict(nested, classes=["well", "ill"])
    assert tree.label[:, 0].tolist() == [1, 1, 0]  # the root: 0.825 against 5 x 0.175
    assert tree.majority[:, 0].tolist() == [0, 0, 0]
    assert tree_from_dict(tree.to_dict()) == tree
    assert "class: ill  [well 0.700, ill 0.300]" in str(tree)
    even = tree_from_dict({**nested, "left": {"value": [0.5, 0.5]}, "costs": [[0, 4], [4, 0]]})
    assert even.label[1, 0] == 0  # the first of equals
    for costs in (
        [[0, 1]],
        [[0, -1], [1, 0]],
        [[0, np.inf], [1, 0]],
        [[0, np.nan], [1, 0]],
    ):
        with pytest.raises(ValueError, match="costs"):
            tree_from_dict({**nested, "costs": costs})
    with pytest.raises(ValueError, match='"costs" must be a matrix of numbers'):
        tree_from_dict({**nested, "costs": "high"})


@pytest.mark.parametrize("seed", SEEDS)
def test_pickles_are_equal_trees(seed):
    tree = tree_from_dict(random_tree(seed))
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    if again.surrogates is not None:
        assert not again.surrogates.node.flags.writeable
    assert tree != tree_from_dict(random_tree(seed + 1000))


@pytest.mark.parametrize("seed", SEEDS)
def test_collapse_keeps_the_walk_to_what_is_left(seed):
    tree = tree_from_dict(random_tree(seed))
    rng = np.random.default_rng(seed)
    marks = (rng.random(tree.node_count) < 0.2) & (np.arange(tree.node_count) > 0)
    below = tree.over_ancestors(np.logical_or, marks)
    small = tree.collapse(marks)
    assert small.node_count == np.count_nonzero(~(below & below[np.maximum(tree.parent, 0)]))
    value = tree.value[:, 0, 0]
    for row in random_rows(seed, 20):
        ends = {}
        for end, share in walk(tree, row)[0].items():
            node = end
            while below[node] and not (marks[node] and not below[tree.parent[node]]):
                node = tree.parent[node]
            ends[value[node]] = ends.get(value[node], 0) + share
        got = {small.value[node, 0, 0]: share for node, share in walk(small, row)[0].items()}
        assert got == pytest.approx(ends)


def test_all_zero_flags_are_the_same_as_none(weather):
    zeros = np.zeros(3)
    plain = tree_from_dict({"feature": 0, "threshold": 1, "left": {"value": 1}, "right": {"value": 2}})
    filled = dataclasses.replace(
        plain, strict=zeros, found_by=zeros, heuristic=zeros, level_begin=np.zeros(4),
        column_types=(ColumnType("number"),),
        surrogates={"node": [], "feature": [], "threshold": []},
    )  # fmt: skip
    assert filled == plain
    assert dataclasses.replace(weather, surrogates=weather.surrogates.arrays()) == weather


def test_scikit_learns_names_are_refused(weather):
    for name in ("children_left", "children_right", "missing_go_to_left"):
        with pytest.raises(AttributeError, match=f"{name} needs a binary tree. Got node 0 with 3 children"):
            getattr(weather, name)
    leaf = {"value": 1}
    nominal = tree_from_dict({"feature": 0, "levels": [["a"], ["b"]], "children": [leaf, leaf]})
    with pytest.raises(AttributeError, match=r"children_left needs a tree of thresholds. Got node 0"):
        _ = nominal.children_left
    stops = tree_from_dict({"feature": 0, "threshold": 1, "missing": "stop", "left": leaf, "right": leaf})
    assert stops.children_left.tolist() == [1, -1, -1]
    with pytest.raises(AttributeError, match="whose missing values go to one child"):
        _ = stops.missing_go_to_left


def changed(tree, name, place, value):
    array = getattr(tree, name).copy()
    array[place] = value
    return {name: array}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("missing_child", 0, 3), "missing_child must be the number of a child, -1"),
        (("missing_child", 2, -3), "missing_child must be the number of a child, -1"),
        (("missing_child", 2, SHARED), "share must be given"),
        (("threshold", 0, 1.0), "threshold must be a number, and NaN where levels are listed"),
        (("threshold", 2, np.nan), "threshold must be a number"),
        (("feature", 0, 1), "list levels exactly where its column is nominal"),
        (("feature", 2, 0), "list levels exactly where its column is nominal"),
        (("level_code", 1, 7), "level_code must be a level of its column"),
        (("level_code", 1, -1), "level_code must be a level of its column"),
        (("level_code", 1, 0), "level_code must rise within a node"),
        (("level_child", 1, 3), "level_child must be the number of a child"),
        (("level_child", 1, -1), "level_child must be the number of a child"),
        (("level_begin", 0, 1), "level_begin must rise from 0"),
        (("level_begin", 2, 9), "level_begin must rise from 0"),
        (("level_begin", 6, 2), "level_begin must rise from 0"),
        (("strict", 2, 2), "strict and heuristic must be 0 or 1"),
        (("found_by", 2, 10), "found_by must be below 10"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(weather, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        dataclasses.replace(weather, **changed(weather, *change))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"level_begin": [0, 3]}, "level_begin must have 7 entries"),
        ({"level_begin": []}, "must be empty without level_begin"),
        ({"level_begin": [0, 2, 3, 3, 3, 3, 3]}, "a leaf must list no levels"),
        ({"level_child": [0, 1]}, "level_child must be as long as level_code"),
        ({"level_code": [[0, 1, 2]]}, "must have one dimension"),
        ({"column_types": None}, "list levels exactly where its column is nominal"),
        ({"column_types": (ColumnType("nominal", ("a", "b")),)}, "column_types must have 2 entries"),
        ({"column_types": ("nominal", "number")}, "must be a ColumnType of a kind"),
        ({"share": [1, 2, 0, 0, 0, 0]}, "share must be in 0..1"),
        ({"share": [0.5, 0, 0, 0, 0, 0]}, "share of the root must be 1"),
        ({"share": [[1], [0], [0], [0], [0], [0]]}, r"At fault: \['share'\]"),
        ({"missing_child": [SHARED, 0, STOPS, 0, 0, 0], "share": [1, 0.5, 0.4, 0, 0, 0]}, "must sum to 1"),
        ({"n_children": [3, 0, 2, 0, 0, 0], "missing_child": [2, 0, SHARED, 0, 0, 0],
          "share": [1, 0, 0, 1, 0.5, 0.5]}, "must not share out missing values"),
    ],
)  # fmt: skip
def test_other_shapes_that_are_no_tree_are_refused(weather, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        dataclasses.replace(weather, **change)


def test_a_threshold_has_two_children_or_a_third_for_missing_values():
    leaf = {"value": 1}
    tree = tree_from_dict(
        {"feature": 0, "threshold": 1, "left": leaf, "right": leaf, "missing": {"value": 2}}
    )
    assert tree.n_children[0] == 3
    with pytest.raises(ValueError, match="or a third for missing values alone"):
        dataclasses.replace(tree, missing_child=[1, 0, 0, 0])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"node": [9]}, "node of a surrogate must be a node"),
        ({"node": [-1]}, "node of a surrogate must be a node"),
        ({"node": [0]}, "only a node with two children may have surrogates"),
        ({"node": [1]}, "only a node with two children may have surrogates"),
        ({"feature": [2]}, "feature of a surrogate must be in 0..1"),
        ({"feature": [1]}, "a surrogate must list levels exactly where its column is nominal"),
        ({"threshold": [1.0]}, "threshold of a surrogate must be a number"),
        ({"reversed": [1]}, "must not be strict or reversed"),
        ({"strict": [3]}, "must be 0 or 1"),
        ({"agreement": [0.5, 0.5]}, "surrogates must have arrays of one length"),
        ({"level_child": [0, 2]}, "level_child of a surrogate must be 0 or 1"),
        ({"level_code": [1, 5]}, "in surrogates level_code must be a level"),
        ({"level_code": [2, 1]}, "in surrogates level_code must rise"),
        ({"level_begin": [0, 1]}, "in surrogates level_begin must rise"),
        ({"level_begin": [0, 1, 2, 2]}, "in surrogates level_begin must have 2 entries"),
    ],
)
def test_surrogates_that_are_none_are_refused(weather, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        dataclasses.replace(weather, surrogates=Surrogates(**weather.surrogates.arrays() | change))


def test_surrogates_must_be_ordered_by_node():
    leaf, extra = {"value": 1}, [{"feature": 0, "threshold": 2}]
    inner = {"feature": 0, "threshold": 1, "left": leaf, "right": leaf, "surrogates": extra}
    tree = tree_from_dict({**inner, "left": dict(inner), "surrogates": extra * 2})
    assert tree.surrogates.of(0) == range(2)
    assert tree.surrogates.of(1) == range(2, 3)
    with pytest.raises(ValueError, match="surrogates must be ordered by node"):
        dataclasses.replace(tree, surrogates=tree.surrogates.arrays() | {"node": [1, 0, 0]})


def test_lists_of_levels_that_wrap_around_are_refused():
    types = (ColumnType("nominal", ("a", "b")),)
    tree = tree_from_dict(
        {"feature": 0, "levels": [["a"], ["b"]], "children": [{"value": 1}, {"value": 2}]}
        | {"columns": [{"kind": "nominal", "levels": ["a", "b"]}]}
    )
    assert tree.column_types == types
    wrapped = np.array([0, 9 * 10**18, -9 * 10**18, 2])
    with pytest.raises(ValueError, match="level_begin must rise"):
        dataclasses.replace(tree, level_begin=wrapped)
