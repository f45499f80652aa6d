"""A part of the benchmark, alone in a process or in this one."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context

from .results import Result, quantity
from .setting import Setting


def in_own_process(part: str, setting: Setting) -> list[Result]:
    """A part alone, so that no memory, thread or library of another part has a part in its times."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measured, part, setting).result()


def measured(part: str, setting: Setting) -> list[Result]:
    """The results of one part, each reported when it is known."""
    found = []
    for result in import_module(part).results(setting):
        line = f"  {result.work} | {result.library} | {quantity(result.value, result.unit)}"
        print(line, file=sys.stderr, flush=True)
        found.append(result)
    return found
