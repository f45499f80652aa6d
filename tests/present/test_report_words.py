"""Sentences of a page that were once wrong."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_models import loans
from tests.support.page_tools import opened
from tests.support.report_contract import zoo
from treewright.classics import ctree
from treewright.evaluate.metrics import Score, verdict
from treewright.present.page import report


def test_rows_that_are_shared_out_are_counted_once():
    X, y = loans()
    model = tw.DecisionTreeClassifier(missing="fractional", max_leaf_nodes=20).fit(X, y)
    honest = report(model, X, y, check=False).payload["nodes"]["held_out_error"]
    assert honest[0]["n"] == len(X)
    assert all(1 <= each["n"] <= len(X) for each in honest if each)


def test_a_single_leaf_has_no_splits_and_one_node():
    X, _ = loans(40)
    model = tw.DecisionTreeClassifier().fit(X, np.array(["a", "b"] * 20))
    leaf = tw.prune(model, "leaf_budget", n_leaves=1)
    made = report(leaf)
    assert "1 node;" in repr(made)
    assert "splits" not in made.payload["nodes"]["interval_words"]


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([("accuracy", 0.6, 0.5, 0.7, 0.55)], "No clear gain over the baseline."),
        ([("accuracy", 0.8, 0.7, 0.9, 0.5)], "Beats the baseline on accuracy."),
        ([("log loss", 6.8, 5.8, 7.9, 1.1)], "WORSE than the baseline on log loss."),
        (
            [("accuracy", 0.8, 0.7, 0.9, 0.5), ("log loss", 6.8, 5.8, 7.9, 1.1), ("AUC", 0.6, 0.4, 0.8, 0.5)],
            "Beats the baseline on accuracy; WORSE on log loss; no clear gain in AUC.",
        ),
        (
            [("log loss", 6.8, 5.8, 7.9, 1.1), ("AUC", 0.6, 0.4, 0.8, 0.5)],
            "WORSE than the baseline on log loss; no clear gain in AUC.",
        ),
    ],
)
def test_the_verdict_says_better_worse_or_neither(scores, words):
    assert verdict([Score(*each) for each in scores]) == words


def test_the_parts_of_a_condition_make_its_text():
    for model in zoo().values():
        payload = report(model()[0]).payload
        text, parts = payload["words"]["edge"], payload["words"]["edge_parts"]
        for whole, each in zip(text, parts, strict=True):
            if each is not None:
                sign, value, missing = each
                assert whole.endswith(f" {sign} {value}" + (" or missing" if missing else ""))


def test_scores_say_whether_the_fit_or_the_report_computed_them():
    X = np.arange(40.0)[:, None]
    model = tw.DecisionTreeClassifier(max_depth=1).fit(X, X[:, 0] > 20)
    assert report(model, X, X[:, 0] > 20, check=False).payload["scores"]["source"] == "report"
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 0] > 20})
    assert report(tw.fit(frame, "y")).payload["scores"]["source"] == "fit"


def test_findings_have_the_severity_of_the_check():
    frame = pd.DataFrame({"x": np.arange(40.0), "same": 1, "y": np.arange(40) % 2 == 0})
    frame = pd.concat([frame, frame.assign(y=~frame["y"])])
    X, y = frame[["x", "same"]], frame["y"]
    found = report(tw.DecisionTreeClassifier(max_depth=1).fit(X, y), X, y)
    severity = {each["kind"]: each["severity"] for each in found.payload["check"]}
    assert severity["contradictory rows"] == "medium"
    assert severity["constant column"] == "low"


def test_next_best_splits_have_units_and_the_wording_of_0_and_1():
    """As the printed tree: `member = 1` and not `member > 0.5`, and numbers with their unit."""
    rng = np.random.default_rng(0)
    member, area = rng.integers(0, 2, 400), rng.integers(20, 200, 400)
    y = np.where(rng.random(400) < 0.05 + 0.5 * (area > 110) + 0.4 * member, "yes", "no")
    table = pd.DataFrame({"member": member, "area": area, "sold": y})
    result = tw.fit(table, "sold", score=False, check=False)
    result = replace(result, formats={"area": {"unit": "sqft"}})  # as a file has it
    payload = report(result, table[["member", "area"]], table["sold"], check=False).payload
    tests = [split["test"] for splits in payload["next_best_splits"].values() for split in splits]
    assert {test.split()[0] for test in tests} == {"member", "area"}
    assert all(test.startswith("member =") for test in tests if test.startswith("member"))
    assert all(test.endswith("sqft") for test in tests if test.startswith("area"))


def test_rules_and_their_short_forms_say_the_same_of_missing_values():
    X, y = loans()
    model = tw.DecisionTreeClassifier(max_leaf_nodes=12).fit(X, y)
    payload = report(model).payload
    assert any("missing" in rule["text"] for rule in payload["rules"])
    assert all(("missing" in rule["text"]) == ("missing" in rule["short"]) for rule in payload["rules"])


@pytest.mark.parametrize(("unit", "written"), [("$", r"\$\d+,\d{3}"), ("kWh", r"\d+,\d{3} kWh")])
def test_predicted_numbers_have_the_unit_of_the_target(unit, written, tmp_path):
    rng = np.random.default_rng(0)
    area = rng.integers(20, 200, 300)
    table = pd.DataFrame({"area": area, "price": 1000.0 * area + rng.normal(0, 900, 300)})
    result = tw.fit(table, "price", check=False, max_leaf_nodes=4)
    result = replace(result, formats={"price": {"unit": unit}})  # as a file has it
    with opened(report(result, table[["area"]], table["price"], check=False).html, tmp_path) as page:
        places = {"section.top-rules .prediction", "#rules td:nth-child(2)", "#panel .headline"}
        texts = {place: page.locator(place).first.inner_text() for place in places}
        assert all(re.fullmatch(written, text) for text in texts.values()), texts
        assert re.search(f"Off by {written} on average", page.locator("body").inner_text())
        page.click("#tab-case")
        assert re.fullmatch(written, page.get_by_test_id("prediction").inner_text())


def test_rules_of_columns_without_missing_values_do_not_mention_them():
    X, y = loans()
    X = X.drop(columns="age")  # the only one with missing values
    payload = report(tw.DecisionTreeClassifier(max_leaf_nodes=12).fit(X, y)).payload
    inner = [text for texts in payload["rules_of_inner_nodes"].values() for text in texts]
    outer = [text for rule in payload["rules"] for text in (rule["text"], rule["short"])]
    assert not any("missing" in text for text in inner + outer)
    assert (
        "Exactly one holds for every row. If a rule does not mention missing values" in payload["rules_words"]
    )


def test_two_trees_name_the_loss_that_they_were_chosen_by():
    X, y = loans()
    result = tw.fit(X.assign(y=y), "y", check=False)
    payload = report(result).payload
    both = "log loss and error rate in cross-validation"
    within = "within 0.2 standard errors of those of the tree of the lowest log loss."
    assert payload["tree_words"] == f"The simplest tree whose {both} are {within}"
    best = payload["alternatives"][0]["tree_words"]
    assert best == "The tree of the lowest log loss in cross-validation."


def test_weighted_shares_and_counts_are_labelled(tmp_path):
    X, y = loans()
    weight = np.where(y == "bad", 3.0, 1.0)
    model = tw.DecisionTreeClassifier(max_leaf_nodes=6).fit(X, y, sample_weight=weight)
    with opened(report(model, X, y, sample_weight=weight).html, tmp_path) as page:
        panel = page.locator("#panel").inner_text()
        assert "Share of weight" in panel
        assert f"weight {weight.sum():.0f}" in panel
        assert "Confusion matrix: sums of weights" in page.locator("#evaluation").inner_text()
        assert "Support (weight)" in page.locator("#evaluation").inner_text()
        assert "confidence and lift are weighted" in page.locator("#rules").inner_text()
        page.click("#tab-decide")
        assert "rows count by their weights" in page.locator("#panel").inner_text()
    with opened(report(model.fit(X, y), X, y).html, tmp_path) as page:
        assert "weight" not in page.locator("#evaluation").inner_text()


def test_a_residual_is_the_actual_value_minus_the_predicted_one_everywhere():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.uniform(size=200)})
    y = X["x"] + 0.1 * random.normal(size=200)
    model = tw.DecisionTreeRegressor(max_depth=1).fit(X[:100], y[:100])
    payload = tw.report(model, X[100:], y[100:] + 1, held_out=True).payload
    rows = payload["evaluation"]["subgroups"][0]["rows"]
    assert len(rows) > 1
    assert all(0.8 < row["mean_residual"] < 1.2 for row in rows)


def test_a_tree_of_permutation_tests_says_what_its_splits_are_chosen_by():
    iris = tw.load_example("iris")
    page = tw.report(ctree().fit(iris.drop(columns="species"), iris["species"]))
    assert ["Split criterion", "p-value of a permutation test"] in page.payload["facts"]
