"""Nested cross-validation and learning curves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, RepeatedKFold, cross_val_score

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.learning_curve import learning_curve, spread_out
from treewright.evaluate.nested_cv import nested_cv_score
from treewright.evaluate.tune import tune
from treewright.learn.folds import folds_of

FEW = {"max_depth": [1, 2, 3, 5, None], "min_samples_leaf": [1, 3, 10]}


def noise(rng, n=120):
    return rng.normal(size=(n, 10)), rng.permutation(np.arange(n) % 2)


def test_on_pure_noise_the_nested_score_is_chance_and_that_of_tuning_is_not(rng):
    X, y = noise(rng)
    tuned = tune(DecisionTreeClassifier(), X, y, **FEW)
    naive = 1 - tuned.best["cv_loss"]  # the best of many settings
    unbiased = nested_cv_score(tuned, X, y, cv=10)
    assert naive > 0.55
    assert unbiased.interval[0] < 0.5 < unbiased.interval[1]
    assert abs(unbiased.score - 0.5) < 0.09
    full = nested_cv_score(DecisionTreeClassifier(), X, y)
    assert (full.training == 1).all()
    assert full.interval[0] < 0.5 < full.interval[1]


@pytest.mark.slow
def test_over_many_tables_of_noise_the_nested_score_has_no_bias():
    rng = np.random.default_rng(0)
    unbiased, naive = [], []
    for _ in range(30):
        X, y = noise(rng, 80)
        tuned = tune(DecisionTreeClassifier(), X, y, **FEW)
        naive.append(1 - tuned.best["cv_loss"])
        unbiased.append(nested_cv_score(tuned, X, y).score)
    assert np.mean(naive) > 0.54
    assert abs(np.mean(unbiased) - 0.5) < 3 * np.std(unbiased) / np.sqrt(30)


def test_plain_estimators_score_as_in_cross_validation(rng):
    X, y = noise(rng)
    folds = folds_of(5, X, y, classifier=True)
    for model in (DecisionTreeClassifier(max_depth=2), LogisticRegression()):
        found = nested_cv_score(model, X, y)
        assert_allclose(found.values, cross_val_score(model, X, y, cv=[tuple(fold) for fold in folds]))
        assert found.score == found.values.mean() == float(found)
    brier = nested_cv_score(LogisticRegression(), X, y, scoring="neg_brier_score")
    assert brier.metric == "neg_brier_score"
    assert brier.score < 0


def test_the_interval_is_that_of_nadeau_and_bengio(rng):
    X, y = noise(rng)
    found = nested_cv_score(DecisionTreeClassifier(max_depth=1), X, y, cv=6, confidence=0.9)
    spread = np.sqrt((1 / 6 + 20 / 100) * np.var(found.values, ddof=1))
    reach = 2.0150483726691575 * spread  # the 95 % point of Student's t with 5 degrees of freedom
    assert found.interval == pytest.approx((found.score - reach, found.score + reach))
    one = nested_cv_score(DecisionTreeClassifier(), X, y, cv=[(np.arange(80), np.arange(80, 120))])
    assert np.isnan(one.interval).all()


def test_it_says_which_rows_were_used_for_what(rng):
    X, y = noise(rng)
    found = nested_cv_score(DecisionTreeClassifier(), X, y)
    assert_array_equal(np.sort(np.concatenate([fold.test for fold in found.folds])), np.arange(120))
    assert "120 rows, 5 outer folds. In each, a model was fitted on 96 rows" in found.rows
    assert "Every row was held out 1 time." in found.rows
    assert found.rows in str(found)
    assert "accuracy" in repr(found)
    assert "<table>" in found._repr_html_()
    assert [row["fold"] for row in found.to_dicts()] == list(range(5))
    twice = nested_cv_score(
        DecisionTreeRegressor(), X, y.astype(float), cv=RepeatedKFold(n_splits=3, n_repeats=2)
    )
    assert "Every row was held out 2 times" in twice.rows
    assert twice.metric == "R²"


class Watched(DecisionTreeClassifier):
    """A tree that keeps the rows it was given."""

    def fit(self, X, y, sample_weight=None, groups=None):
        SEEN.append((X[:, 0].astype(int), groups, sample_weight))
        return super().fit(X, y, sample_weight=sample_weight)


SEEN = []


def test_no_row_of_a_fold_reaches_the_procedure_and_groups_stay_together(rng):
    X = np.column_stack([np.arange(60), rng.normal(size=60)])
    y, groups, weights = rng.integers(0, 2, 60), np.arange(60) // 5, np.arange(60) + 1.0
    SEEN.clear()
    found = nested_cv_score(Watched(), X, y, groups=groups, sample_weight=weights, cv=4)
    for (rows, inner, heavy), fold in zip(SEEN, found.folds, strict=True):
        assert_array_equal(rows, fold.train)
        assert_array_equal(inner, groups[fold.train])
        assert_array_equal(heavy, weights[fold.train])
        assert not set(inner) & set(groups[fold.test])


def test_searches_and_functions_are_procedures_too(rng):
    X, y = noise(rng)
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=3)
    assert len(nested_cv_score(search, X, y, cv=3).values) == 3
    search = search.set_params(cv=GroupKFold(3))
    grouped = nested_cv_score(search, X, y, cv=3, groups=np.arange(120) // 2)
    assert len(grouped.values) == 3

    def stump(X, y):
        return DecisionTreeClassifier(max_depth=1).fit(X, y)

    same = nested_cv_score(DecisionTreeClassifier(max_depth=1), X, y)
    assert_array_equal(nested_cv_score(stump, X, y).values, same.values)
    with pytest.raises(ValueError, match=r"Got DecisionTreeClassifier. Write DecisionTreeClassifier\(\)."):
        nested_cv_score(DecisionTreeClassifier, X, y)
    with pytest.raises(ValueError, match=r"confidence must be a float in \(0, 1\), such as 0.95. Got 95"):
        nested_cv_score(DecisionTreeClassifier(), X, y, confidence=95)


def test_frames_are_divided_too(frame, rng):
    table = frame({"a": rng.normal(size=40).tolist(), "b": ["x", "y"] * 20})
    found = nested_cv_score(DecisionTreeClassifier(), table, np.arange(40) % 2)
    assert found.score == 1  # b says it
    assert learning_curve(DecisionTreeClassifier(), table, np.arange(40) % 2, sizes=[1.0]).test[0] == 0


# -- learning curves


def test_more_rows_lower_the_test_error_and_raise_that_of_training(rng):
    X = rng.normal(size=(600, 3))
    y = X[:, 0] + 0.3 * rng.normal(size=600) > 0
    curve = learning_curve(DecisionTreeClassifier(max_depth=3), X, y, sizes=[0.03, 0.2, 1.0])
    assert curve.sizes.tolist() == [14, 96, 480]
    assert curve.test[0] > curve.test[-1]
    assert curve.training[0] < curve.training[-1]
    assert curve.by_fold.shape == (5, 3)
    assert_allclose(curve.se, curve.by_fold.std(axis=0, ddof=1) / np.sqrt(5))
    assert "error over the number of training rows, 5 folds" in str(curve)
    assert str(curve) in repr(curve)
    assert "<table>" in curve._repr_html_()
    assert curve.to_dicts()[0].keys() == {"rows", "training_loss", "test_loss", "test_se"}


def test_a_learning_curve_has_costs_in_the_order_of_the_classes(rng):
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, "a", "b")
    ways = ({"costs": [[0, 1], [9, 0]]}, {"costs": [[0, 9], [1, 0]], "class_order": ["b", "a"]})
    models = [DecisionTreeClassifier(max_depth=2, **way) for way in ways]
    first, second = (learning_curve(model, X, y, sizes=[1.0]).test[0] for model in models)
    assert first == pytest.approx(second)


def test_every_loss_has_a_learning_curve(rng):
    X = rng.normal(size=(100, 2))
    y = np.digitize(X[:, 0] + rng.normal(size=100), [-0.5, 0.5])
    folds = folds_of(5, X, y, classifier=True)
    model = DecisionTreeClassifier(max_depth=2)
    curve = learning_curve(model, X, y, sizes=[1.0], loss="log_loss")
    wanted = [
        log_loss(y[test], model.fit(X[train], y[train]).predict_proba(X[test]), labels=[0, 1, 2])
        for train, test in folds
    ]
    assert_allclose(curve.by_fold[:, 0], wanted)
    assert 0 < learning_curve(model, X, y, sizes=[1.0], loss="brier").test[0] < 2
    costs = [[0, 1, 9], [1, 0, 1], [9, 1, 0]]
    assert learning_curve(DecisionTreeClassifier(costs=costs), X, y, sizes=[1.0]).loss == "cost"
    for loss in ("squared", "absolute"):
        assert learning_curve(DecisionTreeRegressor(), X, X[:, 0], sizes=[0.5], loss=loss).test[0] > 0
    both = np.column_stack([y, y])
    assert learning_curve(model, X, both, sizes=[1.0]).loss == "error"
    with pytest.raises(ValueError, match=r"loss='brier' needs one column of classes. Got several"):
        learning_curve(model, X, both, sizes=[1.0], loss="brier")


def test_every_beginning_of_the_order_has_all_classes():
    labels = np.repeat([0, 1, 2], [60, 30, 10])
    order = spread_out(labels, 100, seed=0)
    assert_array_equal(np.sort(order), np.arange(100))
    for count in (10, 20, 50):
        assert_allclose(np.bincount(labels[order[:count]]) / count, [0.6, 0.3, 0.1], atol=0.06)


@pytest.mark.parametrize("sizes", [[0], [1], [5000], [1.5], [-0.1], ["a"]])
def test_invalid_sizes_are_rejected(sizes, rng):
    X, y = noise(rng)
    with pytest.raises(ValueError, match="sizes must be ints from 2 to 96"):
        learning_curve(DecisionTreeClassifier(), X, y, sizes=sizes)
