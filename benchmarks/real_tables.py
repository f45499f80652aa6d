"""The real tables on which trees are compared, their outer folds, and the ranks of several methods.

The tables are Parquet files with an `index.csv`, the target last; the folder may be absent. Those of more
than 20,000 rows, of less than 100, and those whose rows belong together are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).parents[2] / "shared" / "data"
ROWS = (100, 20_000)
QUICK_ROWS = 1_000
QUICK_TABLES = {True: 8, False: 4}  # the first by name: so many with classes, so many with numbers
GROUPED = {"mice-protein", "diabetes-readmission", "electricity"}  # neighbouring rows are alike

Floats = NDArray[np.float64]
Array = NDArray[Any]


@dataclass(frozen=True)
class Table:
    """One real table."""

    name: str
    X: Any
    y: Array
    classes: bool


def asked_for(
    program: str, description: str | None, arguments: list[str] | None, *, two_classes: bool = False
) -> Iterator[Table]:
    """The tables that the command line names, each read when it is reached; `two_classes`: none of more."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument("--quick", action="store_true", help="twelve tables of at most 1,000 rows")
    parser.add_argument("--only", default="", metavar="NAME", help="only the tables whose name contains NAME")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="where the tables are")
    options = parser.parse_args(arguments)
    if not (options.data / "index.csv").exists():
        print(f"The tables are not here: {options.data} must have an index.csv. Say --data FOLDER.")
        return iter(())
    wanted = names(options.data, options.quick, options.only, two_classes=two_classes)
    if not wanted:
        parser.error(f"--only must be part of the name of some table. Got {options.only!r}.")
    return (load(options.data, name, classes) for name, classes in wanted)


def names(folder: Path, quick: bool, only: str, *, two_classes: bool = False) -> list[tuple[str, bool]]:
    """The tables to run, by name, and whether they predict classes."""
    import pandas as pd

    index = pd.read_csv(folder / "index.csv").sort_values("name")
    usual = index["tier"].isin(["core", "extra"]) & index["rows"].between(*ROWS)
    index = index[usual & ~index["name"].isin(GROUPED)]
    if two_classes:
        index = index[(index["task"] != "classification") | (index["classes"] == 2)]
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
    """Read one table, and say on stderr which."""
    import pandas as pd

    print(name, file=sys.stderr, flush=True)
    whole = pd.read_parquet(folder / f"{name}.parquet")
    y = whole.pop("target")
    return Table(name, whole, y.astype(str).to_numpy(object) if classes else y.to_numpy(float), classes)


def outer_folds(table: Table) -> list[tuple[Array, Array]]:
    """Five folds, the same ones in every run."""
    from treewright.learn.folds import folds_of

    return [(fold.train, fold.test) for fold in folds_of(5, table.X, table.y, None, table.classes)]


def headline(table: Table) -> str:
    """The name and size of a table."""
    kind = f"{len(np.unique(table.y))} classes" if table.classes else "numbers"
    return f"{table.name}: {len(table.y):,} rows, {table.X.shape[1]} columns, {kind}"


def ranks(losses: Floats) -> Floats:
    """1 for the least; equal ones share the mean of their places."""
    near = np.round(losses, 12)
    less = (near[None, :] < near[:, None]).sum(axis=1)
    equal = (near[None, :] == near[:, None]).sum(axis=1)
    return np.asarray(less + (equal + 1) / 2)


def ratios(figures: Floats, base: int) -> Floats:
    """Geometric means over tables (rows) of each method's figure over that of the method `base`."""
    return np.asarray(np.exp(np.log(figures / figures[:, base : base + 1]).mean(axis=0)))
