"""Pictures of decisions: what is drawn is what the models answer, and every axis says what it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, impurity
from treewright.deciding.leaf_plots import plot_leaves, plot_reliability
from treewright.deciding.leaves import leaves
from treewright.deciding.reliability import reliability
from treewright.drawings.impurity_plot import plot_impurities

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


NAMES = ["error", "gini", "entropy", "sqrt_gini", "hellinger"]


def rows(n=150, classes=2):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 2)).round(2)
    return X, np.array(["no", "yes", "so"])[np.digitize(X[:, 0] + X[:, 1] ** 2, [0.5, 2][: classes - 1])]


def drawn(ax):
    ax.figure.canvas.draw()  # nothing may fail or warn while it is painted
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


# -- reliability and leaves


def test_reliability_is_drawn_where_it_is():
    X, y = rows()
    found = reliability(DecisionTreeClassifier(max_depth=2).fit(X[:75], y[:75]), X[75:], y[75:])
    ax = found.plot()
    dots = [part for part in ax.collections if len(part.get_offsets()) == len(found)]
    assert_allclose(dots[-1].get_offsets(), np.column_stack([found.predicted, found.observed]))
    areas = dots[-1].get_sizes()
    assert_array_equal(np.argsort(areas, kind="stable"), np.argsort(found.weight, kind="stable"))
    assert drawn(ax) == ["as predicted", "came true, 95 % interval"]
    assert ax.get_xlabel() == "predicted share of class yes"
    assert "held-out rows" in ax.get_title()
    given_axes = plt.subplots()[1]
    assert plot_reliability(found, given_axes) is given_axes


@pytest.mark.parametrize("classes", [2, 3])
def test_leaves_are_drawn_in_the_order_of_their_answers(classes):
    X, y = rows(classes=classes)
    found = leaves(DecisionTreeClassifier(max_depth=3).fit(X[:75], y[:75]), X[75:], y[75:])
    ax = found.plot()
    assert drawn(ax) == ["answer", "rows it grew on", "held-out rows"]
    answers = _line(ax, "answer").get_xdata()
    wanted = found.predicted[:, 1] if classes == 2 else found.predicted.max(axis=1)
    assert_allclose(answers, np.sort(wanted))
    assert len(ax.get_yticklabels()) == len(found)
    one = found.plot(positive="no")
    assert_allclose(_line(one, "answer").get_xdata(), np.sort(found.predicted[:, 0]))
    assert one.get_xlabel() == "share of class no, with 95 % interval"
    with pytest.raises(ValueError, match="positive must be one of the classes"):
        found.plot(positive="perhaps")


def _line(ax, label):
    return next(line for line in ax.get_lines() if line.get_label() == label)


def test_leaves_of_numbers_and_many_leaves():
    X, _ = rows()
    found = leaves(DecisionTreeRegressor().fit(X, X[:, 0]), X, X[:, 0], cv=3)
    ax = plot_leaves(found)
    assert drawn(ax) == ["answer", "rows it grew on", "out-of-fold answers"]
    assert ax.get_ylabel() == f"{len(found)} leaves, by answer"
    assert not ax.get_yticklabels()
    assert "mean" in ax.get_xlabel()
    small = plot_leaves(leaves(DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0] / 3)))
    assert drawn(small) == ["answer", "rows it grew on"]
    label = small.get_yticklabels()[0].get_text()
    assert len(label) < 40  # thresholds have four digits
    with pytest.raises(ValueError, match=r"this tree answers numbers. Got 'yes'"):
        found.plot(positive="yes")


# -- impurities


@given(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
@examples(0.5)
def test_impurities_are_those_of_the_formulas(names):
    for scaled in (True, False):
        ax = plot_impurities(names, scaled=scaled)
        for name, line in zip(names, ax.get_lines(), strict=True):
            p, shown = line.get_data()
            heights = impurity(np.column_stack([p, 1 - p]), name)
            assert_allclose(shown, heights / (heights.max() if scaled else 1))
            assert not scaled or shown.max() == 1
        plt.close("all")


def test_impurities_have_words_and_refuse_others():
    assert drawn(plot_impurities()) == ["error", "gini", "entropy", "sqrt_gini"]
    assert drawn(plot_impurities("gini", scaled=False)) == ["gini: 2 p (1 − p)"]
    strokes = {line.get_linestyle() for line in plot_impurities().get_lines()}
    assert len(strokes) == 4  # colour is not all that tells them apart
    for wrong in (["gini", "poisson"], []):
        with pytest.raises(ValueError, match=r"criteria must be some of .* which measure classes. Got"):
            plot_impurities(wrong)
