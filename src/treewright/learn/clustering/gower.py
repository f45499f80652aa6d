"""Gower's dissimilarity of all pairs of rows (Gower 1971)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.common.array_types import Array, Floats, Mask
from ...data.common.errors import ParameterError
from ...data.values import Column
from .coding import missing_in
from .dissimilarity import BLOCK

MOST_ROWS = 20_000  # whose matrix has 1.6 GB


def gower(table: Sequence[Column], weights: Floats | None = None) -> Array:
    """The mean difference of two rows over the columns that are known in both: a matrix of float32.

    Of numbers the difference is |a − b| / range, of levels 0 or 1. Rows without a column that is known in
    both differ by 1. The range is that of rows with a weight.
    """
    n_rows = len(table[0].values)
    if n_rows > MOST_ROWS:
        raise ParameterError(
            f"dissimilarity='gower' compares all pairs of rows, so X must have at most {MOST_ROWS:,} rows. "
            f"Got {n_rows:,}. Fit on some of the rows and predict the others, or use 'standardized'.",
            "dissimilarity",
        )
    columns = [_ready(column, weights) for column in table]
    some_missing = any(not known.all() for _, known, _ in columns)
    matrix = np.empty((n_rows, n_rows), dtype=np.float32)
    for start in range(0, n_rows, BLOCK):
        block = slice(start, min(start + BLOCK, n_rows))
        total = np.zeros((block.stop - start, n_rows), dtype=np.float32)
        count = np.zeros_like(total) if some_missing else np.float32(len(columns))
        for values, known, is_nominal in columns:
            one, all_values = values[block, None], values[None, :]
            part = (one != all_values).astype(np.float32) if is_nominal else np.abs(one - all_values)
            if some_missing:
                both = known[block, None] & known[None, :]
                part = np.where(both, part, np.float32(0))
                count += both
            total += part
        matrix[block] = np.where(count > 0, total / np.maximum(count, 1), np.float32(1))
    np.fill_diagonal(matrix, 0)
    return matrix


def _ready(column: Column, weights: Floats | None) -> tuple[Array, Mask, bool]:
    """The values, divided by their range; which are known; and whether they are levels."""
    known = ~missing_in(column)
    if column.type.kind == "nominal":
        return np.asarray(column.values), known, True
    values = np.where(known, np.asarray(column.values, dtype=np.float64), 0.0)
    counted = values[known if weights is None else known & (weights > 0)]
    width = float(np.ptp(counted)) if len(counted) else 0.0
    values = (values - (counted.min() if len(counted) else 0.0)) / (width or 1.0)
    return np.clip(values, 0, 1).astype(np.float32), known, False
