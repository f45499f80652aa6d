"""Nested dictionaries of every kind of test: there and back, defaults, and refusals with the way to them."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.random_trees import random_tree
from treewright.data.schema import ColumnType
from treewright.tree.tree import SHARED, STOPS, tree_from_dict

LEAF = {"value": 1}


def nominal(*groups, **more):
    return {"feature": 0, "levels": [*groups], "children": [LEAF] * len(groups), **more}


def threshold(at=1, **more):
    return {"feature": 0, "threshold": at, "left": LEAF, "right": LEAF, **more}


@pytest.mark.parametrize("seed", range(150))
def test_there_and_back(seed):
    tree = tree_from_dict(random_tree(seed))
    nested = json.loads(json.dumps(tree.to_dict(), allow_nan=False))
    again = tree_from_dict(nested)
    assert again == tree
    assert again.to_dict() == tree.to_dict()


def test_levels_are_found_where_no_columns_are_given():
    extra = [{"feature": 2, "levels": [["y"], ["x"]]}]
    below = {"feature": 1, "levels": [["q", "c"], ["a"]], "children": [LEAF, LEAF], "surrogates": extra}
    nested = {"feature": 1, "levels": [["b", "a"], ["c"]], "children": [LEAF, below]}
    tree = tree_from_dict(nested)
    assert [column.kind for column in tree.column_types] == ["number", "nominal", "nominal"]
    assert tree.column_types[1].levels == ("b", "a", "c", "q")
    assert tree.column_types[2].levels == ("y", "x")
    assert tree.test(2).levels == ((2, 3), (1,))


def test_true_and_one_are_two_levels():
    tree = tree_from_dict(nominal([True, 1.5], [False]))
    assert tree.column_types[0].levels == (True, 1.5, False)
    assert tree_from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


def test_children_may_be_a_list():
    listed = {"feature": 0, "threshold": 1, "children": [{"value": 1}, {"value": 2}]}
    assert tree_from_dict(listed) == tree_from_dict(threshold(right={"value": 2}))


def test_missing_values_have_six_ways():
    counted = {"left": {"value": 1, "n": 3}, "right": {"value": 2, "n": 3}}
    ways = {"left": 0, "right": 1, 0: 0, "stop": STOPS, "share": SHARED}
    for way, child in ways.items():
        assert tree_from_dict(threshold(**counted, missing=way)).missing_child[0] == child
    assert tree_from_dict(threshold(**counted)).missing_child[0] == 1  # the last of equals
    own = tree_from_dict(threshold(**counted, missing={"value": 7}))
    assert (own.n_children[0], own.missing_child[0], own.value[3, 0, 0]) == (3, 2, 7)
    rows = [{"value": 1, "n": n} for n in (2, 5, 5, 1)]
    wide = {"feature": 0, "levels": [["a"], ["b"], ["c"], ["d"]], "children": rows}
    assert tree_from_dict(wide).missing_child[0] == 2  # the last of those with most rows


def test_shares_are_by_weight_by_rows_or_equal():
    def shares(**more):
        return tree_from_dict(threshold(missing="share", **more)).share

    assert_allclose(shares(), [1, 0.5, 0.5])
    assert_allclose(shares(left={"value": 1, "n": 3}, right={"value": 1, "n": 1}), [1, 0.75, 0.25])
    heavy = {"left": {"value": 1, "n": 3, "weight": 1}, "right": {"value": 1, "n": 1, "weight": 4}}
    assert_allclose(shares(**heavy), [1, 0.2, 0.8])
    assert_allclose(shares(shares=[6, 2]), [1, 0.75, 0.25])
    assert len(tree_from_dict(threshold()).share) == 0
    own = tree_from_dict(threshold(missing={"value": 1, "n": 9}, left={**threshold(missing="share")}))
    assert_allclose(own.share[:4], [1, 0.5, 0.5, 0])


def test_an_ordered_column_is_cut_by_rank_or_by_name():
    sizes = {"kind": "ordered", "levels": ["s", "m", "l"]}
    for at, number in (("s", 0.5), ("m", 1.5), (1.5, 1.5), (1, 1.0), ("inf", np.inf)):
        tree = tree_from_dict(threshold(at, columns=[sizes]))
        assert tree.threshold[0] == number
        assert tree_from_dict(tree.to_dict()) == tree
    assert tree_from_dict(threshold(1.5, columns=[sizes])).to_dict()["threshold"] == "m"
    odd = {"kind": "ordered", "levels": ["inf", "+inf"]}
    endless = tree_from_dict(threshold("infinity", columns=[odd]))
    assert endless.threshold[0] == np.inf
    assert tree_from_dict(endless.to_dict()) == endless
    with pytest.raises(ValueError, match=r'"threshold" must be a number. Got .xl. at root'):
        tree_from_dict(threshold("xl", columns=[sizes]))


def test_time_zones_are_kept():
    tree = tree_from_dict(threshold(columns=[{"kind": "datetime", "utc": True}]))
    assert tree.column_types[0].utc
    assert tree_from_dict(tree.to_dict()) == tree
    with pytest.raises(ValueError, match='Only a datetime column may be "utc"'):
        tree_from_dict(threshold(columns=[{"kind": "number", "utc": True}]))


def test_empty_nodes_are_allowed_anywhere():
    empty = {"value": [0.5, 0.5], "n": 0}
    tree = tree_from_dict({**nominal(["a"], ["b"]), "children": [empty, {"value": [1, 0], "n": 4}]})
    assert_array_equal(tree.n_node_samples, [4, 0, 4])
    assert_allclose(tree.value[0, 0], [1, 0])


def test_numpy_levels_become_plain():
    tree = tree_from_dict(nominal(list(np.array(["a", "b"])), list(np.array(["c"]))))
    assert tree.column_types == (ColumnType("nominal", ("a", "b", "c")),)
    assert all(type(level) is str for level in tree.to_dict()["columns"][0]["levels"])


COLUMN = [{"kind": "nominal", "levels": ["a", "b"]}]


@pytest.mark.parametrize(
    ("nested", "sentence"),
    [
        ({"feature": 0, "levels": [["a"]], "left": LEAF}, r"\['children'\] is lacking at root"),
        ({"feature": 0, "children": [LEAF, LEAF]}, r"\['threshold'\] is lacking at root"),
        (threshold(children=[LEAF, LEAF]), r"must not have \['left', 'right'\] too"),
        (nominal(["a"], ["b"], threshold=1), r"must not have \['threshold'\] too"),
        (nominal(["a"], ["b"], strict=True), r"must not have \['strict'\] too"),
        ({"value": 1, "shares": [1]}, "is lacking at root"),
        ({"feature": 0, "threshold": 1, "children": [LEAF] * 3}, "must be two nodes. Got .* at root"),
        ({"feature": 0, "threshold": 1, "children": "ab"}, '"children" must be a list'),
        ({"feature": 0, "levels": [["a"]], "children": [LEAF]}, "at least two children"),
        (nominal(["a"], "b"), "must be a list of 2 lists of names"),
        ({**nominal(["a"], ["b"]), "levels": [["a"]]}, "must be a list of 2 lists of names"),
        (nominal([], []), "must name at least one level"),
        (nominal(["a"], ["a"]), "'a' is there twice"),
        (nominal(["a"], ["c"], columns=COLUMN), "which 'c' is not. Got .* at root"),
        (nominal(["a"], [None]), "text, numbers, true or false, which None is not"),
        (nominal(["a"], [float("nan")]), "which nan is not"),
        (nominal(["a"], ["b"], columns=[{"kind": "number"}]), "can only be tested in a nominal column"),
        (threshold(columns=COLUMN), "cannot be tested in column 0, which is nominal"),
        (threshold(columns=COLUMN * 2, n_features=1), '"columns" must have 1 entries'),
        (threshold(columns=[{"kind": "colour"}]), 'Each of "columns" must be a dictionary with "kind"'),
        (threshold(columns=[{"kind": []}]), 'Each of "columns" must be a dictionary'),
        (threshold(columns=["number"]), 'Each of "columns" must be a dictionary'),
        (
            threshold(columns=[{"kind": "number", "levels": ["a"]}]),
            'Only a nominal or ordered column has "levels"',
        ),
        (nominal(["a"], ["b"], columns=[{"kind": "nominal", "levels": ["a", "a"]}]), "must differ"),
        (nominal(["a"], ["b"], missing="left"), '"missing" must be'),
        (nominal(["a"], ["b"], missing=2), '"missing" must be'),
        (nominal(["a"], ["b"], missing=True), '"missing" must be'),
        (threshold(missing=-1), '"missing" must be'),
        (threshold(missing={}), 'A leaf must have a "value".* at root.missing'),
        (threshold(shares=[1]), '"shares" must be 2 numbers'),
        (threshold(shares=[1, -1]), '"shares" must be 2 numbers'),
        (threshold(shares=[0, 0], missing="share"), '"shares" must not all be 0'),
        (threshold(strict=1), '"strict" must be true or false'),
        (threshold(found_by="luck"), '"found_by" must be one of'),
        (threshold(n=float("inf")), '"n" must be a finite number of at least 0'),
        (threshold(weight=-1), '"weight" must be a finite number of at least 0'),
        (threshold(surrogates={}), '"surrogates" must be a list'),
        (threshold(surrogates=[1]), r"A surrogate must be a dictionary. Got 1 at root.surrogates\[0\]"),
        (
            threshold(surrogates=[{"feature": 0}]),
            'A surrogate must have "feature" and "threshold" or "levels"',
        ),
        (threshold(surrogates=[{"feature": 0, "threshold": 1, "colour": 2}]), "A surrogate must have"),
        (threshold(surrogates=[{"feature": 0, "threshold": "x"}]), r"Got 'x' at root.surrogates\[0\]"),
        (threshold(surrogates=[{"feature": 1, "threshold": 1}], n_features=1), "below the number of columns"),
        (nominal(["a"], ["b"], ["c"], surrogates=[{"feature": 1, "threshold": 1}]), "with two children"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_path(nested, sentence):
    with pytest.raises(ValueError, match=sentence):
        tree_from_dict(nested)


def test_the_path_to_a_child_of_a_list():
    bad = {**nominal(["a"], ["b"]), "children": [LEAF, {"value": "x"}]}
    with pytest.raises(ValueError, match=r"Got 'x' at root.children\[1\]"):
        tree_from_dict(bad)
    circle = nominal(["a"], ["b"])
    circle["children"] = [LEAF, circle]
    with pytest.raises(ValueError, match="Every inner node must be a dictionary of its own"):
        tree_from_dict(circle)


def test_deep_trees_do_not_recurse():
    nested = {"value": 1}
    for _ in range(5_000):
        nested = {
            "feature": 0,
            "levels": [["a"], ["b"]],
            "children": [{"value": 0}, nested],
            "missing": "share",
        }
    tree = tree_from_dict(nested)
    assert tree.max_depth == 5_000
    assert tree_from_dict(tree.to_dict()) == tree
    with pytest.raises(ValueError, match="must be two nodes"):
        tree_from_dict({"feature": 0, "threshold": 0, "children": [nested]})
