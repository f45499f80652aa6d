"""After pruning on the page every figure is that of the pruned tree."""

import json

import numpy as np
import pytest

import treewright as tw
from tests.support.page_models import loans
from tests.support.page_tools import opened, settle
from tests.support.report_contract import zoo
from treewright.present.page.making import report


def figures(page, step):
    return json.loads(page.evaluate(f"JSON.stringify(treewright.figures({step}))"))


def near(one, other, rel=2e-4):
    """Whether two JSON values are the same up to the digits that a page keeps."""
    if isinstance(other, dict):
        return all(near(one[key], other[key], rel) for key in other)
    if isinstance(other, list):
        return len(one) == len(other) and all(near(a, b, rel) for a, b in zip(one, other, strict=True))
    if isinstance(other, float | int) and not isinstance(other, bool):
        return one == pytest.approx(other, rel=rel, abs=2e-4)
    return one == other


def held_out_reports(model, X, y, weight, number):
    """The payload of a page, and that of a page of its tree pruned to a step."""
    options = {"held_out": True, "check": False, "sample_weight": weight}
    payload = report(model, X, y, **options).payload
    alpha = payload["pruning"]["steps"][number]["alpha"]
    return payload, report(tw.prune(model, alpha=alpha), X, y, **options).payload


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_evaluation_after_pruning_is_that_of_the_pruned_model(tmp_path, classes, weighted):
    X, y = loans(900)
    if classes > 2:
        y = np.where(X["savings"] == "much", "rich", np.where(X["duration"] > 50, "late", y))
    weight = np.random.default_rng(0).integers(1, 5, 500).astype(float) / 2 if weighted else None
    model = tw.DecisionTreeClassifier(min_samples_leaf=9, smoothing="hierarchical").fit(X[:400], y[:400])
    options = {"held_out": True, "check": False, "sample_weight": weight}
    payload = report(model, X[400:], y[400:], **options).payload
    steps = payload["pruning"]["steps"]
    numbers = (1, len(steps) // 2, len(steps) - 2)
    with opened(payload, tmp_path) as page:
        shown = [figures(page, number) for number in numbers]
    for number, found in zip(numbers, shown, strict=True):
        pruned = tw.prune(model, alpha=steps[number]["alpha"])
        wanted = report(pruned, X[400:], y[400:], **options).payload
        assert near(found["evaluation"]["confusion"], wanted["evaluation"]["confusion"])
        assert near(found["evaluation"]["calibration"], wanted["evaluation"]["calibration"])
        for one, other in zip(found["evaluation"]["classes"], wanted["evaluation"]["classes"], strict=True):
            assert near({**one, "roc": None}, {**other, "roc": None})
        assert found["evaluation"]["weighted"] is weighted
        if classes == 2:
            parts = ("segments", "hull", "auc", "auc_low", "auc_high", "prevalence")
            assert near({name: found["roc"][name] for name in parts}, {n: wanted["roc"][n] for n in parts})


def test_the_errors_of_nodes_after_pruning_are_those_of_the_pruned_model(tmp_path):
    X, y = loans(900)
    model = tw.DecisionTreeClassifier(min_samples_leaf=9).fit(X[:400], y[:400])
    number = 3
    payload, wanted = held_out_reports(model, X[400:], y[400:], None, number)
    cut = [0 <= at <= number for at in payload["pruning"]["collapse_at"]]
    tree, kept = model.tree_, [0]
    for node in kept:  # level by level, as nodes are numbered
        first = tree.first_child[node]
        kept += [] if cut[node] or tree.is_leaf[node] else range(first, first + tree.n_children[node])
    with opened(payload, tmp_path) as page:
        found = figures(page, number)["node_errors"]
    assert near([found[node] for node in sorted(kept)], wanted["nodes"]["held_out_error"])


def test_the_residuals_after_pruning_are_those_of_the_pruned_model(tmp_path):
    X, _ = loans(800, seed=1)
    y = (np.log(X["amount"]) * 10 + X["duration"] / 5).to_numpy()
    model = tw.DecisionTreeRegressor(min_samples_leaf=8, max_leaf_nodes=20).fit(X[:400], y[:400])
    payload, wanted = held_out_reports(model, X[400:], y[400:], None, 6)
    with opened(payload, tmp_path) as page:
        found = figures(page, 6)
        page.evaluate("location.hash = 'prune=6&tab=residuals'")
        settle(page)
        headline = page.text_content("#panel .headline")
        boxes = page.locator(".boxes li").count()
    assert near(found["pairs"], wanted["residuals"]["pairs"])
    assert near(
        found["evaluation"]["subgroups"][0]["rows"][0], wanted["evaluation"]["subgroups"][0]["rows"][0]
    )
    off = np.sort([abs(a - b) for a, b in wanted["residuals"]["pairs"]])
    assert headline == f"Half within ±{off[len(off) // 2]:.3f}"[: len(headline)]
    assert boxes == min(20, len(wanted["residuals"]["leaves"]))


@pytest.mark.parametrize("name", ["all kinds of columns", "stops", "surrogates", "branches"])
def test_out_of_fold_figures_follow_the_pruning(tmp_path, name):
    model, X, y = zoo()[name]()
    payload = report(model, X, y, check=False).payload
    with opened(payload, tmp_path) as page:
        first = figures(page, 0)
        part = payload["pruning"]
        names = [each["metric"] for each in part["scores"]["metrics"]]
        for number in range(1, len(part["steps"])):
            found = figures(page, number)
            counts = np.array(found["evaluation"]["confusion"]["counts"])
            scores = dict(zip(names, part["scores"]["values"][number], strict=True))
            accuracy = np.trace(counts) / counts.sum()
            assert accuracy == pytest.approx(scores["accuracy"][0], rel=1e-5)
            if found["roc"] is not None:
                assert found["roc"]["auc"] == pytest.approx(scores["AUC"][0], rel=1e-5)
            assert found["node_errors"][0]["error"] == pytest.approx(1 - accuracy, abs=1e-3)
    assert near(first["evaluation"]["classes"], payload["evaluation"]["classes"])


def test_the_first_step_computed_by_the_page_is_what_python_computed(tmp_path):
    X, y = loans(600)
    model = tw.DecisionTreeClassifier(min_samples_leaf=9, smoothing="hierarchical").fit(X, y)
    payload = report(model, X, y, check=False).payload
    wanted = (payload["evaluation"], payload["roc"])
    payload["pruning"]["original"] = -1  # so that the page computes the first step too
    payload["pruning"]["steps"].append(payload["pruning"]["steps"][-1])
    with opened(payload, tmp_path) as page:
        found = figures(page, 0)
    assert near(found["evaluation"]["confusion"], wanted[0]["confusion"])
    assert near(found["evaluation"]["calibration"], wanted[0]["calibration"])
    assert near(found["roc"]["segments"], wanted[1]["segments"])
    assert near(found["roc"]["hull"], wanted[1]["hull"])


def test_every_panel_shows_the_pruned_tree(tmp_path):
    X, y = loans(600)
    model = tw.DecisionTreeClassifier(min_samples_leaf=9, smoothing="hierarchical").fit(X, y)
    payload = report(model, X, y, check=False).payload
    last = len(payload["pruning"]["steps"]) - 1
    with opened(payload, tmp_path, address=f"#prune={last}") as page:
        assert "is this one leaf" in page.text_content("#panel")
        matrix = page.locator('[data-testid="matrix"] td').all_text_contents()
        assert "Permutation importance is hidden" in page.text_content("#importance")
        page.click("#tab-decide")
        settle(page)
        assert "Always predict good" in page.text_content("#panel")
        assert "pruned to the same degree" in page.text_content("#panel")
        assert "not the pruned tree" not in page.text_content("#page")
    counts = [int(text) for text in matrix]
    assert sorted(counts)[:2] == [0, 0]  # a root predicts one class


def test_figures_that_the_page_cannot_compute_are_hidden(tmp_path, monkeypatch):
    monkeypatch.setattr("treewright.present.page.step_scores.MOST_PREDICTIONS", 100)
    X, y = loans(600)
    model = tw.DecisionTreeClassifier(min_samples_leaf=9).fit(X, y)
    payload = report(model, X, y, check=False).payload
    assert payload["pruning"]["figures_note"].endswith("too many to evaluate.")
    with opened(payload, tmp_path, address="#prune=2") as page:
        for place in ("#panel", ".first", "#evaluation"):  # nodes, scores, groups of rows
            assert "hidden while the tree is pruned" in page.text_content(place)
        assert page.locator('[data-testid="subgroups"]').count() == 0
        assert page.locator('[data-testid="matrix"]').count() == 1  # that needs only the rows in each leaf
    payload["pruning"]["leaves"] = None
    with opened(payload, tmp_path, address="#prune=2&tab=decide") as page:
        assert "hidden while the tree is pruned" in page.text_content("#panel")
        assert page.locator('[data-testid="matrix"]').count() == 0
