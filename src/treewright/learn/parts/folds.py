"""Folds of a table in parts: by a hash of the number of the row, so that parts and batches do not matter."""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Ints
from ...data.parts.drawn import hash_of_rows


def folds_of_rows(first: int, n_rows: int, n_folds: int) -> Ints:
    """The fold of each of the rows from the number `first` on: SplitMix64 of the number, modulo the folds."""
    return np.asarray(hash_of_rows(first, n_rows) % np.uint64(n_folds), dtype=np.int64)


def fold_lists(n_rows: int, n_folds: int) -> list[tuple[Ints, Ints]]:
    """The same folds as lists of (train, test) rows, as the parameter `cv` takes them in memory."""
    fold = folds_of_rows(0, n_rows, n_folds)
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]
