import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, Tree
from treewright.tree.tree import tree_from_dict

X, Y = load_iris(return_X_y=True)
BY_HAND = {
    "feature": "size",
    "threshold": 2.5,
    "missing": "left",
    "left": {"value": 1.0, "n": 30},
    "right": {
        "feature": "age",
        "threshold": 10,
        "left": {"value": 2.0, "n": 6},
        "right": {"value": 4.0, "n": 3},
    },
}
NAMES = ["size", "age"]


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(max_depth=1),
        DecisionTreeRegressor(max_depth=3),
        DecisionTreeRegressor(max_depth=3, monotonic_cst=[1, 0, -1, 0]),
    ],
)
def test_there_and_back(model):
    missing = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    for table, y in ((X, Y), (missing, Y), (X, Y * 0), ((X * 2**55).astype(np.int64), Y)):
        tree = model.fit(table, y).tree_
        assert Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False))) == tree


def test_there_and_back_with_names_and_several_outputs():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(X, columns=list("abcd"))
    for model in (DecisionTreeClassifier(max_depth=3), DecisionTreeRegressor(max_depth=3)):
        tree = model.fit(table, np.column_stack([Y, Y == 1])).tree_
        nested = json.loads(json.dumps(tree.to_dict()))
        assert nested["feature"] in set("abcd")
        assert tree_from_dict(nested) == tree
    labels = np.array(["x", "y", "z"])[Y]
    tree = DecisionTreeClassifier(max_depth=3).fit(table, labels).tree_
    again = DecisionTreeClassifier.from_tree(tree_from_dict(json.loads(json.dumps(tree.to_dict()))))
    assert_array_equal(
        again.predict(table), DecisionTreeClassifier(max_depth=3).fit(table, labels).predict(table)
    )


def test_a_regressor_by_hand():
    tree = tree_from_dict(BY_HAND, feature_names=NAMES)
    assert_array_equal(tree.n_node_samples, [39, 30, 9, 6, 3])
    assert_allclose(tree.value[:, 0, 0], [(30 + 9 * 24 / 9) / 39, 1, 24 / 9, 2, 4])
    model = DecisionTreeRegressor.from_tree(tree)
    rows = np.array([[2.5, 99], [3, 10], [3, 10.1], [np.nan, 0], [3, np.nan]])
    assert_array_equal(model.predict(rows), [1, 2, 4, 1, 2])
    pd = pytest.importorskip("pandas")
    assert_array_equal(model.predict(pd.DataFrame(rows, columns=NAMES)), [1, 2, 4, 1, 2])
    assert (model.get_depth(), model.n_features_in_, model.n_outputs_) == (2, 2, 1)


def test_a_classifier_by_hand():
    yes, no = {"value": [0.25, 0.75]}, {"value": [1, 0]}
    tree = tree_from_dict({"feature": 1, "threshold": 0, "left": yes, "right": no})
    model = DecisionTreeClassifier.from_tree(tree, ["no", "yes"])
    assert_array_equal(model.predict([[0, -1], [0, 1], [0, np.nan]]), ["yes", "no", "no"])
    assert_array_equal(model.predict_proba([[0, 0.0]]), [[0.25, 0.75]])
    assert model.n_classes_ == 2
    assert_allclose(tree.value[0, 0], [0.625, 0.375])
    left, right = {"value": [[1, 0], [0, 0, 1]]}, {"value": [[0, 1], [1, 0, 0]]}
    two = tree_from_dict({"feature": 0, "threshold": 0, "left": left, "right": right, "n_classes": [2, 3]})
    both = DecisionTreeClassifier.from_tree(two, [["a", "b"], ["x", "y", "z"]])
    assert_array_equal(both.predict([[0], [1]]), [["a", "z"], ["b", "x"]])


def test_a_leaf_alone_is_a_tree():
    assert DecisionTreeRegressor.from_tree(tree_from_dict({"value": 7})).predict([[1.0]]) == [7]


