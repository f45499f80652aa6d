"""The command line as a user runs it, each time in a new process; and `import treewright`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from . import data
from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Command line"
SKLEARN = """
import sys, polars as pl
from sklearn.tree import DecisionTreeClassifier
frame = pl.read_csv(sys.argv[1])
DecisionTreeClassifier(max_depth=6).fit(frame.drop("y").to_numpy(), frame["y"].to_numpy())
"""
COPY = "import sys, polars as pl; pl.read_csv(sys.argv[1]).write_csv('copy.csv')"
IMPORTS = {OURS: "import treewright", "scikit-learn": "import sklearn.tree", "numpy alone": "import numpy"}


def results(setting: Setting) -> Iterator[Result]:
    """Train, predict and show from files; start the command; import the packages."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write(setting.middle, folder / "table.csv")
        size = f"CSV of {rows_of(setting.middle)} × 20"
        fit = (
            "-m",
            "treewright",
            "--quiet",
            "fit",
            "table.csv",
            "--target",
            "y",
            "--force",
            "-m",
            "m.tree.json",
        )
        yield Result(
            PART, f"treewright fit, pruned and scored by cross-validation, {size}", OURS, _time(fit, folder)
        )
        work = f"a Python script that reads the same file and trains one tree of depth 6, {size}"
        yield Result(PART, work, "polars and scikit-learn", _time(("-c", SKLEARN, "table.csv"), folder))
        predict = (
            "-m",
            "treewright",
            "--quiet",
            "predict",
            "m.tree.json",
            "table.csv",
            "-o",
            "p.csv",
            "--force",
        )
        yield Result(PART, f"treewright predict, {size}", OURS, _time(predict, folder))
        work = f"a Python script that reads the same file and writes it again, {size}"
        yield Result(PART, work, "polars", _time(("-c", COPY, "table.csv"), folder))
        for name, arguments in {
            "--help": ["--help"],
            "show": ["show", "m.tree.json", "--depth", "3"],
        }.items():
            best = setting.best(lambda a=arguments: _time(("-m", "treewright", *a), folder))  # type: ignore[misc]
            yield Result(PART, f"treewright {name}", OURS, best)
        for library, code in IMPORTS.items():
            best = setting.best(lambda c=code: _time(("-c", c), folder))  # type: ignore[misc]
            yield Result(PART, "starting Python and importing", library, best)


def _write(n_rows: int, path: Path) -> None:
    import polars as pl

    X, y = data.two_classes(n_rows)
    names = [f"x{k}" for k in range(X.shape[1])]
    pl.DataFrame(X.round(6), schema=names).with_columns(y=pl.Series(y)).write_csv(path)


def _time(arguments: tuple[str, ...], folder: Path) -> float:
    """The seconds of one process."""
    from time import perf_counter

    start = perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed: {done.stderr[-500:]}")
    return perf_counter() - start
