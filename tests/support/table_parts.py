"""Random tables, whole and in parts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl


def random_table(rng):
    """A table of many types with a target "y" and perhaps weights "w"; and whether y is of classes."""
    n = int(rng.integers(5, 400))
    columns = {f"c{j}": _column(rng, n) for j in range(rng.integers(1, 5))}
    classes = bool(rng.random() < 0.5)
    y = rng.choice(["p", "q", "r"], n).tolist() if classes else rng.normal(size=n).tolist()
    columns["y"] = pl.Series(y)
    if rng.random() < 0.5:
        columns["w"] = pl.Series(rng.integers(0, 4, n) * 0.37 + 0.01 * (np.arange(n) == 0))
    return pl.DataFrame(columns), classes


def _column(rng, n):
    gap = (rng.random(n) < rng.choice([0, 0.1])).tolist()
    kind = rng.choice(["float", "int", "text", "category", "boolean", "time"])
    if kind == "float":
        values, dtype = rng.normal(size=n).round(int(rng.integers(0, 4))).tolist(), pl.Float64
    elif kind == "int":
        values, dtype = rng.integers(-5, 50, n).tolist(), pl.Int32
    elif kind == "boolean":
        values, dtype = (rng.random(n) < 0.5).tolist(), pl.Boolean
    elif kind == "time":
        return pl.Series(rng.integers(0, 10**6, n)).cast(pl.Datetime("us"))
    else:
        values = ["abcdef"[k] for k in rng.integers(0, 6, n)]
        dtype = pl.String if kind == "text" else pl.Categorical
    return pl.Series([None if lost else value for value, lost in zip(values, gap, strict=True)], dtype=dtype)


def cut(rng, table, n_parts):
    """The table in parts, some of them perhaps empty, in any order."""
    at = [0, *np.sort(rng.integers(0, len(table) + 1, n_parts - 1)).tolist(), len(table)]
    parts = [table[low:high] for low, high in pairwise(at)]
    return [parts[place] for place in rng.permutation(len(parts))]


def random_params(rng, classes):
    """Parameters of a tree that can be grown from parts."""
    params = {"min_samples_leaf": int(rng.integers(1, 5))}
    if classes and rng.random() < 0.5:
        params["class_weight"] = "balanced"
    if rng.random() < 0.3:
        params["min_samples_split"] = 0.1
    if rng.random() < 0.3:
        params["max_leaf_nodes"] = int(rng.integers(2, 15))
    for name, values in {
        "criterion": ["gini", "entropy", "gain_ratio", "error"] if classes else ["squared_error"],
        "thresholds": ["midpoint", "observed", "rounded"],
        "nominal_splits": ["subset", "multiway", "one_vs_rest"],
        "missing": ["learned", "branch"],
        "level_correction": [True],
        "growth": ["depth", "breadth", "best"],
        "categorical_features": ["unordered"],
        "min_impurity_decrease": [0.001],
        "min_weight_fraction_leaf": [0.02],
    }.items():
        if rng.random() < 0.3:
            params[name] = values[int(rng.integers(len(values)))]
    if params.get("nominal_splits") == "multiway" or params.get("missing") == "branch":
        params.pop("max_leaf_nodes", None)
    return params
