"""How much memory a fit may take, and what follows from it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from ...data.common.errors import ParameterError
from ...data.files.memory import free_memory

PER_VALUE = (
    20  # bytes that a fit in memory takes of a value: the table, its codes, and what is made on the way
)
_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_UNKNOWN = 4_000_000_000  # where the system does not say what is free


def bytes_of(memory: Any) -> int:
    """The parameter `memory` in bytes; None is half of what is free."""
    if memory is None:
        free = free_memory()
        return (_UNKNOWN if free is None else free) // 2
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([KMGT]?)(i?)B?", str(memory).strip(), re.IGNORECASE)
    if isinstance(memory, bool) or not isinstance(memory, int | float | str) or found is None:
        raise ParameterError(
            f"memory must be a number of bytes or a text such as '2GB' or '500MB'. Got {memory!r}.", "memory"
        )
    number, unit, binary = found.groups()
    power = " KMGT".index(unit.upper()) if unit else 0
    size = float(number) * (1024**power if binary else _UNITS[unit.upper()])
    if size < 1:
        raise ParameterError(f"memory must be at least a byte. Got {memory!r}.", "memory")
    return int(size)


def fits(n_rows: int, n_columns: int, memory: int) -> bool:
    """Whether a table of this size can be read and fitted in so much memory."""
    return n_rows * n_columns * PER_VALUE <= memory


class Sizes(NamedTuple):
    """How a table that does not fit is worked on."""

    block_rows: int  # rows that are coded together
    gather_rows: int  # the largest node that is finished in memory
    histogram_bytes: int
    resident: int  # bytes of the scratch file that may stay mapped in memory

    @classmethod
    def of(cls, memory: int, n_columns: int, n_threads: int) -> Sizes:
        """Sizes that together stay within `memory`, of which the process has some already."""
        usable = max(memory - resident_now(), memory // 4)
        block = usable // 24 // (n_columns * 9 + 12)  # read, joined, coded: about six copies at once
        gather = usable // 3 // (8 * (n_columns + 4) * 4)  # from each thread, together, and as a table
        histograms = max(usable // 8 // (n_threads + 2), 1 << 20)
        return cls(
            min(max(block, 10_000), 500_000), max(gather, 1000), min(histograms, 64 << 20), usable // 4
        )


def resident_now() -> int:
    """The memory that this process has now; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def shown(size: float) -> str:
    """A size in bytes as a message shows it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
