"""Bounds come before the search of small nodes, unless a column is nominal: same tree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.learn.test_budgets import same
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

TARGETS = {
    "ordinary": lambda y, _: y,
    "far from zero": lambda y, _: 1e9 + 1e-7 * y,
    "skewed": lambda y, _: np.exp(3 * y),
    "two scales": lambda y, random: np.where(random.random(len(y)) < 0.5, y, 5 + 1e-6 * y),
    "few values": lambda y, _: np.floor(np.clip(y, 0, 3)),
    "huge": lambda y, _: 1e140 * y,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n_rows", [5, 40, 700, 3000])
@pytest.mark.parametrize(
    "options", [{}, {"min_samples_leaf": 7}, {"max_depth": 4, "min_weight_fraction_leaf": 0.02}]
)
def test_bounds_of_columns_change_no_tree(target: str, n_rows: int, options: dict[str, float]) -> None:
    random = np.random.default_rng(n_rows + len(target))
    X = pd.DataFrame(random.normal(size=(n_rows, 6)), columns=[f"x{i}" for i in range(6)])
    X[["x1", "x4"]] = X[["x1", "x4"]].round(1)  # ties
    y = TARGETS[target](X.sum(axis=1).to_numpy() + random.normal(size=n_rows), random)
    beside = X.assign(level=pd.Categorical(["all"] * n_rows))
    fitted = [DecisionTreeRegressor(**options, n_jobs=n).fit(X, y).tree_ for n in (1, 2)]
    exact = DecisionTreeRegressor(**options).fit(beside, y).tree_
    assert all(same(tree, exact) for tree in fitted)


@pytest.mark.parametrize("n_columns", range(1, 13))
@pytest.mark.parametrize("n_rows", [5, 40, 700, 3000])
@pytest.mark.parametrize("options", [{}, {"min_samples_leaf": 7}, {"max_depth": 4}, {"max_leaf_nodes": 9}])
def test_bounds_of_two_classes_change_no_tree(n_columns: int, n_rows: int, options: dict[str, int]) -> None:
    random = np.random.default_rng(100 * n_rows + n_columns)
    X = pd.DataFrame(random.normal(size=(n_rows, n_columns)), columns=[f"x{i}" for i in range(n_columns)])
    X["x0"] = X["x0"].round(1)  # ties
    X[f"x{n_columns - 1}"] = X["x0"]  # and a column that gains the same
    noise = random.normal(size=n_rows) * (n_columns % 3)
    y = np.where(X.sum(axis=1).to_numpy() + noise > 0.5, "yes", "no")
    beside = X.assign(level=pd.Categorical(["all"] * n_rows))
    found = DecisionTreeClassifier(**options).fit(X, y).tree_
    assert same(found, DecisionTreeClassifier(**options).fit(beside, y).tree_)


COLUMNS = {
    "last bits differ": lambda random, n: np.where(
        random.random(n) < 0.9, 1 + 2**-52 * random.integers(0, 9, n), 1e-300
    ),
    "heavy tails": lambda random, n: np.exp(8 * random.normal(size=n)) * random.choice([-1, 1], n),
    "one far away": lambda random, n: np.append(random.normal(size=n - 1), 1e12),
    "infinite": lambda random, n: random.choice([-np.inf, -1.0, 0.5, 2.0, np.inf], n),
    "range beyond a double": lambda random, n: random.uniform(-1, 1, n) * np.finfo(float).max,
    "denormal": lambda random, n: random.integers(-9, 9, n) * 5e-324,
    "few values": lambda random, n: random.integers(0, 3, n).astype(float),
    "constant": lambda _, n: np.full(n, 0.1),
    "integers": lambda random, n: random.integers(-(2**62), 2**62, n),
    "close integers": lambda random, n: 2**62 + random.integers(0, 40, n),
    "unsigned integers": lambda random, n: 2**63 + random.integers(0, 2**62, n).astype(np.uint64),
    "single precision": lambda random, n: random.normal(size=n).astype(np.float32),
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("n_rows", [2, 3, 30, 900, 6000])
def test_columns_of_any_values_are_ranked_in_order(column: str, n_rows: int) -> None:
    """Small nodes deal values into slices and sort these; other stores sort whole columns."""
    random = np.random.default_rng(n_rows)
    drawn = COLUMNS[column](random, n_rows)
    X = pd.DataFrame({"a": drawn, "b": random.normal(size=n_rows), "c": drawn[random.permutation(n_rows)]})
    y = np.argsort(np.argsort(drawn)) / n_rows + X["b"].to_numpy() + random.normal(size=n_rows)
    beside = X.assign(level=pd.Categorical(["all"] * n_rows))
    assert same(DecisionTreeRegressor().fit(X, y).tree_, DecisionTreeRegressor().fit(beside, y).tree_)
    y = np.where(y > np.median(y), "high", "low")
    assert same(DecisionTreeClassifier().fit(X, y).tree_, DecisionTreeClassifier().fit(beside, y).tree_)
