"""How our cost grows with the rows and with the columns."""

from __future__ import annotations

import math
from collections.abc import Iterator

from . import data
from .clock import best
from .report import Row
from .rivals import Task, ours


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Seconds at growing sizes; `figure` is the exponent since the size before (1 is linear)."""
    counts, widths = sizes.growth_rows, sizes.growth_columns
    tables = [(f"growth over rows: {n:,} × 20, depth 10", n, n, 20) for n in counts]
    tables += [(f"growth over columns: {counts[-2]:,} × {d}, depth 10", d, counts[-2], d) for d in widths]
    before: tuple[int, float] | None = None
    for work, size, n, d in tables:
        if only not in work:
            continue
        if before is not None and size < before[0]:
            before = None  # the next series
        X, y = data.numbers(n, d)
        seconds = best(ours(Task(X, y, regression=True, max_depth=10)), runs=3)
        exponent = math.log(seconds / before[1]) / math.log(size / before[0]) if before else None
        yield Row(work, exponent, "in the exponent", ours_seconds=seconds)
        before = (size, seconds)
