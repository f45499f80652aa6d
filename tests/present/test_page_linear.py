"""The report page of linear leaves, in a browser: the columns used, and a case that moves."""

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_tools import opened, settle
from treewright.present.page.making import report


def test_linear_leaves_are_read_moved_and_explained(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=400), "z": rng.normal(size=400), "constant": 1.0})
    y = np.where(X.x > 0, 3 * X.z, -2 * X.z) + rng.normal(size=400) * 0.1
    model = tw.DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    made = report(model, X, y)
    assert made.payload["next_best_splits"]["0"][0]["gain"] > 0
    with opened(made.html, tmp_path) as page:
        assert "2 of 3 columns used" in page.locator(".summary").inner_text()  # z is in the leaves alone
        assert "Average of the leaf's rows" in page.locator(".top-rules").inner_text()
        page.get_by_role("tab", name="What if").click()
        settle(page)
        assert (
            "interval" not in page.get_by_test_id("sure").inner_text()
        )  # that of the leaf's average is not the case's
        page.get_by_label("z", exact=True).first.fill("1.5")
        settle(page)
        row = pd.DataFrame({"x": [X.x.median()], "z": [1.5], "constant": [1.0]})
        shown = float(page.get_by_test_id("prediction").inner_text().replace("−", "-"))
        assert abs(shown - model.predict(row)[0]) < 0.01
        assert "Slope" in page.get_by_test_id("terms").inner_text()
        assert "z" in page.get_by_test_id("terms").inner_text()


def test_logistic_leaves_have_a_roc_curve_of_rows(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=400), "z": rng.normal(size=400)})
    y = np.where(np.where(X.x > 0, 3 * X.z, -3 * X.z) + rng.logistic(size=400) > 0, "yes", "no")
    model = tw.DecisionTreeClassifier(leaf_model="logistic").fit(X[:300], y[:300])
    found = report(model, X[300:], y[300:])
    assert found.payload["roc"]["auc"] > 0.8
    assert sum(each["positive"] for each in found.payload["roc"]["segments"]) == (y[300:] == "yes").sum()
    with opened(found.html, tmp_path) as page:
        page.get_by_role("tab", name="Decide").click()
        settle(page)
        assert "AUC" in page.locator("body").inner_text()
    assert report(model).payload["roc"] is None
    assert "This tree has logistic leaves." in report(model).payload["next_best_splits_note"]


@pytest.mark.parametrize("kind", ["linear", "logistic"])
def test_pruned_trees_are_scored_as_prune_makes_them(kind):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(700, 3)), columns=list("abc"))
    y = np.where(X.a > 0, 3 * X.b, -2 * X.b) + np.where(X.c > 0.5, X.a, 0) + rng.normal(size=700) * 0.3
    if kind == "linear":
        model = tw.DecisionTreeRegressor(leaf_model="linear", leaf_options={"prune": False}).fit(
            X[:500], y[:500]
        )
    else:
        y = np.where(y + rng.logistic(size=700) > 0, "yes", "no")
        options = {"prune": False}
        model = tw.DecisionTreeClassifier(
            leaf_model="logistic", leaf_options=options, criterion="entropy", max_leaf_nodes=6
        ).fit(X[:500], y[:500])
    assert model.get_n_leaves() > 3
    new, truth = X[500:], y[500:]
    pruning = report(model, new, truth).payload["pruning"]
    assert pruning["loss"] == ("mean squared error" if kind == "linear" else "log loss")
    assert len(pruning["steps"]) > 3
    for step in pruning["steps"]:
        pruned = tw.prune(model, alpha=step["alpha"])
        assert pruned.get_n_leaves() == step["leaves"]
        if kind == "linear":
            lost = np.mean((pruned.predict(new) - truth) ** 2)
            training = np.mean((pruned.predict(X[:500]) - y[:500]) ** 2)
            assert step["training_loss"] == pytest.approx(
                training, rel=0.02
            )  # predictions are limited to a range
        else:
            shares = pruned.predict_proba(new)
            lost = -np.log(shares[np.arange(200), (truth == "yes").astype(int)]).mean()
        assert step["held_out_loss"] == pytest.approx(lost, rel=1e-4)
    main = [values[0][0] for values in pruning["scores"]["values"]]
    assert main[0] == pytest.approx(model.score(new, truth), rel=1e-4)
    assert main[-1] == pytest.approx(tw.prune(model, "leaf_budget", n_leaves=1).score(new, truth), rel=1e-4)
    assert "every row has a prediction of its own" in pruning["figures_note"]


def test_a_pruned_tree_predicts_by_the_models_of_its_leaves(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=400), "z": rng.normal(size=400)})
    y = np.where(X.x > 0, 3 * X.z, -2 * X.z) + rng.normal(size=400) * 0.1
    model = tw.DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    made = report(model, X, y)
    with opened(made.html, tmp_path) as page:
        last = len(made.payload["pruning"]["steps"]) - 1
        text = page.evaluate(f"treewright.modelFile({last})")
        page.goto(f"{page.url.partition('#')[0]}#prune={last}")
        page.reload()
        page.get_by_role("tab", name="What if").click()
        settle(page)
        page.get_by_label("z", exact=True).first.fill("1.5")
        settle(page)
        shown = float(page.get_by_test_id("prediction").inner_text().replace("−", "-"))
    root = tw.prune(model, "leaf_budget", n_leaves=1)
    assert abs(shown - root.predict(pd.DataFrame({"x": [X.x.median()], "z": [1.5]}))[0]) < 0.01
    (tmp_path / "pruned.tree.json").write_text(text)
    assert tw.load(tmp_path / "pruned.tree.json").tree_ == root.tree_


def test_the_baseline_is_the_average_of_all_rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=400), "k": rng.choice(["u", "v", "w"], 400)})
    y = np.where(X.k == "u", 9.0, 0.0) + np.where(X.x > 0, X.x, -3 * X.x) + rng.normal(size=400) * 0.1
    model = tw.DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    assert abs(model.tree_.prediction[0, 0, 0] - y.mean()) > 1  # where no indicator holds
    assert model.tree_.without_columns[0, 0] == pytest.approx(y.mean())
    payload = report(model, X, y).payload
    metric = payload["pruning"]["scores"]["metrics"][0]
    assert (metric["metric"], metric["baseline"]) == ("R²", pytest.approx(0, abs=1e-4))
    assert payload["scores"]["rows"][0]["baseline"] == pytest.approx(0, abs=1e-4)
