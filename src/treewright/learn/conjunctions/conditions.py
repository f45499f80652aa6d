"""Conditions on single columns: which are tried, for which rows they hold, and how they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Mask
from ...data.values import Column
from ...tree.value_text import shortest
from ..clustering.coding import missing_in

MOST_CUTS = 8  # thresholds of a column
MOST_LEVELS = 20  # levels of a column


@dataclass(frozen=True)
class Condition:
    """low < x <= high; of a nominal column that its level is this one, or is not. A missing value fails."""

    column: int
    low: float = -inf
    high: float = inf
    level: int = -1
    negated: bool = False
    binary: bool = False  # the column holds only 0 and 1

    def holds(self, column: Column) -> Mask:
        """For which rows."""
        known = ~missing_in(column)
        if self.level >= 0:
            return np.asarray(known & ((column.values == self.level) != self.negated))
        values = np.where(known, column.values, np.nan).astype(np.float64)
        return np.asarray((values > self.low) & (values <= self.high))

    def joined(self, other: Condition) -> Condition | None:
        """Both conditions as one, where they are on one number; else None."""
        if other.column != self.column or self.level >= 0:
            return None
        return Condition(
            self.column, max(self.low, other.low), min(self.high, other.high), binary=self.binary
        )

    def text(self, name: str, levels: Sequence[Any]) -> str:
        """As a person reads it."""
        if self.level >= 0:
            return f"{name} {'is not' if self.negated else 'is'} {levels[self.level]}"
        if self.binary:
            return name if self.low > -inf else f"not {name}"
        low, high = (_value_text(each, levels) for each in (self.low, self.high))
        if self.low == -inf:
            return f"{name} <= {high}"
        if self.high == inf:
            return f"{name} > {low}"
        return f"{low} < {name} <= {high}"


def _value_text(value: float, levels: Sequence[Any]) -> str:
    """A threshold, or of an ordered column the last level below it."""
    return str(levels[int(value)]) if levels and abs(value) < inf else shortest(value)


def conditions_of(table: Sequence[Column], more_cuts: Sequence[tuple[int, float]]) -> list[Condition]:
    """The conditions to combine; `more_cuts` are thresholds of columns that a tree uses."""
    found: list[Condition] = []
    for place, column in enumerate(table):
        known = column.values[~missing_in(column)]
        if column.type.kind == "nominal":
            found += _of_levels(place, known)
            continue
        if not column.type.is_number and column.type.kind != "ordered":
            continue  # a threshold of times in a name would be hard to read
        values = np.unique(known.astype(np.float64))
        values = values[np.isfinite(values)]
        if len(values) < 2:
            continue
        binary = column.type.is_number and values.tolist() == [0.0, 1.0]
        cuts = {*_cuts(values, known), *(cut for at, cut in more_cuts if at == place)}
        for cut in sorted(cuts):
            found += [Condition(place, high=cut, binary=binary), Condition(place, low=cut, binary=binary)]
    return found


def _cuts(values: Floats, known: Any) -> list[float]:
    """Thresholds between different values: all, or those at quantiles."""
    places = np.arange(len(values) - 1)
    if len(places) > MOST_CUTS:
        at = np.quantile(known.astype(np.float64), np.arange(1, MOST_CUTS + 1) / (MOST_CUTS + 1))
        places = np.unique(np.minimum(np.searchsorted(values, at), len(values) - 2))
    return [_round_between(float(values[k]), float(values[k + 1])) for k in places]


def _round_between(low: float, high: float) -> float:
    """The number of fewest decimals in the middle half between two numbers."""
    middle, quarter = low / 2 + high / 2, high / 4 - low / 4
    found = (round(middle, digits) for digits in range(-3, 16))
    return next((each for each in found if abs(each - middle) <= quarter), middle)


def _of_levels(place: int, known: Any) -> Iterator[Condition]:
    levels, counts = np.unique(known, return_counts=True)
    if len(levels) < 2:
        return
    for level in levels[np.argsort(-counts, kind="stable")[:MOST_LEVELS]].tolist():
        yield Condition(place, level=level)
        if len(levels) > 2:
            yield Condition(place, level=level, negated=True)
