"""The parameter `decision`: applied by fit, kept by clones, searches and files."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict

import treewright
from treewright import DecisionTreeClassifier, operating_point

DECISIONS = [
    {"threshold": 0.2, "positive": "bad"},
    {"costs": {"false_positive": 1, "false_negative": 9}, "positive": "bad"},
    {"costs": [[0, 9], [1, 0]], "prevalence": {"bad": 0.1, "good": 0.9}},
    {"prevalence": 0.2},
    {"recall": 0.9, "positive": "bad"},
    {"capacity": 50, "population": 1000, "positive": "bad", "merge": True},
]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    bad = X[:, 0] + rng.normal(size=300) > 0.8
    return X, np.where(bad, "bad", "good")


def tree(**params):
    return DecisionTreeClassifier(max_depth=4, ccp_alpha="cv", **params)


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_fit_with_a_decision_is_with_decision_after_fit(table, decision):
    X, y = table
    given = tree(decision=decision).fit(X, y)
    later = tree().fit(X, y).with_decision(**decision)
    assert given.decision is decision
    assert given.tree_ == later.tree_
    assert str(given.decision_) == str(later.decision_)
    assert later.decision == {name: value for name, value in decision.items() if value is not False}
    again = clone(later).fit(X, y)
    assert_array_equal(again.predict(X), later.predict(X))
    assert (again.predict(X) != tree().fit(X, y).predict(X)).any()


def test_an_operating_point_becomes_its_threshold(table):
    X, y = table
    model = tree().fit(X[:200], y[:200])
    point = operating_point(model, X[200:], y[200:], recall=0.8, positive="bad")
    assert model.with_decision(point).decision == {"threshold": point.threshold, "positive": "bad"}
    on_rows = model.with_decision(recall=0.8, positive="bad", X=X[200:], y=y[200:])
    assert on_rows.decision == {"threshold": point.threshold, "positive": "bad"}


def test_searches_and_folds_apply_it(table):
    X, y = table
    low = {"threshold": 0.05, "positive": "bad"}
    plain, careful = (DecisionTreeClassifier(max_depth=2, decision=each) for each in (None, low))
    calls = [np.count_nonzero(cross_val_predict(each, X, y) == "bad") for each in (plain, careful)]
    assert calls[0] < calls[1]
    search = GridSearchCV(plain, {"decision": [None, low]}, scoring="balanced_accuracy").fit(X, y)
    assert search.best_params_ == {"decision": low}
    assert search.best_estimator_.decision_.threshold == 0.05


def test_training_rows_find_a_recall_with_a_warning(table):
    X, y = table
    with pytest.warns(UserWarning, match="too good"):
        DecisionTreeClassifier(max_depth=2, decision={"recall": 0.9}).fit(X, y)


def test_files_keep_it(table, tmp_path):
    X, y = table
    frame_of_costs = np.array([[0.0, 4.0], [1.0, 0.0]])
    model = tree().fit(X, y).with_decision(costs=frame_of_costs, prevalence=np.array([0.3, 0.7]))
    model.save(tmp_path / "m.tree.json")
    read = treewright.load(tmp_path / "m.tree.json")
    assert read.decision == {"costs": [[0.0, 4.0], [1.0, 0.0]], "prevalence": [0.3, 0.7]}
    assert_array_equal(read.predict(X), model.predict(X))
    assert_array_equal(clone(read).fit(X, y).predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        (0.5, "decision must be a dict"),
        ({}, "Got none of them"),
        ({"threshold": 0.5, "recall": 0.5}, "Got threshold and recall"),
        ({"threshhold": 0.5}, "Got 'threshhold'. Did you mean 'threshold'"),
        ({"recall": 0.5, "population": 10}, "population needs a capacity"),
        ({"threshold": 0.5, "merge": 1}, "True or False"),
        ({"threshold": 0.5, "positive": "worse"}, "positive must be one of"),
    ],
)
def test_wrong_decisions_are_rejected(table, decision, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(decision=decision).fit(*table)


def test_the_pruning_path_does_not_depend_on_it(table):
    X, y = table
    merged = DecisionTreeClassifier(decision={"threshold": 0.5, "merge": True})
    path = merged.cost_complexity_pruning_path(X, y)
    assert_array_equal(
        path.ccp_alphas, DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    )
