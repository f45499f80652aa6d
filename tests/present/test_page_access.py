"""The page for keys and screen readers: axe-core finds nothing, and every part works without a pointer."""

import pytest

from tests.support.needed import not_here
from tests.support.page_models import credit, houses
from tests.support.page_tools import opened, reopened, settle, wait_until
from tests.support.paths import ROOT
from treewright.present.page.making import Report

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }"


def violations(page, part):
    """What axe-core finds in a part of the page: the rule, where, and why."""
    found = page.evaluate(f"axe.run('{part}', {RULES}).then(found => found.violations)")
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tmp_path, scheme):
    if not AXE.exists():
        not_here("axe-core is not installed: make web installs it where npm is.")
    for payload, tabs in (
        (credit()[0], "Node,What if,Prune,Decide,Model card"),
        (houses()[0], "Node,Residuals"),
    ):
        with opened(payload, tmp_path, color_scheme=scheme, address="#show=all&missing=1") as page:
            page.evaluate(AXE.read_text(encoding="utf-8"))
            for name in tabs.split(","):
                page.get_by_role("tab", name=name, exact=True).click()
                assert violations(page, "html" if name == "Node" else ".side") == [], name


@pytest.fixture
def page(kept):
    """The page as it is when it is opened."""
    return reopened(kept, "show=all")


def focused(page):
    """The node that has the focus, or the words of what else has it."""
    return page.evaluate("(e => e.getAttribute('data-node') ?? e.textContent)(document.activeElement)")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    settle(page)
    return focused(page)


def typed_at_once(page, word):
    """Keys without the time that a busy machine may leave between them."""
    page.evaluate(
        """word => [...word].forEach(key =>
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))""",
        word,
    )
    settle(page)
    return focused(page)


def test_the_tree_is_walked_by_keys(page):
    tree = credit()[1].tree_
    page.keyboard.press("Tab")
    assert focused(page) == "Go to the tree"
    assert press(page, "Enter") == "0"
    first = int(tree.first_child[0])
    assert press(page, "ArrowRight") == str(first)
    assert press(page, "ArrowLeft", "ArrowLeft") == "0"
    assert press(page, "ArrowDown") == str(first)  # folded itself, then its parent; the way down is the same
    assert page.locator(f'[data-node="{first}"]').get_attribute("aria-expanded") == "false"
    assert press(page, "ArrowRight") == str(first)
    assert page.locator(f'[data-node="{first}"]').get_attribute("aria-expanded") == "true"
    last = press(page, "End")
    order = page.evaluate("[...treewrightView.scene.visible.order]")
    assert last == str(order[-1])
    assert press(page, "Home") == "0"
    words = credit()[0]["words"]["edge"]
    wanted = next(node for node in order if node and words[node].startswith("savings"))
    assert typed_at_once(page, "sav") == str(wanted)
    page.evaluate("window.typed = performance.now()")
    wait_until(page, "performance.now() > typed + 600")  # then a key is no longer part of a word
    assert press(page, " ") == str(wanted)  # folds or unfolds
    assert page.evaluate("treewrightView.scene.selected") == wanted


def test_rows_say_what_they_are(page):
    tree = credit()[1].tree_
    assert page.get_by_role("tree").get_attribute("aria-label") == "Outline of the tree"
    for item in page.get_by_role("treeitem").all():
        node = int(item.get_attribute("data-node"))
        assert int(item.get_attribute("aria-level")) == tree.depth[node] + 1
        assert f"{tree.n_node_samples[node]:,} row" in item.text_content()
    assert page.locator('[role="treeitem"][tabindex="0"]').count() == 1


def test_tabs_sliders_and_fields_by_keys(page):
    page.get_by_role("tab", name="Node").focus()
    assert press(page, "ArrowRight") == "What if"
    assert press(page, "ArrowRight") == "Prune"
    assert press(page, "Home") == "Node"
    assert press(page, "End") == "Model card"
    press(page, "ArrowLeft", "ArrowLeft", "Tab", "Tab")
    press(page, "End")
    assert page.get_by_role("treeitem").count() == 1


def test_the_whole_page_can_be_tabbed_through(page):
    seen = set()
    for _ in range(140):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.closest('section, header, nav, body').id"))
    assert {"rules", "settings", "importance"} <= seen


def test_a_frame_of_a_notebook_shows_it(tmp_path):
    """In a sandbox without an address and storage of its own."""
    inside = Report(credit()[0])._repr_html_()
    faults = []
    file = tmp_path / "notebook.html"
    with opened(credit()[0], tmp_path) as page:
        file.write_text(
            f"<!doctype html><meta charset=utf-8><title>notebook</title>{inside}", encoding="utf-8"
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe")
        frame.get_by_role("button", name="Outline").click()
        frame.get_by_role("treeitem").nth(1).click()
        frame.get_by_role("tab", name="Prune").click()
        assert "leaves" in frame.locator("#panel h3").inner_text()
        frame.get_by_role("button", name="Dark").click()
        settle(page)
        with page.expect_download() as saved:
            frame.get_by_role("button", name="Save as SVG").click()
        assert saved.value.suggested_filename.endswith(".svg")
        inner = next(each for each in page.frames if each.parent_frame is not None)
        # without allow-modals a dialog would not open: confirm would return at once
        page.once("dialog", lambda dialog: dialog.accept())
        assert inner.evaluate("window.confirm('')") is True
    assert faults == []
