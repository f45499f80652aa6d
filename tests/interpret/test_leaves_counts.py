"""The table of leaves: what it counts, what it says, and how often its intervals cover the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom
from sklearn.model_selection import RepeatedKFold

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.intervals import effective, mean_interval, share_interval
from treewright.interpret.leaves.leaves import leaves
from treewright.learn.folds import folds_of
from treewright.tree.tree import tree_from_dict


def problem(seed, n=120, classes=3, missing=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    y = np.digitize(X[:, 0] + rng.normal(size=n), np.linspace(-0.5, 0.8, classes - 1))
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    return X, np.array(["a", "b", "c", "d"])[y], np.round(rng.exponential(size=n), 3)


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans(), st.sampled_from(["jeffreys", "wilson"]))
@examples()
def test_held_out_rows_are_counted_where_they_end(seed, classes, weighted, method):
    X, y, w = problem(seed, classes=classes)
    w = w if weighted else None
    model = DecisionTreeClassifier(max_depth=4, min_samples_leaf=3).fit(X[:60], y[:60])
    rest = None if w is None else w[60:]
    found = leaves(model, X[60:], y[60:], sample_weight=rest, confidence=0.8, method=method)
    assert found.source == "held out"
    at, heavy = model.apply(X[60:]), np.ones(60) if w is None else w[60:]
    assert_array_equal(found.leaf, np.flatnonzero(model.tree_.is_leaf))
    for place, leaf in enumerate(found.leaf):
        here = (at == leaf) & (heavy > 0)
        assert found.validation.rows[place] == here.sum()
        assert found.validation.weight[place] == pytest.approx(heavy[here].sum())
        for k, label in enumerate(model.classes_):
            if not here.any():
                assert np.isnan(found.validation.value[place, k])
                continue
            share = heavy[here & (y[60:] == label)].sum() / heavy[here].sum()
            n = heavy[here].sum() ** 2 / (heavy[here] ** 2).sum()
            wanted = share_interval(min(share * n, n), n, 0.8, method)
            got = found.validation.low[place, k], found.validation.high[place, k]
            assert found.validation.value[place, k] == pytest.approx(share, abs=1e-12)
            assert_allclose(got, wanted, atol=1e-6)


@given(st.integers(0, 10_000), st.integers(2, 4))
@examples()
def test_training_tallies_are_those_of_the_rows(seed, classes):
    X, y, _ = problem(seed, classes=classes)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    found, counted = leaves(model), leaves(model, X, y).validation
    assert found.validation is None
    assert found.source is None
    for name in ("rows", "weight", "value", "low", "high"):
        assert_allclose(getattr(found.training, name), getattr(counted, name), atol=1e-9)
    assert_array_equal(found.predicted, model.tree_.value[model.tree_.is_leaf, 0])
    assert_array_equal(found.prediction[np.searchsorted(found.leaf, model.apply(X))], model.predict(X))


def test_numbers_have_students_interval(rng):
    X = rng.normal(size=(200, 2))
    y = X[:, 0] + rng.normal(size=200)
    model = DecisionTreeRegressor(max_depth=2).fit(X[:100], y[:100])
    found = leaves(model, X[100:], y[100:], confidence=0.9)
    for place, leaf in enumerate(found.leaf):
        for measured, rows in ((found.training, slice(0, 100)), (found.validation, slice(100, 200))):
            here = y[rows][model.apply(X[rows]) == leaf]
            wanted = mean_interval(here.mean(), here.var(), len(here), 0.9)
            got = measured.value[place, 0], measured.low[place, 0], measured.high[place, 0]
            assert_allclose(got, [here.mean(), *wanted], rtol=1e-6)
    assert_allclose(found.prediction, found.training.value[:, 0])
    assert found.to_dicts()[0]["prediction"] == found.prediction[0]


def test_what_a_criterion_does_not_remember_is_not_known_unless_rows_say_it(rng):
    X = rng.normal(size=(80, 2))
    y = np.exp(X[:, 0])
    for criterion, mean_known in (("absolute_error", False), ("poisson", True)):
        model = DecisionTreeRegressor(max_depth=2, criterion=criterion, min_samples_leaf=5).fit(X, y)
        alone = leaves(model)
        assert np.isnan(alone.training.low).all()
        assert np.isnan(alone.training.value).all() == (not mean_known)
        assert alone.to_dicts()[0]["training_low"] is None
        assert "–" in str(alone)
        with_rows = leaves(model, X, y, cv=3).training
        for place, leaf in enumerate(alone.leaf):
            here = y[model.apply(X) == leaf]
            wanted = mean_interval(here.mean(), here.var(), len(here))
            assert_allclose([with_rows.low[place, 0], with_rows.high[place, 0]], wanted)
    by_hand = tree_from_dict(
        {"feature": 0, "threshold": 1, "n": 9, "left": {"value": 1, "n": 4}, "right": {"value": 2, "n": 5}}
    )
    assert np.isnan(leaves(DecisionTreeRegressor.from_tree(by_hand)).training.low).all()


@pytest.mark.parametrize("repeats", [1, 2])
@pytest.mark.parametrize("settings", [{}, {"ccp_alpha": "cv"}, {"class_weight": "balanced"}])
def test_out_of_fold_predictions_are_those_of_trees_without_the_row(repeats, settings):
    X, y, w = problem(4)
    model = DecisionTreeClassifier(max_depth=3, **settings).fit(X, y, sample_weight=w)
    cv = RepeatedKFold(n_splits=4, n_repeats=repeats, random_state=0)
    found = leaves(model, X, y, cv=cv, sample_weight=w)
    assert found.source == "out of fold"
    predictions = np.zeros((len(y), 3))
    for fold in folds_of(cv, X, y, None, True):
        again = DecisionTreeClassifier(**model.get_params() | {"ccp_alpha": model.ccp_alpha_})
        again.fit(X[fold.train], y[fold.train], sample_weight=w[fold.train])
        predictions[fold.test] += again.predict_proba(X[fold.test]) / repeats
    heavy = w.copy()
    if "class_weight" in settings:
        for label in "abc":
            heavy[y == label] *= len(y) / (3 * (y == label).sum())
    for place, leaf in enumerate(found.leaf):
        here = model.apply(X) == leaf
        share = np.average(predictions[here], axis=0, weights=heavy[here])
        n = effective(heavy[here].sum(), (heavy[here] ** 2).sum())
        assert_allclose(found.validation.value[place], share)
        assert_allclose(found.validation.low[place], share_interval(share * n, n).low, atol=1e-9)


def test_rows_that_are_never_held_out_do_not_count_and_folds_may_lack_a_class():
    X, y, _ = problem(1, n=60)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    without = np.flatnonzero(y != "c")
    found = leaves(model, X, y, cv=[(without, np.flatnonzero(y == "c"))])
    assert found.validation.rows.sum() == (y == "c").sum()
    there = found.validation.rows > 0
    assert (found.validation.value[there, 2] == 0).all()
    assert_allclose(found.validation.value[there].sum(axis=1), 1)
    assert np.isnan(found.validation.value[~there]).all()


def test_numbers_out_of_fold(rng):
    X = rng.normal(size=(90, 2))
    y = X[:, 0] + rng.normal(size=90)
    model = DecisionTreeRegressor(max_depth=2).fit(X, y)
    groups = np.arange(90) // 3
    found = leaves(model, X, y, cv=3, groups=groups)
    predictions = np.empty(90)
    for fold in folds_of(3, X, y, groups):
        assert not set(groups[fold.train]) & set(groups[fold.test])
        again = DecisionTreeRegressor(max_depth=2).fit(X[fold.train], y[fold.train])
        predictions[fold.test] = again.predict(X[fold.test])
    for place, leaf in enumerate(found.leaf):
        here = model.apply(X) == leaf
        wanted = mean_interval(predictions[here].mean(), ((y - predictions)[here] ** 2).mean(), here.sum())
        assert_allclose([found.validation.low[place, 0], found.validation.high[place, 0]], wanted)


# -- are they honest


def hits(measured, truth):
    """Of every leaf with an interval, whether it covers the truth."""
    low, high = measured.low[:, 0], measured.high[:, 0]
    there = np.isfinite(low)
    return ((low <= truth) & (truth <= high))[there].tolist()


def exact_coverage(n, level):
    """How often the interval of a share of 1/2 covers it, by the binomial distribution: counts have steps."""
    low, high = share_interval(np.arange(n + 1), n, level)
    return binom.pmf(np.arange(n + 1), n, 0.5) @ ((low <= 0.5) & (high >= 0.5))


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_held_out_intervals_cover_what_training_intervals_miss(kind):
    rng = np.random.default_rng(2)
    classes = kind is DecisionTreeClassifier
    truth = 0.5 if classes else 0.0  # in every leaf, since nothing can be known
    exact = [exact_coverage(n, 0.9) if classes and n else 0.9 for n in range(201)]

    def noise(n):
        return rng.normal(size=(n, 4)), rng.integers(0, 2, n) if classes else rng.normal(size=n)

    training, unbiased, wanted = [], [], []
    for _ in range(40):
        model = kind(max_depth=4, min_samples_leaf=5).fit(*noise(200))
        training += hits(leaves(model, confidence=0.9).training, truth)
        for _ in range(12):
            found = leaves(model, *noise(200), confidence=0.9).validation
            unbiased += hits(found, truth)
            wanted += [exact[n] for n in found.rows[np.isfinite(found.low[:, 0])]]
    assert len(unbiased) == len(wanted) > 3000
    assert abs(np.mean(unbiased) - np.mean(wanted)) < 4 * np.sqrt(0.9 * 0.1 / len(unbiased))
    assert 0.88 < np.mean(wanted) < 0.95
    assert np.mean(training) < 0.7


def test_out_of_fold_predictions_are_nearer_to_the_truth_than_training_shares(rng):
    X = rng.normal(size=(300, 4))
    y = rng.integers(0, 2, 300)
    model = DecisionTreeClassifier(max_depth=5, min_samples_leaf=5).fit(X, y)
    found = leaves(model, X, y, cv=5)
    off = [np.abs(part.value[:, 0] - 0.5) @ part.rows / 300 for part in (found.training, found.validation)]
    assert off[1] < 0.6 * off[0]
