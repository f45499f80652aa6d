"""Candidate splits: textbook numbers, gains from the definition, and those that growth uses, bit for bit."""

import datetime as dt
import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.support.strategies import drawn_integers, examples
from tests.support.tennis import tennis
from treewright import lab, textbook

EIGHT = [0.05, 0.11, 0.34, 0.41, 0.54, 0.61, 0.84, 0.86]
CLASS_CRITERIA = ["gini", "entropy", "error", "sqrt_gini", "gain_ratio"]
NUMBER_CRITERIA = ["squared_error", "absolute_error", "poisson"]


def test_every_cut_of_the_textbook():
    found = lab.candidates(EIGHT, list("AAABBBAA"), criterion="entropy")
    assert found.thresholds.round(3).tolist() == [0.08, 0.225, 0.375, 0.475, 0.575, 0.725, 0.85]
    assert found.gains.round(3).tolist() == [0.092, 0.204, 0.348, 0.049, 0.003, 0.204, 0.092]
    assert found.best.threshold == pytest.approx(0.375)
    assert found.best.test == "x <= 0.375"
    assert found.n_left.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_the_columns_of_the_tennis_table():
    X, y = tennis()
    found = lab.candidates(X, y, criterion="entropy", nominal_splits="multiway")
    assert [each.column for each in found] == ["outlook", "humidity", "wind", "temperature"]
    assert [round(each.gain, 3) for each in found] == [0.247, 0.152, 0.048, 0.029]
    assert found.best.column == "outlook"
    ratios = lab.candidates(X, y, criterion="gain_ratio", nominal_splits="multiway")
    assert [round(each.ratio, 3) for each in ratios] == [0.156, 0.152, 0.049, 0.019]


@st.composite
def columns(draw):
    n = draw(st.integers(3, 40))
    x = draw(drawn_integers(n, 0, draw(st.integers(1, 8)))) / 4
    if draw(st.booleans()):
        x[draw(drawn_integers(n, 0, draw(st.integers(1, 5)))) == 0] = np.nan
    weights = None
    if draw(st.booleans()):
        weights = np.array([0.5, 1.0, 2.25, 0.1])[draw(drawn_integers(n, 0, 3))]
    labels = draw(drawn_integers(n, 0, draw(st.integers(1, 2))))
    numbers = np.array([0.0, 0.5, 1.3, 7.7])[draw(drawn_integers(n, 0, 3))]
    return x, labels, numbers, weights


@pytest.mark.parametrize("criterion", CLASS_CRITERIA + NUMBER_CRITERIA)
@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate"])
@given(data=columns(), least=st.integers(1, 3))
@examples(2)
def test_gains_are_those_of_growth_bit_for_bit(criterion, missing, data, least):
    x, labels, numbers, weights = data
    classes = criterion in CLASS_CRITERIA
    y = labels if classes else numbers
    if len(np.unique(x[~np.isnan(x)])) < 2 or (criterion == "poisson" and not y.any()):
        return
    params = {"criterion": criterion, "missing": missing, "min_samples_leaf": least}
    kind = treewright.DecisionTreeClassifier if classes else treewright.DecisionTreeRegressor
    tree = kind(max_depth=1, **params).fit(x[:, None], y, weights).tree_
    found = lab.candidates(x, y, sample_weight=weights, **params)
    if tree.node_count == 1:
        return
    place = np.flatnonzero(found.thresholds == tree.threshold[0])
    assert len(place) == 1
    assert found.total_gains[place[0]] == tree.gain[0]
    assert found.allowed[place[0]]
    mass = tree.impurity[0] * tree.weighted_n_node_samples[0]
    assert found.total_gains[found.allowed].max() <= tree.gain[0] + 1e-9 * max(mass, 1)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "squared_error", "absolute_error"])
@given(data=columns())
@examples(2)
def test_every_gain_is_that_of_the_definition(criterion, data):
    x, labels, numbers, _ = data
    x = np.nan_to_num(x, nan=9.0)
    if len(np.unique(x)) < 2:
        return
    classes = criterion in CLASS_CRITERIA
    y = labels if classes else numbers
    found = lab.candidates(x, y, criterion)
    cuts = np.unique(x)
    assert found.thresholds.tolist() == [
        float((Fraction(a) + Fraction(b)) / 2) for a, b in itertools.pairwise(cuts)
    ]
    for cut, gain, rows in zip(found.thresholds, found.gains, found.n_left, strict=True):
        left = x <= cut
        sides = [y[left], y[~left]]
        if classes:
            counts = [np.bincount(side, minlength=3) for side in (y, *sides)]
            expected = textbook.gain(counts[0], counts[1:], criterion)
        else:
            expected = textbook.gain(y, sides, criterion)
        assert gain == pytest.approx(expected, abs=1e-9)
        assert rows == left.sum()


