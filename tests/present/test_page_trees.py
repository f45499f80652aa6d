"""The tree that the page shows: whole on opening, pruned with all its numbers, saved as a file."""

import json

import numpy as np
import pytest

import treewright as tw
from tests.support.page_models import credit, loans
from tests.support.page_tools import opened, reopened, settle
from tests.support.report_contract import zoo
from treewright.learn.model_file import read
from treewright.present.page.making import report

ZOO = zoo()
DRAWN = """() => {
    const texts = [];
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function (text, ...rest) { texts.push(text); fillText.call(this, text, ...rest); };
    treewrightView.drawNow();
    prototype.fillText = fillText;
    return texts;
}"""
CUT_OFF = """() => {
    const { lens, camera, scene } = treewrightView;
    const half = [82 * camera.k, 26 * camera.k];
    return [...scene.visible.order].filter((node) => {
        const [x, y] = [lens.sx(camera, scene.layout.x[node]), lens.sy(camera, scene.layout.y[node])];
        return x - half[0] < 0 || x + half[0] > lens.width || y - half[1] < 0 || y + half[1] > lens.height;
    });
}"""
ARRAYS = (
    "first_child",
    "feature",
    "threshold",
    "missing_child",
    "n_node_samples",
    "value",
    "prediction",
    "gain",
)


def equal(one, other):
    """Whether two trees are the same, to the last bit."""
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in ARRAYS)


