"""Trees with linear leaves beside constant leaves, and beside a loop of scikit-learn over the leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import data
from .results import OURS, Result
from .setting import Setting, rows_of
from .training import timed

PART = "Model trees"
LEAVES = 64
LOOP = "scikit-learn, a loop over leaves"


def results(setting: Setting) -> Iterator[Result]:
    """Fit and predict, on the largest size of the setting up to 200,000 rows."""
    from treewright import DecisionTreeRegressor

    n = min(200_000, max(setting.sizes) * 10)
    X, y = data.numbers(n)
    shared: dict[str, Any] = {"max_leaf_nodes": LEAVES, "n_jobs": setting.threads}
    constant, linear = DecisionTreeRegressor(**shared), DecisionTreeRegressor(leaf_model="linear", **shared)
    five = DecisionTreeRegressor(leaf_model="linear", leaf_options={"max_columns": 5}, **shared)
    work = f"fit, {rows_of(n)} × 20, {LEAVES} leaves"
    fits: dict[str, Callable[[], Any]] = {
        OURS: lambda: linear.fit(X, y),
        "treewright, constant leaves": lambda: constant.fit(X, y),
        LOOP: lambda: loop(X, y),
    }
    yield from timed(setting, PART, work, fits, setting.repeats)
    five.fit(X, y)
    predictions: dict[str, Callable[[], Any]] = {
        OURS: lambda: five.predict(X),
        "treewright, constant leaves": lambda: constant.predict(X),
    }
    work = f"predict, {rows_of(n)} × 20, 5 columns in a leaf"
    yield from timed(setting, PART, work, predictions, setting.many)


def loop(X: Any, y: Any) -> list[Any]:
    """What people write by hand: a tree of scikit-learn, and a linear regression for each of its leaves.

    It does less than our fit: splits are for constant leaves, and neither penalty nor size is chosen. A
    cheaper loop is hardly possible: nine tenths of its time are the tree.
    """
    from sklearn.linear_model import LinearRegression
    from sklearn.tree import DecisionTreeRegressor

    leaf = DecisionTreeRegressor(max_leaf_nodes=LEAVES).fit(X, y).apply(X)
    return [LinearRegression().fit(X[leaf == each], y[leaf == each]) for each in np.unique(leaf)]
