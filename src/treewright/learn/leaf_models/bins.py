"""Columns as small codes, in which cuts are searched: quantiles of numbers, levels by their mean residual."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...data.common.array_types import Floats, Ints

BINS = 32
MISSING = 255
Codes = NDArray[np.uint8]


def number_codes(x: Floats, n_bins: int = BINS) -> tuple[Codes, int]:
    """The code of every value by quantiles, equal values alike; missing values have MISSING."""
    known = ~np.isnan(x)
    values = x[known]
    edges = np.unique(values) if len(values) <= 4096 else values
    if len(edges) > n_bins:
        edges = np.unique(np.quantile(values, np.arange(1, n_bins) / n_bins, method="lower"))
    codes = np.full(len(x), MISSING, dtype=np.uint8)
    codes[known] = np.searchsorted(edges, values, side="left")
    return codes, len(edges) + 1


def level_codes(x: Floats, residual: Floats, weight: Floats) -> tuple[Codes, Ints]:
    """Levels in the order of their mean residual, neighbours joined where there are too many.

    Returns the codes, and for every level its code, or MISSING if no row has it.
    """
    known = ~np.isnan(x)
    level = x[known].astype(np.int64)
    place = np.full(max(int(level.max(initial=-1)) + 1, 1), MISSING, dtype=np.int64)
    total = np.bincount(level, weight[known], len(place))
    mean = np.bincount(level, weight[known] * residual[known], len(place)) / np.maximum(total, 1e-300)
    present = np.flatnonzero(np.bincount(level, minlength=len(place)))
    order = present[np.argsort(mean[present], kind="stable")]
    place[order] = np.arange(len(order)) * min(254, len(order)) // max(len(order), 1)
    codes = np.full(len(x), MISSING, dtype=np.uint8)
    codes[known] = place[level]
    return codes, place
