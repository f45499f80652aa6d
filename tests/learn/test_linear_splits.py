"""The splits of linear leaves against their definition; threads, order, scale and weights of the rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from tests.oracle.linear_leaves import cut_gains
from treewright import DecisionTreeClassifier, DecisionTreeRegressor


def grown(X, y, weight=None, **params):
    options = {"prune": False, "alpha": 1.0} | params.pop("leaf_options", {})
    model = DecisionTreeRegressor(leaf_model="linear", leaf_options=options, **params)
    return model.fit(X, y, sample_weight=weight)


def a_table(n_rows=600, n_columns=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = np.where(X[:, 0] > 0.3, 2 * X[:, 1], -X[:, 2]) + 0.1 * rng.normal(size=n_rows)
    return X, y


@settings(max_examples=60, deadline=None)
@given(
    st.integers(16, 120),
    st.integers(1, 4),
    st.integers(2, 12),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_the_first_split_is_the_best_of_all(n_rows, n_columns, n_values, seed, weighted):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n_rows, n_columns)).astype(float)
    y = np.where(X[:, 0] > n_values / 2, X[:, -1], -X[:, 0]) + rng.normal(size=n_rows)
    weight = rng.integers(1, 4, n_rows).astype(float) if weighted else np.ones(n_rows)
    tree = grown(X, y, weight if weighted else None, max_leaf_nodes=2).tree_
    gains, noise = cut_gains(X, y, weight)
    most, least = max(gains.values(), default=0.0), 8 * noise
    if tree.node_count == 1:
        assert most <= least * (1 + 1e-9)
        return
    column = int(tree.feature[0])
    last = float(X[X[:, column] <= tree.threshold[0], column].max())
    assert gains[column, last] >= most - 1e-9 * max(most, 1.0)
    assert most >= least * (1 - 1e-9)


@pytest.mark.parametrize("n_rows", [60, 200, 3000])
def test_a_kink_is_found(n_rows):
    X = np.linspace(-3, 3, n_rows)[:, None]
    model = DecisionTreeRegressor(leaf_model="linear", max_depth=1).fit(X, np.abs(X[:, 0] - 0.5))
    assert abs(model.tree_.threshold[0] - 0.5) <= 8 / n_rows


@pytest.mark.parametrize("logistic", [False, True])
def test_threads_do_not_change_a_tree(logistic):
    X, y = a_table(6000, 12)

    def tree(n_jobs):
        if logistic:
            return DecisionTreeClassifier(leaf_model="logistic", n_jobs=n_jobs).fit(X, y > 0).tree_
        return DecisionTreeRegressor(leaf_model="linear", n_jobs=n_jobs).fit(X, y).tree_

    assert tree(1) == tree(4)


def test_the_order_of_the_rows_does_not_matter():
    X, y = a_table()
    order = np.random.default_rng(1).permutation(len(y))
    first = DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    second = DecisionTreeRegressor(leaf_model="linear").fit(X[order], y[order])
    assert np.array_equal(first.tree_.feature, second.tree_.feature)
    assert np.allclose(first.predict(X), second.predict(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_matter(scale):
    X, y = a_table()
    units = np.where(np.arange(X.shape[1]) % 2, scale, 1.0)
    first = DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    second = DecisionTreeRegressor(leaf_model="linear").fit(X * units, y * scale)
    assert np.array_equal(first.tree_.feature, second.tree_.feature)
    assert np.allclose(first.predict(X) * scale, second.predict(X * units), rtol=1e-7, atol=1e-7 * scale)


def test_collinear_columns_and_fewer_rows_than_columns():
    X, y = a_table(400)
    twice = np.column_stack([X, X])
    assert grown(twice, y).score(twice, y) > 0.98
    wide = np.random.default_rng(2).normal(size=(30, 80))
    assert np.isfinite(grown(wide, wide[:, 0]).predict(wide)).all()


def test_every_leaf_has_enough_rows():
    X, y = a_table(40_000, 3)
    tree = grown(X, y, max_leaf_nodes=64, min_samples_leaf=400).tree_
    assert tree.n_leaves > 8
    assert tree.n_node_samples.min() >= 400
    assert np.array_equal(np.bincount(tree.apply(X), minlength=tree.node_count)[tree.is_leaf],
                          tree.n_node_samples[tree.is_leaf])  # fmt: skip


@pytest.mark.parametrize("logistic", [False, True])
def test_whole_weights_are_repeated_rows(logistic):
    X, y = a_table(300)
    weight = np.random.default_rng(3).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    if logistic:
        model, target = DecisionTreeClassifier(leaf_model="logistic"), y > 0
        predict = "predict_proba"
    else:
        model, target, predict = DecisionTreeRegressor(leaf_model="linear"), y, "predict"
    weighted = getattr(model.fit(X, target, sample_weight=weight), predict)(X)
    assert model.get_n_leaves() > 1
    assert np.allclose(getattr(model.fit(X[rows], target[rows]), predict)(X), weighted, atol=1e-6)


def test_weights_that_are_not_whole_are_relative():
    X, y = a_table(300)
    weight = np.random.default_rng(3).random(len(y)) + 0.1
    first = DecisionTreeRegressor(leaf_model="linear").fit(X, y, sample_weight=weight)
    second = DecisionTreeRegressor(leaf_model="linear").fit(X, y, sample_weight=weight / 1024)
    assert np.allclose(first.predict(X), second.predict(X))


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [DecisionTreeRegressor(leaf_model="linear"), DecisionTreeClassifier(leaf_model="logistic")],
    ids=["linear", "logistic"],
)
def test_scikit_learns_checks(model):
    check_estimator(model, on_skip=None)
