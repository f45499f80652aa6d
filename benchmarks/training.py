"""Training one tree beside other libraries."""

from __future__ import annotations

from collections.abc import Iterator

from . import data
from .libraries import Run, Task, trainers
from .nominal import nominal_results
from .results import Result
from .setting import Setting, rows_of

PART = "Training one tree"
HISTOGRAMS = ("HistGradientBoosting", "LightGBM", "XGBoost hist")
ALL = ("scikit-learn", *HISTOGRAMS, "XGBoost exact", "YDF")

Case = tuple[str, Task, tuple[str, ...]]


def cases(setting: Setting) -> Iterator[Case]:
    """Every piece of work with the libraries that can do it; tables are made when they are reached."""
    large, middle, threads = setting.large, setting.middle, setting.threads
    X, y = data.two_classes(large)
    title = f"2 classes, {rows_of(large)} × 20"
    for depth in (6, 10):
        yield f"{title}, depth {depth}", Task(X, y, max_depth=depth, threads=threads), ALL
    yield f"{title}, no limit", Task(X, y, threads=threads), ("scikit-learn", "YDF")
    leaves = Task(X, y, max_leaf_nodes=255, threads=threads)
    yield f"{title}, 255 leaves, best first", leaves, ("scikit-learn", *HISTOGRAMS, "YDF")
    missing = Task(*data.gaps(large), max_depth=10, threads=threads)
    yield f"{title}, 5 % missing, depth 10", missing, ("scikit-learn", *HISTOGRAMS)
    noise = Task(*data.noise(large), max_depth=10, threads=threads)
    yield f"{title}, labels are noise, depth 10", noise, ("scikit-learn", *HISTOGRAMS)
    million = f"2 classes, {rows_of(setting.million)} × 20"
    for depth in (6, 10):
        task = Task(*data.two_classes(setting.million), max_depth=depth, threads=threads)
        yield f"{million}, depth {depth}", task, HISTOGRAMS
    yield from _others(large, middle, setting)


def _others(large: int, middle: int, setting: Setting) -> Iterator[Case]:
    """Numbers, many classes, many columns, and small tables."""
    threads = setting.threads
    X, y = data.numbers(large)
    task = Task(X, y, regression=True, max_depth=10, threads=threads)
    yield f"regression, {rows_of(large)} × 20, depth 10", task, ("scikit-learn", *HISTOGRAMS)
    task = Task(X, y, regression=True, threads=threads)
    yield f"regression, {rows_of(large)} × 20, no limit", task, ("scikit-learn",)
    X, y = data.numbers(setting.small)
    task = Task(X, y, regression=True, max_depth=10, criterion="absolute_error", threads=threads)
    yield f"absolute error, {rows_of(setting.small)} × 20, depth 10", task, ("scikit-learn",)
    ten = Task(*data.ten_classes(middle), threads=threads)
    yield f"10 classes, {rows_of(middle)} × 20, no limit", ten, ("scikit-learn", "YDF")
    n, d = setting.wide
    yield (
        f"2 classes, {n:,} rows × {d:,}, no limit",
        Task(*data.wide(n, d), threads=threads),
        ("scikit-learn",),
    )
    yield "2 classes, 1,000 rows × 10, no limit", Task(*data.small(), threads=threads), ("scikit-learn",)
    yield "3 classes, iris (150 rows × 4), no limit", Task(*data.iris(), threads=threads), ("scikit-learn",)


def results(setting: Setting) -> Iterator[Result]:
    """Time every case; small tables more often, all libraries equally."""
    for work, task, names in cases(setting):
        repeats = setting.one_row_repeats // 10 + 1 if len(task.y) <= 1_000 else setting.repeats
        yield from timed(setting, PART, work, trainers(task, names), repeats)
    yield from nominal_results(setting, PART)


def timed(setting: Setting, part: str, work: str, runs: dict[str, Run], repeats: int) -> Iterator[Result]:
    """The shortest of equally many repeats of each library."""
    for library, seconds in setting.best_of(runs, repeats).items():
        yield Result(part, work, library, seconds)
