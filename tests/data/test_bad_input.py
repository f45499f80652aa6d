"""Every kind of bad input: the exception, and the part of its sentence that matters."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from treewright import DecisionTreeClassifier, DecisionTreeRegressor

X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]])
Y = np.array([0, 1, 0, 1])
BOTH = pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor])

BAD_FITS = {
    "no rows": (np.empty((0, 2)), [], ValueError, "Found array with 0 sample"),
    "no columns": (np.empty((4, 0)), Y, ValueError, "0 feature"),
    "one dimension": (X[:, 0], Y, ValueError, "Reshape your data"),
    "three dimensions": (X.reshape(2, 2, 2), Y[:2], ValueError, "dim"),
    "a scalar": (3.0, Y, ValueError, "Expected 2D array, got scalar"),
    "no y": (X, None, ValueError, "requires y to be passed, but the target y is None"),
    "an empty y": (X, [], ValueError, "0 sample"),
    "a longer y": (X, [0, 1, 0, 1, 0], ValueError, "Got 5 entries for 4 rows."),
    "missing in y": (X, [0, 1, np.nan, 1], ValueError, "Input y contains NaN"),
    "infinity in y": (X, [0, 1, np.inf, 1], ValueError, "Input y contains infinity"),
    "complex X": (X * 1j, Y, ValueError, "Complex data not supported"),
    "complex y": (X, Y * 1j, ValueError, "Complex data not supported"),
    "sparse y": (X, sp.csr_array(Y.reshape(-1, 1)), TypeError, "[Ss]parse"),
    "text among numbers": ([[1, "a"], [2, 3]] * 2, Y, ValueError, "column 1 of X mixes text and numbers"),
    "text and booleans": ([["b"], [True]] * 2, Y, ValueError, "text and booleans, such as 'b' and True"),
    "bytes": (np.array([[b"a"]] * 4), Y, ValueError, "column 0 holds text"),
    "objects": (np.array([[1, {}]] * 4, dtype=object), Y, TypeError, "Got values of type dict in column 1"),
    "complex objects": (np.array([[1j]] * 4, dtype=object), Y, TypeError, "type complex in column 0"),
    "records": (np.zeros((4, 1), dtype=[("a", "f8")]), Y, TypeError, "column 0"),
    "np.matrix": (np.asmatrix(X), Y, TypeError, "np.matrix is not supported"),
    "ragged lists": ([[1, 2], [3], [4, 5], [6, 7]], Y, ValueError, "inhomogeneous"),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize("case", BAD_FITS)
def test_bad_tables_and_targets_are_refused(cls, case):
    table, y, error, sentence = BAD_FITS[case]
    with pytest.raises(error, match=sentence):
        cls().fit(table, y)


BAD_WEIGHTS = {
    "negative": ([1, -2, 1, 1], ValueError, "sample_weight must not be negative. Got -2 in row 1"),
    "missing": ([1, np.nan, 1, 1], ValueError, "Input sample_weight contains NaN"),
    "infinite": ([1, np.inf, 1, 1], ValueError, "Input sample_weight contains infinity"),
    "all zero": ([0, 0, 0, 0], ValueError, "sample_weight must have a weight above zero. Got only zeros"),
    "too few": ([1, 1], ValueError, r"shape \(4,\). Got shape \(2,\)"),
    "a table": (np.ones((4, 2)), ValueError, r"shape \(4,\). Got shape \(4, 2\)"),
    "text": (["a"] * 4, ValueError, "could not convert string to float"),
    "overflowing": ([1e308] * 4, ValueError, "sample_weight must have a finite sum"),
}


@BOTH
@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights_are_refused(cls, case):
    weights, error, sentence = BAD_WEIGHTS[case]
    with np.errstate(over="ignore"), pytest.raises(error, match=sentence):
        cls().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([0.5, 1.2, 0.3, 0.4], "Unknown label type: continuous"),
        (np.array(["a", None, "b", "a"], dtype=object), "y must be known for every row. Got 1 missing of 4"),
        ([np.nan, "a", "b", "a"], "y must be known for every row. Got 1 missing of 4"),
        (pd.Series(["a", None, "b", None], dtype="string"), "y must be known for every row. Got 2 missing"),
        (pd.Series(["a", None, "b", "a"], dtype="category"), "y must be known for every row. Got 1 missing"),
        (np.array(["a", 1, "b", "a"], dtype=object), "Labels in y must be of one kind|Unknown label type"),
    ],
)
def test_bad_labels_are_refused(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier().fit(X, y)


def test_text_is_no_target_of_a_regression():
    with pytest.raises(ValueError, match="could not convert string to float"):
        DecisionTreeRegressor().fit(X, ["a", "b", "a", "b"])


def test_bad_class_weights_are_refused():
    for weight, sentence in [
        ({0: -1, 1: 1}, "class_weight times sample_weight must not be negative"),
        ({0: 0, 1: 0}, "class_weight times sample_weight must have a weight above zero"),
        ([{0: 1}], "class_weight"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            DecisionTreeClassifier(class_weight=weight).fit(X, Y)


@BOTH
@pytest.mark.parametrize(
    "method", ["predict", "apply", "decision_path", "get_depth", "get_n_leaves", "to_sklearn"]
)
def test_nothing_works_before_fit(cls, method):
    arguments = [] if method.startswith(("get_", "to_")) else [X]
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        getattr(cls(), method)(*arguments)
    with pytest.raises(NotFittedError):
        _ = cls().feature_importances_


@BOTH
@pytest.mark.parametrize("method", ["predict", "apply", "decision_path"])
def test_bad_tables_are_refused_after_fit(cls, method):
    use = getattr(cls().fit(X, Y), method)
    for table, error, sentence in [
        (X[:, :1], ValueError, "X has 1 features, but DecisionTree.* is expecting 2 features"),
        (np.hstack([X, X]), ValueError, "X has 4 features"),
        (X[0], ValueError, "Reshape your data"),
        ([["a", "b"]], ValueError, "column 0 holds text"),
        (X * 1j, ValueError, "Complex data not supported"),
        (sp.csr_array(X[:, :1]), ValueError, "X has 1 features"),
    ]:
        with pytest.raises(error, match=sentence):
            use(table)
    with pytest.raises(ValueError, match="X has 1 features"):
        use(X[:, :1], check_input=False)


def test_empty_frames_are_refused(frame):
    with pytest.raises(
        ValueError, match=r"X must have at least one row and one column. Got a table of shape \(0, 1\)"
    ):
        DecisionTreeClassifier().fit(frame({"a": []}), [])


def test_two_columns_of_one_name_are_refused():
    pd = pytest.importorskip("pandas")
    twice = pd.DataFrame(np.ones((2, 2)), columns=["a", "a"])
    sentence = r"The columns of X must have different names. Got 'a' 2 times"
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier().fit(twice, [0, 1])
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier().fit(twice.set_axis(["a", "b"], axis=1), [0, 1]).predict(twice)


def test_targets_whose_squares_are_beyond_floats_are_rejected():
    with pytest.raises(ValueError, match=r"y must lie between -1e\+145 and 1e\+145.* Got 1e\+200. Divide y"):
        DecisionTreeRegressor().fit([[1.0], [2.0]], [-1e200, 1e200])
    model = DecisionTreeRegressor().fit([[1.0], [2.0]], [-1e145, 1e145])
    assert np.isfinite(model.tree_.impurity).all()
    assert model.feature_importances_.tolist() == [1.0]


def test_labels_that_look_like_numbers_are_warned_of():
    table = np.arange(30.0).reshape(-1, 1)
    with pytest.warns(UserWarning, match="number of unique classes is greater than 50%"):
        DecisionTreeClassifier().fit(table, np.arange(30))


def test_a_refused_fit_leaves_the_model_as_it_was():
    model = DecisionTreeClassifier().fit(X, Y)
    before = model.tree_
    with pytest.raises(ValueError, match="negative"):
        model.fit(X, Y, sample_weight=[-1, 1, 1, 1])
    assert model.tree_ is before
    assert (model.predict(X) == Y).all()
