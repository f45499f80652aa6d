"""Training on tables of middle size, which most tables are, beside scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator

from . import data
from .libraries import Task, trainers
from .results import Result
from .setting import Setting, rows_of
from .training import timed

PART = "Tables of middle size"
ROWS_IN_ALL = 120_000  # of all repeats of a fit, unless that makes them fewer than
LEAST = 5
REPEATS_OF_A_MILLION = 4


def results(setting: Setting) -> Iterator[Result]:
    """Numbers and classes, each size as often as its rows allow."""
    for n in (*setting.sizes, setting.million):
        repeats = max(LEAST, min(9, ROWS_IN_ALL // n))
        if n == setting.million:  # scikit-learn needs minutes
            repeats = REPEATS_OF_A_MILLION
        if setting.repeats == 1:
            repeats = 1
        for what, make in (("regression", data.numbers), ("2 classes", data.two_classes)):
            X, y = make(n)
            for limit, depth in (("depth 10", 10), ("no limit", None)):
                regression = what == "regression"
                task = Task(X, y, regression=regression, max_depth=depth, threads=setting.threads)
                work = f"{what}, {rows_of(n)} × 20, {limit}"
                yield from timed(setting, PART, work, trainers(task, ("scikit-learn",)), repeats)
