"""Which rows of a table are equal, exactly: by refining groups one column after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .reading import Coded, Codes

Rows = NDArray[np.intp]


def equal_rows(columns: Sequence[Coded], rows: Rows) -> Codes:
    """For each of these rows the number of its group of equals, −1 for a row without one. Missing is a value.

    Columns with many values come first: after them few rows still have an equal, and only these go on.
    """
    group = np.zeros(len(rows), dtype=np.int64)
    open_rows = np.arange(len(rows))
    for column in sorted(columns, key=lambda column: -len(column.levels)):
        codes = column.codes[rows[open_rows]] + 1
        both = group[open_rows] * (len(column.levels) + 1) + codes
        _, found, counts = np.unique(both, return_inverse=True, return_counts=True)
        alone = counts[found] == 1
        group[open_rows] = np.where(alone, -1, found)
        open_rows = open_rows[~alone]
    return group


def repeats(group: Codes) -> Rows:
    """The places of all rows of a group but its first."""
    members = np.flatnonzero(group >= 0)
    _, first = np.unique(group[members], return_index=True)
    again = np.ones(len(members), dtype=bool)
    again[first] = False
    return members[again]


def mixed_groups(group: Codes, labels: Codes) -> tuple[Rows, int]:
    """The places of all rows in groups with more than one label, and the number of these groups."""
    members = np.flatnonzero(group >= 0)
    if not len(members):
        return members, 0
    n_groups = int(group.max()) + 1
    low, high = np.full(n_groups, labels.max() + 1), np.full(n_groups, -1)
    np.minimum.at(low, group[members], labels[members])
    np.maximum.at(high, group[members], labels[members])
    differ = low < high
    return members[differ[group[members]]], int(np.count_nonzero(differ))
