"""How many rows have each group, or each time: small, and the same however the rows are divided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..common.array_types import Array, Ints
from ..files.errors import TableError
from ..levels import is_missing
from .hashes import hash_of_values, with_dates

MOST = 10_000  # values that are counted: of more, those of the least hashes, which are a sample of them


@dataclass(frozen=True)
class ValueCounts:
    """Rows by value. With more than `MOST` values, some are left out: whichever part they are in."""

    counts: Counter[Any] = field(default_factory=Counter)
    complete: bool = True

    @classmethod
    def of(cls, values: Array) -> ValueCounts:
        """Of the values of some rows."""
        found, counts = np.unique(values, return_counts=True)
        return cls(Counter(dict(zip(found.tolist(), counts.tolist(), strict=True)))).few()

    def __add__(self, other: ValueCounts) -> ValueCounts:
        both = self.counts.copy()
        both.update(other.counts)
        return ValueCounts(both, self.complete and other.complete).few()

    def few(self) -> ValueCounts:
        """With at most `MOST` values."""
        if len(self.counts) <= MOST:
            return self
        values = list(self.counts)
        least = np.argsort(hash_of_values(np.array(values)), kind="stable")[:MOST]
        return ValueCounts(Counter({values[k]: self.counts[values[k]] for k in least.tolist()}), False)


def group_hashes(series: Any, column: str, part: str) -> Ints:
    """A hash of the group of each row."""
    return hash_of_values(_present(series, f"groups {column!r}", part)).view(np.int64)


def time_values(series: Any, column: str, part: str) -> Array:
    """The time of each row as a number; dates and times in microseconds."""
    what = f"time {column!r}"
    values = _present(series, what, part)
    if values.dtype.kind not in "biufmM":
        raise TableError(f"{what} must hold numbers, dates or times. {part} holds text.")
    return as_numbers(values)


def as_numbers(times: Array) -> Array:
    """Times as numbers."""
    times = with_dates(times)
    if times.dtype.kind in "mM":
        return times.astype(f"{times.dtype.kind}8[us]").view(np.int64)
    return times.astype(np.int64) if times.dtype.kind == "b" else times


def _present(series: Any, what: str, part: str) -> Array:
    lost, values = int(series.null_count()), np.empty(0)
    if not lost:
        values = with_dates(np.asarray(series.to_numpy()))
        if values.dtype.kind == "f":
            lost = int(np.isnan(values).sum())
        elif values.dtype.kind in "mM":
            lost = int(np.isnat(values).sum())
        elif values.dtype.kind == "O":
            lost = sum(map(is_missing, values.tolist()))
    if lost:
        raise TableError(
            f"{what} must have a value in every row. {part} has {lost:,} rows without one. Leave them out."
        )
    return values
