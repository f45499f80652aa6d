"""The classics: what a fit costs beside our default tree of as many leaves, and beside the programs."""

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
from .clock import best
from .report import Row, against

WEKA = Path("/usr/share/java/weka.jar")  # where Debian's package weka puts it
NAMES = [f"x{k}" for k in range(20)]


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Time every classic on complete numbers and two classes; Id3, which takes levels only, on levels."""
    from treewright.learn import classics

    n = sizes.middle // 2
    X, y = (part[:n] for part in data.two_classes(2 * n))
    labels = np.where(y > 0, "yes", "no")
    levels = _as_levels(X)
    made: dict[str, tuple[Callable[[], Any], Any]] = {
        "j48": (classics.j48, X),
        "c45": (classics.c45, X),
        "c50": (classics.c50, X),
        "rpart, cp=0": (lambda: classics.rpart(method="class", cp=0, xval=0), X),
        "rep_tree": (classics.rep_tree, X),
        "stump": (classics.stump, X),
        "id3": (classics.id3, levels),
    }
    for name, (make, table) in made.items():
        work = f"classics: {name}, {n // 1000}k × 20"
        if only in work:
            yield from _compared(work, make, table, labels)


def _compared(work: str, make: Callable[[], Any], X: Any, y: Any) -> Iterator[Row]:
    from treewright import DecisionTreeClassifier

    n_leaves = make().fit(X, y).get_n_leaves()
    took = best(lambda: make().fit(X, y))
    plain = best(lambda: DecisionTreeClassifier(max_leaf_nodes=max(2, n_leaves)).fit(X, y))
    other = f"our default tree of {n_leaves} leaves"
    yield Row(work, took / plain, "×", other, took, plain, aim=3, at_most=True)
    program = _weka if "j48" in work else _rpart if "rpart" in work else None
    theirs = program(X, y) if program else None
    if theirs is not None:
        yield against(work, "Weka's J48" if "j48" in work else "R's rpart", took, theirs, 20)


def _as_levels(X: Any) -> Any:
    """Every column cut into eight levels of about as many rows."""
    import pandas as pd

    columns = zip(NAMES, X.T, strict=True)
    return pd.DataFrame({name: pd.qcut(column, 8, labels=list("abcdefgh")) for name, column in columns})


# -- the programs themselves, as Debian has them; seconds, or None where one is absent


def _weka(X: Any, y: Any) -> float | None:
    """What it says it took to build the tree, without reading the table or judging the tree."""
    if shutil.which("java") is None or not WEKA.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.arff"
        with table.open("w") as file:
            file.write("@relation t\n" + "".join(f"@attribute {name} numeric\n" for name in NAMES))
            file.write("@attribute y {no,yes}\n@data\n")
            file.write(_lines(X, y))
        program = ["java", "-Xmx2g", "-cp", str(WEKA), "weka.classifiers.trees.J48"]
        command = [*program, "-t", str(table), "-no-cv"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"Time taken to build model: ([\d.]+)", said)[1])  # type: ignore[index]


def _rpart(X: Any, y: Any) -> float | None:
    """What a fit takes by R's clock, without cross-validation."""
    if shutil.which("Rscript") is None:
        return None
    script = (
        "library(rpart); t <- read.csv(commandArgs(TRUE)[1], stringsAsFactors=TRUE);"
        "cat(system.time(rpart(y ~ ., t, method='class', cp=0, xval=0))[['elapsed']])"
    )
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        table.write_text(",".join([*NAMES, "y"]) + "\n" + _lines(X, y))
        command = ["Rscript", "-e", script, str(table)]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(said.stdout) if said.returncode == 0 else None


def _lines(X: Any, y: Any) -> str:
    return "".join(",".join(map(repr, row)) + f",{label}\n" for row, label in zip(X.tolist(), y, strict=True))
