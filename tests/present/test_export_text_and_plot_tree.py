"""Printed trees and plots: what is written is what runs, at any depth, and boxes stand apart."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, Tree, export_text, plot_tree
from treewright.present.drawing.layout import layout
from treewright.present.text.export_text import MOST_BARS, RULE
from treewright.present.text.terminal import terminal_text
from treewright.tree.tree import tree_from_dict


def random_table(seed, rows=60):
    """Four columns with ties, infinities, whole numbers and gaps."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(size=rows),
            rng.integers(0, 4, rows),
            rng.choice([-np.inf, -1.5, 0.1, 0.3, np.inf], rows),
            rng.uniform(1e-7, 3e-7, rows),
        ]
    )
    X[rng.random(X.shape) < 0.15] = np.nan
    return X, rng.integers(0, 3, rows)


def chain(levels):
    """A tree that asks for 0, 1, 2, ... in turn; made directly, since growing it would take long."""
    size = 2 * levels + 1
    inner = 2 * np.arange(levels)
    first_child, n_children, feature = np.full(size, -1), np.zeros(size), np.full(size, -2)
    threshold, rows = np.full(size, -2.0), np.ones(size)
    first_child[inner], n_children[inner], feature[inner] = inner + 1, 2, 0
    threshold[inner], rows[inner] = np.arange(levels), levels + 1 - np.arange(levels)
    zero = np.zeros(size)
    value = np.arange(size, dtype=float).reshape(-1, 1, 1)
    links = (first_child, n_children, feature, threshold, [], [], zero, zero)
    return Tree(*links, rows, rows, zero, zero, value, [], [], n_features=1, n_classes=np.array([1]))


