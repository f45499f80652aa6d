"""What is known of a column after some of its rows: it grows by adding, in any order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..files.errors import TableError
from ..levels import Labels
from ..schema import BOOLEAN, KINDS, NOTHING, NUMBER, ColumnType, words_of
from ..typed import as_at_fit
from ..values import Read


class ColumnSeen(NamedTuple):
    """The type of a column as some rows of it show it."""

    name: str
    type: ColumnType
    where: str  # a part that has it, for messages
    dtype: str = ""  # numpy's, of a column without levels
    empty: bool = False  # no row has a value
    missing: bool = False  # some row has none
    declared: bool = False  # the levels have an order of their own

    def __add__(self, other: ColumnSeen) -> ColumnSeen:  # type: ignore[override]
        found = self._with(other)
        return found._replace(missing=self.missing or other.missing, empty=self.empty and other.empty)

    def _with(self, other: ColumnSeen) -> ColumnSeen:
        if self.empty != other.empty:
            return other if self.empty else self
        mine, its = self.type, other.type
        if mine.is_number and its.is_number:
            both = np.promote_types(self.dtype, other.dtype).str
            return self._replace(type=mine if mine == its else NUMBER, dtype=both)
        if self.empty:
            return (
                self if other.type == NOTHING or mine == its else other if mine == NOTHING else self.nothing()
            )
        if mine == its:
            return self._replace(declared=self.declared and other.declared)
        if {mine.kind, its.kind} <= {"nominal", "boolean"} and _one_kind(_levels(mine), _levels(its)):
            levels = sorted({*_levels(mine), *_levels(its)})
            return self._replace(type=ColumnType("nominal", tuple(levels)), declared=False, dtype="")
        raise TableError(
            f"A column must hold the same in every part of the table, but {self.name} holds {_held(mine)} in "
            f"{self.where} and {_held(its)} in {other.where}. Convert one of them."
        )

    def nothing(self) -> ColumnSeen:
        """The same column without a type."""
        return self._replace(type=NOTHING, dtype="", declared=False)


def _held(known: ColumnType) -> str:
    if known.kind == "ordered":
        return f"{known} ({', '.join(map(str, known.levels[:8]))})"
    return words_of(known.levels) if known.levels else KINDS[known.kind]


def _levels(known: ColumnType) -> tuple[Any, ...]:
    return (False, True) if known == BOOLEAN else known.levels


def _one_kind(mine: tuple[Any, ...], its: tuple[Any, ...]) -> bool:
    return isinstance(mine[0], str) == isinstance(its[0], str)


def column_seen(read: Read, nominal: bool | None, where: str) -> ColumnSeen:
    """What some rows of a column show of it; `nominal` as in `as_at_fit`."""
    column = as_at_fit(read, nominal)
    if column.missing is not None:
        missing = bool(column.missing.any())
    elif column.type.has_levels:
        missing = bool((column.values < 0).any())
    else:
        missing = column.values.dtype.kind == "f" and bool(np.isnan(column.values).any())
    declared = isinstance(read, Labels) and read.declared and bool(column.type.levels)
    dtype = "" if column.type.has_levels else column.values.dtype.str
    empty = column.is_empty() if len(column.values) else True
    return ColumnSeen(read.name, column.type, where, dtype, empty, missing, declared)
