"""How a table that does not fit in memory is worked on, within the memory that it may take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

GATHER_ROWS = 1 << 14  # of larger nodes a histogram is less work than to gather their rows


class Sizes(NamedTuple):
    """How a table that does not fit is worked on."""

    block_rows: int  # rows that are coded together
    gather_rows: int  # the largest node that is finished in memory
    histogram_bytes: int
    resident: int  # bytes of the scratch file that may stay mapped in memory
    gather_together: int = 0  # rows of small nodes that are in memory at once
    keep_rows: int = 0  # of at most so many rows the tallies of the target are kept, which saves time

    @classmethod
    def of(cls, memory: int, n_columns: int, n_threads: int) -> Sizes:
        """Sizes that together stay within `memory`, of which the process has some already."""
        usable = max(memory - resident_now(), memory // 4)
        block = usable // 16 // n_threads // (n_columns * 9 + 12)  # read, joined, coded: some copies at once
        together = usable * 3 // 5 // (8 * (n_columns + 4) * 4)  # from each thread, together, and as a table
        histograms = max(usable // 5 // (n_threads + 3), 1 << 20)
        block, together = min(max(block, 10_000), 500_000), max(together, 1000)
        gather = min(together, GATHER_ROWS)
        return cls(block, gather, min(histograms, 64 << 20), usable // 4, together, usable // 6 // 24)


def resident_now() -> int:
    """The memory that this process has now; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
