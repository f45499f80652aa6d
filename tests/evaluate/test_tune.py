"""Tuning on shared folds, against scikit-learn's grid search over the same settings."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import GridSearchCV

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier
from treewright.evaluate.tune import is_top_of_deeper, tune
from treewright.learn.cross_validation.pruning_curve import grow_fold_trees
from treewright.learn.folds import folds_of
from treewright.learn.problem import read_problem


def table(rng, n=200):
    X = np.round(rng.normal(size=(n, 3)), 1)
    return X, X[:, 0] - X[:, 1] ** 2 / 2 + rng.normal(size=n)


GRID = {
    "max_depth": [1, 2, 4, None],
    "min_samples_leaf": [1, 5],
    "ccp_alpha": [0.0, 0.004, 0.02],
}


@pytest.mark.parametrize("classes", [True, False])
def test_the_table_is_that_of_a_grid_search(classes, rng):
    X, y = table(rng)
    model = DecisionTreeClassifier() if classes else DecisionTreeRegressor()
    y, scoring = (y > 0, "accuracy") if classes else (y, "neg_mean_squared_error")
    criteria = ["gini", "entropy"] if classes else ["squared_error"]
    folds = [(fold.train, fold.test) for fold in folds_of(5, X, y, classifier=classes)]  # of equal size
    grid = GridSearchCV(model, GRID | {"criterion": criteria}, cv=folds, scoring=scoring).fit(X, y)
    tuned = tune(model, X, y, criterion=criteria, **GRID)
    scores = grid.cv_results_["mean_test_score"]
    wanted = {
        tuple(params[name] for name in sorted(params)): 1 - score if classes else -score
        for params, score in zip(grid.cv_results_["params"], scores, strict=True)
    }
    found = {tuple(row[name] for name in sorted([*GRID, "criterion"])): row["cv_loss"] for row in tuned.tried}
    assert found.keys() == wanted.keys()
    assert_allclose([found[key] for key in wanted], list(wanted.values()), atol=1e-12)
    assert tuned.best["cv_loss"] == pytest.approx(min(wanted.values()))
    assert tuned.model.tree_.n_leaves == tuned.best["leaves"]


@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate", "fractional"])
def test_a_tree_of_some_depth_is_the_top_of_the_full_one(missing, rng):
    X, y = table(rng)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = DecisionTreeClassifier(missing=missing, min_samples_leaf=2)
    problem = read_problem(model, X, y > 0)
    folds = folds_of(3, X, y > 0, classifier=True)
    full = grow_fold_trees(problem, folds)
    for depth in (1, 3, 5):
        alone = grow_fold_trees(problem.changed(max_depth=depth), folds)
        top = full.top(depth)
        assert top.trees == alone.trees
        for one, other in zip(top.reached, alone.reached, strict=True):
            shape = (one.row.max() + 1, full.trees[0].node_count)
            amounts = [np.zeros(shape), np.zeros(shape)]
            for amount, reached in zip(amounts, (one, other), strict=True):
                np.add.at(amount, (reached.row, reached.node), reached.share)
            assert_allclose(*amounts, atol=1e-12)
    assert full.top(None) is full


def test_where_depth_changes_more_than_the_end_every_depth_is_grown(rng):
    X, y = table(rng)
    assert is_top_of_deeper(DecisionTreeClassifier().get_params(), 3)
    for params in ({"max_leaf_nodes": 5}, {"splitter": "random"}, {"max_features": 1}):
        assert not is_top_of_deeper(DecisionTreeClassifier(**params).get_params(), 3)
    tuned = tune(ExtraTreeClassifier(random_state=0), X, y > 0, max_depth=[2, None], min_samples_leaf=[5])
    assert {row["max_depth"] for row in tuned.tried} == {2, None}


def test_rules_choose_and_the_model_is_fitted(rng):
    X, y = table(rng, 400)
    best = tune(DecisionTreeRegressor(), X, y)
    simple = tune(DecisionTreeRegressor(), X, y, rule="1se")
    assert isinstance(best.model, DecisionTreeRegressor)
    assert best.best["cv_loss"] == min(row["cv_loss"] for row in best.tried)
    assert simple.best["leaves"] <= best.best["leaves"]
    assert simple.best["cv_loss"] <= best.best["cv_loss"] + best.best["cv_se"]
    model, tried = simple.model, simple.tried
    assert model.predict(X).shape == (400,)
    assert len(tried) >= 66
    assert model.tree_.n_leaves == simple.best["leaves"]
    assert "settings tried on 5 folds" in str(simple)
    assert str(simple) in repr(simple)
    assert "<table>" in simple._repr_html_()
    assert simple.to_dicts()[0].keys() >= {"criterion", "max_depth", "cv_loss", "cv_se", "leaves"}
    again = best.again(X[:300], y[:300])
    assert len(again.tried) > 0
    assert max(fold.test.max() for fold in again.folds) < 300


def test_an_estimator_with_a_pruning_method_is_rejected_before_the_search(rng):
    X, y = table(rng, 60)
    tried = []
    with pytest.raises(ValueError, match=r"the estimator must have pruning=None\. Got 'reduced_error'"):
        tune(DecisionTreeRegressor(pruning="reduced_error"), X, y, progress=lambda *step: tried.append(step))
    assert not tried
    with pytest.raises(ValueError, match="model must be a DecisionTreeClassifier"):
        tune("tree", X, y)


def test_groups_and_time_govern_the_folds(rng):
    X, y = table(rng, 60)
    few = {"max_depth": [2], "min_samples_leaf": [5], "cv": 3}
    groups = np.arange(60) // 6
    for fold in tune(DecisionTreeRegressor(), X, y, groups=groups, **few).folds:
        assert not set(groups[fold.train]) & set(groups[fold.test])
    time = rng.permutation(60)
    for fold in tune(DecisionTreeRegressor(), X, y, time=time, **few).folds:
        assert time[fold.train].max() < time[fold.test].min()


def test_progress_is_reported_on_request(rng, capsys):
    X, y = table(rng, 60)
    few = {"max_depth": [2], "min_samples_leaf": [5, 9]}
    tune(DecisionTreeRegressor(), X, y, **few)
    assert capsys.readouterr().err == ""
    tune(DecisionTreeRegressor(), X, y, progress=True, **few)
    assert "2/2 done" in capsys.readouterr().err
    said = []
    tune(
        DecisionTreeRegressor(),
        X,
        y,
        progress=lambda done, total, what: said.append((done, total, what)),
        **few,
    )
    assert said[0] == (0, 2, "growing: squared_error, at least 5 rows per leaf")


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"max_depth": 3}, r"max_depth must be a list of values to try. Got 3. Write \[3\]."),
        ({"max_depth": []}, "max_depth must have at least one value to try"),
        ({"max_depth": [0]}, "max_depth must be an int of at least 1 or None. Got 0"),
        ({"criterion": ["gini"]}, "criterion must be one of"),
        ({"criterion": "squared_error"}, "criterion must be a list of values to try"),
        ({"ccp_alpha": "cv"}, "ccp_alpha must be 'path' or a list of numbers to try. Got 'cv'"),
        ({"rule": "best"}, "rule must be 'cv' or '1se'. Got 'best'"),
        ({"loss": "error"}, "loss must be one of 'squared', 'absolute'"),
        ({"progress": 3}, "progress must be True, False, None, or a function"),
    ],
)
def test_invalid_values_to_try_are_rejected(params, sentence, rng):
    X, y = table(rng, 30)
    with pytest.raises(ValueError, match=sentence):
        tune(DecisionTreeRegressor(), X, y, **params)
