"""How time is taken: the best of several runs, since noise on a machine only ever adds."""

from __future__ import annotations

import time
from collections.abc import Callable

SLOW = 20.0  # seconds; what takes longer runs once


def best(run: Callable[[], object], *, runs: int = 5, seconds: float = 1.0) -> float:
    """The least seconds of at least `runs` runs, more while they are short; one if that is slow."""
    least = spent = 0.0
    count = 0
    while count < runs or (spent < seconds and count < 1000):
        start = time.perf_counter()
        run()
        took = time.perf_counter() - start
        least = took if count == 0 else min(least, took)
        spent += took
        count += 1
        if took > SLOW:
            break
    return least
