"""Folds of a table in parts: by a hash of the number of the row, so that parts and batches do not matter."""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Ints


def folds_of_rows(first: int, n_rows: int, n_folds: int) -> Ints:
    """The fold of each of the rows from the number `first` on: SplitMix64 of the number, modulo the folds."""
    z = np.arange(first, first + n_rows, dtype=np.uint64) + np.uint64(1)
    z = z * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z % np.uint64(n_folds)).astype(np.int64)


def fold_lists(n_rows: int, n_folds: int) -> list[tuple[Ints, Ints]]:
    """The same folds as lists of (train, test) rows, as the parameter `cv` takes them in memory."""
    fold = folds_of_rows(0, n_rows, n_folds)
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]
