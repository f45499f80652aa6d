"""Folds of a table in parts, by the row alone, so that parts and batches do not matter.

The fold of a row is a hash of its number; with groups, that of its group; in time, rows are divided by their
time, and each fold is trained on all rows before it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Ints, Mask
from ...data.files.errors import TableError
from ...data.parts import TableDescription
from ...data.parts.hashes import mixed, row_numbers
from ...data.parts.value_counts import ValueCounts
from ..folds import time_cuts


class RowFolds(NamedTuple):
    """How many folds there are, and what they are by."""

    n: int = 1
    in_time: bool = False

    def left_out(self, fold: Array, number: int) -> Mask:
        """The rows that the tree of a fold is not grown from."""
        return np.asarray(fold >= number if self.in_time else fold == number)


class Division:
    """The fold of each row by its group or its time, from what is known of the whole table.

    In time, the rows before all folds have the number -1.
    """

    def __init__(self, description: TableDescription, cv: int) -> None:
        self.by_group, self.in_time = description.reading.groups is not None, bool(description.times.counts)
        self.groups, self.times, self.cv = description.groups, description.times, cv

    @property
    def folds(self) -> RowFolds:
        """How many folds there are: `cv`, or as many as groups or times allow."""
        if self.in_time:
            return RowFolds(len(self.cuts), True)
        if self.by_group and self.groups.complete:
            return RowFolds(_few(min(self.cv, len(self.groups.counts))))
        return RowFolds(self.cv)

    @property
    def note(self) -> str:
        """The folds in words."""
        if self.in_time:
            return f"The {self.folds.n} folds of cross-validation are by time, each after its training rows."
        what = "group" if self.by_group else "number"
        return f"The {self.folds.n} folds of cross-validation are by a hash of the {what} of the row."

    def of(self, groups: Any, times: Any) -> Array | None:
        """The folds of some rows; None: by their number."""
        if self.in_time:
            return np.asarray(np.searchsorted(self.cuts, times, side="right") - 1, dtype=np.int16)
        if not self.by_group:
            return None
        if not self.groups.complete:
            return np.asarray(groups.view(np.uint64) % np.uint64(self.cv), dtype=np.int16)
        known, folds = self._known
        return np.asarray(folds[np.searchsorted(known, groups)])

    @cached_property
    def cuts(self) -> Array:
        """The first time of each fold."""
        values, counts = _sorted(self.times)
        if len(values) < 2:
            raise TableError("time must have at least two different times, to test on later rows. Got one.")
        return values[time_cuts(counts, self.cv)]

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """The groups, and their folds: the largest group goes first, each to the fold of fewest rows."""
        values, counts = _sorted(self.groups)
        rows, folds = np.zeros(self.folds.n), np.empty(len(values), dtype=np.int16)
        for place in np.argsort(-counts, kind="stable").tolist():
            folds[place] = rows.argmin()
            rows[folds[place]] += counts[place]
        return values, folds


def _few(n_groups: int) -> int:
    if n_groups < 2:
        raise TableError("groups must have at least two groups, to test on other ones. Got one.")
    return n_groups


def _sorted(found: ValueCounts) -> tuple[Array, Ints]:
    values = np.array(sorted(found.counts))
    return values, np.array([found.counts[value] for value in values.tolist()], dtype=np.int64)


def folds_of_rows(first: int, n_rows: int, n_folds: int) -> Ints:
    """The fold of each of the rows from the number `first` on: a hash of the number, modulo the folds."""
    return np.asarray(mixed(row_numbers(first, n_rows)) % np.uint64(n_folds), dtype=np.int64)


def fold_lists(n_rows: int, n_folds: int) -> list[tuple[Ints, Ints]]:
    """The same folds as lists of (train, test) rows, as the parameter `cv` takes them in memory."""
    return lists_of(folds_of_rows(0, n_rows, n_folds), RowFolds(n_folds))


def lists_of(fold: Array, how: RowFolds) -> list[tuple[Ints, Ints]]:
    """Folds of rows as lists of (train, test) rows."""
    return [(np.flatnonzero(~how.left_out(fold, k)), np.flatnonzero(fold == k)) for k in range(how.n)]
