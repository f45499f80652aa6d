"""Names that would break out, trees of odd shapes, and large ones: each gives a page that makes sense."""

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_models import grown, large
from tests.support.page_tools import opened, predictions, settle
from treewright.present.page.making import report

HOSTILE = [
    "</script><script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    "\"'`;window.hacked=1//",
    "two\nlines\tand\ra tab",
    "😀 emoji 👩‍👩‍👧",
    "שלום עולם",
    "\u202eright to left\u202c",
    "a" * 3000,
    "&lt;b&gt; ]]> <!-- --> ${window.hacked=1}",
    "__proto__",
    "constructor",
    "\u2028\u2029 \x00 \x07",
]


def hostile_model():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.choice(HOSTILE[::-1], 400) for name in HOSTILE})
    y = np.array(HOSTILE)[(table.map(len).sum(axis=1) % 5).to_numpy()]
    return tw.DecisionTreeClassifier(max_leaf_nodes=25).fit(table, y), table, y


def test_hostile_names_neither_run_nor_break_the_layout(tmp_path):
    model, table, y = hostile_model()
    made = report(model, table, y, title=HOSTILE[0], command=HOSTILE[1], check=False)
    with opened(made.html, tmp_path, address="#show=all&missing=1") as page:
        for name in ("Node", "What if", "Prune", "Decide"):
            page.get_by_role("tab", name=name, exact=True).click()
            settle(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("document.querySelector('#panel').scrollWidth <= 400"), name
        page.get_by_role("searchbox", name="Find a column").fill("</script>")
        for button in page.locator("#rules tbody button").all()[:5]:
            button.click()
        page.emulate_media(media="print")
        settle(page)
        assert page.evaluate("window.hacked") is None
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 2
        found = predictions(page, table.head(50).values.tolist())
        assert [each["leaf"] for each in found] == model.apply(table.head(50)).tolist()
        assert [each["label"] for each in found] == model.predict(table.head(50)).tolist()


def chain(levels):
    """A tree in which every split takes one row off: as deep as it has splits."""
    X = np.arange(levels + 1.0)[:, None]
    return tw.DecisionTreeClassifier().fit(X, np.arange(levels + 1) % 2), X


def nested_chain(levels):
    node = {"value": [0.5, 0.5], "n": 1}
    for level in range(levels):
        leaf = {"value": [1.0, 0.0] if level % 2 else [0.0, 1.0], "n": 1}
        node = {
            "feature": 0,
            "threshold": float(level),
            "left": leaf,
            "right": node,
            "value": [0.5, 0.5],
            "n": level + 2,
        }
    return tw.Tree.from_dict(node, n_features=1, classes=["no", "yes"])


def odd_pages():
    rng = np.random.default_rng(1)
    wide = rng.normal(size=(300, 2000))
    many = rng.integers(0, 100, 3000)
    X = rng.normal(size=(3000, 4))
    X[:, 0] += many
    return {
        "single leaf": lambda: grown(tw.DecisionTreeClassifier, np.zeros((20, 2)), np.arange(20) % 2),
        "single leaf regression": lambda: grown(tw.DecisionTreeRegressor, np.zeros((20, 2)), np.arange(20.0)),
        "constant regression": lambda: (
            report(tw.DecisionTreeRegressor().fit(X[:60], np.full(60, 3.0)), X[:60], np.full(60, 3.0)).payload
        ),
        "2,000 columns": lambda: grown(
            tw.DecisionTreeClassifier, wide, (wide[:, 7] > 0).astype(int), max_depth=4
        ),
        "100 classes": lambda: grown(tw.DecisionTreeClassifier, X, many, max_leaf_nodes=150),
    }


@pytest.mark.parametrize("name", list(odd_pages()))
def test_odd_trees_give_pages_that_make_sense(tmp_path, name):
    payload = odd_pages()[name]()
    with opened(payload, tmp_path) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert page.locator("#panel").inner_text().strip()
            assert "NaN" not in page.locator("#panel").inner_text()
            assert "undefined" not in page.locator("#panel").inner_text()
        assert "NaN" not in page.locator("header").inner_text()
        assert page.get_by_role("treeitem").count() >= 1


def test_500_levels(tmp_path):
    tree = nested_chain(500)
    assert tree.max_depth == 500
    with opened(tree, tmp_path, address="#show=all&node=900") as page:
        assert page.evaluate("treewrightView.scene.visible.maxDepth") == 500
        page.get_by_role("treeitem", selected=True).focus()
        page.keyboard.press("End")
        settle(page)
        assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "501"
        rows = [[float(level)] for level in range(0, 501, 50)]
        assert [each["leaf"] for each in predictions(page, rows)] == tree.apply(np.array(rows)).tolist()
        page.get_by_role("tab", name="What if").click()
        assert page.get_by_test_id("change").inner_text()


# Calls on the canvas that one drawing takes, by name: what a frame costs, on any machine.
CALLS = """() => {
    const own = CanvasRenderingContext2D.prototype, kept = Object.getOwnPropertyDescriptors(own), calls = {};
    for (const [name, { value }] of Object.entries(kept)) {
        if (typeof value !== "function") continue;
        own[name] = function (...args) {
            calls[name] = (calls[name] ?? 0) + 1;
            return value.apply(this, args);
        };
    }
    treewrightView.drawNow();
    Object.defineProperties(own, kept);
    return calls;
}"""


def test_of_5001_nodes_little_is_drawn(tmp_path):
    """`python -m benchmarks.page` measures how long it takes."""
    payload = large()
    n_nodes = len(payload["model"]["tree"]["feature"])
    assert n_nodes == 5001
    with opened(payload, tmp_path, address="#show=all") as page:
        assert page.get_by_role("treeitem").count() < 100  # only the rows in sight are in the page
        calls = page.evaluate(CALLS)
        assert n_nodes < sum(calls.values()) < 4 * n_nodes  # each node and edge is drawn, by few calls
        assert calls["stroke"] < 10  # edges are collected, and painted at once
        assert "fillText" not in calls  # where it could not be read
        for _ in range(9):
            page.get_by_role("button", name="Zoom in").click()
        page.evaluate(CALLS)  # the small map is painted, and kept
        calls = page.evaluate(CALLS)
        assert calls["fillText"] > 0
        assert sum(calls.values()) < 1500  # what is out of sight is not drawn
