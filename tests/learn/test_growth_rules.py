"""When growth stops, what is random, what weights mean and what constraints hold."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.metrics import mean_squared_error
from sklearn.utils.class_weight import compute_sample_weight

from tests.support.problems import CLASSIFIERS, REGRESSORS, labels_for
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

NUMBER_CRITERIA = ["squared_error", "absolute_error", "poisson"]
IRIS_X, IRIS_Y = load_iris(return_X_y=True)


def leaves_of(model):
    return model.tree_.is_leaf


# -- rules that stop growth

BOTH_ORDERS = pytest.mark.parametrize("limit", [None, 1000])
EVERY = pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS)


@EVERY
@BOTH_ORDERS
@pytest.mark.parametrize(("given", "fewest"), [(10, 10), (0.2, 80), (0.001, 2)])
def test_min_samples_split(cls, limit, given, fewest):
    X, y = labels_for(cls)
    model = cls(min_samples_split=given, max_leaf_nodes=limit, random_state=0).fit(X, y)
    assert model.tree_.n_node_samples[~leaves_of(model)].min() >= fewest


@EVERY
@BOTH_ORDERS
@pytest.mark.parametrize(("given", "fewest"), [(5, 5), (0.1, 40)])
def test_min_samples_leaf(cls, limit, given, fewest):
    X, y = labels_for(cls)
    model = cls(min_samples_leaf=given, max_leaf_nodes=limit, random_state=0).fit(X, y)
    assert np.bincount(model.apply(X))[leaves_of(model)].min() >= fewest


@EVERY
@BOTH_ORDERS
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("sparse", [False, True])
def test_min_weight_fraction_leaf(cls, limit, share, sparse, rng):
    X, y = labels_for(cls)
    table = sp.csc_array(X) if sparse else X
    weights = rng.random(len(X))
    model = cls(min_weight_fraction_leaf=share, max_leaf_nodes=limit, random_state=0)
    model.fit(table, y, sample_weight=weights)
    found = np.bincount(model.apply(table), weights=weights)[leaves_of(model)]
    assert found.min() >= share * weights.sum() * (1 - 1e-9)
    if share == 0.5:
        assert model.get_depth() <= 1


@EVERY
@BOTH_ORDERS
@pytest.mark.parametrize("least", [0.0, 1e-3, 0.05])
def test_min_impurity_decrease(cls, limit, least):
    X, y = labels_for(cls)
    model = cls(min_impurity_decrease=least, max_leaf_nodes=limit, random_state=0).fit(X, y)
    tree = model.tree_
    if (~tree.is_leaf).any():
        assert tree.gain[~tree.is_leaf].min() / len(X) >= least - 1e-12


@EVERY
@pytest.mark.parametrize("growth", [None, "depth", "breadth", "best"])
def test_max_leaf_nodes_and_max_depth(cls, growth):
    X, y = labels_for(cls)
    model = cls(max_leaf_nodes=9, growth=growth, random_state=0).fit(X, y)
    assert model.get_n_leaves() == 9
    shallow = cls(max_leaf_nodes=9, max_depth=2, growth=growth, random_state=0).fit(X, y)
    assert shallow.get_depth() <= 2
    assert cls(max_depth=1, growth=growth, random_state=0).fit(X, y).get_depth() == 1


def test_the_order_of_growth_matters_only_with_a_limit():
    X, y = labels_for(DecisionTreeRegressor)
    trees = [DecisionTreeRegressor(growth=growth).fit(X, y).tree_ for growth in ("depth", "breadth", "best")]
    assert trees[0] == trees[1] == trees[2]
    losses = {
        growth: mean_squared_error(
            y, DecisionTreeRegressor(growth=growth, max_leaf_nodes=8).fit(X, y).predict(X)
        )
        for growth in ("depth", "breadth", "best")
    }
    assert losses["best"] <= losses["breadth"] < losses["depth"]
    assert DecisionTreeRegressor(growth="breadth", max_leaf_nodes=8).fit(X, y).get_depth() == 3


def test_best_first_takes_the_greatest_gains_and_nests():
    X, y = labels_for(DecisionTreeRegressor)
    previous = None
    for leaves in range(2, 20):
        tree = DecisionTreeRegressor(max_leaf_nodes=leaves).fit(X, y).tree_
        total = tree.gain.sum()
        assert previous is None or total >= previous
        previous = total


# -- random trees


def test_random_state_decides_what_is_random():
    X, y = labels_for(DecisionTreeClassifier)
    for cls, given in ((ExtraTreeClassifier, {}), (DecisionTreeClassifier, {"max_features": 1})):
        trees = [cls(random_state=seed, **given).fit(X, y).tree_ for seed in (0, 0, 1)]
        assert trees[0] == trees[1] != trees[2]
        state = np.random.RandomState(0)
        assert (
            cls(random_state=state, **given).fit(X, y).tree_
            != cls(random_state=state, **given).fit(X, y).tree_
        )
    assert DecisionTreeClassifier(random_state=0).fit(X, y).tree_ == DecisionTreeClassifier().fit(X, y).tree_


def test_random_thresholds_lie_between_the_values():
    X = np.array([[0.0], [1.0], [1.0], [10.0]])
    y = [0.0, 1.0, 1.0, 5.0]
    thresholds = {
        ExtraTreeRegressor(max_depth=1, random_state=s).fit(X, y).tree_.threshold[0] for s in range(50)
    }
    assert len(thresholds) > 20
    assert 0 <= min(thresholds) <= max(thresholds) < 10


def test_all_columns_are_drawn():
    X = np.random.default_rng(0).normal(size=(100, 5))
    y = X.sum(axis=1)
    roots = {
        DecisionTreeRegressor(max_features=1, max_depth=1, random_state=s).fit(X, y).tree_.feature[0]
        for s in range(60)
    }
    assert roots == set(range(5))


def test_constant_columns_do_not_use_up_max_features():
    X = np.column_stack([np.zeros((50, 9)), np.arange(50)])
    for seed in range(10):
        model = DecisionTreeRegressor(max_features=1, max_depth=1, random_state=seed).fit(X, np.arange(50))
        assert model.tree_.feature[0] == 9


# -- weights


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_weight_is_a_repetition(cls, rng):
    X, y = labels_for(cls, 120)
    times = rng.integers(0, 4, size=120)
    weighed = cls(max_depth=6).fit(X, y, sample_weight=times)
    repeated = cls(max_depth=6).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_array_equal(weighed.tree_.feature, repeated.tree_.feature)
    assert_array_equal(weighed.tree_.threshold, repeated.tree_.threshold)
    assert_array_equal(weighed.tree_.value, repeated.tree_.value)
    assert_array_equal(weighed.tree_.weighted_n_node_samples, repeated.tree_.n_node_samples)


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_the_order_of_the_rows_does_not_matter(cls, rng):
    X, y = labels_for(cls)
    order = rng.permutation(len(X))
    weights = rng.random(len(X))
    assert cls().fit(X, y, weights).tree_ == cls().fit(X[order], y[order], weights[order]).tree_


def test_heavy_rows_are_followed():
    X = np.arange(20.0).reshape(-1, 1)
    y = np.repeat([0, 1, 0, 1], 5)
    weights = np.where(np.arange(20) < 10, 1.0, 100.0)
    assert DecisionTreeClassifier(max_depth=1).fit(X, y, weights).tree_.threshold[0] == 14.5
    assert DecisionTreeClassifier(max_depth=1).fit(X, y, weights[::-1]).tree_.threshold[0] == 4.5


def test_class_weights_are_sample_weights():
    for class_weight in ("balanced", {0: 2.0, 1: 1.0, 2: 0.5}):
        model = DecisionTreeClassifier(class_weight=class_weight, max_depth=3).fit(IRIS_X[40:], IRIS_Y[40:])
        weights = compute_sample_weight(class_weight, IRIS_Y[40:])
        same = DecisionTreeClassifier(max_depth=3).fit(IRIS_X[40:], IRIS_Y[40:], sample_weight=weights)
        assert model.tree_ == same.tree_
    balanced = DecisionTreeClassifier(class_weight="balanced", max_depth=1).fit(IRIS_X[40:], IRIS_Y[40:])
    assert_allclose(balanced.tree_.value[0], [[1 / 3] * 3])
    both = np.column_stack([IRIS_Y, IRIS_Y == 2])
    several = DecisionTreeClassifier(class_weight=[{0: 1.0, 1: 2.0, 2: 1.0}, {0: 1.0, 1: 3.0}]).fit(
        IRIS_X, both
    )
    assert_array_equal(several.predict(IRIS_X), both)
    text = np.array(["a", "b", "c"])[IRIS_Y]
    named = DecisionTreeClassifier(class_weight={"a": 1, "b": 5, "c": 1}, max_depth=1).fit(IRIS_X, text)
    assert_allclose(named.tree_.value[0, 0], [1 / 7, 5 / 7, 1 / 7])


def test_class_and_sample_weights_multiply():
    weights = np.random.default_rng(0).random(150)
    both = DecisionTreeClassifier(class_weight={0: 1, 1: 2, 2: 3}, max_depth=3).fit(IRIS_X, IRIS_Y, weights)
    product = DecisionTreeClassifier(max_depth=3).fit(IRIS_X, IRIS_Y, weights * (IRIS_Y + 1))
    assert both.tree_ == product.tree_


# -- monotone constraints


@pytest.mark.parametrize("growth", ["depth", "best"])
@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
def test_predictions_follow_their_constraints(criterion, growth, rng):
    X = rng.normal(size=(300, 3))
    y = np.exp(X[:, 0] - X[:, 1] + rng.normal(size=300))
    model = DecisionTreeRegressor(
        criterion=criterion, monotonic_cst=[1, -1, 0], growth=growth, min_samples_leaf=3
    )
    model.fit(X, y)
    assert model.get_n_leaves() > 3
    check_monotone(model.predict, X)


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("limit", [None, 20])
def test_probabilities_follow_their_constraints(cls, limit, rng):
    X = rng.normal(size=(300, 3))
    y = X[:, 0] - X[:, 1] + rng.normal(size=300) > 0
    model = cls(monotonic_cst=[1, -1, 0], max_leaf_nodes=limit, random_state=0, min_samples_leaf=3).fit(X, y)
    assert model.get_n_leaves() > 3
    check_monotone(lambda table: model.predict_proba(table)[:, 1], X)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def check_monotone(predict, X):
    for column, sign in ((0, 1), (1, -1)):
        last = np.full(len(X), -np.inf)
        for value in np.linspace(-3, 3, 40) * sign:
            moved = X.copy()
            moved[:, column] = value
            found = predict(moved)
            assert np.all(found >= last - 1e-12)
            last = found


def test_a_constraint_against_the_data_gives_the_mean():
    X = np.arange(10.0).reshape(-1, 1)
    for y, sign in ((X[:, 0], -1), (-X[:, 0], 1)):
        model = DecisionTreeRegressor(monotonic_cst=[sign]).fit(X, y)
        assert model.tree_.node_count == 1
        assert model.predict([[0.0]]) == [y.mean()]


def test_constraints_that_are_free_change_nothing():
    X, y = labels_for(DecisionTreeRegressor)
    free = DecisionTreeRegressor(monotonic_cst=[0, 0, 0]).fit(X, y).tree_
    assert_array_equal(free.threshold, DecisionTreeRegressor().fit(X, y).tree_.threshold)


def test_a_confident_node_stays_a_leaf():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + rng.normal(0, 0.5, 400) > 0).astype(int)
    tree = DecisionTreeClassifier(min_confidence=0.9).fit(X, y).tree_
    share = tree.value[:, 0].max(axis=1)
    assert (share[~tree.is_leaf] < 0.9).all()
    assert (share[tree.is_leaf] >= 0.9).all()
    assert tree.n_leaves < DecisionTreeClassifier().fit(X, y).tree_.n_leaves
    with pytest.raises(ValueError, match="one output only"):
        DecisionTreeClassifier(min_confidence=0.9).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="min_confidence must be a float in"):
        DecisionTreeClassifier(min_confidence=0).fit(X, y)
