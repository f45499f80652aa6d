"""Linear leaves: splits and equations, prediction against its definition, files, hard numbers."""

import pickle

import numpy as np
import pandas as pd
import pytest

from tests.oracle.linear_leaves import least_squares, predictions
from treewright import DecisionTreeRegressor, load
from treewright.learn.parts.refusals import refuse
from treewright.tree.tree import tree_from_dict


def a_table(n_rows=400, seed=0):
    """Numbers, levels and missing values, with a slope that depends on a level."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "rooms": rng.integers(1, 9, n_rows).astype(float),
            "area": rng.choice(["north", "south", "west"], n_rows),
        }
    )
    table.loc[rng.random(n_rows) < 0.1, "size"] = np.nan
    size = table["size"].to_numpy()
    y = np.where(table.area == "north", 3 * np.nan_to_num(size, nan=2.0), -2 * np.nan_to_num(size))
    return table, y + table.rooms.to_numpy() + rng.normal(size=n_rows) * 0.1


def test_a_cosine_is_two_lines():
    # Least squares on each half of cos(pi x) in [-1, 1]: slopes 24 / pi^2, error 1/2 - 48 / pi^4.
    x = np.linspace(-1, 1, 20_000)
    y = np.cos(np.pi * x)
    model = DecisionTreeRegressor(leaf_model="linear", max_leaf_nodes=2).fit(x[:, None], y)
    tree = model.tree_
    assert abs(tree.threshold[0]) < 2e-4
    left, right = (tree.leaf_models.terms(node)[0] for node in (1, 2))
    assert left.coefficient == pytest.approx(24 / np.pi**2, abs=2e-4)
    assert right.coefficient == pytest.approx(-24 / np.pi**2, abs=2e-4)
    assert tree.leaf_models.intercept(1) == pytest.approx(12 / np.pi**2, abs=2e-4)
    assert np.mean((model.predict(x[:, None]) - y) ** 2) == pytest.approx(0.0072, abs=5e-5)


def test_predictions_follow_their_definition():
    table, y = a_table()
    model = DecisionTreeRegressor(leaf_model="linear").fit(table, y)
    new, _ = a_table(50, seed=1)
    new.loc[1, :] = [np.nan, np.nan, None]
    rows = model.fitted_tree.columns(new)
    expected = predictions(model.tree_, model.apply(new), rows)
    assert np.allclose(model.predict(new), expected, rtol=1e-12, atol=1e-12)
    assert model.score(table, y) > 0.98
    assert model.get_n_leaves() >= 2


def test_matrices_of_any_kind_predict_alike():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).astype(np.float32)
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 2])
    model = DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    usual = model.predict(X)
    assert np.array_equal(usual, model.predict(X.astype(np.float64)))
    assert np.array_equal(usual, model.predict(np.asfortranarray(X)))
    named = pd.DataFrame(X.astype(np.float64))
    named[3] = named[3].astype(object).astype(float)
    assert np.array_equal(usual, model.tree_.predict(named)[:, 0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_rows_predict_as_each_row_alone(dtype):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9_001, 4)).astype(dtype)
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 2]) + X[:, 3]
    model = DecisionTreeRegressor(leaf_model="linear", leaf_options={"max_columns": 2}).fit(X, y)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:3, 1], X[:3, 2] = np.inf, -np.inf
    found, some = model.predict(X), np.r_[:20, 500:530, 8180:8200, 8990:9001]
    assert np.array_equal(found[some], [model.predict(X[[row]])[0] for row in some])
    rows = model.fitted_tree.columns(X)
    assert np.allclose(found[3:], predictions(model.tree_, model.apply(X), rows)[3:], rtol=1e-12, atol=1e-12)
    assert np.isfinite(found).all()


def test_a_tree_is_the_same_after_files_dictionaries_and_pickles(tmp_path):
    table, y = a_table()
    model = DecisionTreeRegressor(leaf_model="linear").fit(table, y)
    tree, read = model.tree_, load(model.save(tmp_path / "m.tree.json"))
    assert read.tree_ == tree
    assert tree_from_dict(tree.to_dict()) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree.digest == read.tree_.digest
    assert np.array_equal(read.predict(table), model.predict(table))


def test_a_leaf_without_penalty_is_least_squares():
    table, y = a_table(200)
    X = table[["size", "rooms"]].fillna(0.0).to_numpy()
    options = {"penalty": None, "clip": False}
    model = DecisionTreeRegressor(leaf_model="linear", leaf_options=options, max_leaf_nodes=3).fit(X, y)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        own = leaf == node
        assert np.allclose(model.predict(X[own]), least_squares(X[own], y[own]), atol=1e-8)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda X: X * np.array([1e8, 1e-8, 1]),
        lambda X: X + np.array([1e8, 0, 0]),
        lambda X: np.column_stack([X, X[:, 0] + 1e-9 * X[:, 1]]),
        lambda X: np.column_stack([X, X[:, 0], np.ones(len(X))]),
        lambda X: np.column_stack([X, np.random.default_rng(1).normal(size=(len(X), 60))]),
    ],
    ids=["scaled", "shifted", "nearly collinear", "equal and constant", "more columns than rows"],
)
def test_hard_numbers(spoil):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, -2.0, 0.5] + 0.1 * rng.normal(size=60)
    X = spoil(X)
    options = {"penalty": None, "clip": False}
    model = DecisionTreeRegressor(leaf_model="linear", leaf_options=options, max_leaf_nodes=2).fit(X, y)
    found = model.predict(X)
    assert np.isfinite(found).all()
    leaf = model.apply(X)
    for node in np.unique(leaf):
        own = leaf == node
        assert np.allclose(found[own], least_squares(X[own], y[own]), atol=1e-8)
    shrunk = DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    assert np.isfinite(shrunk.predict(X)).all()


def test_options_limit_the_terms():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 6))
    y = np.where(X[:, 0] > 0, X[:, 1] + X[:, 2], -X[:, 1]) + 0.1 * rng.normal(size=500)

    def fitted(**options):
        return DecisionTreeRegressor(leaf_model="linear", leaf_options=options).fit(X, y).tree_

    tree = fitted(max_columns=2)
    assert all(len(tree.leaf_models.terms(node)) <= 2 for node in range(tree.node_count))
    assert fitted(columns=[1, 2]).leaf_models.used == [1, 2]
    path = fitted(columns="path")
    assert not path.leaf_models.terms(0)
    for node in range(1, path.node_count):
        above, tested = path.parent[node], set()
        while above >= 0:
            tested.add(int(path.feature[above]))
            above = path.parent[above]
        assert {term.feature for term in path.leaf_models.terms(node)} <= tested
    lasso = fitted(penalty="lasso", alpha=0.3)
    assert max(len(lasso.leaf_models.terms(node)) for node in range(lasso.node_count)) < 6
    assert fitted(prune=False).n_leaves > fitted().n_leaves


def test_clipped_predictions_stay_near_the_leaf():
    x = np.linspace(0, 1, 100)[:, None]
    y = 3 * x[:, 0]
    far = np.array([[10.0], [-10.0]])
    model = DecisionTreeRegressor(leaf_model="linear").fit(x, y)
    assert np.allclose(model.predict(far), [3.3, -0.3])
    free = DecisionTreeRegressor(leaf_model="linear", leaf_options={"clip": False}).fit(x, y)
    assert np.allclose(free.predict(far), [30, -30], rtol=1e-3)
    assert np.isfinite(model.predict([[np.inf], [-np.inf], [np.nan]])).all()


def test_weights_count_as_repeated_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0, X[:, 1], -X[:, 1]) + 0.1 * rng.normal(size=200)
    options = {"penalty": None, "prune": False}
    params = {"leaf_model": "linear", "leaf_options": options, "max_leaf_nodes": 2}
    double = DecisionTreeRegressor(**params).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    weighted = DecisionTreeRegressor(**params).fit(X, y, sample_weight=np.full(200, 2.0))
    assert np.allclose(double.predict(X), weighted.predict(X))
    zero = np.r_[np.ones(150), np.zeros(50)]
    part = DecisionTreeRegressor(**params).fit(X[:150], y[:150])
    assert np.allclose(part.predict(X), DecisionTreeRegressor(**params).fit(X, y, zero).predict(X))


@pytest.mark.parametrize("outlier", [1e12, 1e150, -1e308])
def test_a_row_without_weight_has_no_part(outlier):
    rng = np.random.default_rng(0)
    X = 1e-5 * rng.normal(size=(200, 2))
    y = 1e5 * X @ [1.0, 2.0]
    before = DecisionTreeRegressor(leaf_model="linear").fit(X, y).predict(X)
    X0, y0 = np.vstack([[outlier, -outlier], X]), np.r_[0.0, y]
    after = DecisionTreeRegressor(leaf_model="linear").fit(X0, y0, sample_weight=np.r_[0.0, np.ones(200)])
    assert np.allclose(after.predict(X), before, atol=1e-6)


@pytest.mark.parametrize("mean", [1e154, 1e160])
def test_squares_of_a_mean_beyond_floats(mean):
    x = np.linspace(-1, 1, 200)
    near = DecisionTreeRegressor(leaf_model="linear").fit(mean + x[:, None] * mean / 1e8, x)
    assert near.score(mean + x[:, None] * mean / 1e8, x) > 0.999
    assert near.get_n_leaves() == 1
    far = DecisionTreeRegressor(leaf_model="linear").fit(x[:, None] * mean, x)  # no equation, but no error
    assert far.score(x[:, None] * mean, x) > 0.9


def test_odd_tables():
    rng = np.random.default_rng(0)
    names = pd.DataFrame(
        {
            "id": [f"name {k}" for k in range(3000)],
            "nothing": [np.nan] * 3000,
            "same": 1.0,
            "x": rng.normal(size=3000),
        }
    )
    y = names.x.to_numpy() * 2
    with pytest.warns(UserWarning, match="Every value is missing"):
        model = DecisionTreeRegressor(leaf_model="linear").fit(names, y)
    assert model.score(names, y) > 0.99
    assert model.tree_.leaf_models.used == [3]
    for n_rows in (1, 2, 3, 10):
        few = DecisionTreeRegressor(leaf_model="linear").fit(np.arange(n_rows)[:, None], np.arange(n_rows))
        assert np.isfinite(few.predict([[0.5]])).all()
    both = DecisionTreeRegressor(leaf_model="linear").fit(names[["x"]], np.column_stack([y, -y]))
    assert np.allclose(both.predict(names[["x"]]), np.column_stack([y, -y]), atol=1e-3)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"leaf_model": "logistic"}, "leaf_model must be one of 'constant', 'linear'"),
        ({"leaf_options": {"alpha": 1}}, "leaf_options are those of a leaf model"),
        ({"leaf_model": "linear", "monotonic_cst": [1, 0]}, "needs monotonic_cst=None"),
        ({"leaf_model": "linear", "criterion": "poisson"}, "needs criterion='squared_error'"),
        ({"leaf_model": "linear", "smoothing": "branch"}, "needs smoothing=None"),
        ({"leaf_model": "linear", "leaf_options": {"alpha": -1}}, "alpha of leaf_options must be 'cv' or a"),
        ({"leaf_model": "linear", "leaf_options": {"penalty": "l2"}}, "penalty of leaf_options must be"),
        ({"leaf_model": "linear", "leaf_options": {"aplha": 1}}, "Did you mean 'alpha'"),
        ({"leaf_model": "linear", "leaf_options": {"columns": [9]}}, "numbers in 0..1. Got 9"),
        ({"leaf_model": "linear", "leaf_options": {"penalty": None, "alpha": 2}}, "Use penalty='ridge'"),
    ],
)
def test_refused_parameters(params, sentence):
    X = np.random.default_rng(0).random((30, 2))
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        DecisionTreeRegressor(**params).fit(X, X[:, 0])


def test_thresholds_may_be_short_numbers():
    X = np.linspace(-3, 3, 200)[:, None]
    model = DecisionTreeRegressor(leaf_model="linear", thresholds="rounded", max_depth=1)
    threshold = model.fit(X, np.abs(X[:, 0] - 0.5)).tree_.threshold[0]
    assert threshold == 0.51  # the data has 0.497 and 0.528
    with pytest.raises(ValueError, match="needs thresholds='midpoint' or 'observed' or 'rounded'"):
        model.set_params(thresholds="recorded").fit(X, X[:, 0])


def test_infinite_numbers_are_refused():
    X = np.array([[1.0], [np.inf], [2.0]])
    with pytest.raises(ValueError, match=r"A linear leaf needs finite numbers\. Got an infinite value"):
        DecisionTreeRegressor(leaf_model="linear").fit(X, [1, 2, 3])


def test_tables_larger_than_memory_need_constant_leaves():
    with pytest.raises(ValueError, match="leaf_model must not be 'linear' where the table"):
        refuse(DecisionTreeRegressor(leaf_model="linear").get_params())


def test_looking_ahead_finds_splits_that_help_below():
    # y = |a| * |b|-like pieces: neither cut alone helps much, both together leave nothing.
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(4000, 2))
    y = np.sign(X[:, 0]) * np.sign(X[:, 1]) * (1 + X[:, 0])

    def error(look_ahead):
        options = {"look_ahead": look_ahead, "prune": False}
        model = DecisionTreeRegressor(leaf_model="linear", leaf_options=options, max_depth=2)
        return np.mean((model.fit(X, y).predict(X) - y) ** 2)

    assert error(2) <= error(0) + 1e-9
    assert error(2) < 0.05
