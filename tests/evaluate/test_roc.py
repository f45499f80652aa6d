"""Rankings: the ROC curve by segments, its hull, and the area with its interval."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score
from sklearn.metrics import roc_curve as sklearn_roc_curve

from tests.support.rankings import by_score, rankings
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier
from treewright.evaluate.out_of_fold import out_of_fold_predictions
from treewright.evaluate.procedure import Data
from treewright.evaluate.roc import auc as areas
from treewright.evaluate.roc.curves import roc_curve, roc_of
from treewright.evaluate.roc.hull import upper_hull
from treewright.learn.classics import rep_tree

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def pair_count(score, y, weight):
    """The share of the pairs that are ranked right; ties count half."""
    positive, negative = y == 1, y == 0
    difference = score[positive][:, None] - score[negative][None, :]
    pairs = weight[positive][:, None] * weight[negative][None, :]
    return ((difference > 0) * pairs + (difference == 0) * pairs / 2).sum() / pairs.sum()


@given(rankings())
@examples(3)
def test_the_curve_and_its_area_are_those_of_scikit_learn_and_of_counting_pairs(drawn):
    score, y, weight = drawn[0][:, 1], *drawn[1:]
    found = roc_of(by_score(drawn[0], y, weight))
    fpr, tpr, thresholds = sklearn_roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    assert_allclose(found.fpr, fpr, atol=1e-12)
    assert_allclose(found.tpr, tpr, atol=1e-12)
    assert_array_equal(found.thresholds, thresholds)
    assert found.auc == pytest.approx(roc_auc_score(y, score, sample_weight=weight), abs=1e-12)
    assert found.auc == pytest.approx(pair_count(score, y, weight), abs=1e-12)
    assert_allclose(found.coverage[1][-1], weight[y == 1].sum())
    low, high = found.interval
    assert 0 <= low <= found.auc <= high <= 1


@given(rankings())
@examples(2)
def test_the_other_class_is_the_mirror(drawn):
    segments = by_score(*drawn)
    one, other = (roc_of(segments, positive=label) for label in (1, 0))
    assert other.auc == pytest.approx(one.auc, abs=1e-12)  # 1 - p ranks the other way round
    assert_allclose(other.interval, one.interval, atol=1e-9)
    assert_allclose(other.fp[::-1], one.tp[-1] - one.tp)


@given(rankings(), st.sampled_from([0, 0.1, 0.5, 1, 1.7, 10, np.inf]))
@examples(3)
def test_the_hull_dominates_and_its_tangents_are_the_best_points(drawn, slope):
    found = roc_of(by_score(*drawn))
    x, y, hull = found.fpr, found.tpr, found.hull
    assert hull[0] == 0
    assert hull[-1] == len(x) - 1
    distinct = np.unique(x[hull])
    top = [y[hull][x[hull] == each].max() for each in distinct]
    assert (np.interp(x, distinct, top) >= y - 1e-12).all()
    turns = np.diff(x[hull])[:-1] * np.diff(y[hull])[1:] - np.diff(x[hull])[1:] * np.diff(y[hull])[:-1]
    assert (turns < 0).all()  # always to the right, and never straight on
    assert found.hull_auc >= found.auc - 1e-12
    place = found.tangent(slope)
    if np.isinf(slope):
        assert place == 0
    else:
        gain = y - slope * x
        assert gain[place] >= gain.max() - 1e-12
        assert place == np.flatnonzero(gain >= gain.max() - 1e-12)[0]


def test_the_hull_of_a_curve_that_sags_is_the_diagonal():
    assert_array_equal(upper_hull(np.array([3.0, 2, 1]), np.array([1.0, 2, 3])), [0, 3])
    assert_array_equal(upper_hull(np.array([1.0, 1, 1]), np.array([1.0, 1, 1])), [0, 3])
    assert_array_equal(upper_hull(np.array([0.0, 0, 2]), np.array([1.0, 1, 0])), [0, 2, 3])


@given(st.integers(0, 10**6), st.integers(2, 6))
@examples(2)
def test_on_the_rows_it_grew_on_the_order_of_the_leaves_is_the_best_of_all(seed, leaves):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (60, 2)).astype(float)
    y = (X[:, 0] + rng.normal(0, 3, 60) > 4).astype(int)
    weight = rng.integers(1, 4, 60) / 2
    model = DecisionTreeClassifier(max_leaf_nodes=leaves).fit(X, y, sample_weight=weight)
    if model.tree_.n_leaves < 2:
        return
    with pytest.warns(UserWarning, match="look too good"):
        found = roc_curve(model)
    assert_array_equal(found.hull, np.arange(len(found.fp)))  # convex
    assert found.hull_auc == pytest.approx(found.auc, abs=1e-12)
    steps = np.column_stack([np.diff(found.fp), np.diff(found.tp)])
    best = 0.0
    for order in permutations(range(len(steps))):
        rank = np.argsort(order)[::-1].astype(float)
        best = max(best, areas.area(rank, *steps.T).auc)
    assert found.auc == pytest.approx(best, abs=1e-12)
    assert found.auc == pytest.approx(
        roc_auc_score(y, model.predict_proba(X)[:, 1], sample_weight=weight), abs=1e-9
    )


@given(rankings(n_classes=3))
@examples(2)
def test_more_classes_agree_with_scikit_learn(drawn):
    score, y, _ = drawn
    segments = by_score(score, y, n_classes=3)
    rest, pairs = (roc_of(segments, multi=multi) for multi in ("rest", "pairs"))
    assert rest.auc == pytest.approx(roc_auc_score(y, score, multi_class="ovr"), abs=1e-12)
    assert pairs.auc == pytest.approx(roc_auc_score(y, score, multi_class="ovo"), abs=1e-12)
    assert rest[2].auc == roc_of(segments, positive=2).auc
    here = y != 1
    assert pairs[0, 2].auc == pytest.approx(roc_auc_score(y[here] == 0, score[here, 0]), abs=1e-12)
    for found in (rest, pairs):
        assert 0 <= found.interval[0] <= found.auc + 1e-12
        assert found.auc - 1e-12 <= found.interval[1] <= 1
        assert len(found.to_dicts()) == len(found) == len(list(found))


# -- of models


def table(n=300, n_classes=2):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 3))
    signal = X[:, 0] + 0.5 * X[:, 1] + rng.normal(0, 0.7, n)
    return X, np.array(["no", "perhaps", "yes"] if n_classes == 3 else ["no", "yes"])[
        np.digitize(signal, [0.2, 1.0][: n_classes - 1])
    ]


@pytest.fixture(scope="module")
def evaluated():
    X, y = table()
    model = DecisionTreeClassifier(max_leaf_nodes=9).fit(X[:150], y[:150])
    return model, X[150:], y[150:]


def test_held_out_rows_and_words(evaluated):
    model, X, y = evaluated
    found = roc_curve(model, X, y)
    assert (found.positive, found.negative, found.source) == ("yes", "no", "held out")
    assert found.auc == pytest.approx(roc_auc_score(y == "yes", model.predict_proba(X)[:, 1]))
    assert str(found).startswith("ROC curve of 'yes' against 'no', held-out rows: AUC 0.")
    assert "95 % interval" in str(found)
    assert repr(found).startswith("<RocCurve>\nROC curve of 'yes' against 'no', ")
    rows = found.to_dicts()
    assert rows[0] == {"threshold": np.inf, "fp": 0, "tp": 0, "fpr": 0, "tpr": 0, "on_hull": True}
    assert sum(row["on_hull"] for row in rows) == len(found.hull)
    assert list(found.to_frame().columns) == list(rows[0])
    with pytest.warns(UserWarning, match="look too good"):
        assert "too good to be true" in str(roc_curve(model))
    assert roc_curve(model, X, y, positive="no").auc == pytest.approx(found.auc)


def test_rows_of_weight_0_do_not_count(evaluated):
    model, X, y = evaluated
    here = np.arange(len(y)) % 3 != 0
    found = roc_curve(model, X, y, sample_weight=here * 1.0)
    alone = roc_curve(model, X[here], y[here])
    assert found.to_dicts() == alone.to_dicts()
    assert found.interval == alone.interval


def test_three_classes_in_words():
    X, y = table(n_classes=3)
    model = DecisionTreeClassifier(max_leaf_nodes=9).fit(X[:150], y[:150])
    rest, pairs = (roc_curve(model, X[150:], y[150:], multi=multi) for multi in ("rest", "pairs"))
    shares = model.predict_proba(X[150:])
    assert rest.auc == pytest.approx(roc_auc_score(y[150:], shares, multi_class="ovr"))
    assert pairs.auc == pytest.approx(roc_auc_score(y[150:], shares, multi_class="ovo"))
    assert "every class against the rest, held-out rows: mean AUC" in str(rest)
    assert "every pair of classes" in str(pairs)
    assert "<table>" in rest._repr_html_()
    assert repr(pairs).startswith("<RocCurves>\nROC curves of every pair of classes, ")
    assert list(rest.to_frame()["class"]) == ["no", "perhaps", "yes"]
    with pytest.raises(KeyError, match=r"A curve must be one of 'no', 'perhaps', 'yes'. Got 'maybe'"):
        rest["maybe"]
    one = roc_curve(model, X[150:], y[150:], positive="perhaps")
    assert one.negative == "the rest"
    assert one.auc == rest["perhaps"].auc


def test_invalid_input_is_rejected_with_advice(evaluated):
    model, X, y = evaluated
    with pytest.raises(ValueError, match="Got none of a class other than 'yes'; the rows have 'yes'"):
        roc_curve(model, X[y == "yes"], y[y == "yes"])
    with pytest.raises(ValueError, match="Got none of 'yes'"):
        roc_curve(model, X[y == "no"], y[y == "no"])
    with pytest.raises(ValueError, match="Got none of 'yes'"):
        roc_curve(model, X, y, sample_weight=(y == "no") * 1.0)
    with pytest.raises(ValueError, match=r"multi must be 'rest' or 'pairs'. Got 'ovr'"):
        roc_curve(model, X, y, multi="ovr")
    with pytest.raises(ValueError, match=r"confidence must be a float in \(0, 1\), such as 0.95. Got 95"):
        roc_curve(model, X, y, confidence=95)
    with pytest.raises(ValueError, match=r"positive must be one of the classes \['no', 'yes'\]. Got 'ill'"):
        roc_curve(model, X, y, positive="ill")
    with pytest.raises(ValueError, match=r"slope must be a number from 0 to infinity. Got -1"):
        roc_curve(model, X, y).tangent(-1)
    alone = DecisionTreeClassifier().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match=r"at least two classes. Got a model that knows only 0"):
        roc_curve(alone, X, np.zeros(len(X)))
    three = by_score(np.full((6, 3), 1 / 3), [0, 1, 2] * 2, n_classes=3)
    with pytest.raises(ValueError, match="positive needs multi='rest'"):
        roc_of(three, positive=1, multi="pairs")


def test_pictures(evaluated):
    model, X, y = evaluated
    found = roc_curve(model, X, y)
    ax = found.plot(costs={"false_positive": 1, "false_negative": 3}, prevalence=0.2)
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any(f"AUC {found.auc:.3f} (" in each for each in said)
    assert any("equal cost" in each for each in said)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("false positive rate", "true positive rate (recall)")
    point = found.operating_point(recall=0.8)
    ax = found.plot_coverage(point=point)
    assert "rows of 'yes' selected" in ax.get_ylabel()
    assert ax.get_xlim()[1] > found.fp[-1]
    ax = point.plot()
    assert not any("equal cost" in text.get_text() for text in ax.get_legend().get_texts())
    for ratio in ({"false_positive": 0, "false_negative": 1}, {"false_positive": 1, "false_negative": 0}):
        found.plot(costs=ratio)
    X3, y3 = table(n_classes=3)
    model3 = DecisionTreeClassifier(max_leaf_nodes=9).fit(X3[:150], y3[:150])
    rocs = roc_curve(model3, X3[150:], y3[150:])
    assert len(rocs.plot().get_lines()) == 4
    matplotlib.pyplot.close("all")


def test_folds_know_the_order_of_the_classes_whatever_form_y_has():
    """Programs that deal rows class by class hold other rows out if the classes come in another order."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4))
    y = np.where(X[:, 0] + rng.normal(size=400) > 0.7, "bad", "good")
    declared = pd.Series(pd.Categorical(y, categories=["good", "bad"]))
    model = rep_tree().fit(X, declared)
    assert model.classes_.tolist() == ["good", "bad"]
    found = [
        roc_curve(model, X, each, positive="bad", cv=5).auc for each in (declared, declared.astype(str), y)
    ]
    assert found[0] == found[1] == found[2]
    folds = out_of_fold_predictions(model, Data(X, declared), 5)
    score = np.zeros(len(y))
    for rows, predictions in folds:
        score[rows] = predictions[:, 1]
    assert_allclose(found[0], roc_auc_score(y == "bad", score), atol=1e-12)
