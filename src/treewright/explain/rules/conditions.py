"""What a rule asks of one column: numbers between two cuts, or a set of levels; and what of missing values.

Where a tree shares a row out, a condition lets through a share of it between 0 and 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.split_test import SplitTest
from .cuts import FIRST, LAST, Cut, before, last_whole

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Range:
    """Numbers after `low` and before `high`, and the share of a row without a value that is let through.

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

    def meet(self, other: Range) -> Range:
        """What both let through."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(self.feature, low, high, self.missing * other.missing, self.whole)

    def join(self, other: Range) -> Range | None:
        """What either lets through; None where that is not one range."""
        if self.takes_no_value or other.takes_no_value:
            low, high = (self.low, self.high) if other.takes_no_value else (other.low, other.high)
        elif self.high == other.low or other.high == self.low:
            low, high = min(self.low, other.low), max(self.high, other.high)
        else:
            return None
        return Range(self.feature, low, high, max(self.missing, other.missing), self.whole)

    def negated(self) -> list[Range]:
        """Ranges of which one lets through what this one does not."""
        missing = 1.0 - self.missing
        if self.takes_no_value:
            return [Range(self.feature, FIRST, LAST, missing, self.whole)]
        sides = [(FIRST, self.low)] * (self.low != FIRST) + [(self.high, LAST)] * (self.high != LAST)
        found = [Range(self.feature, *side, 0.0, self.whole) for side in sides or [(LAST, FIRST)]]
        last = found.pop()
        return [*found, Range(self.feature, last.low, last.high, missing, self.whole)]

    def share(self, column: Column) -> Floats:
        """The share of every row that is let through."""
        values, gone = column.values, column.missing
        if gone is None:
            gone = np.isnan(values)
        inside = before(values, self.high) & ~before(values, self.low)
        return np.where(gone, self.missing, inside)


@dataclass(frozen=True)
class Levels:
    """The share that is let through of a row with each level, by code.

    The last one is that of missing values, and of levels that were not known at fit.
    """

    feature: int
    shares: tuple[float, ...]

    @property
    def missing(self) -> float:
        """The share of a row without a value that is let through."""
        return self.shares[-1]

    @property
    def takes_no_value(self) -> bool:
        """Whether only a missing value can meet it."""
        return not any(self.shares[:-1])

    @property
    def takes_every_value(self) -> bool:
        """Whether every level that was known at fit meets it."""
        return all(share == 1 for share in self.shares[:-1])

    def meet(self, other: Levels) -> Levels:
        """What both let through."""
        return Levels(self.feature, tuple(map(mul, self.shares, other.shares)))

    def join(self, other: Levels) -> Levels:
        """What either lets through."""
        return Levels(self.feature, tuple(map(max, self.shares, other.shares)))

    def negated(self) -> list[Levels]:
        """The one condition that lets through what this one does not."""
        return [Levels(self.feature, tuple(1.0 - share for share in self.shares))]

    def share(self, column: Column) -> Floats:
        """The share of every row that is let through."""
        unknown = len(self.shares) - 1
        codes = np.where((column.values < 0) | (column.values > unknown), unknown, column.values)
        if column.missing is not None:
            codes = np.where(column.missing, unknown, codes)
        return np.asarray(self.shares)[codes.astype(np.int64)]


Condition: TypeAlias = Range | Levels


def meet(one: Condition | None, other: Condition) -> Condition:
    """What both let through, of one column; None lets everything through."""
    if isinstance(one, Range) and isinstance(other, Range):
        return one.meet(other)
    return one.meet(other) if isinstance(one, Levels) and isinstance(other, Levels) else other


def join(one: Condition, other: Condition) -> Condition | None:
    """What either lets through, of one column; None where one condition cannot say it."""
    if isinstance(one, Range) and isinstance(other, Range):
        return one.join(other)
    return one.join(other) if isinstance(one, Levels) and isinstance(other, Levels) else None


def takes_everything(condition: Condition) -> bool:
    """Whether every row meets it, with or without a value."""
    return condition.takes_every_value and condition.missing == 1


def takes_nothing(condition: Condition) -> bool:
    """Whether no row can meet it."""
    return condition.takes_no_value and condition.missing == 0


def branch(question: SplitTest, column: ColumnType, child: int, missing: float) -> Condition:
    """The values that a question sends to a child, and the share of a missing one.

    A child that no value is sent to, or -1, takes missing values only. A level that is not listed counts as
    missing.
    """
    feature = question.feature
    if question.is_nominal:
        shares = [missing] * (len(column.levels) + 1)
        for to, codes in enumerate(question.levels):
            for code in codes:
                shares[code] = float(to == child)
        return Levels(feature, tuple(shares))
    cut, whole = _cut(question, column), _is_whole(column)
    if child not in (0, 1):
        return Range(feature, LAST, FIRST, missing, whole)
    low, high = (FIRST, cut) if (child == 0) != question.reversed else (cut, LAST)
    return Range(feature, low, high, missing, whole)


def unanswered(question: SplitTest, column: ColumnType) -> Condition:
    """The values that a question sends nowhere: missing ones, and levels that it does not list."""
    return branch(question, column, -1, 1.0)


def _is_whole(column: ColumnType) -> bool:
    return column.kind in {"datetime", "duration"} or (column.kind == "ordered" and bool(column.levels))


def _cut(question: SplitTest, column: ColumnType) -> Cut:
    """The cut of a threshold. In a column of whole numbers it lies at a whole number."""
    cut: Cut = (question.threshold, 0 if question.strict else 1)
    if not _is_whole(column):
        return cut
    if column.kind == "ordered":
        last = last_whole(cut)
        if last < 0:
            return FIRST
        return (last, 1) if last < len(column.levels) - 1 else LAST
    if not abs(question.threshold) < 2.0**63:
        return cut
    return (math.ceil(cut[0]), 0) if question.strict else (math.floor(cut[0]), 1)
