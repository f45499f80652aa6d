"""Scaling over cores: the same training on one thread and on two."""

from __future__ import annotations

import os
from collections.abc import Iterator

from . import data
from .libraries import Task, on_threads, trainers
from .results import Result
from .setting import Setting, rows_of

PART = "Scaling over cores"


def results(setting: Setting) -> Iterator[Result]:
    """1, 2, … threads, up to the cores of the machine and at most 8."""
    task = Task(*data.two_classes(setting.million), max_depth=10)
    counts = [count for count in (1, 2, 4, 8) if count <= len(os.sched_getaffinity(0))]
    for count in counts:
        threads = f"{count} thread" + "s" * (count > 1)
        work = f"2 classes, {rows_of(setting.million)} × 20, depth 10, {threads}"
        for library, run in trainers(on_threads(task, count), ("LightGBM", "XGBoost hist")).items():
            yield Result(PART, work, library, setting.best(run))
