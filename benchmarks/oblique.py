"""Oblique trees beside axis-parallel ones and YDF's sparse oblique tree: accuracy and leaves on real tables.

All trees of treewright are pruned by cross-validation (`ccp_alpha="cv"`); YDF prunes its tree on rows that it
holds out, its default. The settings of `oblique` were chosen on every second table by name, from the first;
the summary is of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from .real_tables import Array, Table, asked_for, headline, outer_folds

OBLIQUE = 3
AXIS, OURS, YDF = "axis-parallel", f"oblique={OBLIQUE}", "YDF, sparse oblique"
Scores = dict[str, tuple[float, float]]  # accuracy and leaves


def trees() -> dict[str, Callable[..., tuple[Array, int]]]:
    """The methods that can run here: from rows to grow on and rows to test to predictions and leaves."""
    found: dict[str, Callable[..., tuple[Array, int]]] = {AXIS: ours(None), OURS: ours(OBLIQUE)}
    return found | ({YDF: ydf} if find_spec("ydf") else {})


def ours(oblique: int | None) -> Callable[..., tuple[Array, int]]:
    """A tree of treewright, pruned by cross-validation."""
    from treewright import DecisionTreeClassifier

    def run(X: Any, y: Array, test: Any) -> tuple[Array, int]:
        model = DecisionTreeClassifier(oblique=oblique, ccp_alpha="cv").fit(X, y)
        return np.asarray(model.predict(test)), model.get_n_leaves()

    return run


def ydf(X: Any, y: Array, test: Any) -> tuple[Array, int]:
    """YDF's CART with sparse oblique tests."""
    import ydf as yggdrasil

    yggdrasil.verbose(0)
    names = [f"x{k}" for k in range(X.shape[1])]
    table = _plain(X, names) | {"y": y.astype(str)}
    model = yggdrasil.CartLearner(label="y", split_axis="SPARSE_OBLIQUE").train(table)
    found = model.predict(_plain(test, names))
    labels = np.asarray(model.label_classes(), dtype=object)
    shares = np.asarray(found)
    place = (shares > 0.5).astype(int) if shares.ndim == 1 else shares.argmax(axis=1)
    return labels[place], sum(tree_leaves(model))


def tree_leaves(model: Any) -> list[int]:
    """The leaves of every tree of a model of YDF."""
    found = []
    for tree in model.iter_trees():
        leaves, open_ = 0, [tree.root]
        while open_:
            node = open_.pop()
            if node.is_leaf:
                leaves += 1
            else:
                open_ += [node.pos_child, node.neg_child]
        found.append(leaves)
    return found


def _plain(X: Any, names: list[str]) -> dict[str, Array]:
    """Numbers as float32, all else as text."""
    found = {}
    for name, (_, column) in zip(names, X.items(), strict=True):
        number = column.dtype.kind in "biuf" and str(column.dtype) != "category"
        texts = np.array(["" if gone else str(x) for x, gone in zip(column, column.isna(), strict=True)])
        found[name] = column.to_numpy(np.float32, na_value=np.nan) if number else texts.astype(object)
    return found


def run(table: Table) -> Scores:
    """The means over the outer folds."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in trees()}
    for train, test in outer_folds(table):
        for name, fit in trees().items():
            predicted, leaves = fit(table.X.iloc[train], table.y[train], table.X.iloc[test])
            accuracy = float((predicted.astype(str) == table.y[test].astype(str)).mean())
            found[name].append((accuracy, float(leaves)))
    return {name: tuple(np.mean(each, axis=0).tolist()) for name, each in found.items()}


def summary(runs: dict[str, Scores]) -> str:
    """Mean accuracy, and the geometric mean of the leaves."""
    lines = [f"{len(runs)} tables             mean accuracy   leaves (geometric mean)"]
    for name in next(iter(runs.values())):
        accuracy = np.mean([scores[name][0] for scores in runs.values()])
        leaves = np.exp(np.mean([np.log(scores[name][1]) for scores in runs.values()]))
        lines.append(f"{name:<24} {accuracy:.4f}          {leaves:.1f}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> dict[str, Scores]:
    """Run the tables with classes and at least two columns of numbers."""
    runs: dict[str, Scores] = {}
    for table in asked_for("benchmarks.oblique", __doc__, arguments):
        if not table.classes or len(table.X.select_dtypes("number").columns) < 2:
            continue
        runs[table.name] = run(table)
        cells = ", ".join(f"{name} {a:.4f} ({k:.1f})" for name, (a, k) in runs[table.name].items())
        print(f"{headline(table)}: {cells}", flush=True)
    names = list(runs)
    if names:
        for title, some in (("chosen on", names[::2]), ("reported", names[1::2])):
            if some:
                print(f"\n{title}\n{summary({name: runs[name] for name in some})}")
    return runs


if __name__ == "__main__":
    main()