def test_whole_thresholds_beyond_float64_are_exact():
    big = 2**53 + 1
    tree = tree_from_dict({"feature": 0, "threshold": big, "left": {"value": 0}, "right": {"value": 1}})
    assert tree.exact_threshold(0) == big
    assert_array_equal(tree.predict(np.array([[big], [big + 1]]))[:, 0], [0, 1])
    assert tree.to_dict()["threshold"] == big


@pytest.mark.parametrize(
    ("nested", "sentence"),
    [
        ([], r"A node must be a dictionary. Got \[\] at root"),
        ({}, 'A leaf must have a "value"'),
        ({"value": 1, "colour": "red"}, r"Got \['colour'\] at root"),
        ({**BY_HAND, "left": {}}, "at root.left"),
        ({**BY_HAND, "right": {**BY_HAND["right"], "left": {"value": "x"}}}, "Got 'x' at root.right.left"),
        ({**BY_HAND, "threshold": "deep"}, "\"threshold\" must be a number. Got 'deep' at root"),
        ({**BY_HAND, "threshold": float("nan")}, '"threshold" must be a number. Got nan at root'),
        ({**BY_HAND, "threshold": True}, '"threshold" must be a number. Got True'),
        ({**BY_HAND, "threshold": 2**70}, "must be a float or fit in 64 bits"),
        (
            {**BY_HAND, "feature": "colour"},
            r"\"feature\" must be one of \['size', 'age'\]. Got 'colour' at root",
        ),
        ({**BY_HAND, "feature": 2}, '"feature" must be below the number of columns, 2. Got 2 at root'),
        ({**BY_HAND, "feature": -1}, '"feature" must be the number of a column, from 0, or its name. Got -1'),
        ({**BY_HAND, "feature": 0.5}, "Got 0.5 at root"),
        ({**BY_HAND, "missing": "up"}, '"missing" must be "left", "right", "stop", .* Got \'up\' at root'),
        ({**BY_HAND, "left": {"value": [1, 0]}}, 'Every "value" must have the same shape'),
        ({**BY_HAND, "left": {"value": float("nan")}}, "Got nan at root.left"),
        ({"feature": 0, "left": {"value": 1}}, r"\['threshold', 'right'\] is lacking at root"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_path(nested, sentence):
    with pytest.raises(ValueError, match=sentence):
        tree_from_dict(nested, feature_names=NAMES)


def test_circles_are_refused():
    circle = {"feature": 0, "threshold": 0, "right": {"value": 1}}
    circle["left"] = circle
    with pytest.raises(ValueError, match="Every inner node must be a dictionary of its own"):
        tree_from_dict(circle)
    leaf = {"value": 1}
    assert tree_from_dict({"feature": 0, "threshold": 0, "left": leaf, "right": leaf}).node_count == 3


def test_names_and_numbers_must_fit():
    with pytest.raises(ValueError, match='"feature" must be a number unless feature_names are given'):
        tree_from_dict(BY_HAND)
    with pytest.raises(ValueError, match="feature_names must have 3 names"):
        tree_from_dict(BY_HAND, feature_names=NAMES, n_features=3)
    tree = tree_from_dict(BY_HAND, feature_names=NAMES)
    with pytest.raises(ValueError, match=r"feature_names must have 2 names. Got 1"):
        DecisionTreeRegressor.from_tree(tree, feature_names=["size"])
    with pytest.raises(ValueError, match="classes must name the classes"):
        DecisionTreeClassifier.from_tree(tree)
    with pytest.raises(ValueError, match=r"classes must have \[1\] labels"):
        DecisionTreeClassifier.from_tree(tree, ["a", "b"])
    shares = tree_from_dict(
        {"feature": 0, "threshold": 0, "left": {"value": [3, 4]}, "right": {"value": [1, 0]}}
    )
    with pytest.raises(ValueError, match="shares of the classes: none negative, sum 1"):
        DecisionTreeClassifier.from_tree(shares, ["a", "b"])
    with pytest.raises(ValueError, match=r"Leaves must hold one number per output. Got 2"):
        DecisionTreeRegressor.from_tree(shares)
