"""Operating points, and models that decide by them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.rankings import by_score, grown, rankings
from tests.support.strategies import examples
from treewright.evaluate.decision import with_decision
from treewright.evaluate.roc.curves import roc_of
from treewright.evaluate.roc.operating_point import operating_point

COSTS = st.sampled_from([0.0, 0.25, 1.0, 1.0, 3.0, 50.0])


def selections(score, y, weight):
    """Every set of rows that a threshold can select, fewest first, with its weight of both classes."""
    cuts = [np.inf, *np.unique(score[weight > 0])[::-1]]
    chosen = [score >= cut for cut in cuts]
    return [(weight[rows & (y == 0)].sum(), weight[rows & (y == 1)].sum()) for rows in chosen]


def same_selection(point, score, y, weight, wanted):
    """Whether p > threshold selects what was wanted."""
    rows = score > point.threshold
    found = weight[rows & (y == 0)].sum(), weight[rows & (y == 1)].sum()
    assert found == pytest.approx(wanted)
    return True


@given(rankings(), COSTS, COSTS, st.sampled_from([None, 0.5, 0.01, 0.9]), st.sampled_from([0, 0.5]))
@examples(4)
def test_costs_pick_the_cheapest_threshold_that_calls_fewest(
    drawn, false_positive, false_negative, share, right
):
    table, y, weight = drawn
    if false_positive == false_negative == 0:
        return
    score = table[:, 1]
    every = selections(score, y, weight)
    negatives, positives = every[-1]
    pi = positives / (positives + negatives) if share is None else share
    matrix = np.array([[right, right + false_positive], [2 * right + false_negative, 2 * right]])
    cost = np.array(
        [
            pi * (tp / positives * matrix[1, 1] + (1 - tp / positives) * matrix[1, 0])
            + (1 - pi) * (fp / negatives * matrix[0, 1] + (1 - fp / negatives) * matrix[0, 0])
            for fp, tp in every
        ]
    )
    point = roc_of(by_score(table, y, weight)).operating_point(costs=matrix, prevalence=share)
    assert point.cost == pytest.approx(cost.min(), abs=1e-12)
    first = int(np.flatnonzero(cost <= cost.min() + 1e-12)[0])
    assert same_selection(point, score, y, weight, every[first])
    assert point.confusion.sum() == pytest.approx(1000)
    assert (point.confusion * matrix).sum() / 1000 == pytest.approx(point.cost, abs=1e-12)
    assert point.confusion[1].sum() == pytest.approx(1000 * pi)
    assert point.confusion[:, 1].sum() == pytest.approx(1000 * point.selected)


@given(rankings(), st.sampled_from([0.01, 0.3, 0.5, 0.75, 0.9, 1]))
@examples(3)
def test_recall_precision_and_capacity_by_brute_force(drawn, rate):
    table, y, weight = drawn
    score = table[:, 1]
    curve, every = roc_of(by_score(table, y, weight)), selections(score, y, weight)
    all_fp, all_tp = every[-1]
    wanted = next(pair for pair in every if pair[1] >= rate * all_tp - 1e-12)
    point = curve.operating_point(recall=rate)
    assert same_selection(point, score, y, weight, wanted)
    assert point.recall == pytest.approx(wanted[1] / all_tp)
    assert point.fpr == pytest.approx(wanted[0] / all_fp)

    good = [pair for pair in every[1:] if pair[1] >= rate * sum(pair) - 1e-12 and pair[1] > 0]
    if good:
        point = curve.operating_point(precision=rate)
        best = min(good, key=lambda pair: (-pair[1], pair[0]))
        assert same_selection(point, score, y, weight, best)
        assert point.precision == pytest.approx(best[1] / sum(best))
    else:
        best = max(pair[1] / sum(pair) for pair in every[1:])
        with pytest.raises(
            ValueError, match=rf"precision of {rate:g}. The best is {best:.4g}, with a recall"
        ):
            curve.operating_point(precision=rate)

    population = 1000
    capacity = max(1, int(rate * population))
    per_case = population / (all_fp + all_tp)
    able = [pair for pair in every if sum(pair) * per_case <= capacity + 1e-9]
    point = curve.operating_point(capacity=capacity, population=population)
    assert same_selection(point, score, y, weight, min(able, key=lambda pair: (-pair[1], pair[0])))
    assert point.selected * population <= capacity + 1e-9


@given(rankings())
@examples(2)
def test_a_threshold_lies_strictly_between_scores(drawn):
    curve = roc_of(by_score(*drawn))
    scores = curve.thresholds[1:]
    for place in range(len(scores) + 1):
        point = curve.operating_point(recall=1)
        object.__setattr__(point, "place", place)
        assert (scores > point.threshold).sum() == place
        assert not (scores == point.threshold).any() or (place == 0 and scores[0] == 1)


def test_thresholds_at_the_ends_and_between_neighbours():
    near = np.nextafter(0.5, 1)
    curve = roc_of(by_score([0.0, 0.5, near, 1.0] * 2, [0, 0, 0, 0, 1, 1, 1, 1]))
    everybody, one_less = curve.operating_point(recall=1), curve.operating_point(recall=0.75)
    assert everybody.threshold < 0
    assert one_less.threshold == 0.25
    assert curve.operating_point(recall=0.5).threshold == 0.5  # p > 0.5 selects the next number
    after = np.nextafter(near, 1)  # the middle of these two is rounded up
    close = roc_of(by_score([near, after, near, after], [0, 0, 1, 1])).operating_point(recall=0.5)
    assert close.threshold == near
    nobody = curve.operating_point(costs={"false_positive": 9, "false_negative": 1})
    assert (nobody.threshold, nobody.recall) == (1.0, 0.0)
    assert np.isnan(nobody.precision)


def test_a_point_by_out_of_fold_rows():
    model, X, y = grown(1)
    point = operating_point(model, X, y, recall=0.8, cv=3)
    assert point.source == "out of fold"
    assert "Evaluated on 160 out-of-fold rows." in str(point)


def test_the_text_of_a_point():
    model, X, y = grown(4)
    point = operating_point(model, X, y, costs={"false_positive": 1, "false_negative": 5}, prevalence=0.02)
    said = str(point)
    assert said.startswith(
        "A false positive costs 1, a false negative 5; 2 % of the cases are 'b'.\nSo predict "
    )
    assert "Of 1,000 cases 20 are 'b': " in said
    assert "Expected cost per case: " in said
    assert said.endswith("Evaluated on 160 held-out rows.")
    assert repr(point).startswith("<OperatingPoint>\nA false positive")
    assert point.to_dicts()[0]["prevalence"] == 0.02
    assert set(point.to_dicts()[0]) >= {
        "threshold",
        "recall",
        "precision",
        "fpr",
        "selected",
        "cost",
        "source",
    }
    with pytest.warns(UserWarning, match=r"look too good"):
        seen = operating_point(model, recall=1)
    assert "Warning: these are the training rows" in str(seen)
    with pytest.warns(
        UserWarning, match=r"capacity is larger than the population: 900 of 160. All are predicted positive"
    ):
        everybody = operating_point(model, X, y, capacity=900)
    assert "So predict 'b' for every case.\nThis finds 100 %" in str(everybody)
    nobody = operating_point(model, X, y, capacity=1, population=10**6)
    assert "The likeliest cases are " in str(nobody)
    assert "So predict 'b' for no case.\nAll of its cases are then missed." in str(nobody)


@pytest.mark.parametrize(
    ("criterion", "sentence"),
    [
        ({}, "Give one of: costs and/or prevalence, recall, precision, capacity. Got none of them"),
        ({"recall": 0.5, "costs": [[0, 1], [1, 0]]}, "Got costs and recall"),
        ({"recall": 0.5, "capacity": 3}, "Got recall and capacity"),
        ({"recall": 0.5, "population": 3}, "population needs a capacity"),
        ({"prevalence": 1.0}, "prevalence must be a share between 0 and 1, neither of them itself. Got 1.0"),
        ({"prevalence": 30}, "prevalence must be a share between 0 and 1"),
        ({"recall": 0}, "recall must be a share between 0 and 1"),
        ({"precision": 1.5}, "precision must be a share"),
        (
            {"capacity": 0},
            "capacity must be a whole number from 1 on: how many cases can be followed",
        ),
        ({"capacity": 2.5}, "capacity must be a whole number"),
        ({"capacity": 3, "population": -1}, "population must be a number above 0. Got -1"),
        ({"costs": [[0, -1], [1, 0]]}, "costs must be finite and not negative. Got -1"),
        ({"costs": [[0, 1, 1], [1, 0, 1]]}, r"shape \(2, 2\). Got \(2, 3\)"),
        ({"costs": [[2, 1], [1, 0]]}, "No mistake may cost less than being right. Got 1 for saying 'b'"),
        ({"costs": [[1, 1], [2, 2]]}, "Some mistake must cost more than being right"),
        ({"costs": {"fp": 1, "fn": 2}}, r"keys 'false_positive' and 'false_negative', .* Got \['fp', 'fn'\]"),
        ({"prevalence": 0.5, "positive": "z"}, "positive must be one of the classes"),
    ],
)
def test_invalid_criteria_are_rejected(criterion, sentence):
    model, X, y = grown(5)
    with pytest.raises(ValueError, match=sentence):
        operating_point(model, X, y, **criterion)
    if criterion:
        with pytest.raises(ValueError, match=sentence):
            with_decision(model, X=X, y=y, **criterion)
