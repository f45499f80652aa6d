"""Rows sent down a tree with parts in single precision, as C5.0 holds them.

Two classes may have the same part of a row. Then the last bits of single numbers decide which one C5.0
predicts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .. import _core
from ..data.common.array_types import Array, Floats, Ints
from .decided import cheapest
from .tree import SHARED, Tree

DIGITS = 7  # of the weight of a class in a leaf: what makes one of equal classes the first is smaller
LEAST = 1e-30  # weight of a leaf


class SingleWalk:
    """Sends rows down a tree, or a branch of it."""

    def __init__(self, tree: Tree, columns: _core.Columns) -> None:
        self.tree = tree
        self._numbers: dict[int, Floats] = {}
        self._columns = columns
        weight = np.maximum(tree.weighted_n_node_samples, LEAST)[:, None]
        self._counts = np.round(tree.value[:, 0] * weight, DIGITS).astype(np.float32)
        self._weight = weight[:, 0].astype(np.float32)

    def values(self, node: int) -> Floats:
        """What the rows have in the column that a node tests; the codes of levels, NaN where missing."""
        column = int(self.tree.feature[node])
        if column not in self._numbers:
            found = np.asarray(self._columns.numbers(column))
            self._numbers[column] = (
                np.where(found < 0, np.nan, found) if self.tree.is_nominal[node] else found
            )
        return self._numbers[column]

    def child(self, node: int, rows: Ints) -> Ints:
        """The number of the child that each row goes to; -1 where the value is missing or not listed."""
        tree, values = self.tree, self.values(node)[rows]
        if not tree.is_nominal[node]:
            return np.where(np.isnan(values), -1, (values > tree.threshold[node]).astype(np.int64))
        listed = slice(*tree.level_begin[node : node + 2])
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        place = np.searchsorted(tree.level_code[listed], codes)
        place = np.minimum(place, listed.stop - listed.start - 1)
        same = tree.level_code[listed][place] == codes
        return np.where(same, tree.level_child[listed][place], -1)

    def down(self, start: int, rows: Ints, weight: Floats) -> Iterator[tuple[int, Ints, Array]]:
        """All nodes from this one down that rows come to, with the rows and their weight there.

        The first branch of a node comes before the second.
        """
        tree = self.tree
        waiting: list[tuple[int, Ints, Array]] = [(start, rows, weight.astype(np.float32))]
        while waiting:
            node, rows, parts_of = waiting.pop()
            yield node, rows, parts_of
            if tree.is_leaf[node] or not len(rows):
                continue
            first, parts = int(tree.first_child[node]), self._parts(node, rows)
            for k in reversed(range(int(tree.n_children[node]))):
                part = parts_of * parts[k]
                some = part > 0
                if some.any():
                    waiting.append((first + k, rows[some], part[some]))

    def _parts(self, node: int, rows: Ints) -> Array:
        """What part of each row every child gets: (children, rows)."""
        tree, child, first = self.tree, self.child(node, rows), int(self.tree.first_child[node])
        parts = (child == np.arange(int(tree.n_children[node]))[:, None]).astype(np.float32)
        if tree.missing_child[node] == SHARED:
            shares = tree.share[first : first + len(parts)].astype(np.float32)
            parts = np.where(child < 0, shares[:, None], parts)
        if not tree.is_nominal[node] and len(tree.soft_low) and not np.isnan(tree.soft_low[node]):
            low, middle, high = tree.soft_low[node], tree.soft_middle[node], tree.soft_high[node]
            values = self.values(node)[rows]
            known = ~np.isnan(values)
            below = 1 - 0.5 * (values - low) / max(middle - low, np.finfo(float).tiny)
            above = 0.5 * (high - values) / max(high - middle, np.finfo(float).tiny)
            part = np.where(values <= middle, below, above)
            part = np.where(values <= low, 1.0, np.where(values >= high, 0.0, part)).astype(np.float32)
            parts = np.where(known, np.stack([part, np.float32(1) - part]), parts)
        return np.asarray(parts)

    def labels(self, start: int, rows: Ints) -> Ints:
        """The class that the branch from this node on predicts for each row.

        Of equal classes it is that of the first leaf that the row comes to, else the first.
        """
        tree, n_rows = self.tree, int(rows.max(initial=-1)) + 1
        sums, first = np.zeros((n_rows, tree.max_n_classes), dtype=np.float32), np.full(n_rows, -1)
        for node, some, weight in self.down(start, rows, np.ones(len(rows))):
            if tree.is_leaf[node]:
                sums[some] += weight[:, None] * self._counts[node] / self._weight[node]
                label = cheapest(self._counts[node][None].astype(np.float64), tree.costs)[0]
                first[some] = np.where(first[some] < 0, label, first[some])
        found = cheapest(sums[rows][:, None].astype(np.float64), tree.costs)[:, 0]
        if tree.costs is not None:
            return found
        each, own = np.arange(len(rows)), first[rows]
        return np.where(sums[rows][each, own] == sums[rows][each, found], own, found)

    def votes(self, shares: Floats) -> Floats:
        """Of the shares of all rows those of the class that each is predicted to have; 0 for the others."""
        labels = self.labels(0, np.arange(len(shares)))
        return np.asarray(np.where(labels[:, None] == np.arange(shares.shape[1]), shares, 0.0))
