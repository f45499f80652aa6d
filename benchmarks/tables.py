"""How good the pruned trees are on real tables: `python -m benchmarks.tables [--quick] [--only NAME]`.

Five outer folds with a fixed seed, one fixed setting per method for all tables; nothing is tuned. The loss is
the share of wrong classes, or the squared error over that of the mean of the training rows. The tables are
Parquet files with an `index.csv`, the target last; the folder may be absent. Those of more than 20,000 rows,
of less than 100, and those whose rows belong together are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .contenders import ALL, REFERENCE

DATA = Path(__file__).parents[2] / "shared" / "data"
ROWS = (100, 20_000)
QUICK_ROWS = 1_000
QUICK_TABLES = {True: 8, False: 4}  # the first by name: so many with classes, so many with numbers
GROUPED = {"mice-protein", "diabetes-readmission", "electricity"}  # neighbouring rows are alike
SMALL = 1e-3  # added to losses before they are divided, since some trees make no error

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """One real table."""

    name: str
    X: Any
    y: NDArray[Any]
    classes: bool


class Result(NamedTuple):
    """A method on one table: means over the outer folds."""

    loss: float
    leaves: float
    seconds: float


def names(folder: Path, quick: bool, only: str) -> list[tuple[str, bool]]:
    """The tables to run, by name, and whether they predict classes."""
    import pandas as pd

    index = pd.read_csv(folder / "index.csv").sort_values("name")
    usual = index["tier"].isin(["core", "extra"]) & index["rows"].between(*ROWS)
    index = index[usual & ~index["name"].isin(GROUPED)]
    if quick:
        index = index[(index["tier"] == "core") & (index["rows"] <= QUICK_ROWS)]
    classes = index["task"] == "classification"
    if quick:
        kept = [index[classes == kind].head(QUICK_TABLES[kind]) for kind in (True, False)]
        index = pd.concat(kept).sort_values("name")
    return [
        (name, task == "classification")
        for name, task in zip(index["name"], index["task"], strict=True)
        if only in name
    ]


def load(folder: Path, name: str, classes: bool) -> Table:
    """Read one table."""
    import pandas as pd

    whole = pd.read_parquet(folder / f"{name}.parquet")
    y = whole.pop("target")
    return Table(name, whole, y.astype(str).to_numpy(object) if classes else y.to_numpy(float), classes)


def outer_folds(table: Table) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Five folds, the same ones in every run."""
    from treewright.judging.folds import folds_of

    return [(fold.train, fold.test) for fold in folds_of(5, table.X, table.y, None, table.classes)]


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
    kind = f"{len(np.unique(table.y))} classes" if table.classes else "numbers"
    yield f"{table.name}: {len(table.y):,} rows, {table.X.shape[1]} columns, {kind}"
    for name, result in found.items():
        yield f"  {name:34} loss {result.loss:.4f}  leaves {result.leaves:8.1f}  {result.seconds:8.3f} s"


def averages(runs: list[dict[str, Result]], title: str) -> Iterator[str]:
    """Means over tables, for the methods that ran on all of them; ratios are geometric means."""
    shared = [name for name in ALL if all(name in found for found in runs)]
    losses = np.array([[found[name].loss for name in shared] for found in runs])
    leaves = np.array([[found[name].leaves for name in shared] for found in runs])
    ranks = np.array([_ranks(row) for row in losses]).mean(axis=0)
    base = shared.index(REFERENCE)
    worse = _ratio(losses + SMALL, base)
    larger = _ratio(leaves, base)
    yield f"{title}, tables: {len(runs)}; ratios against: {REFERENCE}"
    yield f"  {'method':34} mean rank  mean loss  loss ratio  mean leaves  leaves ratio  no worse on"
    for k, name in enumerate(shared):
        wins = int((losses[:, k] <= losses[:, base] + 1e-12).sum())
        figures = f"{ranks[k]:9.2f}  {losses[:, k].mean():9.4f}  {worse[k]:10.3f}"
        yield f"  {name:34} {figures}  {leaves[:, k].mean():11.1f}  {larger[k]:12.3f}  {wins:11d}"


def _ratio(figures: Floats, base: int) -> Floats:
    return np.asarray(np.exp(np.log(figures / figures[:, base : base + 1]).mean(axis=0)))


def _ranks(losses: Floats) -> Floats:
    """1 for the least; equal ones share the mean of their places."""
    near = np.round(losses, 12)
    less = (near[None, :] < near[:, None]).sum(axis=1)
    equal = (near[None, :] == near[:, None]).sum(axis=1)
    return np.asarray(less + (equal + 1) / 2)


def main(arguments: list[str] | None = None) -> list[dict[str, Result]]:
    """Run all tables and print them as they come, then the averages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="twelve tables of at most 1,000 rows")
    parser.add_argument("--only", default="", metavar="NAME", help="only the tables whose name contains NAME")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="where the tables are")
    options = parser.parse_args(arguments)
    if not (options.data / "index.csv").exists():
        print(f"The tables are not here: {options.data} must have an index.csv. Say --data FOLDER.")
        return []
    wanted = names(options.data, options.quick, options.only)
    if not wanted:
        parser.error(f"--only must be part of the name of some table. Got {options.only!r}.")
    kinds: dict[bool, list[dict[str, Result]]] = {True: [], False: []}
    for name, classes in wanted:
        print(name, file=sys.stderr, flush=True)
        table = load(options.data, name, classes)
        kinds[classes].append(run(table))
        print("\n".join(lines_of(table, kinds[classes][-1])), flush=True)
    everything = kinds[True] + kinds[False]
    for title, runs in (("Classes", kinds[True]), ("Numbers", kinds[False]), ("All", everything)):
        if runs:
            print("\n" + "\n".join(averages(runs, title)))
    return everything


if __name__ == "__main__":
    main()
