"""How good the pruned trees are on real tables: `python -m benchmarks.tables [--quick] [--only NAME]`.

Five outer folds with a fixed seed, one fixed setting per method for all tables; nothing is tuned. The loss is
the share of wrong classes, or the squared error over that of the mean of the training rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .contenders import ALL, REFERENCE
from .real_tables import Table, asked_for, headline, outer_folds, ranks, ratios

SMALL = 1e-3  # added to losses before they are divided, since some trees make no error


class Result(NamedTuple):
    """A method on one table: means over the outer folds."""

    loss: float
    leaves: float
    seconds: float


def run(table: Table) -> dict[str, Result]:
    """Every method that suits the table."""
    found = {}
    folds = outer_folds(table)
    for name, contender in ALL.items():
        if contender.only_classes and not table.classes:
            continue
        parts = [_one(table, contender, train, test) for train, test in folds]
        losses, weights, leaves, seconds = np.array(parts).T
        found[name] = Result(float(losses.sum() / weights.sum()), float(leaves.mean()), float(seconds.mean()))
    return found


def _one(table: Table, contender: Any, train: Any, test: Any) -> tuple[float, float, float, float]:
    """The loss of one fold, what it is divided by, the leaves of the tree, and the seconds of its fit."""
    prepared = contender.prepare(table.X.iloc[train], table.X.iloc[test])
    start = perf_counter()
    model = contender.fit(prepared[0], table.y[train], table.classes)
    seconds = perf_counter() - start
    said, truth = model.predict(prepared[1]), table.y[test]
    if table.classes:
        return float((said != truth).sum()), float(len(test)), model.get_n_leaves(), seconds
    base = ((truth - table.y[train].mean()) ** 2).sum()
    return float(((said - truth) ** 2).sum()), float(base), model.get_n_leaves(), seconds


# -- what is printed


def lines_of(table: Table, found: dict[str, Result]) -> Iterator[str]:
    """One table with all methods."""
    yield headline(table)
    for name, result in found.items():
        yield f"  {name:34} loss {result.loss:.4f}  leaves {result.leaves:8.1f}  {result.seconds:8.3f} s"


def averages(runs: list[dict[str, Result]], title: str) -> Iterator[str]:
    """Means over tables, for the methods that ran on all of them; ratios are geometric means."""
    shared = [name for name in ALL if all(name in found for found in runs)]
    losses = np.array([[found[name].loss for name in shared] for found in runs])
    leaves = np.array([[found[name].leaves for name in shared] for found in runs])
    places = np.array([ranks(row) for row in losses]).mean(axis=0)
    base = shared.index(REFERENCE)
    worse = ratios(losses + SMALL, base)
    larger = ratios(leaves, base)
    yield f"{title}, tables: {len(runs)}; ratios against: {REFERENCE}"
    yield f"  {'method':34} mean rank  mean loss  loss ratio  mean leaves  leaves ratio  no worse on"
    for k, name in enumerate(shared):
        wins = int((losses[:, k] <= losses[:, base] + 1e-12).sum())
        figures = f"{places[k]:9.2f}  {losses[:, k].mean():9.4f}  {worse[k]:10.3f}"
        yield f"  {name:34} {figures}  {leaves[:, k].mean():11.1f}  {larger[k]:12.3f}  {wins:11d}"


def main(arguments: list[str] | None = None) -> list[dict[str, Result]]:
    """Run all tables and print them as they come, then the averages."""
    kinds: dict[bool, list[dict[str, Result]]] = {True: [], False: []}
    for table in asked_for("benchmarks.tables", __doc__, arguments):
        kinds[table.classes].append(run(table))
        print("\n".join(lines_of(table, kinds[table.classes][-1])), flush=True)
    everything = kinds[True] + kinds[False]
    for title, runs in (("Classes", kinds[True]), ("Numbers", kinds[False]), ("All", everything)):
        if runs:
            print("\n" + "\n".join(averages(runs, title)))
    return everything


if __name__ == "__main__":
    main()
