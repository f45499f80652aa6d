"""How much memory a fit may take, and whether a table fits in it."""

from __future__ import annotations

import re
from typing import Any

from ..common.errors import ParameterError
from ..files.memory import free_memory

PER_VALUE = 20  # bytes that a fit in memory takes of a value: the table, its codes, and what is made of it
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
    return needed(n_rows, n_columns) <= memory


def needed(n_rows: int, n_columns: int) -> int:
    """The bytes that a fit in memory takes, about."""
    return n_rows * n_columns * PER_VALUE
