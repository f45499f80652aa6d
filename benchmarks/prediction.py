"""Prediction: many rows at once, and one row at a time as arrays and as pandas frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import data
from .libraries import Run, Task, trainers
from .results import Result
from .setting import Setting, rows_of
from .training import timed

MANY, ONE = "Predicting many rows", "Predicting one row"
DEPTH = 10


def results(setting: Setting) -> Iterator[Result]:
    """All kinds of prediction."""
    X, y = data.two_classes(setting.million)
    X = X.astype(np.float32)  # what scikit-learn would convert to
    some = Task(X[::10], y[::10], max_depth=DEPTH, threads=setting.threads)
    names = ("scikit-learn", "HistGradientBoosting", "LightGBM", "XGBoost hist")
    work = f"{rows_of(len(X))} × 20, depth {DEPTH}"
    yield from timed(setting, MANY, work, _predictors(some, names, X), setting.repeats)
    yield from _one_row(setting)


def _one_row(setting: Setting) -> Iterator[Result]:
    """One row in the forms in which a web service has it."""
    import pandas as pd

    names = ("scikit-learn", "HistGradientBoosting", "LightGBM")
    for columns in setting.one_row_columns:
        X, y = data.wide(1_000, columns)
        table = pd.DataFrame(X, columns=[f"x{k}" for k in range(columns)])
        for kind, rows in {"numpy array": X, "pandas frame": table}.items():
            task = Task(rows, y, max_depth=DEPTH, threads=setting.threads)
            runs = _predictors(task, names, rows[:1])
            work = f"{kind}, {columns:,} columns, depth {DEPTH}"
            yield from timed(setting, ONE, work, runs, setting.one_row_repeats)


def _predictors(task: Task, names: tuple[str, ...], rows: Any) -> dict[str, Run]:
    """What each library does to predict these rows with a tree trained on the task."""
    fitted = {name: train() for name, train in trainers(task, names).items()}
    return {name: _predict(name, model, rows, task.threads) for name, model in fitted.items()}


def _predict(name: str, model: Any, rows: Any, threads: int) -> Run:
    if name == "LightGBM":
        return lambda: model.predict(rows, num_threads=threads)
    if name.startswith("XGBoost"):
        return lambda: model.inplace_predict(rows)
    return lambda: model.predict(rows)
