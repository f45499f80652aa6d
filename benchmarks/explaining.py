"""Explanations: exact Shapley values beside the shap package, and the counterfactual of a row."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

import treewright

from . import data
from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Explanations"
DEPTH, LEAVES, ROWS = 8, 1_000, 50


def results(setting: Setting) -> Iterator[Result]:
    """Shapley values of many rows on one thread each, and one counterfactual."""
    X, y = data.two_classes(setting.small)
    X = X.astype(np.float32)  # so that the tree in scikit-learn's form is the same
    model = treewright.DecisionTreeClassifier(max_depth=DEPTH).fit(X, y)
    work = f"Shapley values, {rows_of(len(X))} × 20, depth {DEPTH}, 1 thread"
    ours = setting.best(lambda: treewright.shapley_values(model, X, n_jobs=1))
    yield Result(PART, work, OURS, ours)
    if find_spec("shap"):
        from shap import TreeExplainer

        explainer = TreeExplainer(model.to_sklearn())
        yield Result(PART, work, "shap", setting.best(lambda: explainer.shap_values(X)))
    large = treewright.DecisionTreeClassifier(max_leaf_nodes=LEAVES).fit(X, y)

    def counterfactuals() -> None:
        for number in range(ROWS):
            treewright.counterfactual(large, X[:ROWS], row=number)

    work = f"counterfactual of one row, at most {LEAVES:,} leaves"
    yield Result(PART, work, OURS, setting.best(counterfactuals) / ROWS)
