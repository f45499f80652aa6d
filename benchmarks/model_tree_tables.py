"""Model trees on real tables: `python -m benchmarks.model_tree_tables [--only NAME] [--data FOLDER]`.

Our linear leaves in their default setting, M5P and Cubist as `treewright.classics` build them, and Quinlan's
own Cubist if the package `cubist` is installed: R² and leaves (rules) as means over the same five folds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from .real_tables import Table, asked_for, headline, outer_folds


class Fitted(NamedTuple):
    """What a method predicts for the rows of a fold, and the leaves or rules that it has."""

    predicted: Any
    leaves: int


Method = Callable[[Any, Any, Any], Fitted]


def _linear(X: Any, y: Any, new: Any) -> Fitted:
    from treewright import DecisionTreeRegressor

    model = DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    return Fitted(model.predict(new), int(model.get_n_leaves()))


def _m5p(X: Any, y: Any, new: Any) -> Fitted:
    from treewright.classics import m5p

    model = m5p().fit(X, y)
    return Fitted(model.predict(new), int(model.get_n_leaves()))


def _rules(X: Any, y: Any, new: Any) -> Fitted:
    from treewright.classics import cubist

    model = cubist().fit(X, y)
    return Fitted(model.predict(new), model.get_n_leaves())


def _cubist(X: Any, y: Any, new: Any) -> Fitted:
    """One committee and no neighbours: its rules alone, as the others are one tree."""
    from cubist import Cubist

    train, test = _for_cubist(X, new)
    model = Cubist().fit(train, y)
    return Fitted(model.predict(test), len(model.coeffs_[["committee", "rule"]].drop_duplicates()))


def _for_cubist(X: Any, new: Any) -> tuple[Any, Any]:
    """Numbers as doubles, levels as text; one that the training rows lack is their most frequent one."""
    train, test = X.copy(), new.copy()
    for name in X:
        if X[name].dtype.kind in "iufb":
            train[name], test[name] = X[name].astype(float), new[name].astype(float)
            continue
        train[name], test[name] = (
            part[name].astype(object).fillna("missing").astype(str) for part in (X, new)
        )
        known, usual = set(train[name]), train[name].mode()[0]
        test[name] = test[name].where(test[name].isin(known), usual)
    return train, test


METHODS: dict[str, Method] = {"linear leaves": _linear, "M5P": _m5p, "our Cubist": _rules} | (
    {"Cubist": _cubist} if find_spec("cubist") else {}
)


def run(table: Table) -> dict[str, tuple[float, float]]:
    """R² and leaves of every method, as means over the folds."""
    from sklearn.metrics import r2_score

    found: dict[str, list[tuple[float, int]]] = {name: [] for name in METHODS}
    for train, test in outer_folds(table):
        for name, method in METHODS.items():
            fitted = method(table.X.iloc[train], table.y[train], table.X.iloc[test])
            found[name].append((float(r2_score(table.y[test], fitted.predicted)), fitted.leaves))
    return {name: tuple(np.mean(each, axis=0)) for name, each in found.items()}


def main(arguments: list[str] | None = None) -> None:
    """Print a line per table, and the means of all."""
    rows = []
    for table in asked_for("benchmarks.model_tree_tables", __doc__, arguments):
        if table.classes:
            continue
        found = run(table)
        rows.append(found)
        print(f"{headline(table):<50} {_line(found)}", flush=True)
    if rows:
        means = {name: tuple(np.mean([row[name] for row in rows], axis=0)) for name in METHODS}
        print(f"{f'mean of {len(rows)} tables':<50} {_line(means)}")


def _line(found: dict[str, tuple[float, float]]) -> str:
    return "   ".join(f"{name} {r2:.4f} ({leaves:.1f} leaves)" for name, (r2, leaves) in found.items())


if __name__ == "__main__":
    main(sys.argv[1:])
