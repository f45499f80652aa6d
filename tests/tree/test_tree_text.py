"""The text of every kind of test: what is printed is what runs, and nothing in a name can break a line."""

import re

import numpy as np
import pytest

from tests.support.random_trees import COLUMNS, predicted, random_rows, random_tree
from tests.support.reading import follow, follow_dot
from treewright import export_graphviz, export_text, plot_tree
from treewright.present.text.export_text import HIDDEN, LEVELS, RULE, SURROGATES, WIDE_RULE
from treewright.tree.tree import tree_from_dict
from treewright.tree.value_text import date_text, duration_text, level_text, levels_text

LEAF = {"value": 1}
DAY = 86_400_000_000


@pytest.mark.parametrize("seed", range(80))
def test_a_printed_tree_can_be_followed_by_hand(seed):
    tree = tree_from_dict(random_tree(seed))
    text = export_text(tree)
    for row in random_rows(seed, 40):
        assert follow(text, row, COLUMNS) == pytest.approx(predicted(tree, row)), row


@pytest.mark.parametrize("seed", range(80))
def test_a_drawn_tree_can_be_followed_by_hand(seed):
    tree = tree_from_dict(random_tree(seed, surrogates=False))
    dot = export_graphviz(tree, max_levels=None, precision=15)
    for row in random_rows(seed, 30):
        assert follow_dot(dot, row, COLUMNS) == pytest.approx(predicted(tree, row)), row


def two(test, **options):
    """The lines of a tree of one test, without its leaves."""
    below = {"children": [LEAF] * len(test["levels"])} if "levels" in test else {"left": LEAF, "right": LEAF}
    tree = tree_from_dict({**below, **test, **options}, feature_names=["x"])
    return [line.removeprefix("|--- ") for line in str(tree).splitlines() if "--- value: " not in line]


@pytest.mark.parametrize(
    ("test", "lines"),
    [
        ({"feature": 0, "threshold": 3, "strict": True, "missing": 0}, ["x <  3 or missing", "x >= 3"]),
        ({"feature": 0, "levels": [["a", "b"], ["c"]]}, ["x in {a, b}", "x = c", RULE, LEVELS]),
        (
            {"feature": 0, "levels": [["hot"], ["mild"], ["cool"]], "missing": 1},
            ["x = hot", "x = mild or missing", "x = cool", LEVELS],
        ),
        (
            {"feature": 0, "levels": [["hot"], ["mild"], ["cool"]]},
            ["x = hot", "x = mild", "x = cool", WIDE_RULE, LEVELS],
        ),
        ({"feature": 0, "threshold": 1.5, "missing": LEAF}, ["x <= 1.5", "x >  1.5", "x is missing"]),
        (
            {"feature": 0, "threshold": 1, "missing": "share", "shares": [3, 1]},
            ["x <= 1", "x >  1", "x is missing: goes down every branch by share (0.75, 0.25)"],
        ),
        ({"feature": 0, "levels": [["a", "b"]], "missing": LEAF}, ["x in {a, b}", "x is missing", LEVELS]),
        ({"feature": 0, "levels": [["a"], []], "missing": 0}, ["x = a or missing", "x in {}", LEVELS]),
    ],
)
def test_the_words_of_a_test(test, lines):
    assert two(test) == lines


@pytest.mark.parametrize(
    ("column", "threshold", "lines"),
    [
        ({"kind": "boolean"}, 0.5, ["x is false", "x is true"]),
        ({"kind": "boolean"}, 1, ["x <= 1", "x >  1"]),
        ({"kind": "ordered", "levels": ["s", "m", "very large"]}, 0.5, ["x <= s", "x >  s"]),
        ({"kind": "ordered", "levels": ["s", "m", "very large"]}, "m", ["x <= m", "x >  m"]),
        ({"kind": "ordered", "levels": ["s", "m", "very large"]}, -1, ["x <  s", "x >= s"]),
        (
            {"kind": "ordered", "levels": ["s", "m", "very large"]},
            7,
            ['x <= "very large"', 'x >  "very large"'],
        ),
        ({"kind": "datetime"}, 19783 * DAY, ["x <= 2024-03-01", "x >  2024-03-01"]),
        ({"kind": "datetime"}, 1.5, ["x <= 1970-01-01 00:00:00.000001", "x >  1970-01-01 00:00:00.000001"]),
        ({"kind": "datetime", "utc": True}, 0, ["x <= 1970-01-01 UTC", "x >  1970-01-01 UTC"]),
        ({"kind": "datetime"}, 1e300, ["x <= 1e+300", "x >  1e+300"]),
        ({"kind": "duration"}, 2.125 * DAY, ["x <= 2 days 03:00:00", "x >  2 days 03:00:00"]),
    ],
)
def test_the_words_of_a_threshold(column, threshold, lines):
    assert two({"feature": 0, "threshold": threshold, "columns": [column]}) == [*lines, RULE]


def test_strict_thresholds_of_levels_and_times():
    sizes = {"kind": "ordered", "levels": ["s", "m", "l"]}
    assert two({"feature": 0, "threshold": 1.5, "strict": True, "columns": [sizes]})[0] == "x <  l"
    assert two({"feature": 0, "threshold": 2.5, "strict": True, "columns": [sizes]})[0] == "x <= l"
    assert two({"feature": 0, "threshold": 0.5, "strict": True, "columns": [{"kind": "datetime"}]})[0] == (
        "x <  1970-01-01 00:00:00.000001"
    )
    assert (
        two({"feature": 0, "threshold": 1, "strict": True, "columns": [{"kind": "boolean"}]})[0]
        == "x is false"
    )


