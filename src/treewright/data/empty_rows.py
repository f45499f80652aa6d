"""Rows of a table that say nothing: every value of theirs is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .levels import Labels
from .table import each_column

Mask = NDArray[np.bool_]


def empty_rows(X: Any, n_rows: int) -> Mask:
    """Which rows have no value in any column; in a sparse matrix what is not stored is a zero, a value."""
    empty = np.ones(n_rows, dtype=bool)
    if hasattr(X, "tocsc"):
        return np.zeros(n_rows, dtype=bool)
    for read in each_column(X if hasattr(X, "columns") or hasattr(X, "shape") else np.asarray(X)):
        if isinstance(read, Labels):
            empty &= read.codes < 0
        elif read.missing is not None:
            empty &= read.missing
        elif read.values.dtype.kind == "f":
            empty &= np.isnan(read.values)
        else:
            empty[:] = False
        if not empty.any():
            break
    return empty