def test_groupings_of_levels():
    colours = np.array(list("rrggbbyy") * 3)
    y = np.array([0, 0, 1, 1, 0, 1, 1, 1] * 3)
    found = lab.candidates(colours, y, "gini")
    assert len(found) == 7  # 2^(4-1) - 1
    assert {frozenset(group) for group in found.groupings} >= {
        frozenset("b"),
        frozenset("bg"),
        frozenset("bgy"),
    }
    assert found.total_gains.max() == found.best.total_gain
    one = lab.candidates(colours, y, "gini", nominal_splits="one_vs_rest")
    assert [*one.groupings] == [("b",), ("g",), ("r",), ("y",)]
    many = lab.candidates(np.array([f"level {k}" for k in range(20)] * 2), np.arange(40) % 3, "gini")
    assert len(many) < 60
    assert "Not every grouping" in str(many)
    branches = lab.candidates(colours, y, "gini", nominal_splits="multiway")
    assert len(branches) == 0
    assert branches.best.test == "x in 4 branches"


def test_levels_with_missing_values_go_where_they_gain_more():
    colours = np.array(["a", "a", "b", "b", None, None], dtype=object)
    found = lab.candidates(colours, [0, 0, 1, 1, 1, 1], "gini")
    assert found.gains.tolist() == pytest.approx([4 / 9, 1 / 9])
    assert found.missing_left.tolist() == [False, False]
    assert [each["test"] for each in found.to_dicts()] == ["x = a", "x is present"]


def test_the_best_split_is_among_the_candidates():
    draws = np.random.default_rng(0)
    levels = np.array([f"level {k:02}" for k in range(15)])
    for _ in range(20):
        y = draws.integers(0, 3, 60)
        x = levels[draws.integers(0, 15, 60)].astype(object)
        x[draws.random(60) < 0.2 * (y == 1)] = None
        found = lab.candidates(x, y)
        assert found.total_gains[found.allowed].max() == found.best.total_gain
    apart = lab.candidates([np.nan] * 4 + [1, 2, 3, 4], list("AAAABBBB"))
    assert apart.gains.max() == apart.best.gain == 0.5
    assert "  present  0.5000          4" in str(apart)
    assert apart.plot()[1].lines[1].get_ydata()[0] == 0.5


def test_bars_of_groupings_are_told_apart():
    draws = np.random.default_rng(3)
    x = np.array([f"level {k:02}" for k in range(22)])[draws.integers(0, 22, 300)]
    values, bars = lab.candidates(x, draws.integers(0, 6, 300)).plot()
    names = [text.get_text() for text in bars.get_yticklabels()]
    assert len({*names}) == len(names) == 8
    assert values.get_title(loc="right") == "the 12 most frequent of 22 levels"


def test_it_says_why_there_is_no_best_split():
    y = list("AAABBBAA")
    small = str(lab.candidates(EIGHT, y, min_samples_leaf=5))
    assert "No cut is allowed: every one leaves a branch below min_samples_leaf" in small
    assert small.count("  no") == 7
    assert "y has one class, so no cut gains anything." in str(lab.candidates(EIGHT, [1] * 8))
    with (
        pytest.warns(UserWarning, match="Every value"),
        pytest.raises(ValueError, match="Got a column with none"),
    ):
        lab.candidates([np.nan] * 8, y)


@pytest.mark.parametrize(
    "limit", [{"min_samples_split": 100}, {"min_confidence": 0.5}, {"min_impurity_decrease": 5.0}]
)
def test_the_limit_that_allows_no_split_is_named(limit):
    y, (name, value) = list("AAABBBAA"), next(iter(limit.items()))
    found = lab.candidates(EIGHT, y, **limit)
    assert found.best is None
    assert len(found) == 7
    assert str(found).endswith(f"No split is allowed here: {name}={value!r}.")
    tree = treewright.DecisionTreeClassifier(**limit).fit(np.reshape(EIGHT, (-1, 1)), y).tree_
    assert tree.node_count == 1
    ranking = lab.candidates(pd.DataFrame({"a": EIGHT, "b": EIGHT}), y, **limit)
    assert ranking.best is None
    assert str(ranking).endswith(f"No split: a, b. No split is allowed here: {name}={value!r}.")
    levels = lab.candidates(list("xxyyzzxy"), y, nominal_splits="multiway", **limit)
    assert f"{name}={value!r}" in str(levels)


def test_gain_ratios_of_one_column():
    y = list("AAABBBAA")
    found = lab.candidates(EIGHT, y, "gain_ratio")
    assert found.gains.tolist() == lab.candidates(EIGHT, y, "entropy").gains.tolist()
    assert found.ratios[1] == pytest.approx(found.gains[1] / textbook.entropy([2, 6]))
    assert found.ratios.max() == pytest.approx(found.best.ratio)
    assert str(found).startswith("Gain (entropy) of x\nthreshold    gain   ratio")
    assert "(gain 0.3476, ratio 0.3642)" in str(found)


