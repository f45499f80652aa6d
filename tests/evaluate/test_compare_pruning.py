"""The report over all pruning methods, and its pictures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.compare_pruning import compare_pruning
from treewright.evaluate.learning_curve import learning_curve
from treewright.learn.cross_validation.pruning_curve import cv_curve, grow_fold_trees
from treewright.learn.folds import folds_of
from treewright.learn.problem import read_problem
from treewright.learn.pruning import METHODS, held_out, method_of, rows_for

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def table(rng, n=240):
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)


@pytest.fixture(scope="module")
def report():
    X, y = table(np.random.default_rng(1))
    return compare_pruning(DecisionTreeClassifier(), X, y > 0)


def test_every_method_has_a_line(report):
    others = [name for name in METHODS if name != "cost_complexity"]
    assert [entry.name for entry in report] == ["none", "cv", "1se", *others]
    full = report["none"]
    assert full.training_loss == 0
    for entry in report:
        assert 1 <= entry.leaves <= full.leaves
        assert entry.depth <= full.depth
        assert entry.tree.n_leaves == entry.leaves
        assert 0 <= entry.cv_loss <= 1
        assert entry.cv_se > 0
        assert entry.seconds >= 0
    assert report["leaf_budget"].leaves <= report["1se"].leaves
    assert report["1se"].leaves <= report["cv"].leaves
    assert report["cv"].cv_loss == report.curve.mean.min()


def test_the_report_can_be_read_and_taken_apart(report):
    words = str(report)
    assert words.startswith("Loss: error; cross-validated on 5 folds.")
    assert "cost_complexity, alpha='1se'" in words
    assert "Simplest within one standard error" in words
    assert words in repr(report)
    assert "<table>" in report._repr_html_()
    assert len(report.to_dicts()) == len(report) == len(list(report))
    assert report.best.cv_loss == min(entry.cv_loss for entry in report)
    assert report.simplest.leaves <= report.best.leaves
    with pytest.raises(KeyError, match="The name of a method must be one of 'none', 'cv'"):
        report["nothing"]


def test_a_model_of_the_report_is_the_pruned_estimator(report):
    X, y = table(np.random.default_rng(1))
    simple = report.model("1se")
    alone = DecisionTreeClassifier(ccp_alpha=simple.ccp_alpha).fit(X, y > 0)
    assert simple.tree_ == alone.tree_
    assert_array_equal(simple.predict(X), alone.predict(X))
    assert report.model().tree_.n_leaves == report.best.leaves
    assert (simple.predict(X) != (y > 0)).mean() == pytest.approx(report["1se"].training_loss)


@pytest.mark.parametrize("name", [name for name in METHODS if name not in {"cost_complexity", "leaf_budget"}])
def test_held_out_rows_are_predicted_by_trees_that_never_saw_them(name, report):
    X, y = table(np.random.default_rng(1))
    y = y > 0
    wrong = []
    for train, test in folds_of(5, X, y, classifier=True):
        method = method_of(name)
        if method.needs() == "held-out rows":
            parts = held_out(y[train])
            grown = DecisionTreeClassifier().fit(X[train[parts.grow]], y[train[parts.grow]]).tree_
            rows = rows_for(grown, X[train[parts.prune]], y[train[parts.prune]])
        else:
            grown = DecisionTreeClassifier().fit(X[train], y[train]).tree_
            rows = rows_for(grown, X[train], y[train])
        model = DecisionTreeClassifier.from_tree(method.prune(grown, rows))
        wrong.append(model.predict(X[test]) != y[test])
    wrong = np.concatenate(wrong)
    assert report[name].cv_loss == pytest.approx(wrong.mean())
    assert report[name].cv_se == pytest.approx(wrong.std() / np.sqrt(len(wrong)))


def test_numbers_weights_and_shared_rows_are_compared_too(rng):
    X, y = table(rng, 120)
    X[rng.random(X.shape) < 0.1] = np.nan
    weights = rng.integers(1, 4, 120).astype(float)
    numbers = compare_pruning(DecisionTreeRegressor(missing="fractional"), X, y, sample_weight=weights)
    assert {"pessimistic", "minimum_error"}.isdisjoint(entry.name for entry in numbers)
    assert numbers["merge"].cv_loss == pytest.approx(numbers["none"].cv_loss)
    some = {"leaf_budget": {"n_leaves": 3}, "cost_complexity": {"alpha": 0.05}}
    chosen = compare_pruning(DecisionTreeRegressor(), X, y, methods=some, loss="absolute", cv=3)
    assert [entry.method for entry in chosen] == [
        "none",
        "leaf_budget, n_leaves=3",
        "cost_complexity, alpha=0.05",
    ]
    with pytest.raises(ValueError, match="The method minimum_error is for classes only"):
        compare_pruning(DecisionTreeRegressor(), X, y, methods=["minimum_error"])
    with pytest.raises(ValueError, match="methods must be a list of names"):
        compare_pruning(DecisionTreeRegressor(), X, y, methods="merge")
    with pytest.raises(ValueError, match="The pruning method must be one of"):
        compare_pruning(DecisionTreeRegressor(), X, y, methods=["nothing"])


def test_a_frame_keeps_its_names(frame, rng):
    X, y = table(rng, 80)
    named = frame({"a": X[:, 0].tolist(), "b": X[:, 1].tolist(), "c": ["x", "y"] * 40})
    found = compare_pruning(DecisionTreeClassifier(), named, y > 0, cv=3)
    assert found.model("cv").feature_names_in_.tolist() == ["a", "b", "c"]
    assert found.model("cv").predict(named).shape == (80,)


def test_the_pictures_show_the_curves_and_the_choices(report, rng):
    ax = report.plot()
    training, held = (line for line in ax.lines if len(line.get_xdata()) == len(report.curve.mean))
    assert_allclose(training.get_ydata(), report.curve.training)
    assert_allclose(held.get_ydata(), report.curve.mean)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any("1 SE: " in label for label in labels)
    assert f"reduced_error: {report['reduced_error'].leaves} leaves" in labels
    X, y = table(rng, 60)
    curve = cv_curve(
        grow_fold_trees(read_problem(DecisionTreeRegressor(), X, y), folds_of(3, X, y)), "squared"
    )
    assert curve.plot(ax=ax) is ax
    learning = learning_curve(DecisionTreeRegressor(), X, y, sizes=[0.5, 1.0], cv=3).plot()
    assert learning.get_xlabel() == "training rows"
    matplotlib.pyplot.close("all")
