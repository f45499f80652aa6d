"""Fields of the page: what they take, what they say of the rest, and that the figures beside them agree."""

import copy
import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_models import credit
from tests.support.page_tools import opened, reopened
from treewright.present.page.making import report


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a ranking whose first class is the positive one, with costs that are not equal."""
    payload = copy.deepcopy(credit()[0])
    ranking = payload["roc"]
    if ranking["positive"] != 0:
        turned = [
            {"score": 1 - each["score"], "positive": each["negative"], "negative": each["positive"]}
            for each in reversed(ranking["segments"])
        ]
        ranking |= {"positive": 0, "segments": turned, "prevalence": 1 - ranking["prevalence"], "hull": []}
    ranking["costs"] = [[0.0, 1.0], [5.0, 0.0]]
    with opened(payload, tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def panel(page):
    return reopened(page, "tab=decide").locator("#panel")


def cells(panel):
    """The four counts, and the mistakes that the line below them names."""
    texts = panel.get_by_test_id("confusion").locator("tbody td").all_inner_texts()
    said = panel.locator(".confusion tfoot").inner_text().split(". ")[-1].split()[0]
    return [int(text.replace(",", "")) for text in texts], int(said.replace(",", ""))


def test_costs_are_those_of_the_model(panel):
    assert panel.get_by_label("Cost of a false positive").input_value() == "1"
    assert panel.get_by_label("Cost of a false negative").input_value() == "5"


def test_a_field_says_what_it_takes(panel):
    field = panel.get_by_label("Cost of a false positive")
    field.fill("2")
    before = cells(panel)
    for text in ("-5", "", "abc", "1e400", "1,500", "0x10", "inf"):
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "true"
        said = panel.locator(f'[id="{field.get_attribute("aria-describedby")}"]').inner_text()
        assert "from 0 to" in said
        assert "2 still holds" in said
        assert cells(panel) == before


def test_a_field_takes_its_ends_commas_and_tiny_numbers(panel):
    share = panel.get_by_label("Share of bad")
    for text, bad in (("0", 0), ("100", 1000), ("12,5", 125), ("7.", 70)):
        share.fill(text)
        assert share.get_attribute("aria-invalid") == "false"
        (found, missed, *_), _ = cells(panel)
        assert found + missed == bad
    panel.get_by_label("Cost of a false negative").fill(
        "1e-300"
    )  # a message of the console would fail the page
    panel.get_by_label("Cost of a false positive").fill("1e-300")


def test_the_ends_of_the_curve_are_never_and_always(panel):
    leaves = credit()[1].tree_.n_leaves
    panel.get_by_label("Cost of a false positive").fill("0")
    assert panel.locator("h3").inner_text() == "Always predict bad"
    assert f"{leaves} of {leaves}" in panel.inner_text()
    panel.get_by_role("slider").fill("0")
    assert panel.locator("h3").inner_text() == "Never predict bad"
    assert "Precision –" in panel.inner_text()
    assert f"0 of {leaves}" in panel.inner_text()


def test_the_four_counts_add_up_and_so_do_the_mistakes(panel):
    last = int(panel.get_by_role("slider").get_attribute("max"))
    for share in ("30", "7.77", "33.3"):
        panel.get_by_label("Share of bad").fill(share)
        for called in range(0, last + 1, last // 12 or 1):
            panel.get_by_role("slider").fill(str(called))
            (found, missed, falsely, right), mistakes = cells(panel)
            assert found + missed + falsely + right == 1000
            assert missed + falsely == mistakes


def test_leaves_of_the_point_of_the_model_are_those_that_say_so(page, panel):
    panel.get_by_role("button", name="As the model predicts").click()
    tree = credit()[1].tree_
    positive = page.evaluate("[...treewrightView.scene.positive]")
    for node in range(tree.node_count):
        if tree.is_leaf[node]:
            assert positive[node] == (tree.label[node, 0] == 0), node


def test_what_cannot_be_read_is_said_beside_the_answer(page, panel):
    page.get_by_role("tab", name="What if").click()
    panel.get_by_label("amount", exact=True).fill("much")
    assert panel.get_by_test_id("unread").inner_text() == "amount cannot be read and is treated as missing."
    panel.get_by_label("duration", exact=True).fill("long")
    assert "duration, amount cannot be read and are treated as missing." in panel.inner_text().replace(
        "amount, duration", "duration, amount"
    )
    panel.get_by_role("button", name="Reset", exact=True).click()
    assert panel.get_by_test_id("unread").count() == 0
    panel.get_by_role("button", name="Lock amount").click()
    panel.get_by_role("button", name="Reset", exact=True).click()
    assert panel.get_by_role("button", name="Lock amount").get_attribute("aria-pressed") == "false"


def test_levels_that_look_like_something_else_can_be_chosen(tmp_path):
    levels = ["", "\u2400", "\u2400x", "missing", "plain"]
    X = pd.DataFrame({"level": levels * 20})
    model = tw.DecisionTreeClassifier().fit(X, np.arange(100) % 5)
    payload = report(model, X, np.arange(100) % 5, check=False).payload
    with opened(payload, tmp_path, address="#tab=case") as page:
        field = page.get_by_label("level", exact=True)
        listed = payload["model"]["schema"]["columns"][0]["levels"]
        shown = ["(missing value)", *(level or "(empty text)" for level in listed)]
        assert field.locator("option").all_text_contents() == shown
        for place, level in enumerate(listed):
            field.select_option(index=place + 1)
            assert page.get_by_test_id("prediction").inner_text() == str(levels.index(level))


def test_many_levels_are_offered_while_one_types(tmp_path):
    X = pd.DataFrame({"town": [f"town {k}" for k in range(400)] * 2})
    y = np.arange(800) % 400 < 200
    model = tw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    with opened(report(model, X, y, check=False).payload, tmp_path, address="#tab=case") as page:
        assert page.locator("#panel datalist option").count() == 400
        page.get_by_label("town", exact=True).fill("town 7")
        assert "Not seen before" not in page.locator("#panel").inner_text()
        page.get_by_label("town", exact=True).fill("nowhere")
        assert "Not seen before" in page.locator("#panel").inner_text()


def test_times_that_do_not_exist_are_refused(page):
    X = pd.DataFrame(
        {"day": pd.date_range("2021-01-01", periods=60), "took": pd.to_timedelta(np.arange(60), "h")}
    )
    model = tw.DecisionTreeRegressor(max_depth=3).fit(X, np.arange(60.0))
    script = """([text, rows]) => {
        const from = treewright.reading(text);
        return rows.map(row => { try { from.predict(row); return true; } catch { return false; } });
    }"""
    good = [
        ["2021-02-28", "1 days 23:59:59"],
        ["2024-02-29T23:59:59", "25:00:00"],
        ["2021-03-01", "-1 days +01:00:00"],
    ]
    days = ["2021-13-01", "2021-00-10", "2021-02-29", "2021-03-01T25:61:00", "2021-03-01T10:00:60"]
    bad = [[day, None] for day in days] + [[None, "1 days 25:99"], [None, "1 days 24:00:00"], [None, "1:60"]]
    text = json.dumps(report(model, X, np.arange(60.0), check=False).payload)
    assert page.evaluate(script, [text, good]) == [True] * len(good)
    assert page.evaluate(script, [text, bad]) == [False] * len(bad)


def test_several_outputs_have_their_names(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    colour = np.where(X["a"] > 0, "red", "blue")
    y = pd.DataFrame({"colour": colour, "size": np.where(X["b"] > 0.5, "large", "small")})
    model = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    payload = report(model, X, y, check=False).payload
    assert payload["predicts"] == "2 outputs: one of 2 classes, one of 2 classes"
    with opened(payload, tmp_path) as page:
        assert "Colours of colour:" in page.locator(".legend").inner_text()
        for name in y.columns:
            assert f"Classes of {name}" in page.locator("#panel").inner_text()
        page.get_by_role("tab", name="What if").click()
        assert page.get_by_test_id("prediction").inner_text().count(", ") == 1
        after = page.get_by_test_id("change").inner_text().split("Prediction becomes ")[1].split(". ")[0]
        assert after.count(", ") == 1
    numbers = report(tw.DecisionTreeRegressor(max_depth=2).fit(X, X), X, X, check=False).payload
    assert numbers["residuals_note"] == "A plot of residuals is for one output."
