"""The command line as a user runs it: a file in, a file out; how long it takes and how much it holds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from . import data
from .clock import best
from .report import Row

HELD = "import resource as r; print(r.getrusage(r.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr)"


# What a user would write instead, run in a process of its own as our command is.
GROW = """
import sys, polars as pl
from sklearn.tree import DecisionTreeClassifier
frame = pl.read_csv(sys.argv[1])
DecisionTreeClassifier(max_depth=6).fit(frame.drop("y").to_numpy(), frame["y"].to_numpy())
"""
COPY = """
import sys, polars as pl
pl.read_csv(sys.argv[1]).write_csv("copy.csv")
"""


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Fit and predict a file of numbers, and start small commands."""
    works = ("treewright fit", "treewright predict", "treewright --help", "treewright show")
    if not any(only in work for work in works):
        return
    with tempfile.TemporaryDirectory() as folder:
        table, small = Path(folder) / "table.csv", Path(folder) / "small.csv"
        bytes_held = _write(sizes.large, table)
        _write(500, small)
        yield from _fit(table, small, bytes_held, only)
        yield from _predict(table, only)
        yield from _starts(small, only)


def _write(n_rows: int, path: Path) -> int:
    """A table of 20 numbers and two classes; how many bytes it holds in memory."""
    import polars as pl

    X, y = (part[:n_rows] for part in data.two_classes(max(n_rows, 2)))
    frame = pl.DataFrame(X.round(6), schema=[f"x{k}" for k in range(X.shape[1])]).with_columns(y=pl.Series(y))
    frame.write_csv(path)
    return int(frame.estimated_size())


def _run(*arguments: str, cwd: Path) -> tuple[float, int]:
    """Seconds, and the most bytes that the process held."""
    code = (
        f"import subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); {HELD}"
    )
    command = [sys.executable, "-m", "treewright", *arguments]
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=cwd, capture_output=True, text=True, check=False
    )
    took = perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"treewright {' '.join(arguments)} failed: {done.stderr[-500:]}")
    return took, int(done.stderr.split()[-1])


def _script(code: str, table: Path) -> float:
    """The seconds that a script takes."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code, table.name], cwd=table.parent, check=True)
    return perf_counter() - start


def _fit(table: Path, small: Path, bytes_held: int, only: str) -> Iterator[Row]:
    work = "treewright fit, the whole recipe, CSV"
    if only not in work and only not in "treewright predict":
        return
    took, held = _run(
        "--quiet", "fit", table.name, "--target", "y", "--model", "model.tree.json", cwd=table.parent
    )
    theirs = _script(GROW, table)
    rival = "reading by polars + scikit-learn's tree, depth 6"
    yield Row(work, took / theirs, "×", rival, took, theirs, aim=2, at_most=True)
    _, least = _run("--quiet", "fit", small.name, "--target", "y", cwd=table.parent)
    work = "treewright fit, memory beyond that of a small table, over the table's"
    yield Row(work, (held - least) / bytes_held, "×", aim=3, at_most=True)


def _predict(table: Path, only: str) -> Iterator[Row]:
    work = "treewright predict, CSV to CSV"
    if only not in work:
        return
    took, _ = _run(
        "--quiet", "predict", "model.tree.json", table.name, "--output", "out.csv", cwd=table.parent
    )
    theirs = min(_script(COPY, table) for _ in range(2))
    yield Row(work, took / theirs, "×", "polars, reading and writing it", took, theirs, aim=2, at_most=True)


def _starts(small: Path, only: str) -> Iterator[Row]:
    folder = small.parent
    for work, arguments, limit in (
        ("treewright --help", ("--help",), 150.0),
        ("treewright show, a small model", ("show", "small.tree.json"), 400.0),
    ):
        if only in work:
            if "small" in work:
                _run("--quiet", "fit", small.name, "--target", "y", cwd=folder)
            command = [sys.executable, "-m", "treewright", *arguments]
            took = best(lambda c=command: subprocess.run(c, cwd=folder, capture_output=True, check=True))  # type: ignore[misc]
            yield Row(work, 1000 * took, "ms", aim=limit, at_most=True)
