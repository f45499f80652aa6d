"""Logistic leaves: probabilities from their definition, the optimum of the loss, files, refusals."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from tests.oracle.linear_leaves import scores
from treewright import DecisionTreeClassifier, load


def a_table(n_classes=2, n_rows=500):
    """Classes whose odds are linear on both sides of a threshold."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 3))
    slope = np.where(X[:, :1] > 0, 3.0, -3.0) * np.linspace(-1, 1, n_classes) * X[:, 1:2]
    gumbel = -np.log(-np.log(rng.random((n_rows, n_classes))))
    return X, np.array(list("abcd"))[(slope + gumbel).argmax(axis=1)]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_follow_their_definition(n_classes, tmp_path):
    X, y = a_table(n_classes)
    model = DecisionTreeClassifier(leaf_model="logistic").fit(X, y)
    found = model.predict_proba(X)
    columns = model.fitted_tree.columns(X)
    score = scores(model.tree_, model.apply(X), columns)
    score = np.column_stack([np.zeros(len(X)), score]) if n_classes == 2 else score
    expected = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    assert np.allclose(found, expected, atol=1e-12)
    assert np.allclose(found.sum(axis=1), 1)
    assert np.array_equal(model.predict(X), model.classes_[found.argmax(axis=1)])
    assert model.tree_.feature[0] == 0
    constant = DecisionTreeClassifier(max_leaf_nodes=8).fit(X, y)
    assert log_loss(y, found) < log_loss(y, constant.predict_proba(X))
    assert np.array_equal(load(model.save(tmp_path / "m.tree.json")).predict_proba(X), found)


def test_one_leaf_is_logistic_regression():
    X, y = a_table()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    options = {"penalty": "ridge", "alpha": 2.0, "clip": False}
    model = DecisionTreeClassifier(leaf_model="logistic", leaf_options=options, min_samples_split=1.0)
    model.set_params(min_samples_leaf=251).fit(X, y)
    assert model.get_n_leaves() == 1
    known = LogisticRegression(C=1 / 2.0, tol=1e-10, max_iter=1000).fit(X, y)
    assert np.allclose(model.predict_proba(X), known.predict_proba(X), atol=1e-5)


def test_classes_that_a_line_parts_stay_finite():
    X = np.linspace(-1, 1, 40)[:, None]
    y = X[:, 0] > 0.1
    for options in ({}, {"penalty": None}, {"penalty": "lasso"}, {"max_columns": 1}, {"columns": "path"}):
        model = DecisionTreeClassifier(leaf_model="logistic", leaf_options=options).fit(X, y)
        assert np.isfinite(model.predict_proba([[-1e9], [1e9], [np.nan]])).all()
        assert model.score(X, y) > 0.9
    one = DecisionTreeClassifier(leaf_model="logistic").fit(X, ["a"] * 40)
    assert np.allclose(one.predict_proba(X), 1)


def test_refused():
    X, y = a_table()
    with pytest.raises(ValueError, match="leaf_model must be one of 'constant', 'logistic'"):
        DecisionTreeClassifier(leaf_model="linear").fit(X, y)
    with pytest.raises(ValueError, match="leaf_model='logistic' needs one output"):
        DecisionTreeClassifier(leaf_model="logistic").fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match=r"needs ccp_alpha=0\.0"):
        DecisionTreeClassifier(leaf_model="logistic", ccp_alpha=0.1).fit(X, y)
