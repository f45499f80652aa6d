"""The drawing and the paper: numbers keep their size, words stay in cards, a small tree is seen whole."""

import re

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_models import credit
from tests.support.page_tools import opened, settle, wait_until
from treewright.present.page.making import report

DRAWN = """() => {
    const said = [];
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function (text, ...rest) { said.push(text); fillText.call(this, text, ...rest); };
    treewrightView.drawNow();
    prototype.fillText = fillText;
    return said;
}"""
OUTSIDE = """() => {
    const { lens, camera, scene } = treewrightView;
    return [...scene.visible.order].filter((node) => {
        const [x, y] = [lens.sx(camera, scene.layout.x[node]), lens.sy(camera, scene.layout.y[node])];
        return x < 0 || x > lens.width || y < 0 || y > lens.height;
    });
}"""
TOO_WIDE = """() => [...document.querySelectorAll(".paper-tree g")].flatMap((card) => {
    const { width } = card.querySelector("rect").getBBox();
    const wide = [...card.querySelectorAll("text")].filter((text) => text.getBBox().width > width);
    return wide.map((text) => text.textContent);
})"""
CUT_LABELS = """() => {
    const left = (each) => each.getBoundingClientRect().left;
    const texts = [...document.querySelectorAll("#panel svg.chart text")];
    return texts.filter((text) => left(text) < left(document.querySelector("#panel")));
}"""


def tiny_and_huge():
    """Numbers of very different sizes, and a target as large; a name from right to left, one of two lines."""
    rng = np.random.default_rng(0)
    tiny, huge = rng.normal(size=300) * 1e-7, rng.normal(size=300) * 1e9
    table = pd.DataFrame({"שלום": tiny, "two\nlines": huge})
    y = 1e5 * (np.sign(tiny) + np.sign(huge) + rng.normal(size=300) * 0.1)
    return tw.DecisionTreeRegressor(max_leaf_nodes=9, min_samples_leaf=8).fit(table, y), table, y


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    model, table, y = tiny_and_huge()
    with opened(report(model, table, y, check=False).html, tmp_path_factory.mktemp("numbers")) as page:
        yield page, model


def on_paper(page):
    page.emulate_media(media="print")
    page.wait_for_selector(".paper-tree", state="attached")


def near(text, thresholds):
    """Whether a text says a threshold to three digits."""
    found = float(re.search(r"-?[\d.]+(?:e-?\d+)?", text)[0])
    return np.isclose(found, thresholds, rtol=6e-3, atol=0).any()


@pytest.mark.parametrize("zoom", [0.4, 0.6, 1, 2])
def test_no_number_is_cut_on_the_drawing(numbers, zoom):
    page, model = numbers
    page.evaluate("zoom => treewrightView.zoom(zoom / treewrightView.camera.k)", zoom)
    edges = [text for text in page.evaluate(DRAWN) if text[0] in "≤>"]
    assert edges
    assert all("…" not in text and near(text, model.tree_.threshold) for text in edges), edges
    assert not any("lines" in text for text in edges)  # the card has the name


def test_no_number_is_cut_in_the_outline(numbers):
    page, _ = numbers
    for rest in page.locator(".outline .condition-rest").all():
        assert rest.evaluate("each => each.scrollWidth <= each.clientWidth + 1"), rest.inner_text()


def test_conditions_are_rounded_with_the_exact_number_beside(numbers):
    page, model = numbers
    page.evaluate("location.hash = 'node=0'")
    text = page.locator("#panel .test span")
    exact = text.get_attribute("title")
    assert repr(float(model.tree_.threshold[0])) in exact.replace("e-0", "e-").replace("e+0", "e+") + exact
    assert len(text.inner_text()) < len(exact)


def test_only_the_name_turns_from_right_to_left(numbers):
    page, _ = numbers
    name = page.locator(".outline bdi.condition-name", has_text="שלום").first
    assert re.fullmatch(r"שלום", name.inner_text().strip())
    way = name.locator("xpath=..")
    assert way.get_attribute("dir") == "ltr"


def test_labels_of_axes_are_whole(numbers):
    page, _ = numbers
    for tab in ("Prune", "Residuals"):
        page.get_by_role("tab", name=tab, exact=True).click()
        assert page.locator("#panel svg.chart text").count() > 3
        assert page.evaluate(CUT_LABELS) == []


