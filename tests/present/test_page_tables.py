"""The tables of the page: whole on a phone and on paper, with a mark where smoothing decides a leaf."""

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_models import credit, houses
from tests.support.page_tools import opened, settle
from treewright.present.page.making import report

WIDER = """() => [...document.querySelectorAll("table.plain, table.importance, table.rules")]
    .filter((table) => table.scrollWidth > table.closest(".scroll").clientWidth + 1)
    .map((table) => table.closest(".scroll").ariaLabel)"""
BROKEN = """() => [...document.querySelectorAll(".plain thead th")].filter((cell) => {
    const before = cell.clientWidth;
    cell.style.overflowWrap = "normal";
    const wider = cell.clientWidth > before;
    cell.style.overflowWrap = "";
    return wider;
}).map((cell) => cell.textContent)"""  # headings of tables that are broken inside a word
OVERLAPS = """() => {
    const right = (element) => element.getBoundingClientRect().right;
    const tables = [...document.querySelectorAll(".block table")];
    const out = (table) => right(table) > right(table.closest(".block")) + 1;
    return tables.filter(out).map((each) => each.className);
}"""


@pytest.mark.parametrize("model", [credit, houses])
def test_tables_are_as_narrow_as_a_phone(tmp_path, model):
    with opened(model()[0], tmp_path, viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate(WIDER) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_tables_on_paper_stay_in_their_columns(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(600, 3)), columns=["a", "b", "c"])
    y = np.array(["brickface", "cement", "foliage", "window"])[(X["a"] > 0) + 2 * (X["b"] > 0)]
    model = tw.DecisionTreeClassifier(max_leaf_nodes=8).fit(X, y)
    with opened(report(model, X, y).payload, tmp_path, viewport={"width": 720, "height": 1000}) as page:
        page.emulate_media(media="print")
        settle(page)
        assert page.evaluate(OVERLAPS) == []


def test_a_leaf_that_smoothing_decides_is_marked(tmp_path):
    X = pd.DataFrame({"a": [0] * 50 + [1] * 50, "b": [0] * 48 + [1] * 2 + [0] * 40 + [1] * 10})
    y = ["no"] * 48 + ["yes"] * 2 + ["no"] * 46 + ["yes"] * 4
    model = tw.DecisionTreeClassifier(smoothing="hierarchical", smoothing_strength=60.0).fit(X, y)
    marked = np.flatnonzero(model.tree_.smoothing_decides & model.tree_.is_leaf)
    assert len(marked) == 1
    with opened(report(model, X, y).payload, tmp_path) as page:
        assert "* most of its rows have another class" in page.locator(".below .legend").inner_text()
        rules = page.locator("#rules")
        assert rules.get_by_text("no*", exact=True).count() == 1
        assert "Smoothing decides" in rules.inner_text()
        page.evaluate(f"location.hash = 'node={marked[0]}'")
        page.reload()
        page.wait_for_selector('[role="treeitem"]')
        assert "Smoothing decides" in page.get_by_role("tabpanel").inner_text()


def test_all_classes_of_a_confusion_matrix_are_in_view(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, size=(2000, 3)), columns=["a", "b", "c"])
    y = np.array([f"diaporthe-stem-canker-{each}" for each in range(19)])[(X["a"] * 4 + X["b"]) % 19]
    y[:19] = [f"diaporthe-stem-canker-{each}" for each in range(19)]
    model = tw.DecisionTreeClassifier(max_leaf_nodes=20).fit(X, y)
    with opened(report(model, X, y).payload, tmp_path, viewport={"width": 1280, "height": 900}) as page:
        wide, room = page.evaluate(
            "(() => { const table = document.querySelector('.matrix');"
            " return [table.scrollWidth, table.closest('.scroll').clientWidth]; })()"
        )
        assert wide <= room


def test_headings_are_broken_between_words(tmp_path):
    for model, width in ((credit, 390), (houses, 1024)):
        with opened(model()[0], tmp_path, viewport={"width": width, "height": 844}) as page:
            assert page.evaluate(WIDER) == []
            broken = page.evaluate(BROKEN)
            assert broken == []
