"""Sets of values of one column: numbers between two cuts, or levels; and what becomes of a missing value.

Where a tree divides a row among branches, a set lets through a share of it between 0 and 1.

A cut is a place between numbers: (2, 1) lies just above 2 and (2, 0) just below it, so that x <= 2 is all
that lies before (2, 1), and x >= 2 all after (2, 0). Cuts are compared as pairs; an int is never rounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..data.schema import ColumnType
from ..data.values import Column
from .split_test import SplitTest

Floats = NDArray[np.float64]
Cut = tuple[float | int, int]
Mask = NDArray[np.bool_]

FIRST: Cut = (-math.inf, 0)  # before every number
LAST: Cut = (math.inf, 1)  # after every number


def last_whole(cut: Cut) -> float | int:
    """The greatest whole number before a cut, or an infinity."""
    at, after = cut
    if math.isinf(at):
        return at
    return math.floor(at) if after else math.ceil(at) - 1


def before(values: NDArray[Any], cut: Cut) -> Mask:
    """Which numbers lie before a cut, of whatever type they are, compared exactly."""
    if values.dtype.kind == "f":
        near = float(cut[0])  # of an int it may be a neighbour, and then the cut lies on one side of it
        after = cut[1] if near == cut[0] else near < cut[0]
        wide = values.astype(np.float64, copy=False)
        return np.asarray(wide <= near if after else wide < near)
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    limits, last = np.iinfo(values.dtype), last_whole(cut)
    if last >= limits.max - (limits.bits == 64):  # the two greatest of 64 bits count as one, as in the core
        return np.ones(len(values), dtype=bool)
    if last < limits.min:
        return np.zeros(len(values), dtype=bool)
    return np.asarray(values <= values.dtype.type(last))


@dataclass(frozen=True)
class NumberRange:
    """Numbers after `low` and before `high`, and the share of a missing value that is let through.

    Where no number fits, `low` is LAST and `high` is FIRST: only missing values are let through.
    """

    feature: int
    low: Cut = FIRST
    high: Cut = LAST
    missing: float = 0.0
    whole: bool = False  # the column holds whole numbers only: codes of ordered levels, or microseconds

    def __post_init__(self) -> None:
        none = self.low >= self.high
        if none or (self.whole and last_whole(self.low) >= last_whole(self.high)):
            object.__setattr__(self, "low", LAST)
            object.__setattr__(self, "high", FIRST)

    @property
    def takes_no_value(self) -> bool:
        """Whether only a missing value can meet it."""
        return self.low > self.high

    @property
    def takes_every_value(self) -> bool:
        """Whether every value that is there meets it."""
        return (self.low, self.high) == (FIRST, LAST)

    @property
    def n_sides(self) -> int:
        """2 for a range with two ends, else 1."""
        return 1 + (self.low != FIRST and self.high != LAST and not self.takes_no_value)

    def meet(self, other: NumberRange) -> NumberRange:
        """What both let through."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return NumberRange(self.feature, low, high, self.missing * other.missing, self.whole)

    def join(self, other: NumberRange) -> NumberRange | None:
        """What either lets through; None where that is not one range."""
        if self.takes_no_value or other.takes_no_value:
            low, high = (self.low, self.high) if other.takes_no_value else (other.low, other.high)
        elif self.high == other.low or other.high == self.low:
            low, high = min(self.low, other.low), max(self.high, other.high)
        else:
            return None
        return NumberRange(self.feature, low, high, max(self.missing, other.missing), self.whole)

    def negated(self) -> list[NumberRange]:
        """Ranges of which one lets through what this one does not."""
        missing = 1.0 - self.missing
        if self.takes_no_value:
            return [NumberRange(self.feature, FIRST, LAST, missing, self.whole)]
        sides = [(FIRST, self.low)] * (self.low != FIRST) + [(self.high, LAST)] * (self.high != LAST)
        found = [NumberRange(self.feature, *side, 0.0, self.whole) for side in sides or [(LAST, FIRST)]]
        last = found.pop()
        return [*found, NumberRange(self.feature, last.low, last.high, missing, self.whole)]

    def share(self, column: Column) -> Floats:
        """The share of every row that is let through."""
        values, gone = column.values, column.missing
        if gone is None:
            gone = np.isnan(values)
        inside = before(values, self.high) & ~before(values, self.low)
        return np.where(gone, self.missing, inside)


