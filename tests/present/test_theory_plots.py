"""Pictures of theory: the chord of a split, a split in coverage space, and the steps of a fit."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression

import treewright
from tests.support.pictures import drawn
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, lab, plot_fit, textbook
from treewright.textbook import gain, impurity, plot_coverage_split, plot_impurities

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "sqrt_gini"])
def test_the_chord_meets_the_weighted_impurity(criterion):
    children = np.array([[8, 2], [1, 9]])
    ax = plot_impurities(criterion, children=children)
    drawn(ax)
    _, chord, parent, weighted, distance = ax.lines
    assert_allclose(chord.get_data(), [[0.8, 0.1], [impurity(child, criterion) for child in children]])
    assert_allclose(parent.get_data(), [[9 / 20], [impurity([9, 11], criterion)]])
    (at,), (height,) = weighted.get_data()
    assert height == pytest.approx(np.interp(at, [0.1, 0.8], chord.get_ydata()[::-1]))  # it is on the chord
    low, high = distance.get_ydata()
    assert high - low == pytest.approx(gain([9, 11], children, criterion))
    assert distance.get_label() == f"gain: {gain([9, 11], children, criterion):.3g}"
    assert ax.get_ylabel() == "impurity"


@pytest.mark.parametrize("criteria", [3, [["gini"]], ["gini", None], []])
def test_criteria_that_are_no_names(criteria):
    with pytest.raises(ValueError, match="criteria must be some of 'error', 'gini'"):
        plot_impurities(criteria)


def test_a_criterion_is_drawn_once():
    assert len(plot_impurities(["gini"] * 9).lines) == 1


@pytest.mark.parametrize("children", [[1, 2], [[1, 2]], [[0, 0], [1, 2]], [[1, 2, 3], [1, 2, 3]]])
def test_children_that_make_no_chord(children):
    with pytest.raises(ValueError, match="children must have the counts of two classes in two children"):
        plot_impurities(children=children)


def test_a_split_in_coverage_space():
    ax = plot_coverage_split([[20, 20], [10, 30], [15, 5]], 0, [[18, 5], [2, 15]])
    drawn(ax)
    _, before, divided, after = (np.array(line.get_data()).T.tolist() for line in ax.lines)
    assert before == [[0, 0], [10, 30], [30, 50], [45, 55]]
    assert divided == [[0, 0], [10, 30], [12, 45], [30, 50], [45, 55]]
    assert after == [[0, 0], [2, 15], [12, 45], [27, 50], [45, 55]]
    areas = [float(text.rsplit(" ", 1)[1]) for text in ax.get_legend_handles_labels()[1][1:]]
    assert areas == sorted(areas)
    slopes = np.diff(after, axis=0)
    assert (np.diff(slopes[:, 1] / slopes.sum(axis=1)) <= 0).all()  # the curve is convex


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"leaf": 2}, "leaf must be an int from 0 to 1. Got 2."),
        ({"children": [[1, 1]]}, r"children must sum to the leaf, \[2.0, 2.0\]."),
        ({"leaves": [1, 2]}, "leaves must have two counts each"),
        ({"leaves": [[2, 2], [1, -1]]}, "leaves must not be negative"),
        ({"leaves": [[0, 2], [0, 1]], "children": [[0, 2]]}, "leaves must have negatives and positives."),
    ],
)
def test_bad_splits_in_coverage_space(values, message):
    every = {"leaves": [[2, 2], [1, 3]], "leaf": 0, "children": [[2, 0], [0, 2]]}
    with pytest.raises(ValueError, match=message):
        plot_coverage_split(**(every | values))


# -- plot_fit


def data():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=40)
    return x, np.sin(6 * x) + rng.normal(scale=0.1, size=40)


def test_steps_are_upright_and_models_lie_over_each_other():
    x, y = data()
    tree, line = (
        DecisionTreeRegressor(max_leaf_nodes=4).fit(x[:, None], y),
        LinearRegression().fit(x[:, None], y),
    )
    ax = plot_fit({"tree": tree, "line": line}, x, y)
    drawn(ax)
    assert [each.get_label() for each in ax.lines] == ["tree", "line"]
    for each, model in zip(ax.lines, (tree, line), strict=True):
        at, heights = each.get_data()
        assert_allclose(heights, model.predict(at[:, None]))
    at, heights = ax.lines[0].get_data()
    jumps = np.flatnonzero(np.diff(heights))
    assert_allclose(at[jumps], np.sort(tree.tree_.threshold[tree.tree_.threshold > 0]))
    assert (at[jumps + 1] == np.nextafter(at[jumps], np.inf)).all()
    assert_allclose(ax.collections[0].get_offsets(), np.column_stack([x, y]))
    assert ax.get_xlabel() == "feature_0"  # as in plot_regions


def test_names_of_frames_and_series():
    pd = pytest.importorskip("pandas")
    x, y = data()
    table = pd.DataFrame({"age": x})
    tree = DecisionTreeRegressor(max_depth=2).fit(table, y)
    for given in (table, table["age"]):
        ax = plot_fit([tree, "least squares"], given, pd.Series(y, name="price"))
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("age", "price")
        assert len(ax.lines) == 2
    assert not plot_fit(tree, table, y, points=False).collections


def test_an_object_that_predicts_is_drawn():
    x, y = data()
    (line,) = plot_fit({"a": SimpleNamespace(predict=lambda X: X[:, :1] + 1)}, x, y).lines
    assert_allclose(line.get_ydata(), line.get_xdata() + 1)


def test_a_constant_column_is_a_flat_line():
    tree = DecisionTreeRegressor().fit(np.ones((5, 1)), np.arange(5.0))
    (line,) = plot_fit(tree, np.ones(5), np.arange(5.0)).lines
    assert set(line.get_ydata()) == {2.0}


def test_every_picture_refuses_other_axes():
    X, y = lab.Mechanism.named("sine").sample(20, random_state=0)
    tree = treewright.DecisionTreeRegressor(max_depth=1).fit(X, y)
    parts = lab.bias_variance(tree, "sine", repeats=2, at=3, random_state=0)
    for draw in (
        lambda: treewright.plot_fit(tree, X, y, ax=3),
        lambda: treewright.plot_regions(tree, X, y, ax=3),
        lambda: treewright.plot_tree(tree, ax=3),
        lambda: textbook.plot_impurities(ax=3),
        lambda: textbook.plot_coverage_split([[1, 3]], 0, [[1, 0], [0, 3]], ax=3),
        lambda: lab.plot_bias_variance(parts, ax=3),
        lambda: parts.plot(3),
        lambda: lab.candidates(X[:, 0], y).plot(3),
        lambda: lab.vc_bound(0.1, 3, 1000).plot(3),
    ):
        with pytest.raises(ValueError, match=r"ax must be .*matplotlib axes.* Got "):
            draw()


def test_bad_input_of_plot_fit():
    x, y = data()
    tree = DecisionTreeRegressor().fit(x[:, None], y)
    with pytest.raises(ValueError, match="x must be one column"):
        plot_fit(tree, np.column_stack([x, x]), y)
    with pytest.raises(ValueError, match="y must hold numbers"):
        plot_fit(tree, x, np.array(["a"] * 40))
    with pytest.raises(ValueError, match="models must predict numbers"):
        plot_fit(DecisionTreeClassifier().fit(x[:, None], y > 0), x, y)
    with pytest.raises(ValueError, match="y must have one entry per row"):
        plot_fit(tree, x, y[:3])
    with pytest.raises(ValueError, match="y must hold finite numbers"):
        plot_fit(tree, x, np.full(40, np.inf))
    with pytest.raises(ValueError, match="models must predict one output"):
        plot_fit(DecisionTreeRegressor().fit(x[:, None], np.column_stack([y, y])), x, y)
    with pytest.raises(ValueError, match="models must predict classes or numbers"):
        plot_fit(KMeans(2).fit(x[:, None]), x, y)
