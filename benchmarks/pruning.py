"""Pruning: what cross-validation and smoothing cost, and how long the path of a large tree takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from . import data
from .clock import best
from .report import Row, against

ALPHAS = 50  # of the grid search; two of them are timed, since its cost is the same for each


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Time the choice of an alpha, that of smoothing besides, the path of a large tree, and tuning."""
    yield from _choice(sizes.middle // 2, only)
    yield from _smoothing(sizes.middle // 2, only)
    yield from _path(sizes.large, only)
    yield from _tuning(sizes.middle // 10, only)


def _choice(n: int, only: str) -> Iterator[Row]:
    from treewright import DecisionTreeClassifier

    work = f"ccp_alpha='cv', 5 folds, {n // 1000}k × 20"
    if only not in work:
        return
    X, y = (part[:n] for part in data.two_classes(2 * n))
    one = best(lambda: DecisionTreeClassifier().fit(X, y))
    took = best(lambda: DecisionTreeClassifier(ccp_alpha="cv").fit(X, y))
    yield Row(work, took / one, "×", "one fit of ours", took, one, aim=2.5, at_most=True)
    theirs = best(lambda: _grid_search(X, y), runs=1) * ALPHAS / 2
    yield against(work, f"scikit-learn's GridSearchCV, {ALPHAS} alphas (25 × two)", took, theirs, 50)


def _smoothing(n: int, only: str) -> Iterator[Row]:
    from treewright import DecisionTreeClassifier

    X, y = (part[:n] for part in data.two_classes(2 * n))
    for way in "hierarchical", "branch":
        work = f"ccp_alpha='cv', smoothing='{way}', {n // 1000}k × 20"
        if only not in work:
            continue
        ways: dict[Any, list[float]] = {None: [], way: []}
        for _ in range(5):  # in turns: the difference is small
            for smoothing, times in ways.items():
                model = DecisionTreeClassifier(ccp_alpha="cv", smoothing=smoothing)
                times.append(best(partial(model.fit, X, y), runs=1))
        plain, took = (min(times) for times in ways.values())
        yield Row(work, took / plain, "×", "ccp_alpha='cv' of ours", took, plain, aim=1.1, at_most=True)


def _grid_search(X: Any, y: Any) -> Any:
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    return GridSearchCV(tree, {"ccp_alpha": [1e-5, 1e-4]}, cv=5, n_jobs=2, refit=False).fit(X, y)


def _path(n: int, only: str) -> Iterator[Row]:
    from treewright import DecisionTreeRegressor
    from treewright.learn.pruning import pruning_path

    work = "the pruning path of a tree of 50,000 leaves"
    if only not in work:
        return
    X, y = (part[: min(n, 100_000)] for part in data.numbers(max(n, 2)))
    tree = DecisionTreeRegressor(max_leaf_nodes=min(50_000, len(y) // 2)).fit(X, y).tree_
    yield Row(work, best(lambda: pruning_path(tree)), "s", aim=0.2, at_most=True)


def _tuning(n: int, only: str) -> Iterator[Row]:
    from sklearn.model_selection import GridSearchCV

    from treewright import DecisionTreeClassifier, tune

    work = f"tune, 240 settings, {n // 1000}k × 20"
    if only not in work:
        return
    X, y = (part[:n] for part in data.two_classes(2 * n))
    grid: dict[str, Any] = {
        "criterion": ["gini", "entropy"],
        "max_depth": [2, 4, 8, None],
        "min_samples_leaf": [1, 5, 20],
        "ccp_alpha": [0.0, *np.geomspace(1e-5, 1e-2, 9).tolist()],
    }
    took = best(lambda: tune(DecisionTreeClassifier(), X, y, **grid), runs=2)
    theirs = best(lambda: GridSearchCV(DecisionTreeClassifier(), grid, cv=5).fit(X, y), runs=1)
    yield against(work, "GridSearchCV over our own estimator", took, theirs, 10)
