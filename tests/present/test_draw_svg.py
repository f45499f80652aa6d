"""Drawings as SVG: well-formed, every node once, bars and lines by their shares, nothing hostile runs."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.present.test_export_text_and_plot_tree import chain
from tests.support.drawn import drawn
from tests.support.random_trees import random_tree
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.numbers import percent
from treewright.present.drawing.bars import Bars
from treewright.present.drawing.card_labels import card_labels
from treewright.present.drawing.collapse import drawn_places
from treewright.present.drawing.colours import CLASSES, DARK, LIGHT
from treewright.present.drawing.draw import draw
from treewright.present.drawing.letters import ISOLATE, cut, cut_name, width_of
from treewright.present.drawing.scene import THIN, WIDEST
from treewright.tree.tree import tree_from_dict

SVG = "{http://www.w3.org/2000/svg}"


def read(drawing):
    """The SVG as elements; fails unless it is well-formed."""
    return ET.fromstring(drawing.svg)


def nodes_of(root, kind="node"):
    found = [each.get("data-node") for each in root.iter(f"{SVG}g") if each.get("class") == kind]
    return [int(node) for node in found if node is not None]  # the line to further branches leads to none


def grown(n=400, classes=3, **params):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4)).round(2)
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2], np.linspace(-1, 1, classes - 1))
    return DecisionTreeClassifier(**params).fit(X, y)


@given(seed=st.integers(0, 10**6), max_leaves=st.integers(1, 12), max_depth=st.integers(0, 3))
@drawn(40)
def test_every_node_is_drawn_once_or_counted_as_hidden(seed, max_leaves, max_depth):
    tree = tree_from_dict(random_tree(seed))
    drawing = draw(tree, max_leaves=max_leaves, max_depth=max_depth)
    root = read(drawing)
    shown = nodes_of(root)
    assert len(shown) == len(set(shown)) == drawing.shown
    assert drawing.shown + drawing.hidden == tree.node_count
    assert all(tree.depth[node] <= max_depth for node in shown)
    assert {int(tree.parent[node]) for node in shown if node} <= set(shown)
    assert sorted(nodes_of(root, "edge")) == sorted(set(shown) - {0})
    places = drawn_places(tree, max_leaves, max_depth)
    assert (places.n_children == 0).sum() <= max_leaves
    assert places.hidden.sum() == drawing.hidden
    said = (
        f"{drawing.hidden:,} of {tree.node_count} nodes {'is' if drawing.hidden == 1 else 'are'} folded away"
    )
    assert (said in drawing.svg) == bool(drawing.hidden)


@given(seed=st.integers(0, 10**6))
@drawn(25)
def test_all_nodes_are_drawn_if_asked_and_cards_stand_apart(seed):
    tree = tree_from_dict(random_tree(seed))
    for direction in ("down", "right"):
        drawing = draw(tree, max_leaves=None, max_depth=None, direction=direction)
        assert sorted(nodes_of(read(drawing))) == list(range(tree.node_count))
        cards = [group.shapes[0] for group in drawing.scene.groups if group.kind == "node"]
        for one, other in combinations(cards, 2):
            beside = abs(one.x - other.x) >= one.width or abs(one.y - other.y) >= one.height
            assert beside
        assert all(card.x >= 0 and card.x + card.width <= drawing.scene.width for card in cards)


@pytest.mark.parametrize("classes", [2, 6, 7, 100])
def test_the_parts_of_a_bar_add_up_to_its_width_and_to_the_prediction(classes):
    model = grown(n=800, classes=classes, max_leaf_nodes=8)
    bars = Bars(card_labels(model, None, None, None), 100.0)
    for node in range(model.tree_.node_count):
        parts = bars.shares(node)
        assert sum(share for _, share in parts) == pytest.approx(1)
        shapes = bars.shapes(node, 5.0, 0.0)
        assert shapes[0].x == 5
        assert shapes[-1].x + shapes[-1].width == pytest.approx(105)
        assert all(one.x + one.width <= other.x + 1e-9 for one, other in pairwise(shapes))
        sure = model.tree_.prediction[node, 0].max()
        named = dict(parts)[f"class_{model.tree_.label[node, 0] if classes <= CLASSES else 0}"]
        assert named == pytest.approx(sure)


def test_lines_are_as_wide_as_the_share_of_rows():
    model = grown(max_leaf_nodes=9)
    rows = model.tree_.n_node_samples
    for group in draw(model).scene.groups:
        if group.kind == "edge":
            width = group.shapes[0].width
            assert width == pytest.approx(max(WIDEST * rows[group.node] / rows[0], 1.0))
            assert (len(group.shapes) > 1) == (width < THIN)  # a thin line has a core that can be seen


def test_numbers_stand_on_their_scale():
    X = np.arange(40.0)[:, None]
    model = DecisionTreeRegressor(max_leaf_nodes=5).fit(X, X[:, 0] ** 2)
    bars = Bars(card_labels(model, None, None, None), 100.0)
    values = model.tree_.value[:, 0, 0]
    low, high = bars.spans[0]
    assert low <= values.min() <= values.max() <= high
    assert [bars.at(value, 0) for value in values] == pytest.approx((values - low) / (high - low))
    flat = DecisionTreeRegressor().fit(X, np.ones(40))
    assert Bars(card_labels(flat, None, None, None), 100.0).at(1.0, 0) == 0.5
    read(draw(flat))


HOSTILE = [
    "</svg><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a\x00b\x0b", "\ud800", "]]>", "&amp;",
    "'\"", "line\nbreak", "\u202eturned", "\ufffe", "שלום עולם", "😀" * 40, "", "$x$",
]  # fmt: skip


@given(names=st.lists(st.sampled_from(HOSTILE) | st.text(max_size=60), min_size=2, max_size=2))
@drawn(60)
def test_hostile_names_break_nothing(names):
    tree = {
        "feature": 0,
        "threshold": 1,
        "left": {"value": [1, 0], "n": 2},
        "right": {"value": [0, 1], "n": 3},
    }
    made = tree_from_dict(tree, n_features=1, classes=["a", "b"])
    root = read(draw(made, class_names=names, feature_names=names[:1], title=names[1]))
    used = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert used <= {"svg", "title", "desc", "style", "rect", "path", "text", "g"}
    assert not any(key.startswith("on") or "href" in key for each in root.iter() for key in each.attrib)


def test_words_from_right_to_left_are_isolated_and_turning_marks_dropped():
    tree = tree_from_dict({"value": 1.0, "n": 1})
    svg = draw(tree, title="a שלום עולם ≤ 3 \u202e b").svg
    assert f"a {ISOLATE}שלום עולם\u2069 ≤ 3  b" in svg


GROUNDS = ("paper", "card", "leaf", "band")  # on which letters stand
LETTERS = ("text", "faint")


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, from 1 to 21, as WCAG 2 defines it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_letters_and_colours_can_be_read():
    for theme in (LIGHT, DARK):
        assert min(contrast(theme[letter], theme[ground]) for letter in LETTERS for ground in GROUNDS) >= 4.5
        roles = [f"class_{k}" for k in range(CLASSES)] + ["rest", "missing"]
        assert min(contrast(theme[role], theme["leaf"]) for role in roles) >= 3
        assert min(contrast(theme[role], theme["card"]) for role in roles) >= 3
    assert LIGHT.keys() == DARK.keys()
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@given(st.text(max_size=80), st.floats(20, 300))
def test_what_is_cut_fits(text, room):
    shown = cut(text, room, 12)
    assert width_of(shown, 12) <= room
    assert shown == text or shown.endswith("…")
    assert width_of(cut_name(text, " ≤ 3", room + 60, 12), 12) <= room + 60 + 1e-9


def test_missing_values_have_dashed_lines_and_words():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[:, 1] = X[:, 0] + 0.3 * rng.normal(size=300)
    y = X[:, 0] + X[:, 2] > 0
    X[rng.random(X.shape) < 0.2] = np.nan
    for how, said in (("learned", ""), ("surrogate", "surrogate"), ("fractional", "all branches")):
        model = DecisionTreeClassifier(max_leaf_nodes=4, missing=how).fit(X, y)
        tree, drawing = model.tree_, draw(model)
        edges = {group.node: group for group in drawing.scene.groups if group.kind == "edge"}
        for node in range(1, tree.node_count):
            parent = tree.parent[node]
            goes = tree.missing_child[parent] in (-2, node - tree.first_child[parent])
            assert any(shape.dashed for shape in edges[node].shapes) == goes
        assert ("or missing" in drawing.svg) == (how != "fractional")
        assert f"missing: {said}" in drawing.svg.replace("1 surrogate", "surrogate") or not said
    stops = {"feature": 0, "threshold": 1, "missing": "stop", "left": {"value": 1}, "right": {"value": 2}}
    svg = draw(tree_from_dict(stops | {"value": 3}, n_features=1)).svg
    assert "missing: ends here" in svg
    assert "or missing" not in svg


def test_unusual_trees_give_sensible_drawings():
    deep = draw(chain(500))
    assert deep.hidden == 976
    assert len(draw(chain(500), max_depth=None, max_leaves=None).svg) > 500_000
    alone = read(draw(DecisionTreeClassifier().fit([[1], [2]], ["a", "a"])))
    assert nodes_of(alone) == [0]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    several = DecisionTreeClassifier(max_leaf_nodes=5).fit(X, np.stack([X[:, 0] > 0] * 6, axis=1).astype(int))
    assert "and 2 more outputs" in draw(several).svg
    numbers = DecisionTreeRegressor(max_leaf_nodes=5).fit(X, X[:, :2])
    assert len(nodes_of(read(draw(numbers)))) == 9


def test_a_node_of_many_branches_shows_the_heaviest():
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    town = np.concatenate([rng.integers(0, 60, 600), np.full(50, 17)])
    table = pl.DataFrame({"town": [f"t{k}" for k in town]})
    model = DecisionTreeClassifier(nominal_splits="multiway", max_depth=1).fit(table, town % 2)
    drawing = draw(model)
    assert "49 more branches" in drawing.svg
    assert ">t17<" in drawing.svg
    assert drawing.shown == 12
    assert len(nodes_of(read(draw(model, max_leaves=None)))) == 61


def test_numbers_are_short_on_cards_and_full_in_tooltips():
    model = DecisionTreeRegressor(max_depth=1).fit([[0.1234567891], [0.9876543219]], [1 / 3, 2.0])
    exact = repr(float(model.tree_.threshold[0]))
    root = read(draw(model))
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert not any(exact in text for text in texts)
    assert any(exact in each.text for each in root.iter(f"{SVG}title"))
    assert any("rounded" in text for text in texts)
    assert "0.56" in draw(model, decimals=2).svg


def test_shares_are_all_or_nothing_only_if_they_are():
    assert [percent(x) for x in (0, 1e-9, 0.005, 0.5, 0.999, 1)] == [
        "0%",
        "<1%",
        "<1%",
        "50%",
        ">99%",
        "100%",
    ]


def test_it_follows_the_reader_or_is_told():
    model = grown(max_leaf_nodes=4)
    assert "prefers-color-scheme" in draw(model).svg
    assert "prefers-color-scheme" not in draw(model, dark=True).svg
    assert f"fill:{DARK['paper']}" in draw(model, dark=True).svg
    assert f"fill:{DARK['paper']}" not in draw(model, dark=False).svg
    root = read(draw(model, width=500))
    assert root.get("width") == "500"
    assert root.get("role") == "img"
    assert root.get("aria-label") == "DecisionTreeClassifier"
    names = {re.search(r'id="(tw-\w+)"', draw(model, dark=dark).svg).group(1) for dark in (True, False, None)}
    assert len(names) == 3  # or one would take the style of the other
    assert draw(model).svg == draw(model).svg


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_leaves": 0}, "max_leaves must be an int of at least 1 or None. Got 0"),
        ({"max_leaves": 1.5}, "max_leaves must be an int of at least 1 or None. Got 1.5"),
        ({"max_depth": -1}, "max_depth must be an int of at least 0"),
        ({"direction": "up"}, "direction must be one of"),
        ({"width": -3}, "width must be a number of pixels"),
        ({"dark": "yes"}, "dark must be True, False or None"),
        ({"class_names": ["a"]}, "class_names must have 3 names"),
    ],
)
def test_what_cannot_be_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        draw(grown(max_leaf_nodes=3), **options)
    with pytest.raises(TypeError, match="model must be a fitted tree of treewright"):
        draw(3)


def test_a_model_of_numbers_has_no_names_of_classes():
    model = DecisionTreeRegressor(max_depth=1).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="class_names must be None for a model of numbers"):
        draw(model, class_names=["a", "b"])


def test_large_numbers_have_no_exponent():
    X = np.arange(40.0)[:, None]
    model = treewright.DecisionTreeRegressor(max_depth=2).fit(X, 123_456.7 * np.sqrt(X[:, 0]))
    text = treewright.draw(model).svg
    assert "e+0" not in text
