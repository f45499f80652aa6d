"""ROC curves, calibration and operating points of classifiers of other libraries."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treewright import DecisionTreeClassifier, calibration_curve, operating_point, roc_curve


def rows(n=300, classes=2):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    score = X @ [1, 2, 0] + rng.normal(size=n)
    return X, np.array(["a", "b", "c"])[np.digitize(score, [0, 2][: classes - 1])], rng.random(n)


def test_held_out_rows_give_the_scores_of_scikit_learn():
    X, y, weight = rows()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:150], y[:150])
    X, y, weight = X[150:], y[150:], weight[150:]
    p = model.predict_proba(X)
    found = calibration_curve(model, X, y, sample_weight=weight, bins=10)
    assert found.brier == pytest.approx(brier_score_loss(y, p[:, 1], pos_label="b", sample_weight=weight))
    assert found.log_loss == pytest.approx(log_loss(y, p, sample_weight=weight))
    assert found.source == "held out"
    roc = roc_curve(model, X, y, sample_weight=weight)
    assert roc.auc == pytest.approx(roc_auc_score(y, p[:, 1], sample_weight=weight))
    assert operating_point(model, X, y, recall=0.9).recall >= 0.9


@pytest.mark.parametrize("classes", [2, 3])
def test_with_cv_every_row_is_predicted_without_it(classes):
    X, y, _ = rows(classes=classes)
    model = LogisticRegression().fit(X, y)
    folds = list(StratifiedKFold(4).split(X, y))
    p = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="predict_proba")
    found = calibration_curve(model, X, y, cv=folds)
    assert found.source == "out of fold"
    assert found.log_loss == pytest.approx(log_loss(y, p))
    if classes == 3:
        roc = roc_curve(model, X, y, cv=folds)
        wanted = [roc_auc_score(y == label, p[:, k]) for k, label in enumerate("abc")]
        assert_allclose([roc[label].auc for label in "abc"], wanted)


@pytest.mark.parametrize("cv", [None, 3])
def test_a_tree_with_logistic_leaves_is_scored_by_what_it_predicts(cv):
    X, y, _ = rows()
    model = DecisionTreeClassifier(leaf_model="logistic").fit(X[:150], y[:150])
    new_X, new_y = (X[150:], y[150:]) if cv is None else (X[:150], y[:150])
    found, roc = (each(model, new_X, new_y, cv=cv) for each in (calibration_curve, roc_curve))
    if cv is None:
        p = model.predict_proba(new_X)[:, 1]
        assert found.brier == pytest.approx(brier_score_loss(new_y, p, pos_label="b"))
        assert roc.auc == pytest.approx(roc_auc_score(new_y, p))
    assert roc.auc > 0.9
    with pytest.raises(ValueError, match=r"X and y must be given: the leaves of this tree predict by row"):
        roc_curve(model)


def test_bad_input_is_refused():
    X, y, _ = rows()
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"X and y must be given for a LogisticRegression"):
        calibration_curve(model)
    with pytest.raises(ValueError, match=r"y must have one entry per row of X. Got 3 entries for 300 rows"):
        roc_curve(model, X, y[:3])
    with pytest.raises(TypeError, match="must be a fitted tree of treewright"):
        roc_curve(Perceptron().fit(X, y), X, y)  # has no probabilities
    with pytest.raises(TypeError, match="must be a fitted tree of treewright"):
        roc_curve(LogisticRegression(), X, y)  # is not fitted
