"""Columns as small codes, in which cuts are searched: quantiles of numbers, levels by their mean residual."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...data.common.array_types import Floats, Ints

FINE, COARSE = 254, 32  # bins of a column, and those of them that the cuts of one node are compared at
SAMPLE = 50_000  # values that the edges of bins come from
MISSING = 255
MANY_ROWS = 512  # of a node; with fewer, half as many bins are compared
Codes = NDArray[np.uint8]


def number_codes(x: Floats) -> Codes:
    """The code of every value by quantiles, equal values alike; missing values have MISSING."""
    known = ~np.isnan(x)
    values = x[known]
    edges = np.sort(values[:: max(1, len(values) // SAMPLE)])
    edges = edges[np.concatenate([[True], edges[1:] > edges[:-1]])] if len(edges) else edges
    if len(edges) > FINE:
        edges = edges[np.arange(1, FINE) * len(edges) // FINE]
    codes = np.full(len(x), MISSING, dtype=np.uint8)
    codes[known] = np.minimum(np.searchsorted(edges, values, side="left"), FINE - 1)
    return codes


def coarse_codes(codes: Codes) -> tuple[Codes, Ints]:
    """The codes of some rows, one row per column, as at most COARSE bins of about as many rows each.

    Returns the codes, and how many there are of each column.
    """
    n_columns, most = len(codes), COARSE if codes.shape[1] >= MANY_ROWS else COARSE // 2
    shifted = codes.astype(np.int64) + 256 * np.arange(n_columns)[:, None]
    count = np.bincount(shifted.reshape(-1), minlength=256 * n_columns).reshape(n_columns, 256)
    count[:, MISSING] = 0
    before = np.cumsum(count, axis=1) - count
    few = (count > 0).sum(axis=1, keepdims=True) <= most
    group = np.where(few, np.arange(256), before * most // np.maximum(count.sum(axis=1, keepdims=True), 1))
    group[count == 0] = -1
    above = np.maximum.accumulate(group, axis=1)
    new = (group >= 0) & (group > np.concatenate([np.full((n_columns, 1), -1), above[:, :-1]], axis=1))
    to = np.cumsum(new, axis=1) - 1
    n_bins = to[:, -1] + 1
    to[:, MISSING] = MISSING
    return to.astype(np.uint8).reshape(-1)[shifted], n_bins


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
    place[order] = np.arange(len(order)) * min(COARSE, len(order)) // max(len(order), 1)
    codes = np.full(len(x), MISSING, dtype=np.uint8)
    codes[known] = place[level]
    return codes, place
