"""Pruning by cross-validation: beside one fit of treewright, and beside scikit-learn's grid search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import data
from .results import Result
from .setting import Setting, rows_of

PART = "Pruning by 5-fold cross-validation"
ALPHAS = 20


def results(setting: Setting) -> Iterator[Result]:
    """Choosing alpha, and how many fits that costs."""
    from treewright import DecisionTreeClassifier

    n, threads = setting.middle, setting.threads
    X, y = data.two_classes(n)
    work = f"choosing alpha, {rows_of(n)} × 20"
    seconds = setting.best_of(
        {
            "treewright": lambda: DecisionTreeClassifier(ccp_alpha="cv", n_jobs=threads).fit(X, y),
            "one fit of treewright, unpruned": lambda: DecisionTreeClassifier(n_jobs=threads).fit(X, y),
        },
        setting.many,
    )
    for name, each in seconds.items():
        yield Result(PART, work, name, each)
    n = setting.small
    X, y = data.two_classes(n)
    work = f"choosing alpha, {rows_of(n)} × 20, each measured once"
    yield Result(
        PART,
        work,
        "treewright",
        setting.best(lambda: DecisionTreeClassifier(ccp_alpha="cv", n_jobs=threads).fit(X, y), 1),
    )
    grid = f"scikit-learn, GridSearchCV over {ALPHAS} alphas"
    yield Result(PART, work, grid, setting.best(lambda: _grid_search(X, y, threads), 1))


def _grid_search(X: Any, y: Any, threads: int) -> Any:
    """Alphas of scikit-learn's own pruning path, spread evenly over it."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    path = np.maximum(tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0.0)
    alphas = path[np.linspace(0, len(path) - 1, ALPHAS).astype(int)]
    return GridSearchCV(tree, {"ccp_alpha": np.unique(alphas)}, cv=5, n_jobs=threads).fit(X, y)
