"""How long a rule is, in bits, and whether it says more than it costs.

A condition names its column, and a side and a cut, a level, or a set of levels. A rule says as much as the
classes of all rows become shorter to write down once it is known which rows it covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import log, log2
from typing import Any

import numpy as np
from scipy.special import entr, gammaln

from ...data.common.array_types import Floats, Ints
from ...data.values import Column
from ...tree.value_sets import LevelSet, ValueSet

# What a bit of the rules counts beside a bit of the classes. Found by experiment with C5.0, within 0.0005.
OF_RULES = 0.23


def choices(n: Any, k: Any) -> Floats:
    """log2 of the number of ways to choose k of n."""
    n, k = np.asarray(n, dtype=np.float64), np.asarray(k, dtype=np.float64)
    return np.asarray((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2.0))


def orders(n: Any) -> Floats:
    """log2 of the number of orders of n things, which say nothing."""
    return np.asarray(gammaln(np.asarray(n) + 1.0) / np.log(2.0))


class Lengths:
    """The lengths of conditions on these columns."""

    def __init__(self, columns: Sequence[Column], n_columns: int) -> None:
        self.of_column = log2(n_columns)
        self._levels = cache(lambda place: _level_counts(columns[place]))
        self._cut = cache(lambda place: 1.0 + 0.5 * log2(max(_n_values(columns[place]) - 1, 1)))

    def of_rule(self, conditions: Iterable[ValueSet]) -> float:
        """The bits of a rule."""
        each = list(conditions)
        count = sum(values.n_sides for values in each)
        return sum(map(self._of_condition, each)) - float(orders(count))

    def _of_condition(self, values: ValueSet) -> float:
        if not isinstance(values, LevelSet):
            return values.n_sides * (self.of_column + self._cut(values.feature))
        counts = self._levels(values.feature)
        seen = sum(1 for code in values.codes if code < len(counts) and counts[code])
        if seen > 1:
            return self.of_column + float(choices(np.count_nonzero(counts), seen))
        return self.of_column + float(entr(counts / max(counts.sum(), 1)).sum()) / log(2.0)


def _level_counts(column: Column) -> Ints:
    return np.bincount(column.values[column.values >= 0].astype(np.int64), minlength=1)


def _n_values(column: Column) -> int:
    known = column.values if column.missing is None else column.values[~column.missing]
    if column.type.has_levels:
        return len(np.unique(known[known >= 0]))
    return len(np.unique(known[~np.isnan(known)] if known.dtype.kind == "f" else known))


def information(weight: float, wrong: float, total: float, of_class: float) -> float:
    """The bits that a rule saves; 0 if its class is no more frequent among its rows than among all."""
    if weight <= 0 or (weight - wrong) * total <= of_class * weight:
        return 0.0
    left_out = max(of_class - (weight - wrong), 0.0)
    return _entropy(total, of_class) - _entropy(weight, wrong) - _entropy(total - weight, left_out)


def _entropy(weight: float, part: float) -> float:
    """The bits that say which rows are of a part."""
    shares = np.array([part, weight - part]) / weight if weight > 0 else np.zeros(2)
    return weight * float(entr(np.clip(shares, 0.0, 1.0)).sum()) / log(2.0)
