"""Calibration: the table by its definition, the scores as scikit-learn has them, and the intervals."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import brier_score_loss, log_loss

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.calibration import calibration_curve, calibration_of
from treewright.evaluate.intervals import share_interval
from treewright.evaluate.segments import Segments

LABELS = np.array(["a", "b", "c", "d"])


def rows(seed, classes, n=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    y = LABELS[np.digitize(X[:, 0] + rng.normal(size=n), np.linspace(-0.6, 0.6, classes - 1))]
    return X, y, rng.integers(0, 4, n) / 2


def fitted(seed, classes):
    X, y, w = rows(seed, classes, 160)
    y[:classes] = LABELS[:classes]  # none may be missing where the tree grows
    model = DecisionTreeClassifier(max_depth=3).fit(X[:80], y[:80])
    w[80] = 1
    return model, X[80:], y[80:], w[80:]


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
@examples()
def test_scores_are_those_of_scikit_learn(seed, classes, weighted):
    model, X, y, w = fitted(seed, classes)
    w = w if weighted else np.ones(len(y))
    found = calibration_curve(model, X, y, sample_weight=w)
    shares, labels = model.predict_proba(X), model.classes_
    assert found.log_loss == pytest.approx(log_loss(y, shares, labels=labels, sample_weight=w))
    assert np.isfinite(found.log_loss)
    if classes == 2:
        wanted = brier_score_loss(y, shares[:, 1], pos_label="b", sample_weight=w)
    else:
        wanted = brier_score_loss(y, shares, labels=labels, sample_weight=w)
    assert found.brier == pytest.approx(wanted)
    assert found.source == "held out"


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
@examples()
def test_the_table_is_that_of_its_definition(seed, classes, one_class):
    model, X, y, w = fitted(seed, classes)
    positive = "b" if one_class else None
    found = calibration_curve(model, X, y, sample_weight=w, positive=positive, confidence=0.8)
    shares = model.predict_proba(X)
    if one_class or classes == 2:
        predicted, true = shares[:, 1], y == "b"
        predictions = [(value,) for value in predicted]
        assert found.label is None
        assert found.positive == "b"
    else:
        top = shares.argmax(axis=1)
        predicted, true = shares.max(axis=1), y == model.classes_[top]
        predictions = [tuple(row) for row in shares]
        assert found.positive is None
    wanted, gaps = [], 0.0
    for prediction in set(predictions):
        here = np.array([other == prediction for other in predictions]) & (w > 0)
        if here.any():
            share, n = np.average(true[here], weights=w[here]), w[here].sum() ** 2 / (w[here] ** 2).sum()
            ends = share_interval(min(share * n, n), n, 0.8)
            wanted.append((predicted[here][0], share, *ends, w[here].sum()))
            gaps += w[here].sum() * abs(share - predicted[here][0])
    got = np.column_stack([found.predicted, found.observed, found.low, found.high, found.weight])
    assert_allclose(np.sort(got, axis=0), np.sort(wanted, axis=0), atol=1e-6)
    assert (np.diff(found.predicted) >= 0).all()
    assert found.ece == pytest.approx(gaps / w.sum())
    if found.label is not None:
        assert set(found.label) <= set(model.classes_)
        assert_array_equal([row["class"] for row in found.to_dicts()], found.label)


def made(score, weight, squares=None, source="held out"):
    score, weight = np.asarray(score, dtype=float), np.asarray(weight, dtype=float)
    squares = weight if squares is None else np.asarray(squares, dtype=float)
    return Segments(score, weight, squares, source, np.array(["no", "yes"])[: score.shape[1]])


def test_a_table_by_hand():
    found = calibration_of(made([[0.8, 0.2], [0.1, 0.9]], [[6, 4], [0, 10]]))
    assert found.predicted.tolist() == [0.2, 0.9]
    assert_allclose(found.observed, [0.4, 1.0])
    assert found.high[1] == 1
    assert found.ece == pytest.approx(0.5 * 0.2 + 0.5 * 0.1)
    assert found.brier == pytest.approx((6 * 0.04 + 4 * 0.64 + 10 * 0.01) / 20)
    assert found.log_loss == pytest.approx(-(6 * np.log(0.8) + 4 * np.log(0.2) + 10 * np.log(0.9)) / 20)
    other = calibration_of(made([[0.8, 0.2], [0.1, 0.9]], [[6, 4], [0, 10]]), positive="no")
    assert_allclose(other.observed, 1 - found.observed[::-1])
    assert other.ece == pytest.approx(found.ece)


def test_what_is_certain_and_wrong_costs_much_but_not_everything():
    found = calibration_of(made([[1, 0], [0, 1]], [[5, 1], [0, 6]]))
    assert found.log_loss == pytest.approx(-np.log(2.0**-52) / 12)
    assert found.ece == pytest.approx(1 / 12)


@given(st.integers(0, 10_000), st.integers(1, 12))
@examples()
def test_groups_have_about_equal_weight_and_keep_the_sums(seed, bins):
    model, X, y, w = fitted(seed, 2)
    whole, found = (calibration_curve(model, X, y, sample_weight=w, bins=b) for b in (None, bins))
    assert 1 <= len(found) <= min(bins, len(whole))
    for name in ("predicted", "observed"):
        sums = [getattr(part, name) @ part.weight for part in (whole, found)]
        assert sums[0] == pytest.approx(sums[1])
    assert found.weight.sum() == pytest.approx(w.sum())
    heaviest = whole.weight.max()  # rows of one prediction are never divided
    assert found.weight.max() <= w.sum() / bins + heaviest + 1e-9
    assert found.ece <= whole.ece + 1e-12  # differences within a group cancel
    assert (found.brier, found.log_loss) == (whole.brier, whole.log_loss)
    assert (np.diff(found.predicted) > 0).all()


def test_more_groups_than_predictions_is_the_whole_table():
    score = np.linspace(0.05, 0.95, 7)
    segments = made(np.column_stack([1 - score, score]), np.full((7, 2), 3))
    assert_allclose(calibration_of(segments, bins=7).predicted, score)
    assert_allclose(calibration_of(segments, bins=1).predicted, score.mean())


def test_a_true_model_is_covered_and_a_boaster_is_not():
    rng = np.random.default_rng(3)
    p = np.array([0.1, 0.3, 0.5, 0.8, 0.95])
    covered, boast = [], []
    for _ in range(800):
        wins = rng.binomial(60, p)
        weight = np.column_stack([60 - wins, wins])
        found = calibration_of(made(np.column_stack([1 - p, p]), weight))
        covered += ((found.low <= p) & (p <= found.high)).tolist()
        sure = np.where(p > 0.5, (1 + p) / 2, p / 2)
        boast.append(calibration_of(made(np.column_stack([1 - sure, sure]), weight)).ece - found.ece)
    assert 0.93 < np.mean(covered) < 0.975
    assert np.mean(boast) > 0.05


# -- where the rows come from


def test_training_rows_look_too_good_and_say_so():
    X, y, _ = rows(0, 2, 300)
    y = LABELS[np.random.default_rng(0).integers(0, 2, 300)]
    model = DecisionTreeClassifier(max_depth=5).fit(X, y)
    with pytest.warns(UserWarning, match="Only the training rows are known"):
        naive = calibration_curve(model)
    assert naive.source == "training"
    assert naive.ece == pytest.approx(0, abs=1e-12)  # a leaf predicts what it counted
    assert "too good" in str(naive)
    unbiased = calibration_curve(model, X, y, cv=5)
    assert unbiased.source == "out of fold"
    assert unbiased.weight.sum() == 300
    assert unbiased.ece > 0.1
    assert unbiased.brier > naive.brier


def test_out_of_fold_scores_are_those_of_the_folds():
    X, y, _ = rows(1, 3, 150)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    parts = [(np.setdiff1d(np.arange(150), test), test) for test in np.array_split(np.arange(150), 3)]
    predictions = np.empty((150, 3))
    for train, test in parts:
        predictions[test] = DecisionTreeClassifier(max_depth=2).fit(X[train], y[train]).predict_proba(X[test])
    found = calibration_curve(model, X, y, cv=parts)
    assert found.log_loss == pytest.approx(log_loss(y, predictions, labels=model.classes_))
    assert found.brier == pytest.approx(brier_score_loss(y, predictions, labels=model.classes_))


def test_folds_of_the_fit_are_used_without_a_warning():
    X, y, _ = rows(2, 2, 200)
    model = DecisionTreeClassifier(ccp_alpha="cv").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = calibration_curve(model)
    assert found.source == "out of fold"
    assert found.weight.sum() == pytest.approx(200)


# -- forms and refusals


def test_forms():
    pd = pytest.importorskip("pandas")
    model, X, y, _ = fitted(0, 2)
    found = calibration_curve(model, X, y)
    table = found.to_dicts()
    assert list(table[0]) == ["predicted", "observed", "low", "high", "weight"]
    assert len(found) == len(table)
    pd.testing.assert_frame_equal(found.to_frame(), pd.DataFrame(table))
    text = str(found)
    assert text.startswith("Calibration of class b, by held-out rows. Brier score ")
    assert f"expected calibration error {found.ece:.4f}." in text
    assert len(text.splitlines()) == 2 + len(found)
    assert text in repr(found)
    assert "<table>" in found._repr_html_()
    model, X, y, _ = fitted(0, 3)
    assert "Calibration of the predicted class" in str(calibration_curve(model, X, y))


def test_what_cannot_be_is_refused():
    model, X, y, _ = fitted(0, 2)
    for bins in (0, 1.5, True, "ten"):
        with pytest.raises(ValueError, match=r"bins must be an int of at least 1 or None. Got "):
            calibration_curve(model, X, y, bins=bins)
    with pytest.raises(ValueError, match=r"confidence must be a float in \(0, 1\)"):
        calibration_curve(model, X, y, confidence=95)
    with pytest.raises(ValueError, match=r"positive must be one of the classes \['a', 'b'\]. Got 'z'"):
        calibration_curve(model, X, y, positive="z")
    with pytest.raises(ValueError, match="X and y must be given together"):
        calibration_curve(model, X)
    one = DecisionTreeClassifier().fit(X, np.full(len(y), "a"))
    with pytest.raises(ValueError, match=r"at least two classes. Got a model that knows only \['a'\]"):
        calibration_curve(one, X, np.full(len(y), "a"))
    with pytest.raises(ValueError, match="classifier"):
        calibration_curve(DecisionTreeRegressor().fit(X, X[:, 0]), X, X[:, 0])
