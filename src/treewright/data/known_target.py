"""Rows without a target: which they are, and what is said of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common.array_types import Ints
from .common.plural import counted
from .levels import is_missing


def known_rows(series: Any) -> Ints | None:
    """The places of the rows that have a target; None where all have one."""
    import narwhals.stable.v2 as nw

    lost = series.is_null()
    if series.dtype.is_float():
        lost = lost | series.is_nan().fill_null(False)
    missing = np.asarray(lost.to_numpy(), dtype=bool)
    if series.dtype == nw.Object:
        missing = missing | np.fromiter(map(is_missing, series.to_list()), dtype=bool, count=len(missing))
    return np.flatnonzero(~missing) if missing.any() else None


def n_missing(series: Any) -> int:
    """How many rows have no target."""
    known = known_rows(series)
    return 0 if known is None else len(series) - len(known)


def lost_note(n_lost: int, target: str) -> tuple[str, ...]:
    """The note on rows without a target; none where there are none."""
    have = "has" if n_lost == 1 else "have"
    return (f"{counted(n_lost, 'row')} {have} {_left_out(target)}",) if n_lost else ()


def is_lost_note(note: str, target: str) -> bool:
    """Whether this is such a note."""
    return note.endswith(f" {_left_out(target)}")


def _left_out(target: str) -> str:
    return f"no {target!r}; left out."
