"""Metrics of predictions: one meaning for `fit`, `score` and `compare`."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.evaluate.test_fit import loans
from tests.present.test_command import call
from treewright import fit, load
from treewright.evaluate.metrics import Baseline, Predictions
from treewright.evaluate.procedure import Data, mean_loss
from treewright.learn.costs import CostsAndPrevalence
from treewright.learn.model_file import read

COSTS = {"false_positive": 1, "false_negative": 6}


@pytest.fixture
def tables(tmp_path):
    """A table and another one of the same kind, with a file of costs."""
    for name, seed in (("old", 0), ("new", 5)):
        loans(seed=seed).select("income", "job", "default").write_csv(tmp_path / f"{name}.csv")
    (tmp_path / "costs.json").write_text(json.dumps(COSTS))
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--positive", "yes", "--costs", "{}/costs.json"],
        ["--positive", "yes", "--prevalence", "0.02"],
        ["--positive", "yes", "--costs", "{}/costs.json", "--prevalence", "0.02"],
        ["--positive", "no", "--costs", "{}/costs.json", "--prevalence", "0.9", "--max-depth", "1"],
    ],
)
def test_fit_and_score_say_the_same_of_the_same_rows(tables, options):
    old, new, model = (tables / name for name in ("old.csv", "new.csv", "m.tree.json"))
    options = [part.format(tables) for part in options]
    made = call("fit", old, "-t", "default", "--test", new, "-m", model, "--json", *options)
    scored = call("score", model, new, "--json")
    assert made.status == scored.status == 0, made.out + scored.out
    assert len(made.object["scores"]) == len(scored.object["figures"]) == 4 + (len(options) > 0)
    for ours, theirs in zip(made.object["scores"], scored.object["figures"], strict=True):
        assert ours == pytest.approx(theirs)


def test_the_cost_is_that_of_a_case_at_the_prevalence_in_the_users_units(tables):
    table = loans().select("income", "job", "default")
    found = fit(table, "default", positive="yes", costs=COSTS, prevalence=0.05, test=loans(seed=5))
    other = loans(seed=5)
    y, said = other["default"].to_numpy(), found.model.predict(other.select("income", "job"))
    missed = (said[y == "yes"] == "no").mean()
    alarms = (said[y == "no"] == "yes").mean()
    cost = next(score for score in found.scores if score.metric == "cost")
    assert cost.value == pytest.approx(0.05 * missed * 6 + 0.95 * alarms * 1)
    assert cost.baseline == pytest.approx(0.05 * 6)  # to say no costs least: 0.3, against 0.95
    assert cost.low < cost.value < cost.high
    path = found.save(tables / "m.tree.json")
    assert read(path).costs_and_prevalence.prevalence == pytest.approx([0.95, 0.05])
    assert read(path).costs_and_prevalence.costs.tolist() == [[0, 1], [6, 0]]
    assert load(path).decision_.costs_and_prevalence.costs.tolist() == [[0, 1], [6, 0]]


def test_a_threshold_has_no_cost(tables):
    table = loans()
    model = fit(table.select("income", "job", "default"), "default", score=False).model
    model.with_decision(threshold=0.3, positive="yes").save(tables / "m.tree.json")
    done = call("score", tables / "m.tree.json", tables / "new.csv", "-t", "default", "--json")
    assert [each["metric"] for each in done.object["figures"]] == [
        "accuracy", "log loss", "Brier score", "AUC",
    ]  # fmt: skip


def test_costs_of_an_operating_point_are_kept(tables):
    table = loans()
    model = fit(table.select("income", "job", "default"), "default", score=False).model
    X, y = table.select("income", "job"), table["default"].to_numpy()
    decided = model.with_decision(costs=COSTS, prevalence=0.1, positive="yes", X=X, y=y)
    assert decided.decision_.threshold is not None
    saved = read(decided.save(tables / "m.tree.json"))
    assert saved.costs_and_prevalence.costs.tolist() == [[0, 1], [6, 0]]
    assert saved.costs_and_prevalence.prevalence.tolist() == pytest.approx([0.9, 0.1])


def test_intervals_of_a_cost_at_a_prevalence_cover_the_truth(rng):
    """Each class counts by its prevalence, so that its share of the rows does not matter."""
    costs, covered = CostsAndPrevalence(np.array([[0.0, 1.0], [5.0, 0.0]]), np.array([0.8, 0.2])), 0
    truth = 0.8 * 0.3 * 1 + 0.2 * 0.4 * 5
    for _ in range(400):
        y = (rng.random(150) < 0.5).astype(int)
        said = np.where(rng.random(150) < np.where(y, 0.4, 0.3), 1 - y, y)
        shares = np.full((150, 2), 0.5)
        found = Predictions(y, said, shares, None, 1, costs).estimates()["cost"]
        low, high = found.interval
        assert low < found.value < high
        covered += low <= truth <= high
    assert covered / 400 == pytest.approx(0.95, abs=0.03)


def test_metrics_that_are_not_defined_are_left_out():
    y, equal = np.zeros(5, dtype=int), Baseline(np.array([0.5, 0.5]))
    costs = CostsAndPrevalence(np.array([[0.0, 1.0], [5.0, 0.0]]), np.array([0.8, 0.2]))
    one = Predictions(y, y, np.full((5, 2), 0.5), None, 1, costs)
    assert [score.metric for score in one.scores(equal)] == ["accuracy", "log loss", "Brier score"]
    flat = Predictions(np.ones(3), np.array([1.0, 2.0, 3.0]), None)
    wanted = ["root mean squared error", "mean absolute error"]
    assert [score.metric for score in flat.scores(Baseline(mean=1.0))] == wanted
    unknown = Predictions(np.full(3, -1), np.zeros(3, dtype=int), np.full((3, 2), 0.5), None, 1)
    assert {score.metric: score.value for score in unknown.scores(equal)} == {"accuracy": 0}
    silent = Predictions(np.array([0, 1, -1]), np.array([0, -1, -1]), np.full((3, 2), 0.5), None, 1, costs)
    found = {score.metric: score.value for score in silent.scores(equal)}
    assert found["accuracy"] == pytest.approx(1 / 3)  # no prediction is not a right one
    assert "cost" not in found


def test_every_metric_has_the_baseline_that_is_best_for_it():
    """With costs, accuracy is still compared with the majority class, and not with the cheapest."""
    y = np.array([0] * 73 + [1] * 27)
    costs = CostsAndPrevalence(np.array([[0.0, 1.0], [9.0, 0.0]]))
    always = Predictions(y, np.ones(100, dtype=int), np.full((100, 2), 0.5), None, 1, costs)
    found = {score.metric: score for score in always.scores(Baseline.of(y, None, 2))}
    assert found["accuracy"].baseline == 0.73
    assert found["accuracy"].harms
    assert found["cost"].baseline == found["cost"].value == 0.73
    assert found["AUC"].baseline == 0.5
    assert found["Brier score"].baseline == pytest.approx(0.73 * 0.27)
    assert found["log loss"].baseline == pytest.approx(-0.73 * np.log(0.73) - 0.27 * np.log(0.27))
    skewed, weight = np.array([0.0, 1.0, 2.0, 100.0]), np.array([1.0, 1.0, 1.0, 1.0])
    numbers = Predictions(skewed, skewed, None)
    base = {score.metric: score.baseline for score in numbers.scores(Baseline.of(skewed, weight, 0))}
    assert base["R²"] == pytest.approx(0)
    assert base["mean absolute error"] == pytest.approx(np.abs(skewed - np.median(skewed)).mean())


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_brier_score_is_that_of_scikit_learn_everywhere(n_classes, rng):
    from sklearn.metrics import brier_score_loss

    from treewright import DecisionTreeClassifier, calibration_curve, nested_cv_score

    X = rng.random((120, 2))
    y = (n_classes * X[:, 0] + rng.normal(0, 0.3, 120)).clip(0, n_classes - 1).astype(int)
    model = DecisionTreeClassifier(max_depth=2).fit(X[:60], y[:60])
    p = model.predict_proba(X[60:])
    wanted = brier_score_loss(y[60:], p if n_classes > 2 else p[:, 1])
    assert calibration_curve(model, X[60:], y[60:]).brier == pytest.approx(wanted)
    predicted = Predictions(y[60:], p.argmax(axis=1), p)
    assert predicted.values()["Brier score"] == pytest.approx(wanted)
    assert mean_loss(model, Data(X[60:], y[60:]), "brier", model.classes_) == pytest.approx(wanted)
    folds = [(np.arange(60), np.arange(60, 120))]
    score = nested_cv_score(DecisionTreeClassifier(max_depth=2), X, y, cv=folds, scoring="neg_brier_score")
    assert -score.score == pytest.approx(wanted)


def test_weights_of_any_size_give_the_same_findings(rng):
    y, said = rng.integers(0, 2, 50), rng.integers(0, 2, 50)
    weight = rng.integers(0, 4, 50).astype(float)
    shares = rng.dirichlet([1, 1], 50)
    usual = Predictions(y, said, shares, weight, 1).estimates()
    for factor in (1e-200, 1e160, 1e300):
        other = Predictions(y, said, shares, weight * factor, 1).estimates()
        for metric, found in other.items():
            expected = (usual[metric].value, *usual[metric].interval)
            assert (found.value, *found.interval) == pytest.approx(expected)


def test_figures_need_no_scikit_learn():
    code = "import sys, treewright.evaluate.metrics; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_numbers_agree_with_scikit_learn_under_weights(rng):
    from sklearn.metrics import mean_absolute_error, r2_score

    y, w = rng.random(40), rng.integers(0, 3, 40).astype(float)
    said = y + rng.normal(0, 0.1, 40)
    found = Predictions(y, said, None, w).values()
    assert found["R²"] == pytest.approx(r2_score(y, said, sample_weight=w))
    assert found["mean absolute error"] == pytest.approx(mean_absolute_error(y, said, sample_weight=w))


def test_costs_are_those_of_the_labels_whatever_their_order():
    table = loans().select("income", "job", "default")
    how = {"positive": "yes", "costs": COSTS, "prevalence": 0.1, "test": loans(seed=5)}
    usual = fit(table, "default", **how)
    turned = fit(table, "default", class_order=["yes", "no"], **how)
    assert turned.model.classes_.tolist() == ["yes", "no"]
    assert turned.model.decision_.costs_and_prevalence.costs.tolist() == [[0, 6], [1, 0]]
    X = table.select("income", "job")
    assert (turned.model.predict(X) == usual.model.predict(X)).all()
    for ours, theirs in zip(turned.scores, usual.scores, strict=True):
        assert ours.to_dict() == pytest.approx(theirs.to_dict())
