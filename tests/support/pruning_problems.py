"""Small grown trees of every kind, with the rows they were grown on and some that were held out."""

from dataclasses import dataclass

import numpy as np

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.pruning import Rows, rows_for
from treewright.tree.tree import Tree

MISSING = ["learned", "branch", "surrogate", "fractional"]
CRITERIA = {
    True: ["gini", "entropy", "error", "gain_ratio"],
    False: ["squared_error", "absolute_error", "poisson"],
}


@dataclass
class Problem:
    """A tree, the rows it was grown on, and rows that were held out."""

    tree: Tree
    grown_on: Rows
    held: Rows


def table(rng, n_rows):
    """Two numbers and three levels, of which some are missing; the first column matters."""
    X = np.empty((n_rows, 3), dtype=object)
    X[:, 0] = np.round(rng.normal(size=n_rows), 1)
    X[:, 1] = rng.integers(0, 4, n_rows).astype(float)
    X[:, 2] = rng.choice(["a", "b", "c", "d"], n_rows)
    X[:, 2][rng.random(n_rows) < 0.5] = "a"
    signal = X[:, 0].astype(float) + 0.5 * (X[:, 2] == "b")
    gone = rng.random(X.shape) < rng.choice([0.0, 0.2])
    gone[0] = False
    X[gone[:, 0], 0], X[gone[:, 1], 1], X[gone[:, 2], 2] = np.nan, np.nan, None
    return X, signal


def problem(seed, classes=None, missing=None, most_leaves=9):
    """A tree of few leaves, since oracles try every pruned tree."""
    rng = np.random.default_rng(seed)
    classes = rng.random() < 0.6 if classes is None else classes
    n_rows = int(rng.integers(6, 40))
    X, signal = table(rng, 2 * n_rows)
    noisy = signal + rng.normal(size=len(signal)) * rng.choice([0.3, 1.5])
    # steps of 1/8, so that sums are exact whatever their order
    y = np.digitize(noisy, [-0.3, 0.9]) if classes else np.round(np.abs(noisy) * 8) / 8
    weight = None if rng.random() < 0.5 else rng.integers(0, 4, len(y)) / 2 + 0.5
    params = {
        "criterion": str(rng.choice(CRITERIA[bool(classes)])),
        "missing": missing or str(rng.choice(MISSING)),
        "nominal_splits": "subset",
        "max_leaf_nodes": most_leaves,
        "n_jobs": 1,
    }
    if params["missing"] != "surrogate":  # which needs tests with two branches
        params["nominal_splits"] = str(rng.choice(["subset", "multiway"]))
    here, there = slice(0, n_rows), slice(n_rows, None)
    y[:3] = [0, 1, 2] if classes else y[:3] + 0.125  # every class is known, and some number is above 0
    if classes and rng.random() < 0.3:
        params["costs"] = (1 + rng.integers(0, 3, (3, 3))) * (1 - np.eye(3))
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    of = [None if weight is None else weight[part] for part in (here, there)]
    tree = kind(**params).fit(X[here], y[here], sample_weight=of[0]).tree_
    parts = zip((here, there), of, strict=True)
    return Problem(tree, *(rows_for(tree, X[part], y[part], w, params["criterion"]) for part, w in parts))
