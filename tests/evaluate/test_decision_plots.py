"""Pictures of decisions: what is drawn is what the models predict, and every axis says what it is."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.pictures import drawn, rows
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.calibration import calibration_curve
from treewright.interpret.leaves.leaves import leaves
from treewright.interpret.leaves.short_rule import last_conditions, rounded, short_conditions
from treewright.interpret.rules import rules
from treewright.present.plots.impurities import plot_impurities
from treewright.textbook import impurity

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


NAMES = ["error", "gini", "entropy", "sqrt_gini", "hellinger"]


# -- reliability and leaves


def test_the_calibration_plot():
    X, y = rows()
    found = calibration_curve(DecisionTreeClassifier(max_depth=2).fit(X[:75], y[:75]), X[75:], y[75:])
    ax = found.plot()
    dots = [part for part in ax.collections if len(part.get_offsets()) == len(found)]
    assert_allclose(dots[-1].get_offsets(), np.column_stack([found.predicted, found.observed]))
    areas = dots[-1].get_sizes()
    assert_array_equal(np.argsort(areas, kind="stable"), np.argsort(found.weight, kind="stable"))
    assert drawn(ax) == ["as predicted", "observed, 95 % interval", f"rows, at most {found.weight.max():g}"]
    assert ax.get_xlabel() == "predicted probability of class yes"
    assert ax.get_ylabel() == "observed proportion of class yes"
    assert "held-out rows" in ax.get_title(loc="left")
    given_axes = plt.subplots()[1]
    assert found.plot(given_axes) is given_axes


@pytest.mark.parametrize("heavy", [1.0, 0.3])
def test_bars_at_the_foot_have_the_rows_of_each_dot(heavy):
    X, y = rows()
    model = DecisionTreeClassifier(max_depth=3).fit(X[:75], y[:75])
    found = calibration_curve(model, X[75:], y[75:], sample_weight=np.full(75, heavy))
    ax = found.plot()
    bars = next(part for part in ax.collections if "at most" in str(part.get_label()))
    ends = np.array(bars.get_segments())
    assert_allclose(ends[:, :, 0], np.stack([found.predicted] * 2, axis=1))
    heights = ends[:, 1, 1] - ends[:, 0, 1]
    assert_allclose(heights / heights.max(), found.weight / found.weight.max())
    assert ends[:, :, 1].max() < 0  # below every share
    assert drawn(ax)[-1].split(",")[0] == ("rows" if heavy == 1 else "weight")
    assert ax.get_tightbbox().x0 < 0.05 * ax.figure.bbox.width  # no empty margin


@pytest.mark.parametrize("classes", [2, 3])
def test_leaves_are_drawn_in_the_order_of_their_predictions(classes):
    X, y = rows(classes=classes)
    found = leaves(DecisionTreeClassifier(max_depth=3).fit(X[:75], y[:75]), X[75:], y[75:])
    ax = found.plot()
    assert drawn(ax) == ["prediction", "training rows", "held-out rows"]
    predictions = _line(ax, "prediction").get_xdata()
    wanted = found.predicted[:, 1] if classes == 2 else found.predicted.max(axis=1)
    assert_allclose(predictions, np.sort(wanted))
    assert len(ax.get_yticklabels()) == len(found)
    one = found.plot(positive="no")
    assert_allclose(_line(one, "prediction").get_xdata(), np.sort(found.predicted[:, 0]))
    assert one.get_xlabel() == "proportion of class no, with 95 % interval"
    with pytest.raises(ValueError, match="positive must be one of the classes"):
        found.plot(positive="perhaps")


def _line(ax, label):
    return next(line for line in ax.get_lines() if line.get_label() == label)


def test_leaves_of_numbers_and_many_leaves():
    X, _ = rows()
    found = leaves(DecisionTreeRegressor().fit(X, X[:, 0]), X, X[:, 0], cv=3)
    ax = found.plot()
    assert drawn(ax) == ["prediction", "training rows", "out-of-fold predictions"]
    assert f"({len(found)} leaves: no room for their rules)" in ax.get_ylabel()
    numbers = [int(label.get_text()) for label in ax.get_yticklabels()]
    step = len(found) // len(numbers)
    assert f"one in {step} written" in ax.get_ylabel()
    order = np.argsort(found.predicted[:, 0], kind="stable")
    assert numbers == found.leaf[order][::step].tolist()
    assert "mean" in ax.get_xlabel()
    small = leaves(DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0] / 3)).plot()
    assert drawn(small) == ["prediction", "training rows"]
    label = small.get_yticklabels()[0].get_text()
    assert len(label) < 40  # thresholds have four digits
    with pytest.raises(ValueError, match="positive needs a classifier"):
        found.plot(positive="yes")


@pytest.mark.parametrize("n_leaves", [1, 2, 10, 40, 41])
def test_names_of_leaves_do_not_overlap(n_leaves):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(400, 3)), rng.integers(0, 9, 400)])
    model = DecisionTreeRegressor(
        max_leaf_nodes=max(n_leaves, 2), min_samples_leaf=400 if n_leaves == 1 else 1
    )
    y = np.sin(3 * X).sum(axis=1)
    table = pd.DataFrame(X, columns=[f"long_name_of_a_column_{j}" for j in range(4)])  # for wide labels
    found = leaves(model.fit(table, y), table, y, cv=2)
    assert len(found) == n_leaves
    ax = found.plot()
    drawn(ax)
    assert 2 < ax.figure.get_figheight() < 14
    labels = ax.get_yticklabels()
    assert len({label.get_text() for label in labels}) == n_leaves
    boxes = [label.get_window_extent() for label in labels]
    for lower, upper in pairwise(boxes):
        assert lower.y1 <= upper.y0
    assert all(label.get_text().split(":")[0].isdigit() for label in labels)
    assert ("no room" in ax.get_ylabel()) == (n_leaves > 40)
    assert any("\n" in label.get_text() for label in labels) == (n_leaves in {10, 40})
    legend = ax.get_legend().get_window_extent()
    assert 0 <= legend.x0 < legend.x1 <= ax.figure.bbox.width


def test_axes_that_are_given_have_rules_as_far_as_there_is_room():
    X, _ = rows()
    found = leaves(DecisionTreeRegressor(max_leaf_nodes=20).fit(X, X[:, 0] * X[:, 1]))
    most = {}
    for height in (12, 5, 2):
        ax = found.plot(plt.subplots(figsize=(9, height))[1])
        most[height] = max(label.get_text().count("\n") for label in ax.get_yticklabels())
        assert ("no room" in ax.get_ylabel()) == (height == 2)
    assert most == {12: 1, 5: 0, 2: 0}


def test_wide_intervals_do_not_squeeze_the_predictions():
    X = np.arange(6.0)[:, None]
    y = np.array([0, 0.1, 0.2, 5, 5.1, 9])
    ax = leaves(DecisionTreeRegressor(max_depth=1).fit(X, y)).plot()
    predictions = _line(ax, "prediction").get_xdata()
    left, right = ax.get_xlim()
    assert left < predictions.min() < predictions.max() < right
    assert right - left <= 2 * np.ptp(predictions) * (1 + 1e-9)


CONDITIONS = st.sampled_from(
    [
        "a > 2.5", "(2 < b <= 5 or missing)", "c is present", 'town in {"this and that", "a, b", c}',
        'town is "x and \\" and y"', "(" + "long" * 30 + " <= 1 or missing)", "{}" + "long" * 30 + " <= 1",
    ]
)  # fmt: skip


@given(st.lists(CONDITIONS, min_size=1, max_size=9), st.integers(1, 3), st.sampled_from([58, 70]))
@examples(1)
def test_a_long_rule_is_written_from_its_end(conditions, lines, width):
    text = last_conditions(conditions, width, lines)
    parts = text.removeprefix("… and ").replace(" and\n", " and ")
    assert text.count("\n") < lines
    assert all(len(line) <= width for line in text.removeprefix("… and ").split("\n"))
    if not text.startswith("…") and "…" not in parts:
        assert parts == " and ".join(conditions)
    last = conditions[-1]
    assert parts.endswith(last) if len(last) <= width - 4 else "…" in parts


def test_long_sets_and_thresholds_are_shortened():
    pd = pytest.importorskip("pandas")
    levels = ["dark, blue", "red", *(f"colour{k}" for k in range(20))]
    X = pd.DataFrame({"x": pd.Categorical(levels * 4, categories=levels), "y": np.arange(88) / 7})
    y = (X["x"].cat.codes < 12).to_numpy() * 1.0 + (X["y"] > 6.2345)
    model = DecisionTreeRegressor().fit(X, y)
    rule = next(
        rule for rule in rules(model) if {"x", "y"} == {text.strip("(")[0] for text in rule.conditions}
    )
    words = rounded(rules(model).words)
    short = short_conditions(rule, words, 50)
    assert any("… and" in text and "more}" in text for text in short)
    assert all(len(text) <= 50 for text in short)
    assert any("6.2" in text and len(text) < 30 for text in short)


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