@pytest.fixture
def page(kept):
    return reopened(kept)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A page of a small tree and a larger one."""
    X, y = loans()
    small = tw.DecisionTreeClassifier(max_leaf_nodes=5, min_samples_leaf=5).fit(X, y)
    large = tw.DecisionTreeClassifier(max_leaf_nodes=20, min_samples_leaf=5).fit(X, y)
    made = report(small, X, y, best=large, check=False)
    with opened(made.html, tmp_path_factory.mktemp("two")) as page:
        yield page, small, large, made.payload


# -- opening


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_the_whole_tree_is_in_view_on_opening_with_a_probability_at_every_leaf(tmp_path, size):
    X, y = loans()
    model = tw.DecisionTreeClassifier(max_leaf_nodes=12, min_samples_leaf=5).fit(X, y)
    viewport = {"width": size[0], "height": size[1]}
    with opened(report(model, X, y, check=False).html, tmp_path, viewport=viewport) as page:
        settle(page)
        assert page.evaluate(CUT_OFF) == []
        leaves = page.evaluate(
            "[...treewrightView.scene.visible.order].filter(n => treewrightView.scene.visible.cut[n])"
        )
        assert len(leaves) == model.tree_.n_leaves or size[0] < 760
        shares = [text for text in page.evaluate(DRAWN) if text.endswith(" %")]
        assert len(shares) == len(leaves) > 0


def test_the_layout_stays_when_a_panel_opens_and_its_button_says_which_it_is(page):
    button = page.get_by_role("button", name="Horizontal layout")
    orientation = "treewrightView.scene.layout.orientation"
    for wanted in (None, "horizontal", "vertical"):
        if wanted is not None:
            button.click()
            settle(page)
        before = page.evaluate(orientation)
        assert button.get_attribute("aria-pressed") == str(before == "horizontal").lower()
        for name in ("What if", "Prune", "Node"):
            page.get_by_role("tab", name=name, exact=True).click()
            settle(page)
            assert page.evaluate(orientation) == before


@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_is_wider_than_the_window(tmp_path, width):
    with opened(credit()[0], tmp_path, viewport={"width": width, "height": 844}) as page:
        for name in ("Node", "What if", "Prune", "Decide", "Model card"):
            page.get_by_role("tab", name=name, exact=True).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_five_rules_are_below_the_tree(page):
    payload, model = credit()
    largest = sorted(payload["rules"], key=lambda rule: (-rule["support"], rule["node"]))[:5]
    rows = page.locator(".top-rules li")
    assert rows.count() == 5
    for row, rule in zip(rows.all(), largest, strict=True):
        share = round(100 * rule["support"] / 500)
        assert rule["prediction"] in row.inner_text()
        assert f"{share} %" in row.inner_text()
        probability = model.tree_.prediction[rule["node"], 0].max()
        assert f"{100 * probability:.0f} %" in row.inner_text() or probability in (0, 1)
    rows.first.get_by_role("button").click()
    assert page.evaluate("treewrightView.scene.selected") == largest[0]["node"]


# -- pruned


def test_the_top_of_the_page_follows_the_pruned_tree(page):
    payload, model = credit()
    number = len(payload["pruning"]["steps"]) // 2
    reopened(page, f"prune={number}")
    cut = tw.prune(model, alpha=payload["pruning"]["steps"][number]["alpha"]).tree_
    text = page.locator("header").inner_text() + page.locator(".first").inner_text()
    used = len(set(cut.feature[~cut.is_leaf].tolist()))
    assert f"{used} of 5 columns used; {cut.n_leaves} leaves, depth {cut.max_depth}." in text
    assert "Scores of the pruned tree." in text
    for value, _, _ in payload["pruning"]["scores"]["values"][number]:
        assert f"{value:.3f}" in text
    rules = page.locator("#rules [role=status]").inner_text()
    assert rules == f"{cut.n_leaves} rules"
    assert f"{cut.n_node_samples[cut.is_leaf].max():,}" in page.locator("#rules tbody").inner_text()
    shares = cut.compute_feature_importances()
    assert f"{shares.max():.3f}" in page.locator("#importance").inner_text()


def test_the_tree_that_is_shown_is_saved_as_a_model_file(page, tmp_path):
    payload, model = credit()
    number = len(payload["pruning"]["steps"]) // 2
    for step in (0, number):
        reopened(page, f"tab=prune&prune={step}")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download this tree").click()
        assert waiting.value.suggested_filename == "Who-pays-back.tree.json"
        path = tmp_path / f"{step}.tree.json"
        waiting.value.save_as(path)
        alpha = payload["pruning"]["steps"][step]["alpha"]
        wanted = model if step == 0 else tw.prune(model, alpha=alpha)
        loaded = tw.load(path)  # which checks the hash
        assert equal(loaded.tree_, wanted.tree_)
        X, _ = loans()
        assert np.array_equal(loaded.predict_proba(X), wanted.predict_proba(X))
        if step:
            assert f"--alpha {alpha!r}" in page.locator("#panel pre").inner_text()
            assert read(path).training["pruned"] == {"method": "cost_complexity", "alpha": alpha}


@pytest.mark.parametrize("name", [each for each in ZOO if each != "one leaf"])
def test_files_of_all_kinds_of_trees_are_valid(code, name, tmp_path):
    model = ZOO[name]()[0]
    payload = report(model).payload
    script = "([text, step]) => { const api = treewright.reading(text); return api.modelFile(step); }"
    text = code.evaluate(script, [json.dumps(payload), 0])
    assert json.loads(text)["sha256"] == payload["model"]["sha256"] or not all(
        column["used"] for column in payload["columns"]
    )
    path = tmp_path / "m.tree.json"
    path.write_text(text)
    assert equal(read(path).tree, model.tree_)
    if payload["pruning"] is None:
        return
    number = len(payload["pruning"]["steps"]) // 2
    path.write_text(code.evaluate(script, [json.dumps(payload), number]))
    if number:
        cut = [0 <= at <= number for at in payload["pruning"]["collapse_at"]]
        assert equal(read(path).tree, model.tree_.collapse(cut))


# -- two trees


def test_a_page_of_two_trees_switches_between_them(two):
    page, small, large, payload = two
    reopened(page)
    buttons = page.get_by_role("group", name="Tree shown").get_by_role("button")
    assert buttons.all_inner_texts() == [
        "First tree (5 leaves)",
        f"Second tree ({large.tree_.n_leaves} leaves)",
    ]
    scores = [payload["scores"]["rows"], payload["alternatives"][0]["scores"]["rows"]]
    line = page.locator(".both-scores").inner_text()
    assert f"accuracy {scores[0][0]['value']:.3f} against {scores[1][0]['value']:.3f}" in line
    assert "5 leaves, depth" in page.locator(".summary").inner_text()
    buttons.nth(1).click()
    settle(page)
    assert page.evaluate("treewrightView.scene.tree.count") == large.tree_.node_count
    assert f"{large.tree_.n_leaves} leaves, depth" in page.locator(".summary").inner_text()
    assert page.locator("#rules [role=status]").inner_text() == f"{large.tree_.n_leaves} rules"
    page.get_by_role("tab", name="Prune").click()
    settle(page)
    assert page.evaluate("location.hash") == "#tree=1&tab=prune"
    reopened(page, "tree=1&node=3")
    assert page.evaluate("[treewrightView.scene.tree.count, treewrightView.scene.selected]") == [
        large.tree_.node_count,
        3,
    ]
    buttons.nth(0).click()
    settle(page)
    assert page.evaluate("treewrightView.scene.tree.count") == small.tree_.node_count


# -- for auditors and teachers


def test_an_unverified_model_says_so_on_every_tab(tmp_path):
    X, y = loans(300)
    path = tw.DecisionTreeClassifier(max_depth=3).fit(X, y).save(tmp_path / "m.tree.json")
    path.write_text(path.read_text().replace('"target": null', '"target": "paid"'))
    with opened(report(read(path, allow_unverified=True)).html, tmp_path) as page:
        for name in page.get_by_role("tab").all_inner_texts():
            page.get_by_role("tab", name=name, exact=True).click()
            assert "Unverified model file" in page.get_by_role("alert").inner_text()
            assert page.get_by_role("alert").is_visible()
        assert "Unverified" in page.get_by_test_id("card").inner_text()


def test_the_model_card_and_the_evaluation_are_shown(page):
    payload, _ = credit()
    page.get_by_role("tab", name="Model card").click()
    text = page.get_by_test_id("card").inner_text()
    assert payload["card"]["data_sha256"] in text
    assert "Not stated" in text
    matrix = page.get_by_test_id("matrix").locator("tbody td").all_inner_texts()
    counts = payload["evaluation"]["confusion"]["counts"]
    assert [int(each) for each in matrix] == [n for row in counts for n in row]
    assert payload["evaluation"]["on"] in page.locator("#evaluation").inner_text()
    page.locator("#evaluation").get_by_label("Column").select_option("purpose")
    assert "business" in page.get_by_test_id("subgroups").inner_text()


def test_a_split_shows_its_column_with_the_threshold(page):
    payload, _ = credit()
    node = next(n for n, part in payload["nodes"]["split_histograms"].items() if "edges" in part)
    reopened(page, f"node={node}")
    drawn = page.get_by_test_id("split-histogram")
    assert (
        payload["nodes"]["split_histograms"][node]["shown"][2]
        in drawn.locator("svg text").all_text_contents()
    )
    assert drawn.locator("svg .mark").count() == 1


def test_a_row_walks_down_the_tree(page):
    reopened(page, "tab=case")
    panel = page.locator("#panel")
    path = page.evaluate("[...treewrightView.scene.highlighted]")
    panel.get_by_role("button", name="Walk down the tree").click()
    for number, node in enumerate(path):
        assert page.evaluate("treewrightView.scene.token") == node
        assert page.evaluate("[...treewrightView.scene.highlighted].length") == number + 1
        if number + 1 < len(path):
            assert f"Step {number + 1}:" in panel.get_by_test_id("walk").inner_text()
            panel.get_by_role("button", name="Next step").click()  # nothing moves by itself: reduced motion
    assert "the prediction is" in panel.get_by_test_id("walk").inner_text()
    panel.get_by_role("button", name="Show the whole path").click()
    assert page.evaluate("[...treewrightView.scene.highlighted]") == path


def test_a_row_walks_by_itself_where_motion_is_welcome(tmp_path):
    with opened(credit()[0], tmp_path, address="#tab=case", reduced_motion="no-preference") as page:
        last = page.evaluate("[...treewrightView.scene.highlighted].pop()")
        page.get_by_role("button", name="Walk down the tree").click()
        page.evaluate(f"until(() => treewrightView.scene.token === {last})")


def test_colours_are_printed(page):
    page.emulate_media(media="print")
    try:
        settle(page)
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.swatch')).printColorAdjust") == "exact"
        )
        assert "Model card" in page.locator("main").inner_text()
    finally:
        page.emulate_media(media="screen")
