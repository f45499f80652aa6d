"""The classic programs: seconds of a fit, beside the originals in R and Weka where they are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import data
from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Classic programs"
WEKA = Path("/usr/share/java/weka.jar")  # where Debian's package weka puts it
NAMES = [f"x{k}" for k in range(20)]
R_CODE = {
    "rpart": "rpart(y ~ ., t, method='class', cp=0, xval=0)",
    "C50": "C5.0(y ~ ., t)",
    "partykit": "ctree(y ~ ., t)",
}


def results(setting: Setting) -> Iterator[Result]:
    """Every classic on complete numbers and two classes; ID3 on levels."""
    from treewright import classics

    n = setting.middle
    X, y = data.two_classes(n)
    labels = np.where(y > 0, "yes", "no")
    levels = _as_levels(X)
    made: dict[str, tuple[Callable[[], Any], Any]] = {
        "c45": (classics.c45, X),
        "c50": (classics.c50, X),
        "j48": (classics.j48, X),
        "rpart, cp=0": (lambda: classics.rpart(method="class", cp=0, xval=0), X),
        "ctree": (classics.ctree, X),
        "rep_tree": (classics.rep_tree, X),
        "stump": (classics.stump, X),
        "id3, 8 levels per column": (classics.id3, levels),
    }
    for name, (make, table) in made.items():
        work = f"{name}, {rows_of(n)} × 20, measured once"
        best = setting.best(lambda m=make, t=table: m().fit(t, labels), 1)  # type: ignore[misc]
        yield Result(PART, work, OURS, best)
        for library, seconds in _originals(name, X, labels):
            yield Result(PART, work, library, seconds)


def _as_levels(X: Any) -> Any:
    """Every column cut into eight levels of about equally many rows."""
    import pandas as pd

    columns = zip(NAMES, X.T, strict=True)
    return pd.DataFrame({name: pd.qcut(column, 8, labels=list("abcdefgh")) for name, column in columns})


# -- the programs themselves, where they are installed


def _originals(name: str, X: Any, y: Any) -> Iterator[tuple[str, float]]:
    if name.startswith("j48") and shutil.which("java") and WEKA.exists():
        yield "Weka's J48", _weka(X, y)
    package = {"rpart": "rpart", "c50": "C50", "ctree": "partykit"}.get(name.split(",", maxsplit=1)[0])
    if package and shutil.which("Rscript"):
        seconds = _in_r(package, X, y)
        if seconds is not None:
            yield f"R's {package}", seconds


def _weka(X: Any, y: Any) -> float:
    """The seconds that Weka reports for building the tree, without reading or evaluating."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.arff"
        with table.open("w") as file:
            file.write("@relation t\n" + "".join(f"@attribute {name} numeric\n" for name in NAMES))
            file.write("@attribute y {no,yes}\n@data\n" + _lines(X, y))
        program = ["java", "-Xmx2g", "-cp", str(WEKA), "weka.classifiers.trees.J48"]
        done = subprocess.run(
            [*program, "-t", str(table), "-no-cv"], capture_output=True, text=True, check=True
        )
    return float(re.search(r"Time taken to build model: ([\d.]+)", done.stdout)[1])  # type: ignore[index]


def _in_r(package: str, X: Any, y: Any) -> float | None:
    """The seconds of a fit by R's clock; None where the package is not installed."""
    script = (
        f"library({package}); t <- read.csv(commandArgs(TRUE)[1], stringsAsFactors=TRUE);"
        f"cat(system.time({R_CODE[package]})[['elapsed']])"
    )
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        table.write_text(",".join([*NAMES, "y"]) + "\n" + _lines(X, y))
        done = subprocess.run(
            ["Rscript", "-e", script, str(table)], capture_output=True, text=True, check=False
        )
    return float(done.stdout) if done.returncode == 0 else None


def _lines(X: Any, y: Any) -> str:
    return "".join(",".join(map(repr, row)) + f",{label}\n" for row, label in zip(X.tolist(), y, strict=True))
