"""The descriptions of all parts → what the whole table holds: as if all rows had been read at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ..common.array_types import Array, Floats
from ..exact_totals import as_floats
from ..files.errors import TableError
from ..schema import ColumnType, as_column_types
from .columns_seen import ColumnSeen
from .describe import PartDescription, Reading
from .value_counts import ValueCounts

MOST_SAMPLED = 10_000  # values of a column: enough for the bounds of 255 bins


@dataclass(frozen=True)
class TableDescription:
    """What a table in parts holds. It is all that is needed to code a part of it."""

    reading: Reading
    n_rows: int
    names: tuple[str, ...]
    columns: tuple[ColumnSeen, ...]
    samples: tuple[Floats | None, ...]  # of each column; None for nominal ones
    classes: Array | None = None  # in order; None for numbers
    counts: tuple[int, ...] = ()  # rows by class
    low: float = 0.0  # of a target of numbers
    high: float = 0.0
    weights: tuple[float, ...] = ()  # by class, where rows have weights
    groups: ValueCounts = field(default_factory=ValueCounts)
    times: ValueCounts = field(default_factory=ValueCounts)
    n_lost: int = 0  # rows without a target, which are left out and not in `n_rows`

    @property
    def n_columns(self) -> int:
        """How many columns there are to predict from."""
        return len(self.names)

    @property
    def types(self) -> tuple[ColumnType, ...]:
        """The types of the columns."""
        return tuple(column.type for column in self.columns)

    @property
    def column_types(self) -> tuple[ColumnType, ...] | None:
        """The types as a tree keeps them."""
        return as_column_types(self.types)

    @property
    def empty(self) -> tuple[str, ...]:
        """The columns without any value."""
        return tuple(column.name for column in self.columns if column.empty)


def merge(parts: Iterable[PartDescription], reading: Reading) -> TableDescription:
    """Add the descriptions of all parts, in any order.

    Raises
    ------
    TableError
        Where the parts are not of one table; the message names them.
    """
    parts = list(parts)
    filled = [part for part in parts if part.n_rows]
    n_lost = sum(part.n_lost for part in parts)
    if not filled and n_lost:
        raise TableError(f"The target {reading.target!r} must have a value in some rows. Got none.")
    if not filled:
        raise TableError(f"A table must have rows. Got {len(parts):,} parts without any.")
    first = filled[usual_names([part.names for part in filled])]
    for part in parts:
        check_names(first.name, first.names, part.name, part.names)
    columns = []
    for name in first.names:
        found = filled[0].columns[name]
        for part in filled[1:]:
            found = found + part.columns[name]
        columns.append(found)
    samples = tuple(_sample(seen, name, filled) for name, seen in zip(first.names, columns, strict=True))
    n_rows = sum(part.n_rows for part in filled)
    made = TableDescription(reading, n_rows, first.names, tuple(columns), samples)
    groups, times = (reduce(add, (getattr(part, each) for part in filled)) for each in ("groups", "times"))
    made = replace(made, groups=groups, times=times, n_lost=n_lost)
    return _with_target(made, filled)


def usual_names(names: Sequence[Sequence[str]]) -> int:
    """The place of a part that has the columns of most parts; of several orders of these the least one."""
    sets = [frozenset(each) for each in names]
    usual = Counter(sets).most_common(1)[0][0]
    return min((k for k, each in enumerate(sets) if each == usual), key=lambda k: tuple(names[k]))


def check_names(one: str, names: Iterable[str], other: str, its: Iterable[str]) -> None:
    """Reject two parts of different columns. A part without batches has no names."""
    names, its = list(names), list(its)
    if not its or set(names) == set(its):
        return
    lacks = [name for name in names if name not in its]
    more = [name for name in its if name not in names]
    what = f"lacks {lacks[0]!r}" if lacks else f"has {more[0]!r} besides"
    raise TableError(
        f"All parts of a table must have the same columns. {other} {what}, compared with {one}. "
        "Leave it out, or give the parts the same columns."
    )


def _sample(seen: ColumnSeen, name: str, parts: list[PartDescription]) -> Floats | None:
    if seen.type.kind == "nominal" and seen.type.levels:
        return None
    if seen.type.kind == "ordered":
        return np.arange(len(seen.type.levels), dtype=np.float64)
    drawn = [part.sample[name] for part in parts if name in part.sample]
    values = np.concatenate(drawn) if drawn else np.empty(0)
    if len(values) <= MOST_SAMPLED:
        return values
    return np.sort(values)[:: len(values) // MOST_SAMPLED + 1]


def _with_target(made: TableDescription, parts: list[PartDescription]) -> TableDescription:
    if not made.reading.classes:
        low, high = min(part.low for part in parts), max(part.high for part in parts)
        return replace(made, low=low, high=high)
    text = [part for part in parts if part.target_dtype == np.dtype(object).str]
    if text and len(text) < len(parts):
        other = next(part for part in parts if part.target_dtype != text[0].target_dtype)
        raise TableError(
            f"The target {made.reading.target!r} must be of one kind in every part. It is text in "
            f"{text[0].name} and numbers in {other.name}. Convert one of them."
        )
    counts: Counter[Any] = Counter()
    weights: Counter[Any] = Counter()
    dtype = np.dtype(parts[0].target_dtype)
    for part in parts:
        counts.update(part.counts)
        weights.update(part.weights)
        dtype = np.promote_types(dtype, part.target_dtype)
    labels = sorted(counts)
    classes = np.array(labels, dtype=dtype)
    totals = as_floats(weights[label] for label in labels).tolist() if weights else ()
    known = tuple(counts[label] for label in labels)
    return replace(made, classes=classes, counts=known, weights=tuple(totals))
