"""Which branches of a model tree stay."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints

WORTH = 0.995  # of the error of a smaller tree: a larger one must err less


class Branches:
    """The branches of a tree while they are cut: what each errs, and how many parameters it has."""

    def __init__(self, grown: dict[str, Any], error: Floats) -> None:
        self.own_error, self.own_size = error, np.diff(grown["term_begin"]) + 1.0  # of every node as a leaf
        self.first: Ints = grown["first_child"]
        self.begin, self.end = grown["row_begin"], grown["row_end"]
        self.inner = np.flatnonzero(self.first >= 0)
        self.is_leaf = self.first < 0
        self.error, self.size = self.own_error.copy(), self.own_size.copy()
        for top in self.inner[::-1]:
            children = slice(self.first[top], self.first[top] + 2)
            self.error[top] = self.error[children].sum()
            self.size[top] = self.size[children].sum() + grown["test_size"][top]

    def saved(self) -> tuple[Floats, Floats]:
        """By how much more a tree errs without each branch, and how many parameters fewer it has."""
        inner = self.inner
        return self.own_error[inner] - self.error[inner], self.size[inner] - self.own_size[inner]

    def cut(self, top: int) -> None:
        """Make a leaf of a node."""
        above = (self.begin <= self.begin[top]) & (self.end >= self.end[top])
        below = (self.begin >= self.begin[top]) & (self.end <= self.end[top])
        self.error[above] += self.own_error[top] - self.error[top]
        self.size[above] += self.own_size[top] - self.size[top]
        self.inner = self.inner[~below[self.inner]]
        self.is_leaf[below] = False
        self.is_leaf[top] = True

    def cut_small_leaves(self, least: int) -> None:
        """Make a leaf of every node one side of which has too few rows to be a leaf."""
        rows, first = self.end - self.begin, self.first[self.inner]
        small = self.inner[np.minimum(rows[first], rows[first + 1]) < least]
        for top in small:
            if top in self.inner:
                self.cut(int(top))


def pruned_leaves(grown: dict[str, Any], error: Floats, n: float) -> set[int]:
    """The leaves once all branches are cut that cost more than they help; n is the weight of all rows.

    Nodes with a side of too few rows become leaves. A tree errs by the sum of absolute errors times
    (n + v) / (n - v); v counts the parameters of all leaves, and some for each test, up to n - 1. Of the
    branches without which that is at most 0.5 % above the least so far, the one goes that lowers the sum
    least, until there is none.
    """
    branches, least = Branches(grown, error), np.inf
    branches.cut_small_leaves(grown["least_rows"])
    while len(branches.inner):
        more, fewer = branches.saved()
        least = min(least, float(_adjusted(branches.error[0], branches.size[0], n)))
        after = _adjusted(branches.error[0] + more, branches.size[0] - fewer, n)
        allowed = WORTH * after <= least
        if not allowed.any():
            break
        branches.cut(int(branches.inner[np.where(allowed, more, np.inf).argmin()]))
    return set(np.flatnonzero(branches.is_leaf).tolist())


def _adjusted(error: Floats, size: Floats, n: float) -> Floats:
    size = np.minimum(size, n - 1)
    return error * (n + size) / (n - size)
