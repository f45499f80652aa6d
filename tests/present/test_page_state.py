"""The state of the page: what is selected is seen, what was chosen stays, and all of it is in the address."""

from functools import partial

import pytest

from tests.support.page_models import credit, houses
from tests.support.page_tools import opened, reopened, settle

ORDER = "[...treewrightView.scene.visible.order]"


@pytest.fixture
def at(kept):
    """Opens the page at an address."""
    return partial(reopened, kept)


def selected(page):
    """The node of the one row that keys reach, which must be the one that is selected, and be seen."""
    settle(page)
    rows = page.locator('[role="treeitem"][tabindex="0"]')
    assert rows.count() == 1
    assert rows.get_attribute("aria-selected") == "true"
    node = int(rows.get_attribute("data-node"))
    assert node in page.evaluate(ORDER)
    assert "NaN" not in page.locator(".outline").inner_text()
    return node


def hidden_leaf(page):
    """A leaf that the page does not show at first."""
    seen, tree = set(page.evaluate(ORDER)), credit()[1].tree_
    return next(node for node in range(tree.node_count) if tree.is_leaf[node] and node not in seen)


def settled(page):
    settle(page)
    return page.evaluate("location.hash")


def test_a_selected_node_is_always_seen(at):
    page = at()
    leaf = hidden_leaf(page)
    assert selected(at(f"node={leaf}")) == leaf
    page = at(f"node={leaf}&show=all")
    page.get_by_role("button", name="Reset view").click()
    above = selected(page)
    assert above != leaf
    assert f"{above}," in page.evaluate(f"treewrightView.scene.tree.path({leaf}).join() + ','")
    page = at("tab=case")
    page.get_by_test_id("sure").get_by_role("button").click()
    assert page.locator("#panel .eyebrow").inner_text() == f"Leaf {selected(page)}"
    page = at("tab=case&outline=1")
    page.locator('[role="treeitem"].highlighted').last.click()
    lit = selected(page)
    page.get_by_role("tab", name="Prune").click()
    assert selected(page) == lit


def test_folded_leaves_are_counted(at):
    page = at()
    tree = credit()[1].tree_
    seen = sum(bool(tree.is_leaf[node]) for node in page.evaluate(ORDER))
    folded = tree.n_leaves - seen
    assert f"{tree.n_leaves} leaves, {folded} of them collapsed" in page.locator(".seen").inner_text()
    page.locator('[role="treeitem"]').first.press("ArrowLeft")
    assert f"{tree.n_leaves} leaves, all of them collapsed" in page.locator(".seen").inner_text()


def test_what_was_unfolded_stays_so_while_the_tree_is_pruned(at):
    page = at("outline=1")
    pruning = credit()[0]["pruning"]
    shut = page.locator('[role="treeitem"][aria-expanded="false"]').last
    node = int(shut.get_attribute("data-node"))
    shut.click()
    shut.press("ArrowRight")
    page.get_by_role("tab", name="Prune").click()
    for step in range(len(pruning["steps"])):
        page.locator("#panel input[type=range]").fill(str(step))
        is_open = page.evaluate(f"treewrightView.scene.visible.open[{node}]")
        assert is_open == (pruning["collapse_at"][node] > step), step


def test_a_pruned_page_says_that_its_figures_are_of_the_pruned_tree(at):
    words = (
        "Figures of the pruned tree. The trees that predict out-of-fold rows are pruned to the same degree."
    )
    page = at("prune=3")
    for name in ("Node", "Decide"):
        page.get_by_role("tab", name=name).click()
        assert words in page.locator("#panel").inner_text()
    assert words in page.locator("#evaluation").inner_text()
    assert words not in at().locator("body").inner_text()


def test_the_address_has_outline_rules_and_operating_point(at):
    page = at()
    page.get_by_role("button", name="Outline").click()
    page.locator("#rules").get_by_role("button", name="Lift").click()
    page.locator("#rules").get_by_role("searchbox").fill("car")
    page.get_by_role("tab", name="Decide").click()
    page.get_by_role("button", name="As the model predicts").click()
    rules = page.locator("#rules tbody").inner_text()
    page = at(settled(page)[1:])
    assert page.locator(".outline").bounding_box()["width"] > 100
    assert page.locator("#rules tbody").inner_text() == rules
    assert page.get_by_role("button", name="As the model predicts").get_attribute("aria-pressed") == "true"


def test_the_aim_of_a_change_stays(tmp_path):
    with opened(houses()[0], tmp_path, address="#tab=case") as page:
        page.get_by_label("So that the prediction is").select_option("below")
        page.get_by_label("This value").fill("61,25")
        before = page.get_by_test_id("change").inner_text()
        page.get_by_role("tab", name="Node").click()
        page.get_by_role("tab", name="What if").click()
        assert page.get_by_test_id("change").inner_text() == before
        assert settled(page).endswith("side=below&level=61.25")
        page.reload()
        assert page.get_by_label("This value").input_value() == "61.25"
        assert page.get_by_test_id("change").inner_text() == before


def test_many_folds_are_in_the_address(at):
    page = at("show=all")
    inner = [node for node in range(credit()[1].tree_.node_count) if not credit()[1].tree_.is_leaf[node]]
    page = at("outline=1&show=all&shut=" + f"1-{max(inner)}")
    first = int(credit()[1].tree_.first_child[0])
    assert sorted(page.evaluate(ORDER)) == [0, first, first + 1]
    page.locator('[role="treeitem"]').last.click()
    assert "shut=1-" in settled(page)


def test_a_panel_starts_at_its_top(at):
    page = at("tab=case")
    page.locator("#panel").evaluate("panel => { panel.scrollTop = 300 }")
    page.get_by_role("tab", name="Node").click()
    assert page.locator("#panel").evaluate("panel => panel.scrollTop") == 0


def test_a_rule_brings_the_tree_into_view(at):
    page = at()
    page.locator("#rules tbody button").last.click()
    settle(page)
    assert page.locator(".workspace").bounding_box()["y"] > -700
    box = page.locator(".drawing").bounding_box()
    assert box["y"] < 900
    assert box["y"] + box["height"] > 0


def test_the_dark_button_follows_the_system(at):
    page = at()
    button = page.get_by_role("button", name="Dark")
    assert button.get_attribute("aria-pressed") == "false"
    page.emulate_media(color_scheme="dark")
    page.locator('button[aria-pressed="true"]', has_text="Dark").wait_for(timeout=5000)
    page.emulate_media(color_scheme="light")