def test_thresholds_are_printed_as_values():
    days = pd.Series(pd.date_range("2020-01-01", periods=8), name="day")
    assert "\n2020-01-05 12:00:00  0.1688          5\n" in str(lab.candidates(days, list("AABBBAAA")))


def test_dates_weights_and_too_small_branches():
    days = pd.Series([dt.datetime(2024, 1, day) for day in range(1, 9)], name="day")
    found = lab.candidates(days, [0, 0, 0, 1, 1, 1, 1, 1], min_samples_leaf=2)
    assert found.column == "day"
    assert "2024-01-03" in found.best.test
    assert found.allowed.tolist() == [False, True, True, True, True, True, False]
    weighted = lab.candidates([1, 2, 3], [0, 1, 1], sample_weight=[2, 1, 1])
    assert weighted.gains.tolist() == pytest.approx([0.5, 0.5 - 0.75 * (2 * 2 / 3 * 1 / 3)])


def test_the_task_follows_from_the_criterion():
    assert lab.candidates([1, 2, 3, 4], [0, 0, 1, 1]).criterion == "gini"
    assert lab.candidates([1, 2, 3, 4], [0, 0, 1, 1], "squared_error").gains.max() == pytest.approx(0.25)
    assert lab.candidates([1, 2, 3, 4], [0.5, 0.1, 1.5, 2.0]).criterion == "squared_error"


def test_a_ranking_has_every_column():
    table = treewright.load_example("iris")
    found = lab.candidates(table.drop(columns="species").assign(one=1), table["species"])
    assert [each.column for each in found][:2] == ["petal_length", "petal_width"]
    assert found.constant == ("one",)
    assert "No split: one." in str(found)
    assert len(found["petal_length"]) == 42
    assert found.to_frame().shape == (4, 4)
    gain = found.best.total_gain
    tree = treewright.DecisionTreeClassifier(max_depth=1).fit(table.drop(columns="species"), table["species"])
    assert gain == pytest.approx(tree.tree_.gain[0], rel=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error", "poisson"])
def test_a_column_without_values_or_with_one(criterion):
    X = np.column_stack([np.full(6, np.nan), [np.nan] * 5 + [1.0], np.arange(6.0)])
    with pytest.warns(UserWarning, match="Every value is missing in column 0"):
        found = lab.candidates(X, [0, 1, 1, 0, 1, 1], criterion)
    assert [len(each) for each in (found[0], found[1], found[2])] == [0, 1, 5]
    assert found[1].thresholds.tolist() == [np.inf]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lab.candidates([1, 1, 1], list("aba")), "x must have at least two different values"),
        (lambda: lab.candidates([1, 2], list("ab"), criterion="gin"), "Did you mean 'gini'"),
        (lambda: lab.candidates([1, 2], list("ab"), max_depth=2), "max_depth does not change the candidates"),
        (lambda: lab.candidates([1, 2], list("ab"), pruning="reduced_error"), "pruning comes after growth"),
        (lambda: lab.candidates([1, 2], list("ab"), ccp_alpha=0.1), "ccp_alpha comes after growth"),
        (lambda: lab.candidates([1, 2], [0.5, 1.5], leaf_model="linear"), "leaves that predict a constant"),
        (lambda: lab.candidates([1, 2], list("ab"), "squared_error"), "a target of numbers.* such as 'a'"),
        (lambda: lab.candidates([1, 2, 3], list("ab")), "one entry per row"),
        (lambda: lab.candidates(np.zeros((2, 2, 2)), [1, 2]), "one column or a table"),
        (lambda: lab.candidates([[1, 2], [2, 1]], [0, 1])["x"], "the name or the place of a column"),
        (lambda: lab.candidates([1, 2], [0, 1]).plot(ax=1), "2 matplotlib axes"),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_plots_have_the_values_and_the_gains():
    found = lab.candidates(EIGHT, list("AAABBBAA"), criterion="entropy")
    values, gains = found.plot()
    assert sum(len(line.get_xdata()) for line in values.lines[:2]) == 8
    assert gains.lines[0].get_ydata().round(3).tolist() == found.gains.round(3).tolist()
    assert gains.get_ylabel() == "gain (entropy)"
    levels, bars = lab.candidates(np.array(list("abcabc")), [1, 2, 3, 1, 2, 3]).plot()
    assert len(levels.patches) == 9
    assert len(bars.patches) == 3
    numbers = lab.candidates(EIGHT, [1.0, 2.5, 3, 4, 2, 2, 2, 7]).plot()
    assert numbers[0].get_ylabel() == "target"
    table = treewright.load_example("iris")
    ranking = lab.candidates(table.drop(columns="species"), table["species"])
    assert len(ranking.plot().patches) == 4
    assert len(lab.plot_candidates(ranking).patches) == 4
    again = lab.plot_candidates(found, np.array([values, gains]))
    assert again.tolist() == [values, gains]
    with pytest.raises(ValueError, match=r"must be what lab.candidates returned. Got list"):
        lab.plot_candidates([1, 2])