def test_a_small_tree_is_seen_whole(tmp_path):
    model, _, _ = tiny_and_huge()
    with opened(report(model).html, tmp_path) as page:
        assert page.evaluate(OUTSIDE) == []
        assert page.locator(".minimap").is_hidden()


def test_a_narrow_window_shows_the_root_and_its_children(tmp_path):
    with opened(credit()[0], tmp_path, viewport={"width": 360, "height": 800}) as page:
        assert not {0, 1, 2} & set(page.evaluate(OUTSIDE))


def test_paper_has_light_colours_the_panel_and_all_columns(tmp_path):
    payload, _ = credit()
    with opened(payload, tmp_path, address="#tab=prune", color_scheme="dark") as page:
        swatch = page.locator(".legend .swatch").first
        dark = swatch.evaluate("each => each.style.background")
        on_paper(page)
        assert swatch.evaluate("each => each.style.background") != dark
        assert page.locator("#panel svg.chart").is_visible()
        assert page.locator("#importance tbody tr").count() == len(payload["importance"]["rows"])
        assert page.locator(".code-name button").first.is_hidden()
        assert page.evaluate("document.querySelector('.below').getBoundingClientRect().left") >= 0


def test_the_model_card_is_printed_once_whichever_panel_is_open(tmp_path):
    with opened(credit()[0], tmp_path, address="#tab=card") as page:
        assert page.get_by_test_id("card").count() == 1
        on_paper(page)
        assert page.get_by_test_id("card").count() == 1
        page.emulate_media(media="screen")
        page.wait_for_selector("#panel")
        assert page.locator("#panel").get_by_test_id("card").count() == 1


def test_names_stay_in_their_cards_on_paper(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"W" * 60: rng.normal(size=200), "i" * 200: rng.normal(size=200)})
    y = np.where(table.sum(axis=1) > 0, "M" * 90, "שלום" * 20)
    model = tw.DecisionTreeClassifier(max_leaf_nodes=6).fit(table, y)
    with opened(report(model).html, tmp_path) as page:
        on_paper(page)
        assert page.locator(".paper-tree text").count() > 10
        assert page.evaluate(TOO_WIDE) == []


def test_a_tree_too_wide_for_paper_is_an_outline(tmp_path):
    with opened(credit()[0], tmp_path, address="#show=all") as page:
        on_paper(page)
        rows = page.locator(".paper-outline li")
        assert rows.count() == page.evaluate("treewrightView.scene.visible.order.length")
        assert page.locator(".paper-tree svg").count() == 0


def test_the_wheel_scrolls_the_page_until_the_drawing_is_pressed(tmp_path):
    with opened(credit()[0], tmp_path) as page:
        page.locator(".drawing").hover()
        zoom = page.evaluate("treewrightView.camera.k")
        page.mouse.wheel(0, 50)
        wait_until(page, "scrollY > 0")
        assert page.evaluate("treewrightView.camera.k") == zoom
        box = page.locator(".drawing").bounding_box()
        page.mouse.click(box["x"] + box["width"] - 20, box["y"] + 20)
        page.mouse.wheel(0, -50)
        wait_until(page, f"treewrightView.camera.k > {zoom}")


