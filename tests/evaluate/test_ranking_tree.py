"""The five steps from a table to a tree that ranks, and then decides."""

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, operating_point, roc_curve
from treewright.textbook import ranking_tree


def table(n=300, share=0.2):
    rng = np.random.default_rng(4)
    X = rng.random((n, 3))
    score = X[:, 0] + X[:, 1] + rng.normal(0, 0.3, n)
    return X, np.where(score > np.quantile(score, 1 - share), "bad", "good")


def test_each_step_does_what_it_says(capsys):
    X, y = table()
    costs = {"false_positive": 1, "false_negative": 4}
    model = ranking_tree(X, y, positive="bad", costs=costs)
    said = capsys.readouterr().out.splitlines()
    assert [line[:2] for line in said] == ["1.", "2.", "3.", "4.", "5."]
    assert "\n".join(said) == str(model.steps_)
    ranking = model.steps_.ranking
    alone = DecisionTreeClassifier(criterion="sqrt_gini", smoothing="laplace").fit(X, y)
    assert ranking.tree_ == alone.tree_  # grown whole, and smoothed
    found = roc_curve(alone, X, y, cv=5, positive="bad")
    assert model.steps_.roc.auc == found.auc
    assert f"AUC {found.auc:.3f}" in said[2]
    point = operating_point(alone, X, y, cv=5, positive="bad", costs=costs)
    decided = alone.with_decision(point)
    assert (model.predict(X) == decided.predict(X)).all()
    before, after = model.decision_.leaves
    assert before == alone.get_n_leaves() > after == model.get_n_leaves()
    assert f"{before} are now {after}" in said[4]


def test_without_merging_the_tree_still_ranks(capsys):
    X, y = table()
    model = ranking_tree(X, y, merge=False, quiet=True)
    assert capsys.readouterr().out == ""
    assert (model.predict_proba(X) == model.steps_.ranking.predict_proba(X)).all()
    assert "left out" in model.steps_.steps[4]


def test_a_criterion_that_depends_on_the_classes_gets_balanced_rows():
    X, y = table()
    model = ranking_tree(X, y, criterion="gini", merge=False, quiet=True, max_depth=3)
    assert model.steps_.ranking.class_weight == "balanced"
    assert "as if all classes were as common" in model.steps_.steps[1]
    plain = ranking_tree(X, y, criterion="gini", oversample=False, quiet=True, max_depth=3)
    assert plain.steps_.ranking.class_weight is None
    assert "which depends on them" in plain.steps_.steps[1]


def test_more_classes_are_decided_by_costs():
    X, _ = table()
    y = np.array(["a", "b", "c"])[(3 * X[:, 0]).astype(int)]
    model = ranking_tree(X, y, costs=[[0, 1, 9], [1, 0, 9], [1, 1, 0]], quiet=True)
    assert len(model.steps_.roc) == 3
    ranking = model.steps_.ranking
    shares = {name: float((y == name).mean()) for name in "abc"}
    wanted = ranking.with_decision(costs=[[0, 1, 9], [1, 0, 9], [1, 1, 0]], prevalence=shares)
    assert (model.predict(X) == wanted.predict(X)).all()


def test_one_class_only_gets_a_sentence():
    X, _ = table()
    with pytest.raises(ValueError, match="class"):
        ranking_tree(X, np.zeros(len(X)), quiet=True)
