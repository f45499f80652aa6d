"""The lesson page: what it counts and draws, and that there is room for it."""

import numpy as np
import pytest

import treewright
from tests.present.test_lesson import tennis_lesson, words
from tests.support.page_tools import opened, settle
from tests.support.tennis import tennis
from treewright import lab

OUTSIDE = """[...document.querySelectorAll(".column-plot svg")].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const out = (box) => box.left < frame.left - 1 || box.right > frame.right + 1;
    return [...svg.querySelectorAll("text")].filter((text) => out(text.getBoundingClientRect()));
}).map((text) => text.textContent)"""


def test_every_column_is_drawn_as_far_as_the_page_stays_small(tmp_path):
    draws = np.random.default_rng(0)
    for columns, every in ((10, True), (60, False)):
        X = draws.normal(size=(1000, columns))
        y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
        model = treewright.DecisionTreeClassifier(max_leaf_nodes=20).fit(X, y)
        made = treewright.report(model, X, y, trace=True)
        assert len(made.html) < 1_000_000
        steps = made.payload["steps"]
        assert all(step["candidates"][0]["data"] for step in steps)
        assert all(each["data"] for step in steps for each in step["candidates"]) == every
    with opened(made.html, tmp_path, ready=".lesson") as page:
        page.get_by_role("button", name="Show 22 more columns").click()
        settle(page)
        assert page.locator(".candidates button:disabled").count() == 0
        assert "Splits that are not underlined have no picture" in words(page)
        assert "30 more columns gain less." in words(page)


@pytest.mark.parametrize("weight", ["class_weight", "sample_weight"])
def test_counts_are_of_rows_whatever_they_weigh(weight, tmp_path):
    X, y = tennis()
    labels = np.asarray(y)
    balanced = weight == "class_weight"
    weights = None if balanced else np.where(labels == "no", 9.0, 5.0)
    options = {"class_weight": "balanced"} if balanced else {}
    model = treewright.DecisionTreeClassifier(criterion="entropy", **options).fit(X, y, weights)
    made = lab.trace(model, X, y, sample_weight=weights).report()
    assert made.payload["steps"][0]["counts"] == [5, 9]
    assert made.payload["weighted"]
    assert not tennis_lesson().payload["weighted"]
    with opened(made.html, tmp_path, ready=".lesson") as page:
        assert "no: 5 (50 % by weight), yes: 9 (50 % by weight)" in words(page)


@pytest.mark.parametrize("width", [375, 1600])
def test_large_numbers_and_long_names_have_room(tmp_path, width):
    draws = np.random.default_rng(0)
    X = draws.normal(size=(60, 2))
    long = "a name that no legend can hold and no label beside a picture either, whatever its size"
    numbers = treewright.DecisionTreeRegressor(max_leaf_nodes=4).fit(X, 1e9 * X[:, 0])
    named = np.where(X[:, 0] > 0, long, long[::-1])
    classes = treewright.DecisionTreeClassifier().fit(X, named)
    for model, y in ((numbers, 1e9 * X[:, 0]), (classes, named)):
        html = lab.trace(model, X, y).report().html
        with opened(html, tmp_path, ready=".lesson", viewport={"width": width, "height": 900}) as page:
            settle(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(OUTSIDE) == []


def test_the_chosen_split_is_marked_among_groupings():
    pd = pytest.importorskip("pandas")
    draws = np.random.default_rng(0)
    X = pd.DataFrame({"town": draws.choice([f"town {k}" for k in range(20)], 400)})
    y = X.town.map({f"town {k}": -3 - (k * 7) % 5 for k in range(20)}) + draws.normal(size=400)
    shown = lab.trace(treewright.DecisionTreeRegressor(max_depth=1).fit(X, y), X, y).report().payload
    groupings = shown["steps"][0]["candidates"][0]["data"]["groupings"]
    assert [each["best"] for each in groupings] == [True] + [False] * (len(groupings) - 1)
