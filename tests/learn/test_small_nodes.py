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
