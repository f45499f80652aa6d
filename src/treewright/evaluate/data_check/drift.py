"""Drift: whether values change along an order of the rows, as measured over the whole of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64] | NDArray[np.int64]

BLOCKS = 10  # equal parts of the rows, in their order
LEAST = 10 * BLOCKS  # rows: of fewer no drift is measured
# Standard deviations of the normal distribution, which chance exceeds once in three million cases.
CERTAIN = 5.0


def drift_of_numbers(values: Values) -> float:
    """Spearman's correlation of numbers with their order, without sign; 0 where it may be chance.

    It is certain by Fisher's transformation: atanh(r) sqrt(n - 3) is nearly normal.
    """
    n = len(values)
    if n < LEAST or _is_sorted(values):
        return 0.0
    ranks = _ranks(values)
    order = np.arange(n, dtype=np.float64)
    spread = float(ranks.std() * order.std())
    if spread == 0:
        return 0.0
    found = abs(float(((ranks - ranks.mean()) * (order - order.mean())).mean())) / spread
    return found if found < 1 and np.arctanh(found) * np.sqrt(n - 3) > CERTAIN else 0.0


def drift_of_levels(codes: Values) -> float:
    """Cramér's V of levels by blocks of rows, in their order; 0 where it may be chance.

    The chi-squared statistic is certain by Wilson and Hilferty: its cube root is nearly normal.
    """
    n = len(codes)
    if n < LEAST:
        return 0.0
    levels, place = np.unique(codes, return_inverse=True)
    if len(levels) < 2 or _is_sorted(codes) or np.count_nonzero(np.diff(codes)) < 2 * len(levels):
        return 0.0  # sorted by these levels
    counts = np.zeros((BLOCKS, len(levels)))
    np.add.at(counts, (np.arange(n) * BLOCKS // n, place.ravel()), 1)
    if counts.sum(axis=0).min() < BLOCKS:
        return 0.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / n
    squares = float(((counts - expected) ** 2 / expected).sum())
    part = 2 / 9 / ((BLOCKS - 1) * (len(levels) - 1))
    certain = (np.cbrt(squares * part * 9 / 2) - 1 + part) / np.sqrt(part) > CERTAIN
    return float(np.sqrt(squares / n / (min(counts.shape) - 1))) if certain else 0.0


def _ranks(values: Values) -> NDArray[np.float64]:
    """The rank of each value; equal values have their mean rank."""
    place, counts = np.unique(values, return_inverse=True, return_counts=True)[1:]
    ends = np.cumsum(counts)
    middle: NDArray[np.float64] = ends - (counts - 1) / 2
    return middle[place.ravel()]


def _is_sorted(values: Values) -> bool:
    steps = np.diff(values)
    return bool((steps >= 0).all() or (steps <= 0).all())
