"""The lesson page: what it holds, and how it is played in a browser."""

import json

import numpy as np
import pytest

import treewright
from tests.present.test_page_access import AXE, violations
from tests.support.needed import not_here
from tests.support.page_tools import opened, settle
from tests.support.tennis import tennis
from treewright import classics, lab


def tennis_lesson():
    X, y = tennis()
    return lab.trace(classics.id3().fit(X, y), X, y).report()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The page of the tennis tree."""
    with opened(tennis_lesson().html, tmp_path_factory.mktemp("lesson"), ready=".lesson") as page:
        yield page


def words(page, part="main"):
    return page.locator(part).first.inner_text()


def test_the_payload_has_the_numbers_of_the_trace():
    X, y = tennis()
    found = lab.trace(classics.id3().fit(X, y), X, y)
    payload = found.report().payload
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    assert [step["node"] for step in payload["steps"]] == [step.node for step in found]
    gains = [round(each["gain"], 3) for each in payload["steps"][0]["candidates"]]
    assert gains == [0.247, 0.152, 0.048, 0.029]
    outlook = payload["steps"][0]["candidates"][0]["data"]
    assert outlook["levels"] == ["overcast", "rainy", "sunny"]
    assert outlook["counts"] == [[0, 2, 3], [4, 3, 2]]
    assert payload["ends"] == ["5 leaves: all rows alike"]


def test_a_sum_of_columns_is_shown_on_its_data():
    draws = np.random.default_rng(0)
    X = draws.random((200, 2))
    y = (X.sum(axis=1) <= 1).astype(int)
    found = lab.trace(treewright.DecisionTreeClassifier(oblique=2, max_depth=1).fit(X, y), X, y)
    shown = found.report().payload["steps"][0]["candidates"][0]
    assert shown["column"] == "feature_0 + feature_1"
    assert shown["data"]["ends"] == [f"{X.sum(axis=1).min():.4g}", f"{X.sum(axis=1).max():.4g}"]
    assert found[0].column("feature_0 + feature_1").gains.max() == pytest.approx(found[0].winner.gain)


def test_numbers_read_the_same_on_the_page_and_in_the_terminal():
    table = treewright.load_example("iris")
    X, y = table[["petal_width", "sepal_width"]], table["sepal_length"] * 100_000
    found = lab.trace(treewright.DecisionTreeRegressor(max_depth=7).fit(X, y), X, y)
    payload = found.report().payload
    for step, shown in zip(found, payload["steps"], strict=False):
        for each, drawn in zip(step.candidates, shown["candidates"], strict=True):
            assert f" {drawn['says']}" in str(step)
            assert step.gain_text(each.gain) == drawn["says"]
        assert f"impurity {shown['impurity']})" in " ".join(str(step).split())
    assert payload["steps"][0]["candidates"][0]["says"].count(",") == 3
    assert payload["splits"] == len(found)
    ratios = treewright.DecisionTreeClassifier(criterion="gain_ratio", max_depth=2).fit(X, table["species"])
    made = lab.trace(ratios, X, table["species"]).report().payload
    assert (made["criterion"], made["impurity"]) == ("gain ratio", "entropy")


@pytest.mark.parametrize("width", [1024, 390])
def test_the_tree_fits_its_frame(tmp_path, width):
    look = {"viewport": {"width": width, "height": 800}}
    with opened(tennis_lesson().html, tmp_path, ready=".lesson", address="#step=4", **look) as page:
        settle(page)
        assert page.evaluate(
            "(([f]) => f.scrollWidth <= f.clientWidth)(document.querySelectorAll('.so-far'))"
        )
        assert "14 rows, 4 columns, 3 splits." in page.locator("header").inner_text()


def test_report_and_trace_make_the_same_page():
    X, y = tennis()
    model = classics.id3().fit(X, y)
    made = treewright.report(model, X, y, trace=True, title="Tennis")
    assert made.payload == lab.trace(model, X, y).report(title="Tennis").payload
    with pytest.raises(ValueError, match="trace=True needs the training rows"):
        treewright.report(model, trace=True)
    with pytest.raises(ValueError, match="trace must be True or False"):
        treewright.report(model, X, y, trace=5)
    with pytest.raises(ValueError, match=r"a lesson, which takes .* alone. Got intended_use, stability"):
        treewright.report(model, X, y, trace=True, stability=True, intended_use="x")


def test_a_page_of_a_usual_size_is_small():
    draws = np.random.default_rng(0)
    X = draws.normal(size=(1000, 10))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    model = treewright.DecisionTreeClassifier(max_leaf_nodes=20).fit(X, y)
    assert len(treewright.report(model, X, y, trace=True).html) < 1_000_000


def test_forwards_and_backwards(played):
    page = played
    page.keyboard.press("Home")
    settle(page)
    assert "Step 1 of 3" in words(page)
    assert "outlook gains 0.095 more than humidity." in words(page)
    assert page.locator(".tree-card").count() == 1
    page.get_by_role("button", name="Step forward").click()
    settle(page)
    assert "Step 2 of 3" in words(page)
    assert page.locator(".tree-card").count() == 4
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    settle(page)
    assert "The tree is finished" in words(page)
    assert "5 leaves: all rows alike" in words(page)
    assert page.locator(".tree-card").count() == 8
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert "Step 3 of 3" in words(page)
    page.get_by_role("button", name="Step back").click()
    settle(page)
    assert page.url.endswith("#step=2")


def test_keys_count_that_follow_before_the_page_is_drawn_again(played):
    page = played
    page.keyboard.press("Home")
    settle(page)
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
    page.evaluate(f"{press}; {press}")
    settle(page)
    assert page.url.endswith("#step=3")


def test_another_candidate_is_shown_on_its_data(played):
    page = played
    page.keyboard.press("Home")
    settle(page)
    assert words(page, "#data-name").startswith("outlook")
    page.get_by_role("button", name="humidity = high").click()
    settle(page)
    assert words(page, "#data-name") == "humidity in the rows of the table"
    assert "3 + 4" in words(page, ".lesson-data") or "4 + 3" in words(page, ".lesson-data")


def test_the_address_and_space_lead_to_steps(played):
    page = played
    page.keyboard.press("End")
    page.evaluate("location.hash = '#step=2'")
    page.wait_for_selector('.step-slider span:has-text("Step 2 of 3")')
    page.keyboard.press("End")
    settle(page)
    page.keyboard.press(" ")
    page.wait_for_selector('.step-slider span:has-text("Step 1 of 3")')
    page.keyboard.press(" ")
    settle(page)
    assert page.get_by_role("button", name="Play").get_attribute("aria-pressed") == "false"


def test_it_plays_by_itself_and_pauses(played):
    page = played
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector('button:has-text("Pause")')
    page.wait_for_selector('.step-slider span:has-text("Step 2 of 3")', timeout=10_000)
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1440), ("dark", 1440), ("light", 900), ("dark", 390),
        *(pytest.param(*look, marks=pytest.mark.slow) for look in (("dark", 900), ("light", 390))),
    ],
)  # fmt: skip
def test_no_fault_at_any_width(tmp_path, scheme, width):
    table = treewright.load_example("iris")
    X, y = table.drop(columns="species"), table["species"]
    made = lab.trace(treewright.DecisionTreeClassifier(max_leaf_nodes=6).fit(X, y), X, y).report()
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with opened(made.html, tmp_path, ready=".lesson", address="#step=3", **look) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert "Step 3 of 5" in words(page)
        if not AXE.exists():
            not_here("axe-core is not installed: make web installs it where npm is.")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert violations(page, "html") == []


@pytest.mark.parametrize("kind", ["regression", "missing", "oblique", "one leaf", "ordered"])
def test_every_kind_of_tree_has_a_page(tmp_path, kind):
    draws = np.random.default_rng(0)
    X = draws.normal(size=(120, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    params = {"max_leaf_nodes": 5}
    if kind == "missing":
        X[::6, 0] = np.nan
    if kind == "one leaf":
        y = np.zeros(120, dtype=int)
    if kind == "oblique":
        params = {"oblique": 2, "max_depth": 2}
    if kind == "ordered":
        pd = pytest.importorskip("pandas")
        sizes = pd.Categorical(draws.choice(["S", "M", "L"], 120), ["S", "M", "L"], ordered=True)
        X = pd.DataFrame({"size": sizes, "x": X[:, 0]})
    if kind == "regression":
        model = treewright.DecisionTreeRegressor(**params).fit(X, X[:, 0] * 3)
        y = X[:, 0] * 3
    else:
        model = treewright.DecisionTreeClassifier(**params).fit(X, y)
    with opened(treewright.report(model, X, y, trace=True).html, tmp_path, ready=".lesson") as page:
        page.keyboard.press("End")
        settle(page)
        assert "The tree is finished" in words(page)


def test_names_are_never_markup(tmp_path):
    pd = pytest.importorskip("pandas")
    draws = np.random.default_rng(0)
    evil = "<img src=x onerror=alert(1)></script>"
    X = pd.DataFrame({evil: draws.choice([evil, "b & c"], 60), "x": draws.normal(size=60)})
    y = np.where(X["x"] > 0, "</script><b>", "ok")
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y)
    with opened(
        treewright.report(model, X, y, trace=True, title=evil).html, tmp_path, ready=".lesson"
    ) as page:
        assert page.locator("img").count() == 0
        assert page.locator("main b").count() == 0


def test_the_report_page_says_how_stable_a_split_is(tmp_path):
    table = treewright.load_example("iris")
    X, y = table.drop(columns="species"), table["species"]
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y)
    stable = lab.stability(model, X, y, repeats=10)
    with opened(treewright.report(model, X, y, stability=stable).html, tmp_path) as page:
        panel = page.get_by_role("tabpanel").inner_text()
        assert "Chosen again in 10 bootstrap samples" in panel
        assert "Threshold there" in panel