def test_x_below_infinity_is_no_test_of_presence():
    """inf itself goes right."""
    test = {"feature": 0, "threshold": "inf", "strict": True, "missing": "right", "missing_seen": True}
    assert two(test) == ["x <  inf", "x >= inf or missing"]


def test_a_row_may_stop():
    test = {"feature": 0, "threshold": 1, "missing": "stop", "value": [0.25, 0.75], "n": 8}
    leaves = {"left": {"value": [0, 1], "n": 6}, "right": {"value": [1, 0], "n": 2}}
    text = export_text(tree_from_dict({**test, **leaves}, classes=["a", "b"]))
    assert text.splitlines()[-1] == "|--- feature_0 is missing: stops here, class: b  [a 2, b 6]"
    assert RULE not in text


def test_surrogates_stand_under_their_branches():
    extra = [
        {"feature": 1, "threshold": 2, "reversed": True, "agreement": 0.93, "adjusted": 0.7142},
        {"feature": 2, "levels": [["a", "b"], ["c"]]},
    ]
    test = {"feature": 0, "threshold": 1, "left": {"value": 1, "n": 2}, "right": {"value": 2, "n": 1}}
    tree = tree_from_dict({**test, "surrogates": extra, "missing_seen": True}, feature_names=["x", "y", "z"])
    assert export_text(tree).splitlines() == [
        "|--- x <= 1 or missing  [2 rows]",
        "|   surrogate: y > 2 (agreement 0.93, adjusted 0.714)",
        "|   surrogate: z in {a, b}",
        "|   |--- value: 1",
        "|--- x >  1  [1 row]",
        "|   surrogate: y <= 2",
        "|   surrogate: z = c",
        "|   |--- value: 2",
        SURROGATES,
        LEVELS,
    ]
    hidden = export_text(tree, show_surrogates=False)
    assert "surrogate:" not in hidden
    assert HIDDEN in hidden
    assert r"missing goes by 2 surrogates,\nthen left" in export_graphviz(tree)


@pytest.mark.parametrize(
    "level", ["a b", "", "a,b", 'q"', "{", "}", "a\nb", "or missing", "=", "\t", "Missing", "\u202eabc"]
)
def test_levels_that_would_be_misread_are_quoted(level):
    text = level_text(level)
    assert text.startswith('"')
    assert text.isprintable()


def test_plain_levels_are_not_quoted():
    assert [level_text(x) for x in ("New-York", "São", "5%", 3, 2.0, True)] == [
        "New-York",
        "São",
        "5%",
        "3",
        "2",
        "True",
    ]


def test_long_lists_are_shortened_only_in_pictures():
    names = [f"l{k:02}" for k in range(40)]
    tree = tree_from_dict({"feature": 0, "levels": [names[:39], names[39:]], "children": [LEAF, LEAF]})
    assert f"in {{{', '.join(names[:39])}}}" in export_text(tree)
    dot = export_graphviz(tree)
    assert "… and 27 more}" in dot
    assert "l12" not in dot
    assert "l38" in export_graphviz(tree, max_levels=None)
    assert levels_text(names[:12], 12).endswith("l11}")
    with pytest.raises(ValueError, match="max_levels must be an int of at least 0 or None"):
        export_graphviz(tree, max_levels=-1)


def test_names_cannot_break_out_of_a_dot_string():
    levels = ['"]; evil [label="', "\\", "\\N", "a\nb", "&lt;", "é"]
    tree = tree_from_dict({"feature": 0, "levels": [[x] for x in levels], "children": [LEAF] * len(levels)})
    dot = export_graphviz(tree, feature_names=['"} \\'])
    for line in dot.splitlines():
        assert re.fullmatch(
            r'digraph Tree \{|\}|(node|edge) \[.*\] ;|\d+ (-> \d+ )?\[label="([^"\\]|\\.)*"\] ;', line
        ), line
    assert "&amp;lt;" in dot


def test_durations_read_back():
    pd = pytest.importorskip("pandas")
    for micros in (0, 1, 500_000, DAY - 1, DAY, 2 * DAY + 3_600_000_000, -1, -DAY, -DAY - 1, 40 * DAY + 7):
        assert pd.Timedelta(duration_text(micros)) == pd.Timedelta(micros, "us")
        assert np.datetime64(date_text(micros).replace(" ", "T"), "us").astype(int) == micros


# -- the picture -------------------------------------------------------------------------------------------


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(14, 9))
    yield axes
    plt.close(figure)


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_pictures_of_many_branches(axes, seed):
    tree = tree_from_dict(random_tree(seed))
    notes = plot_tree(tree, ax=axes, filled=True)
    boxes = [note for note in notes if note.get_bbox_patch() is not None]
    assert len(boxes) == tree.node_count
    axes.figure.canvas.draw()
    extents = [note.get_bbox_patch().get_window_extent() for note in boxes]
    for k, one in enumerate(extents):
        assert not any(one.overlaps(other) for other in extents[k + 1 :])


def test_arrows_carry_the_branch_labels(axes):
    nested = {
        "feature": 0,
        "levels": [["$5", "a b"], ["c"], ["d"]],
        "children": [
            LEAF,
            {"feature": 1, "threshold": 3, "left": LEAF, "right": LEAF, "missing": LEAF},
            LEAF,
        ],
        "missing": 1,
    }
    tree = tree_from_dict(nested, feature_names=["kind", "size"])
    texts = [note.get_text() for note in plot_tree(tree, ax=axes) if note.get_bbox_patch() is None]
    assert texts == [r'{\$5, "a b"}', "c or missing", "d", "<= 3", "> 3", "missing"]
    hidden = [note.get_text() for note in plot_tree(tree, ax=axes, max_depth=0)]
    assert "<= 3" not in hidden
    assert "c or missing" in hidden
