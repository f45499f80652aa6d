"""Predicting: the same tree in both libraries, and single rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import treewright
from treewright.present.export.sklearn import to_sklearn

from . import data
from .clock import best
from .report import Row, against
from .rivals import THREADS, Task, is_installed, lightgbm, xgboost

LIMITS = {np.float32: 20, np.float64: 30}  # nanoseconds per row and thread at depth 10


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """All rows whose names contain `only`."""
    X, y = data.two_classes(sizes.large)
    X = X.astype(np.float32)  # so that scikit-learn need not convert, and has the same tree
    count = f"{sizes.large:,} rows"
    for depth in (6, 10, 20):
        title = f"predict {count}, depth {depth}"
        if only in title:
            yield from _same_tree(title, X, y, depth)
    if only in "predict per row and thread":
        yield from _per_row(X, y)
    for title, (rows_, labels) in (("iris", data.iris()), ("1,000 × 10", data.small())):
        work = f"small: predict one row, {title}"
        if only in work:
            model = treewright.DecisionTreeClassifier().fit(rows_, labels)
            yield _one_row(work, model, rows_[:1])
    for n_columns in (30, 1000):
        work = f"small: predict one row of pandas, {n_columns:,} columns"
        if only in work:
            yield _one_row_of_pandas(work, n_columns)


def _same_tree(title: str, X: data.Array, y: data.Array, depth: int) -> Iterator[Row]:
    model = treewright.DecisionTreeClassifier(max_depth=depth).fit(X, y)
    twin = to_sklearn(model, X)
    mine = best(lambda: model.predict(X))
    yield against(title, "scikit-learn", mine, best(lambda: twin.predict(X), runs=3), 5)
    for name, predict in _other_libraries(X, y, depth) if depth == 10 else ():
        yield against(title, name, mine, best(predict, runs=3))


def _other_libraries(X: data.Array, y: data.Array, depth: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """One tree of that depth, grown on a tenth of the rows."""
    task = Task(X[::10], y[::10], max_depth=depth)
    if is_installed("LightGBM"):
        light = lightgbm(task)()
        yield "LightGBM", lambda: light.predict(X, num_threads=THREADS)
    if is_installed("XGBoost"):
        other = xgboost(task)()
        yield "XGBoost", lambda: other.inplace_predict(X)


def _per_row(X: data.Array, y: data.Array) -> Iterator[Row]:
    """Nanoseconds per row on one thread, at depth 10."""
    for dtype, limit in LIMITS.items():
        table = X.astype(dtype)
        model = treewright.DecisionTreeClassifier(max_depth=10, n_jobs=1).fit(table, y)
        seconds = best(lambda model=model, table=table: model.predict(table))  # type: ignore[misc]
        title = f"predict per row and thread, {np.dtype(dtype).name}, depth 10"
        yield Row(title, 1e9 * seconds / len(table), "ns", ours_seconds=seconds, aim=limit, at_most=True)


def _one_row(work: str, model: Any, row: data.Array) -> Row:
    twin = to_sklearn(model)
    mine, theirs = best(lambda: model.predict(row), runs=200), best(lambda: twin.predict(row), runs=200)
    return against(work, "scikit-learn", mine, theirs, 1)


def _one_row_of_pandas(work: str, n_columns: int) -> Row:
    import pandas as pd
    from sklearn.tree import DecisionTreeClassifier

    names = [f"c{j}" for j in range(n_columns)]
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(500, n_columns)), columns=names)
    y, row = table["c0"] > 0, table.iloc[:1]
    model = treewright.DecisionTreeClassifier(max_depth=5).fit(table, y)
    twin = DecisionTreeClassifier(max_depth=5).fit(table, y)
    mine, theirs = best(lambda: model.predict(row), runs=100), best(lambda: twin.predict(row), runs=100)
    return against(work, "scikit-learn", mine, theirs, 1)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0))