def follow(text, row):
    """Walk a printed tree by hand: read conditions, row counts and the last sentence, and nothing else."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    levels = [line.index("---") // 4 for line in lines]
    at, level = 0, 0
    while True:
        here = [k for k in range(at, len(lines)) if levels[k] == level]
        here = here[:2] if re.search(r"--- (class|value): ", lines[here[0]]) is None else here[:1]
        if len(here) == 1:
            return re.search(r"(?:class|value): (\S+)", lines[here[0]]).group(1)
        at, level = (here[0] if takes(lines, here, row) else here[1]) + 1, level + 1


def takes(lines, here, row):
    """Whether the row goes to the first of two branches."""
    first = lines[here[0]]
    name = re.search(r"--- feature_(\d+) ", first).group(1)
    x = row[int(name)]
    if "is present" in first:
        return not np.isnan(x)
    if np.isnan(x):
        told = [" or missing" in lines[k] for k in here]
        rows = [int(re.search(r"\[(\d+) rows?", lines[k]).group(1)) for k in here]
        return told[0] or (not told[1] and rows[0] > rows[1])
    return x <= float(re.search(r"<= (\S+)", first).group(1))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_printed_tree_can_be_followed_by_hand(kind, seed):
    X, y = random_table(seed)
    model = kind(min_samples_leaf=1 + seed % 3).fit(X, y)
    text = export_text(model)
    unseen, _ = random_table(seed + 100, rows=30)
    for table in (X, unseen):
        assert [float(follow(text, row)) for row in table] == model.predict(table).tolist()


def test_thresholds_are_written_in_full_and_integers_exactly():
    tree = DecisionTreeRegressor().fit(random_table(3)[0][:, :1], np.arange(60.0)).tree_
    written = {float(number) for number in re.findall(r"<= (\S+)", str(tree))}
    assert written == {t for t in tree.threshold[tree.feature >= 0] if np.isfinite(t)}
    whole = np.array([2**53, 2**53 + 1, 2**60, 2**60 + 1], dtype=np.int64)
    text = export_text(DecisionTreeRegressor().fit(whole[:, None], [0, 1, 2, 3]))
    assert f"feature_0 <= {2**53} " in text
    assert f"feature_0 <= {2**60} " in text


def test_text_of_a_small_tree():
    X, y = [[1.0], [2.0], [8.0], [9.0], [np.nan]], ["a", "a", "b", "b", "b"]
    model = DecisionTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 0.5, 2])
    assert export_text(model, feature_names=["size"]).splitlines() == [
        "|--- size <= 5  [2 rows]",
        "|   |--- class: a  [a 2]",
        "|--- size >  5 or missing  [3 rows, weight 3.500]",
        "|   |--- class: b  [b 3.500]",
    ]
    assert export_text(
        model, class_names=["no", "yes"], show_weights=False, spacing=1, decimals=2
    ).splitlines() == [
        "|- feature_0 <= 5.00  [2 rows]",
        "| |- class: no",
        "|- feature_0 >  5.00 or missing  [3 rows, weight 3.50]",
        "| |- class: yes",
    ]


def test_a_root_alone_and_several_outputs():
    assert export_text(DecisionTreeRegressor().fit([[0.0]], [1.5])) == "|--- value: 1.5\n"
    both = DecisionTreeClassifier().fit([[0], [1]], [["a", "x"], ["b", "x"]])
    assert "class: [a, x]  [a 1; x 1]" in export_text(both)
    assert "value: [1, 10]" in export_text(DecisionTreeRegressor().fit([[0], [1]], [[1, 10], [2, 20]]))


def test_the_names_of_a_table_are_used():
    pandas = pytest.importorskip("pandas")
    model = DecisionTreeRegressor().fit(pandas.DataFrame({"width": [0, 1], "depth": [0, 0]}), [0, 1])
    for text in (export_text(model), str(model.tree_)):
        assert "width <= 0.5" in text


def test_show_prints(capsys):
    model = DecisionTreeRegressor().fit([[0], [1]], [0, 1])
    treewright.show(model)
    assert capsys.readouterr().out == terminal_text(model)
    file = io.StringIO()
    treewright.show(model.tree_, file=file)
    assert file.getvalue() == terminal_text(model.tree_)


def test_max_depth_ends_the_text():
    text = export_text(chain(5), max_depth=1)
    assert "truncated branch of depth 4" in text
    assert text.count("feature_0 <=") == 2


def test_missing_values_are_told_only_where_the_rule_does_not_say_it():
    X, y = random_table(0)
    full = np.nan_to_num(X, posinf=9, neginf=-9)
    text = export_text(DecisionTreeClassifier().fit(full, y))
    assert " or missing" not in text
    assert text.endswith(RULE + "\n")
    by_hand = {"feature": 0, "threshold": 1, "missing": "left", "left": {"value": 1}, "right": {"value": 2}}
    assert str(tree_from_dict(by_hand)) == (
        "|--- feature_0 <= 1 or missing\n|   |--- value: 1\n|--- feature_0 >  1\n|   |--- value: 2\n"
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_depth": -1}, "max_depth must be an int of at least 0 or None. Got -1."),
        ({"decimals": 1.5}, "decimals must be an int of at least 0 or None. Got 1.5."),
        ({"spacing": 0}, "spacing must be an int of at least 1. Got 0."),
        ({"feature_names": ["a", "b"]}, "feature_names must have 1 names. Got 2."),
        ({"class_names": ["a"]}, "class_names must have 2 names. Got 1."),
    ],
)
def test_bad_options_are_refused_in_a_sentence(options, sentence):
    model = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match=re.escape(sentence)):
        export_text(model, **options)


def test_only_our_fitted_trees_are_drawn():
    with pytest.raises(NotFittedError):
        export_text(DecisionTreeClassifier())
    with pytest.raises(TypeError, match=r"model must be a fitted tree of treewright.* Got int"):
        export_text(3)
    with pytest.raises(TypeError, match=r"Got sklearn\.tree"):
        export_text(TheirClassifier().fit([[0], [1]], [0, 1]))


@pytest.mark.parametrize("levels", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_deep_tree_is_written_and_laid_out(levels):
    tree = chain(levels)
    lines = str(tree).splitlines()
    assert len(lines) == 3 * levels + 1  # a line per branch, and one per leaf
    assert lines[-1].startswith(f"(level {levels}) |--- value: ")
    assert max(map(len, lines)) < 4 * MOST_BARS + 80
    x, level = layout(tree.first_child, tree.n_children)
    assert level.max() == levels
    assert x.min() == 0


# -- the layout --------------------------------------------------------------------------------------------


@st.composite
def shapes(draw):
    """The links of a tree with up to four children per node, numbered breadth-first."""
    counts = [draw(st.sampled_from([0, 2, 3, 4]))]
    node = 0
    while node < len(counts):  # after twenty nodes the tree only closes
        fewest = [0] if node > 20 else [0, 0, 2, 3]
        counts += [draw(st.sampled_from(fewest)) for _ in range(counts[node])]
        node += 1
    counts = np.array(counts)
    starts = 1 + np.cumsum(counts) - counts
    return np.where(counts > 0, starts, -1), counts


@given(shapes())
def test_layout_keeps_nodes_apart_and_parents_in_the_middle(shape):
    first_child, n_children = shape
    x, level = layout(first_child, n_children)
    for depth in range(level.max() + 1):
        on_level = x[level == depth]
        assert (np.diff(on_level) >= 1 - 1e-9).all()  # in order, and one unit apart
    for node in np.flatnonzero(n_children):
        below = slice(first_child[node], first_child[node] + n_children[node])
        assert x[node] == pytest.approx((x[below][0] + x[below][-1]) / 2)
        assert (level[below] == level[node] + 1).all()


# -- the picture -------------------------------------------------------------------------------------------


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(12, 8))
    yield axes
    plt.close(figure)


def boxes_of(notes):
    return [note for note in notes if note.get_bbox_patch() is not None]


def test_picture_has_a_box_per_node_and_none_overlap(axes):
    X, y = random_table(1)
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    notes = boxes_of(plot_tree(model, ax=axes, filled=True, rounded=True))
    assert len(notes) == model.tree_.node_count
    axes.figure.canvas.draw()
    extents = [note.get_bbox_patch().get_window_extent() for note in notes]
    for k, one in enumerate(extents):
        assert not any(one.overlaps(other) for other in extents[k + 1 :])


def test_boxes_say_what_the_node_knows(axes):
    X, y = [[1.0], [2.0], [8.0], [9.0], [np.nan]], ["a", "a", "b", "b", "b"]
    model = DecisionTreeClassifier().fit(X, y)
    notes = boxes_of(plot_tree(model, ax=axes, node_ids=True, feature_names=["$ size"]))
    assert notes[0].get_text().splitlines() == [
        "node #0", r"\$ size <= 5", "missing goes right", "gini = 0.480", "samples = 5",
        "value = [2, 3]", "class = b",
    ]  # fmt: skip
    notes = boxes_of(
        plot_tree(model, ax=axes, label="none", impurity=False, proportion=True, precision=1, fontsize=7)
    )
    assert notes[1].get_text().splitlines() == ["40.0%", "[1, 0]", "a"]
    assert notes[1].get_fontsize() == 7
    assert [note.get_text() for note in plot_tree(model, ax=axes)][2].strip() == "True"


def test_picture_ends_at_max_depth(axes):
    notes = boxes_of(plot_tree(chain(6), ax=axes, max_depth=1))
    assert [note.get_text().strip() for note in notes].count("(...)") == 2
    assert len(notes) == 5


def test_picture_refuses_an_unknown_label(axes):
    with pytest.raises(ValueError, match=r"label must be one of 'all', 'root', 'none'. Got 'some'."):
        plot_tree(chain(1), ax=axes, label="some")
