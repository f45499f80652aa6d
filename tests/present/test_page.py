"""The page in a browser: every panel is opened, pressed and read."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from tests.support.page_models import credit, houses, loans
from tests.support.page_tools import opened, reopened, settle, wait_until


@pytest.fixture
def page(kept):
    """The page as it is when it is opened."""
    return reopened(kept)


def address(page):
    settle(page)
    return dict(
        part.split("=", 1) for part in page.evaluate("location.hash.slice(1)").split("&") if "=" in part
    )


WHERE = """node => {
    const { lens, camera, scene } = treewrightView;
    const { x, y } = scene.layout;
    const box = document.querySelector(".drawing").getBoundingClientRect();
    return [box.left + lens.sx(camera, x[node]), box.top + lens.sy(camera, y[node])];
}"""


def pixel_of(page, node):
    """Where a node is drawn."""
    return page.evaluate(WHERE, node)


def numbers(cells):
    """What table cells hold."""
    return [int(text.replace(",", "")) for text in cells.all_inner_texts()]


def shown(page):
    return page.evaluate("[...treewrightView.scene.visible.order]")


def tab(page, name):
    page.get_by_role("tab", name=name, exact=True).click()
    return page.locator("#panel")


def test_the_top_says_what_and_how_good(page):
    payload, _ = credit()
    assert page.get_by_role("heading", level=1).inner_text() == "Who pays back"
    text = page.locator("header").inner_text() + page.locator(".first").inner_text()
    for label, words in payload["facts"]:
        assert f"{label}: {words}." in text
    tree = credit()[1].tree_
    assert "Trained on 500 rows. 5 of 5 columns used;" in text
    assert f"{tree.n_leaves} leaves, depth {tree.max_depth}." in text
    accuracy = payload["scores"]["rows"][0]
    assert f"Correct for {100 * accuracy['value']:.0f} % of unseen rows." in text
    assert f"is correct for {100 * accuracy['baseline']:.0f} %." in text
    for score in payload["scores"]["rows"]:
        assert score["metric"] in text


def test_a_click_on_a_node_shows_it(page):
    payload, model = credit()
    page.mouse.click(*pixel_of(page, 1))
    panel = page.locator("#panel")
    assert panel.locator(".eyebrow").inner_text().startswith("Node 1")
    assert f"{model.tree_.n_node_samples[1]} rows" in panel.inner_text()
    assert payload["words"]["edge"][1] in panel.inner_text()
    assert payload["words"]["test"][1] in panel.inner_text()
    rivals = [rival["test"] for rival in payload["next_best_splits"]["1"]]
    assert [rival for rival in rivals if rival in panel.inner_text()] == rivals != []
    assert "on unseen rows" in panel.inner_text()
    assert address(page)["node"] == "1"
    assert page.locator('[role="treeitem"][aria-selected="true"]').get_attribute("data-node") == "1"


def test_folding_by_click_and_button(page):
    before = shown(page)
    page.mouse.dblclick(*pixel_of(page, 1))
    settle(page)
    assert len(shown(page)) < len(before)
    page.get_by_role("button", name="Expand all").click()
    settle(page)
    assert len(shown(page)) == len(credit()[1].tree_.feature)
    page.get_by_role("button", name="Reset view").click()
    settle(page)
    assert shown(page) == before


def test_zoom_turn_missing_and_outline(page):
    k = page.evaluate("treewrightView.camera.k")
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate("treewrightView.camera.k") > k
    page.get_by_role("button", name="Fit").click()
    turn = page.evaluate("treewrightView.scene.layout.orientation")
    page.get_by_role("button", name="Horizontal layout").click()
    settle(page)
    assert page.evaluate("treewrightView.scene.layout.orientation") != turn
    assert page.evaluate("treewrightView.camera.k === treewrightView.lens.least")  # whole again
    page.get_by_role("button", name="Show missing-value paths").click()
    assert address(page)["missing"] == "1"
    assert page.locator(".outline").bounding_box()["width"] <= 2
    page.get_by_role("button", name="Outline").click()
    assert page.locator(".outline").bounding_box()["width"] > 100
    page.get_by_role("button", name="Outline").click()
    settle(page)
    page.mouse.move(*pixel_of(page, 0))
    before = pixel_of(page, 0)
    page.mouse.down()
    page.mouse.move(before[0] - 50, before[1] + 40, steps=4)
    page.mouse.up()
    settle(page)
    assert pixel_of(page, 0) == pytest.approx(
        [before[0] - 50, before[1] + 40], abs=1
    )  # it follows the pointer
    k = page.evaluate("treewrightView.camera.k")
    page.mouse.wheel(0, -400)
    wait_until(page, f"treewrightView.camera.k > {k}")
    assert pixel_of(page, 0) == pytest.approx(
        [before[0] - 50, before[1] + 40], abs=1
    )  # what is pointed at stays


def test_search_goes_from_node_to_node(page):
    tree = credit()[1].tree_
    asked = [node for node in range(tree.node_count) if tree.feature[node] == 0]
    page.get_by_role("searchbox", name="Find a column").fill("DURA")
    assert f"{len(asked)} node" in page.locator(".found").inner_text()
    seen = []
    for _ in asked:
        page.get_by_role("button", name="Next node").click()
        seen.append(int(address(page).get("node", 0)))
    assert sorted(seen) == asked


def test_what_if_says_what_predict_says_and_the_change_alters_it(page):
    payload, model = credit()
    panel = tab(page, "What if")
    typical = {facts["name"]: facts["typical"] for facts in payload["columns"]}

    def predicted():
        row = pd.DataFrame([typical]).astype(loans()[0].dtypes)
        return model.predict(row)[0]

    assert panel.get_by_test_id("prediction").inner_text() == predicted()
    panel.get_by_label("duration", exact=True).fill("60")
    panel.get_by_label("purpose", exact=True).select_option("business")
    typical |= {"duration": 60, "purpose": "business"}
    assert panel.get_by_test_id("prediction").inner_text() == predicted()
    lit = page.evaluate("[...treewrightView.scene.highlighted].length")
    assert lit > 1
    before = panel.get_by_test_id("prediction").inner_text()
    panel.get_by_role("button", name="Apply").click()
    assert panel.get_by_test_id("prediction").inner_text() != before
    panel.get_by_label("amount", exact=True).fill("much")
    assert "must be a number" in panel.inner_text()
    panel.get_by_label("amount", exact=True).fill("")
    assert "must be a number" not in panel.inner_text()
    changes = panel.get_by_test_id("change").locator(".changes")
    assert "duration" in changes.inner_text()
    panel.get_by_role("button", name="Lock duration").click()
    assert "duration" not in changes.inner_text()
    assert "case" in address(page)
    panel.get_by_role("button", name="Reset", exact=True).click()
    assert "case" not in address(page)


def test_pruning_slides_from_the_model_to_its_root(page):
    payload, _ = credit()
    panel = tab(page, "Prune")
    slider = panel.get_by_role("slider")
    last = len(payload["pruning"]["steps"]) - 1
    for step in (last, last // 2, 0):
        slider.fill(str(step))
        leaves = payload["pruning"]["steps"][step]["leaves"]
        assert panel.locator("h3").inner_text() == f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"
        seen = page.evaluate("treewrightView.scene.visible.leaves[0]")
        assert seen == leaves
    panel.get_by_role("button", name="Root only").click()
    assert page.get_by_role("treeitem").count() == 1
    assert address(page)["prune"] == str(last)
    panel.locator("svg.chart").click(position={"x": 60, "y": 60})
    assert int(address(page).get("prune", 0)) < last


def confusion(panel):
    return [
        int(text.replace(",", ""))
        for text in panel.get_by_test_id("confusion").locator("tbody td").all_inner_texts()
    ]


def test_costs_move_the_operating_point(page):
    panel = tab(page, "Decide")
    even = confusion(panel)
    assert abs(sum(even) - 1000) <= 2
    panel.get_by_label("Cost of a false negative").fill("20")
    dear = confusion(panel)
    assert dear[1] < even[1]  # fewer are missed
    assert dear[2] > even[2]  # for more false alarms
    marked = page.evaluate("treewrightView.scene.positive.reduce((a, b) => a + b, 0)")
    assert marked > 0
    panel.get_by_label("Share of").fill("1")
    assert confusion(panel)[0] + confusion(panel)[1] == pytest.approx(10, abs=1)
    panel.get_by_role("slider").fill("0")
    assert confusion(panel)[0] == 0
    panel.get_by_role("button", name="Lowest cost").click()
    assert "point" not in address(page)


def test_regression_has_residuals_and_boxes(tmp_path):
    payload, _ = houses()
    with opened(payload, tmp_path) as page:
        panel = tab(page, "Residuals")
        assert "Half within" in panel.inner_text()
        assert panel.locator(".boxes li").count() == min(20, len(payload["residuals"]["leaves"]))
        panel.locator(".boxes button").first.click()
        leaf = max(payload["residuals"]["leaves"], key=lambda each: each["n"])["node"]
        assert address(page)["node"] == str(leaf)
        panel = tab(page, "Node")
        assert panel.locator("figure svg").count() == 1
        panel = tab(page, "What if")
        panel.get_by_label("So that the prediction is").select_option("below")
        panel.get_by_label("This value").fill("-1000")
        assert "No change" in panel.get_by_test_id("change").inner_text()


def test_rules_sort_filter_and_lead_to_their_leaf(page):
    payload, _ = credit()
    section = page.locator("#rules")
    supports = numbers(section.locator("tbody td:nth-child(3)"))
    assert supports == sorted(supports, reverse=True)
    section.get_by_role("button", name="Rows").click()
    supports = numbers(section.locator("tbody td:nth-child(3)"))
    assert supports == sorted(supports)
    section.get_by_role("searchbox").fill("business")
    kept = [rule for rule in payload["rules"] if "business" in f"{rule['text']} {rule['prediction']}".lower()]
    assert section.locator("[role=status]").inner_text().startswith(f"{len(kept)} rule")
    least = min(kept, key=lambda rule: (rule["support"], rule["node"]))
    section.locator("tbody button").first.click()
    assert address(page)["node"] == str(least["node"])
    assert page.locator("#panel .eyebrow").inner_text() == f"Leaf {least['node']}"


def test_the_other_sections(page):
    payload, _ = credit()
    text = page.locator("main").inner_text()
    assert "age has gaps." in text
    assert "random forest" in text
    assert "treewright fit loans.csv" in text
    for row in payload["importance"]["rows"]:
        assert row["column"] in page.locator("#importance").inner_text()
    page.locator("#settings").get_by_role("button", name=re.compile("Show all")).click()
    assert page.locator("#settings tbody tr").count() == len(payload["settings"])


def test_an_address_brings_a_view_back(tmp_path):
    payload, _ = credit()
    asked = f"#node=2&prune=1&tab=case&case={json.dumps({'0': '61'})}&show=all&find=age"
    with opened(payload, tmp_path, address=asked) as page:
        assert page.get_by_role("tab", selected=True).inner_text() == "What if"
        assert page.get_by_label("duration", exact=True).input_value() == "61"
        assert page.evaluate("treewrightView.scene.selected") == 2
        assert page.get_by_role("searchbox", name="Find a column").input_value() == "age"
        page.evaluate("location.hash = 'node=1&tab=prune'")
        settle(page)
        assert page.get_by_role("tab", selected=True).inner_text() == "Prune"
        assert page.evaluate("treewrightView.scene.selected") == 1


def test_nonsense_in_an_address_is_left_aside(tmp_path):
    asked = (
        "#node=9e9&prune=-1&tab=x&show=y&open=z.999999&shut=-&layout=up&missing=2&case=%7B&locked=x.77"
        "&wanted=9&side=left&level=high&point=-3&costs=a~b&share=7&sort=age~sideways&flip=1"
    )
    with opened(credit()[0], tmp_path, address=asked) as page:
        assert page.evaluate("treewrightView.scene.selected") == 0
        assert page.get_by_role("tab", selected=True).inner_text() == "Node"
        page.mouse.click(*pixel_of(page, 1))
        assert address(page) == {"node": "1"}  # the address has all that is not as at the start


def test_light_dark_and_paper(tmp_path):
    with opened(credit()[0], tmp_path, color_scheme="dark") as page:
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.get_by_role("button", name="Dark").click()
        assert page.evaluate("document.documentElement.dataset.theme") == "light"
        page.emulate_media(media="print")
        settle(page)
        assert page.locator(".paper-outline li").count() == len(shown(page))  # too many for a drawing
        assert page.locator(".canvas").is_hidden()
        assert len(page.pdf()) > 20_000
        assert page.locator("#rules tbody tr").count() == len(credit()[0]["rules"])  # all of them on paper


def test_a_small_tree_is_drawn_on_paper(tmp_path):
    with opened(houses()[0], tmp_path) as page:
        page.emulate_media(media="print")
        settle(page)
        assert page.locator(".paper-tree svg g").count() == len(shown(page))
        assert page.locator(".paper-outline").count() == 0


def test_the_drawing_can_be_saved(page):
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert waiting.value.suggested_filename == "Who-pays-back.svg"