@dataclass(frozen=True)
class LevelSet:
    """Levels by code: those let through whole, and those of which a share is let through.

    `missing` is the share of missing values, and of levels that were not known at fit.
    """

    feature: int
    n_levels: int
    codes: frozenset[int]
    missing: float = 0.0
    partial: frozenset[tuple[int, float]] = frozenset()  # (code, share between 0 and 1)

    @cached_property
    def shares(self) -> dict[int, float]:
        """The share of each level that is let through at all."""
        return dict.fromkeys(self.codes, 1.0) | dict(self.partial)

    @property
    def takes_no_value(self) -> bool:
        """Whether only a missing value is in it."""
        return not self.codes and not self.partial

    @property
    def takes_every_value(self) -> bool:
        """Whether every level that was known at fit is in it."""
        return len(self.codes) == self.n_levels

    @property
    def n_sides(self) -> int:
        """One condition, however many levels it has."""
        return 1

    def meet(self, other: LevelSet) -> LevelSet:
        """What is in both."""
        missing = self.missing * other.missing
        if not self.partial and not other.partial:
            return LevelSet(self.feature, self.n_levels, self.codes & other.codes, missing)
        few, many = sorted((self.shares, other.shares), key=len)
        return self._of({code: share * many[code] for code, share in few.items() if code in many}, missing)

    def join(self, other: LevelSet) -> LevelSet:
        """What is in either."""
        missing = max(self.missing, other.missing)
        if not self.partial and not other.partial:
            return LevelSet(self.feature, self.n_levels, self.codes | other.codes, missing)
        mine, theirs = self.shares, other.shares
        both = {code: max(mine.get(code, 0.0), theirs.get(code, 0.0)) for code in mine | theirs}
        return self._of(both, missing)

    def negated(self) -> list[LevelSet]:
        """The one set of all that is not in this one."""
        rest = {code: 1.0 - self.shares.get(code, 0.0) for code in range(self.n_levels)}
        return [self._of(rest, 1.0 - self.missing)]

    def _of(self, shares: dict[int, float], missing: float) -> LevelSet:
        whole = frozenset(code for code, share in shares.items() if share == 1)
        partial = frozenset((code, share) for code, share in shares.items() if 0 < share < 1)
        return LevelSet(self.feature, self.n_levels, whole, missing, partial)

    def share(self, column: Column) -> Floats:
        """The share of every row that is let through."""
        unknown = self.n_levels
        codes = np.where((column.values < 0) | (column.values > unknown), unknown, column.values)
        if column.missing is not None:
            codes = np.where(column.missing, unknown, codes)
        shares = np.zeros(unknown + 1)
        shares[[*self.shares]] = [*self.shares.values()]
        shares[unknown] = self.missing
        return shares[codes.astype(np.int64)]


ValueSet: TypeAlias = NumberRange | LevelSet


def meet(one: ValueSet | None, other: ValueSet) -> ValueSet:
    """What is in both sets of one column; None is the set of everything."""
    if isinstance(one, NumberRange) and isinstance(other, NumberRange):
        return one.meet(other)
    return one.meet(other) if isinstance(one, LevelSet) and isinstance(other, LevelSet) else other


def join(one: ValueSet, other: ValueSet) -> ValueSet | None:
    """What is in either set of one column; None where that is not one set."""
    if isinstance(one, NumberRange) and isinstance(other, NumberRange):
        return one.join(other)
    return one.join(other) if isinstance(one, LevelSet) and isinstance(other, LevelSet) else None


def takes_everything(values: ValueSet) -> bool:
    """Whether every row is let through, with or without a value."""
    return values.takes_every_value and values.missing == 1


def takes_nothing(values: ValueSet) -> bool:
    """Whether no row is let through."""
    return values.takes_no_value and values.missing == 0


def unlisted_levels(test: SplitTest, column: ColumnType) -> frozenset[int]:
    """The levels that a test does not list."""
    return frozenset(range(len(column.levels))).difference(*test.levels) if test.is_nominal else frozenset()


def branch_values(
    test: SplitTest, column: ColumnType, child: int, missing: float, unlisted: frozenset[int] | None = None
) -> ValueSet:
    """The values that a test sends to a child, and the share of a missing one.

    A child that no value is sent to, or -1, takes missing values only. A level that the test does not list
    counts as missing. `unlisted` has these levels, where they are known: of many children once for all.
    """
    if test.is_nominal:
        codes = frozenset(test.levels[child] if 0 <= child < len(test.levels) else ())
        many = len(column.levels)
        if not missing:
            return LevelSet(test.feature, many, codes, missing)
        unlisted = unlisted_levels(test, column) if unlisted is None else unlisted
        if missing == 1:
            return LevelSet(test.feature, many, codes | unlisted, missing)
        return LevelSet(test.feature, many, codes, missing, frozenset((code, missing) for code in unlisted))
    cut, whole = _cut(test, column), is_whole(column)
    if child not in (0, 1):
        return NumberRange(test.feature, LAST, FIRST, missing, whole)
    low, high = (FIRST, cut) if (child == 0) != test.reversed else (cut, LAST)
    return NumberRange(test.feature, low, high, missing, whole)


def untested_values(test: SplitTest, column: ColumnType) -> ValueSet:
    """The values that a test sends nowhere: missing ones, and levels that it does not list."""
    return branch_values(test, column, -1, 1.0)


def is_whole(column: ColumnType) -> bool:
    """Whether a column holds whole numbers only: codes of ordered levels, or microseconds."""
    return column.kind in {"datetime", "duration"} or (column.kind == "ordered" and bool(column.levels))


def _cut(test: SplitTest, column: ColumnType) -> Cut:
    """The cut of a threshold. In a column of whole numbers it lies at a whole number."""
    cut: Cut = (test.threshold, 0 if test.strict else 1)
    if not is_whole(column):
        return cut
    if column.kind == "ordered":
        last = last_whole(cut)
        if last < 0:
            return FIRST
        return (last, 1) if last < len(column.levels) - 1 else LAST
    if not abs(test.threshold) < 2.0**63:
        return cut
    return (math.ceil(cut[0]), 0) if test.strict else (math.floor(cut[0]), 1)
