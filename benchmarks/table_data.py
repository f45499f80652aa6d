"""The tables on which accuracy is compared: bundled with treewright or scikit-learn, or made by a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from . import data


@dataclass(frozen=True)
class Table:
    """One table with its target."""

    name: str
    X: pd.DataFrame
    y: Any  # labels as text, or numbers
    classes: bool
    source: str

    @property
    def size(self) -> str:
        """Its size in words."""
        kind = f"{len(np.unique(self.y))} classes" if self.classes else "regression"
        return f"{len(self.X):,} rows, {self.X.shape[1]} columns, {kind}"


def _bundled(name: str, target: str = "target") -> Table:
    import treewright

    frame = treewright.load_example(name)
    y = frame.pop(target)
    return Table(name, _with_categories(frame), y.astype(str).to_numpy(object), True, "treewright")


def _sklearn(name: str, classes: bool) -> Table:
    from sklearn import datasets

    loaded = getattr(datasets, f"load_{name}")(as_frame=True)
    y = loaded.target.to_numpy()
    return Table(name, loaded.data, y.astype(str).astype(object) if classes else y, classes, "scikit-learn")


def _made(name: str, X: Any, y: Any, classes: bool) -> Table:
    frame = (
        X if isinstance(X, pd.DataFrame) else pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    )
    return Table(name, frame, np.asarray(y).astype(str).astype(object) if classes else y, classes, "formula")


def _moons(rows: int) -> Table:
    from sklearn.datasets import make_moons

    X, y = make_moons(rows, noise=0.3, random_state=0)
    return _made("moons", X, y, classes=True)


# name -> how the table is made, of so many rows where a formula makes it
MAKERS: dict[str, Callable[[int], Table]] = {
    "credit": lambda _: _bundled("credit"),
    "hepatitis": lambda _: _bundled("hepatitis"),
    "iris": lambda _: _bundled("iris", "species"),
    "breast_cancer": lambda _: _sklearn("breast_cancer", classes=True),
    "wine": lambda _: _sklearn("wine", classes=True),
    "digits": lambda _: _sklearn("digits", classes=True),
    "moons": _moons,
    "two_classes": lambda n: _made("two_classes", *data.two_classes(n), classes=True),
    "nominal": lambda n: _made("nominal", *data.nominal(n), classes=True),
    "diabetes": lambda _: _sklearn("diabetes", classes=False),
    "friedman1": lambda n: _made("friedman1", *data.numbers(n), classes=False),
    "steps": lambda n: _made("steps", *data.steps(n), classes=False),
}


def tables(only: str = "", rows: int = 2_000, folder: Path | None = None) -> Iterator[Table]:
    """The tables whose name contains `only`; with a folder its CSV and Parquet files instead."""
    if folder is not None:
        for path in sorted(folder.iterdir()):
            if path.suffix in {".csv", ".parquet"} and only in path.stem and path.stem != "index":
                yield _of_file(path)
        return
    for name, make in MAKERS.items():
        if only in name:
            yield make(rows)


def _of_file(path: Path) -> Table:
    """A file with a column `target`, or whose last column is the target."""
    frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    y = frame.pop("target" if "target" in frame else frame.columns[-1])
    is_text = not pd.api.types.is_numeric_dtype(y)
    classes = is_text or (not pd.api.types.is_float_dtype(y) and y.nunique() <= 20)
    labels = y.astype(str).to_numpy(object) if classes else y.to_numpy(float)
    return Table(path.stem, _with_categories(frame), labels, classes, "file")


def _with_categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Text as categories, which every library can use."""
    text = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(text, "category"))
