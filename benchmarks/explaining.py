"""Explaining: exact ShapleyValues values beside the shap package, and the nearest counterfactual of a row."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

import treewright
from treewright.present.export.sklearn import to_sklearn

from . import data
from .clock import best
from .report import Row, against

DEPTH, LEAVES = 8, 1_000


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """All rows whose names contain `only`."""
    many = sizes.middle // 2
    X, y = data.two_classes(many)
    X = X.astype(np.float32)  # so that the twin in scikit-learn has the same tree
    for n_jobs, threads in ((1, "one thread"), (None, "all threads")):
        title = f"explain: ShapleyValues values of {many:,} × {X.shape[1]}, depth {DEPTH}, {threads}"
        if only in title:
            yield from _shapley(title, X, y, n_jobs)
    title = f"explain: nearest counterfactual of a row, {LEAVES:,} leaves"
    if only in title:
        yield _counterfactual(title, X, y)


def _shapley(title: str, X: data.Array, y: data.Array, n_jobs: int | None) -> Iterator[Row]:
    model = treewright.DecisionTreeClassifier(max_depth=DEPTH).fit(X, y)
    mine = best(lambda: treewright.shapley_values(model, X, n_jobs=n_jobs), runs=3)
    if find_spec("shap") is None:
        yield Row(title, 1e9 * mine / len(X), "ns a row", ours_seconds=mine)
        return
    from shap import TreeExplainer

    theirs = TreeExplainer(to_sklearn(model))
    yield against(title, "shap, one thread", mine, best(lambda: theirs.shap_values(X), runs=1, seconds=0), 5)


def _counterfactual(title: str, X: data.Array, y: data.Array) -> Row:
    """The mean of some rows, one call each."""
    model = treewright.DecisionTreeClassifier(max_leaf_nodes=LEAVES).fit(X, y)
    some = X[: min(50, len(X))]

    def run() -> None:
        for number in range(len(some)):
            treewright.counterfactual(model, some, row=number)

    seconds = best(run, runs=3) / len(some)
    return Row(title, 1e3 * seconds, "ms", ours_seconds=seconds, aim=5, at_most=True)