def test_on_a_phone_nothing_is_wider_than_the_screen(tmp_path):
    with opened(credit()[0], tmp_path, viewport={"width": 375, "height": 700}, has_touch=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        assert page.locator(".drawing").bounding_box()["width"] >= 300


WORDS = """() => {
    const said = [];
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function (text, x, y) {
        said.push([text, parseFloat(/([\\d.]+)px/.exec(this.font)[1]), x, y]);
        fillText.call(this, text, x, y);
    };
    treewrightView.drawNow();
    prototype.fillText = fillText;
    return said;
}"""


@pytest.mark.parametrize("leaves", [19, 30])
@pytest.mark.parametrize("shape", ["deep", "level"])
def test_a_tree_of_30_leaves_is_seen_whole_with_words_that_can_be_read(tmp_path, leaves, shape):
    """At 1440 pixels nothing is collapsed, letters have 11 pixels, and every leaf its probability."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(size=(4000, 4)), columns=["capital-gain", "age", "occupation", "hours"])
    risk = X["age"] ** (1 if shape == "level" else 6)
    y = np.where(risk + 0.2 * rng.normal(size=4000) > 0.5, "more", "less")
    growth = "best" if shape == "deep" else "breadth"
    model = tw.DecisionTreeClassifier(max_leaf_nodes=leaves, min_samples_leaf=20, growth=growth).fit(X, y)
    assert model.get_n_leaves() == leaves
    with opened(report(model).html, tmp_path, viewport={"width": 1440, "height": 900}) as page:
        assert page.locator(".seen").inner_text() == f"{leaves} leaves"
        assert page.evaluate(OUTSIDE) == []
        words = page.evaluate(WORDS)
    assert min(size for _, size, _, _ in words) >= 11
    assert sum(text.endswith(" %") for text, *_ in words) == leaves
    assert sum(text in {"more", "less"} for text, *_ in words) == leaves
    assert sum(text[0] in "≤>" for text, *_ in words) == 2 * leaves - 2


LONG_NAMES = [
    "total_international_minutes", "number_customer_service_calls", "total_day_minutes",
    "total_evening_minutes", "number_voice_mail_messages",
]  # fmt: skip
BELOW_THE_FOLD = "document.querySelector('.drawing').getBoundingClientRect().bottom - innerHeight"


def churn(leaves, depth):
    """The page of a tree with long names of columns."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(150, 50, size=(4000, 5)), columns=LONG_NAMES)
    a, b, c, d, e = X.to_numpy().T
    risk = np.sin(a / 40) + np.sin(b / 40) * np.sin(c / 35) + (d > 150) * np.sin(e / 30)
    y = np.where(risk + 0.4 * rng.normal(size=4000) > 0.3, "churned", "stayed")
    model = tw.DecisionTreeClassifier(max_leaf_nodes=leaves, max_depth=depth).fit(X, y)
    assert (model.get_n_leaves(), model.get_depth()) == (leaves, depth)
    return report(model, X, y, check=False).html


@pytest.mark.parametrize("size", [(1440, 900), (1024, 800)])
def test_a_tree_with_long_names_is_seen_whole_without_scrolling(tmp_path, size):
    """Every leaf has its prediction and probability, every name all letters, every branch its condition."""
    with opened(churn(24, 6), tmp_path, viewport={"width": size[0], "height": size[1]}) as page:
        assert page.locator(".seen").inner_text() == "24 leaves"
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(BELOW_THE_FOLD) <= 0
        words = page.evaluate(WORDS)
    texts = [text for text, *_ in words]
    assert min(letters for _, letters, _, _ in words) >= 11
    assert sum(text in {"churned", "stayed"} for text in texts) == 24
    assert sum(text.endswith(" %") for text in texts) == 24
    assert sum(text[0] in "≤>" for text in texts) == 46
    assert not [text for text in texts if "…" in text]
    named = "".join(text for text in texts if text not in {"churned", "stayed"} and text[0].isalpha())
    for name in LONG_NAMES:
        named = named.replace(name, "")
    assert named == ""


def test_a_tree_of_thirty_leaves_and_eight_levels_is_seen_whole_in_a_small_window(tmp_path):
    with opened(churn(30, 8), tmp_path, viewport={"width": 1024, "height": 800}) as page:
        assert page.locator(".seen").inner_text() == "30 leaves"
        assert page.evaluate(OUTSIDE) == []
        words = page.evaluate(WORDS)
    texts = [text for text, *_ in words]
    assert min(letters for _, letters, _, _ in words) >= 11
    assert sum(text in {"churned", "stayed"} for text in texts) == 30
    assert sum(text[0] in "≤>" for text in texts) > 58 * 2 / 3  # where they cover no card
    assert not [text for text in texts if "…" in text]


def test_a_tree_too_deep_for_the_window_opens_with_the_levels_that_can_be_read(tmp_path):
    with opened(churn(30, 8), tmp_path, viewport={"width": 820, "height": 800}) as page:
        assert "of them collapsed" in page.locator(".seen").inner_text()
        assert page.evaluate(OUTSIDE) == []
        words = page.evaluate(WORDS)
        leaves = page.evaluate(
            "treewrightView.scene.visible.order.filter((n) => treewrightView.scene.visible.cut[n]).length"
        )
        page.get_by_role("button", name="Expand all").click()
        assert page.locator(".seen").inner_text() == "30 leaves"
    assert min(letters for _, letters, _, _ in words) >= 11
    assert sum(text in {"churned", "stayed"} for text, *_ in words) == leaves > 10
    assert not [text for text, *_ in words if "…" in text]


COVERED = """() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillText, roundRect } = prototype;
    const [labels, covered] = [[], []];
    let cards = 0;
    prototype.fillText = function (text, x, y) {
        if (!cards) labels.push({ text, left: x, right: x + this.measureText(text).width, y });
        fillText.call(this, text, x, y);
    };
    prototype.roundRect = function (x, y, width, height, ...rest) {
        cards += 1;
        covered.push(...labels.filter((each) => each.right > x + 1 && each.left < x + width - 1
            && each.y > y - 3 && each.y < y + height + 3).map((each) => each.text));
        roundRect.call(this, x, y, width, height, ...rest);
    };
    treewrightView.drawNow();
    Object.assign(prototype, { fillText, roundRect });
    return { labels: labels.length, covered };
}"""  # labels that a card is drawn over: they come before all cards
OVER_LINES = """() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillRect, fillText } = prototype;
    const found = [];
    let opaque = true;
    prototype.fillRect = function (...box) {
        opaque = this.globalAlpha === 1;
        fillRect.apply(this, box);
    };
    prototype.fillText = function (text, ...rest) {
        if (!opaque) found.push(text);
        fillText.call(this, text, ...rest);
    };
    treewrightView.drawNow();
    Object.assign(prototype, { fillRect, fillText });
    return found;
}"""  # texts on a box that lines are seen through
PLANTS = ("fruit-pods", "leaf-spot-size", "canker-lesion", "plant-stand", "area-damaged")


def plants():
    """Many classes of long names, at leaves of different levels beside labels of long levels."""
    rng = np.random.default_rng(1)
    levels = np.array(["diseased", "few-present", "upper-surface", "scattered", "same-last-years"])
    codes = rng.integers(0, 5, size=(3000, len(PLANTS)))
    table = pd.DataFrame(levels[codes], columns=list(PLANTS)).astype("category")
    bits = codes > 2
    stem, side = bits[:, 0] * 4 + bits[:, 1] * 2 + bits[:, 2], bits[:, 3] * 2 + bits[:, 4]
    kind = np.where(bits[:, 0] & bits[:, 1], 6, stem) * 4 + np.where(stem % 3 == 1, side, 0)
    y = np.array([f"phyllosticta-leaf-spot-{chr(97 + each % 26)}{each}" for each in range(32)])[kind]
    model = tw.DecisionTreeClassifier(max_leaf_nodes=24).fit(table, y)
    return report(model, table, y, check=False).payload


def test_no_card_covers_the_label_of_an_edge(tmp_path):
    for width in (1440, 1024):
        with opened(plants(), tmp_path, viewport={"width": width, "height": 900}) as page:
            if page.evaluate("treewrightView.scene.layout.orientation") != "horizontal":
                page.get_by_role("button", name="Horizontal layout").click()
                settle(page)
            found = page.evaluate(COVERED)
            assert found["labels"] > 20
            assert found["covered"] == [], width


def test_a_long_name_is_broken_between_its_parts(tmp_path):
    rng = np.random.default_rng(0)
    names = ["number_customer_service_calls", "total_day_minutes", "international_plan", "total_night_charge"]
    table = pd.DataFrame(rng.integers(0, 400, size=(4000, 4)) / 2, columns=names)
    chain = np.sort(rng.choice(400, 14, replace=False)) / 2  # every column has its turn, level by level
    y = np.where(np.digitize(table.to_numpy(), chain).sum(axis=1) % 2 == 0, "yes", "no")
    model = tw.DecisionTreeClassifier(max_leaf_nodes=24, max_depth=6).fit(table, y)
    payload = report(model, table, y, check=False).payload
    parts = {part for name in names for part in re.findall("[a-z]+_?", name)}
    with opened(payload, tmp_path, viewport={"width": 1440, "height": 900}) as page:
        drawn = [text for text in page.evaluate(DRAWN) if re.fullmatch("[a-z_]+", text)]
    assert any("customer_" in text for text in drawn)
    assert all(set(re.findall("[a-z]+_?", text)) <= parts | {"yes", "no"} for text in drawn), drawn


def test_the_line_of_a_path_does_not_go_through_its_labels(tmp_path):
    with opened(plants(), tmp_path, viewport={"width": 1440, "height": 900}) as page:
        page.get_by_role("tab", name="What if").click()
        settle(page)
        drawn_over = page.evaluate(OVER_LINES)
    assert drawn_over == []
