"""Trees whose tests combine columns: as dictionaries, in files, and what they are refused for."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from tests.support.oblique_tables import slanted, triangle
from treewright import DecisionTreeClassifier
from treewright.data.columns import as_columns
from treewright.learn.model_file import FileError, load, read, save
from treewright.tree.tree import Tree, tree_from_dict

# -- as a dictionary, in a file


def tree_with_sums():
    X, y = slanted(np.random.default_rng(10))
    return DecisionTreeClassifier(oblique=3, max_depth=4).fit(pd.DataFrame(X, columns=list("abcd")), y)


def test_dictionaries_files_and_pickles(tmp_path):
    model = tree_with_sums()
    tree = model.tree_
    assert tree_from_dict(tree.to_dict()) == tree
    assert tree_from_dict(tree.to_dict()).digest == tree.digest
    assert pickle.loads(pickle.dumps(tree)) == tree
    save(model, tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == tree
    assert tree.collapse(np.ones(tree.node_count, dtype=bool)).combinations is None


DAMAGED = [
    ("begin", [0, 1]),
    ("column", [0]),
    ("coefficient", ["nan"]),
    ("begin", None),
    ("colour", [1]),
]


@pytest.mark.parametrize(("name", "value"), DAMAGED)
def test_files_with_bad_sums_are_rejected(tmp_path, name, value):
    path = tmp_path / "model.json"
    save(tree_with_sums(), path)
    doc = json.loads(path.read_text())
    assert doc["min_reader"] == doc["version"] == 3
    sums = doc["tree"]["combinations"]
    doc["tree"]["combinations"] = {key: each for key, each in sums.items() if key != name}
    if value is not None:
        doc["tree"]["combinations"][name] = value
    with pytest.raises(FileError):
        read(json.dumps(doc).encode(), allow_unverified=True)


def test_a_tree_by_hand():
    tree = tree_from_dict(
        {"feature": [["y", 1], ["x", 2]], "threshold": 3, "left": {"value": 1.0}, "right": {"value": 2.0}},
        feature_names=["x", "y"],
    )
    assert "2 x + y <= 3" in str(tree)
    assert tree.apply([[1, 1], [1, 1.5], [np.nan, 0]]).tolist() == [1, 2, 2]


def changed(tree, **arrays):
    sums = dict(tree.combinations.arrays()) | arrays
    fields = {name: getattr(tree, name) for name in Tree.__dataclass_fields__}
    return Tree(**fields | {"combinations": sums})


BAD_SUMS = [
    {"begin": [0, 1, 5]},
    {"begin": [0]},
    {"begin": [1, 2]},
    {"begin": [[0, 2]]},
    {"column": [0, 9] + [0] * 90},
    {"coefficient": []},
]


@pytest.mark.parametrize("arrays", BAD_SUMS)
def test_arrays_that_are_no_sums_are_rejected(arrays):
    with pytest.raises(ValueError, match="not a tree"):
        changed(tree_with_sums().tree_, **arrays)


WRONG = [
    ("coefficient", 0, 0.0),
    ("coefficient", 1, np.nan),
    ("coefficient", 0, np.inf),
    ("column", 0, 99),
    ("column", 1, -1),
    ("begin", 0, 1),
]


@pytest.mark.parametrize(("name", "place", "value"), WRONG)
def test_single_numbers_that_make_no_sum_are_rejected(name, place, value):
    tree = tree_with_sums().tree_
    array = np.array(getattr(tree.combinations, name))
    array[place] = value
    with pytest.raises(ValueError, match="not a tree"):
        changed(tree, **{name: array})


@pytest.mark.parametrize(
    "feature", [[["x", 1]], [["x", 1], ["x", 2]], [["x", 0], ["y", 1]], ["x", "y"], [["x", 1], ["q", 1]]]
)
def test_dictionaries_with_bad_sums_are_rejected(feature):
    with pytest.raises(ValueError, match="at root"):
        tree_from_dict(
            {"feature": feature, "threshold": 3, "left": {"value": 1.0}, "right": {"value": 2.0}},
            feature_names=["x", "y"],
        )


# -- what does not go together


def message_of(X, y, **params):
    with pytest.raises(ValueError, match="oblique") as caught:
        DecisionTreeClassifier(**params).fit(X, y)
    text = str(caught.value)
    assert "\n" not in text
    return text


X_SMALL, Y_SMALL = np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("value", [1, 0, -2, 2.5, "2", True])
def test_oblique_is_a_number_from_2_on(value):
    assert message_of(X_SMALL, Y_SMALL, oblique=value).startswith(
        "oblique must be an int of at least 2 or None."
    )


@pytest.mark.parametrize(
    "other",
    [
        {"splitter": "random"},
        {"missing": "surrogate"},
        {"missing": "fractional"},
        {"monotonic_cst": [1, 0]},
        {"max_features": 1},
        {"thresholds": "recorded"},
        {"leaf_model": "logistic"},
        {"growth_rules": {"strict": True}},
    ],
)
def test_what_oblique_does_not_go_with(other):
    name, value = next(iter(other.items()))
    found = message_of(X_SMALL, Y_SMALL, oblique=2, **other)
    assert found.startswith(f"oblique needs {name}=")
    assert repr(value) in found


def test_tables_that_have_too_little():
    nominal = pd.DataFrame({"a": list("xyxyxy"), "b": list("uvwuvw"), "c": range(6)})
    assert "at least two columns of numbers to combine. Got 1" in message_of(nominal, Y_SMALL, oblique=2)
    assert "at most the number of rows, 6. Got 7" in message_of(X_SMALL, Y_SMALL, oblique=7)
    assert "needs a dense table" in message_of(csr_matrix(X_SMALL), Y_SMALL, oblique=2)
    wide = np.random.default_rng(0).random((6, 40))
    DecisionTreeClassifier(oblique=3).fit(wide, Y_SMALL)  # more columns than rows


def test_columns_that_are_not_combined():
    rng = np.random.default_rng(11)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, 300), "D")
    X = pd.DataFrame(
        {"a": rng.random(300), "day": days, "b": rng.random(300), "level": rng.choice(list("xyz"), 300)}
    )
    model = DecisionTreeClassifier(oblique=3).fit(X, X.a + X.b > 1)
    assert model.tree_.test(0).terms == ((0, 1.0), (2, 1.0))
    assert model.get_n_leaves() == 2


def test_scikit_learn_has_no_such_tests():
    with pytest.raises(ValueError, match="to_sklearn needs tests of one column"):
        DecisionTreeClassifier(oblique=2).fit(*triangle()).to_sklearn()


def test_as_columns_of_the_predictor_are_checked():
    model = DecisionTreeClassifier(oblique=2).fit(*triangle(300))
    with pytest.raises(ValueError, match="every column"):
        model.tree_.predictor.apply(as_columns(np.zeros((3, 1))), 1)
