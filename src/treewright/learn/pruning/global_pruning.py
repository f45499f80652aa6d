"""Global pruning, as C5.0 does it: of the tree as a whole the cheapest branches go, up to a standard error.

E is the weight of the rows that the tree predicts wrongly, of N in all. A branch costs the errors that its
node would make as a leaf beyond its own, shared by the leaves that go. The branches that cost least go, all
of them if several do, as long as all that was paid is at most k sqrt(E (1 - E / N)).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ...tree.walks import sum_below
from .risk import stopped_risk
from .rows import Rows

EMPTY = 1e-3  # a leaf of no more weight has no rows
LIGHT = 0.1  # a branch of no more weight is left as it is
NEAR = 1e-6  # costs that differ by more than this share are not equal in single precision either


def within_error(tree: Tree, rows: Rows | None, k: float, dropped: float = 0.0) -> Mask:
    """The nodes to cut; rows of the weight `dropped` count in N only.

    E is what the leaves count as errors; where rows without a value are shared out among leaves, it is
    counted by predicting the rows.
    """
    count = Counted(tree)
    predicted = rows is not None and lacks_values(tree, rows)
    wrong = wrong_rows(tree, rows) if rows is not None and predicted else float(count.branch[0])
    total = float(tree.weighted_n_node_samples[0]) + dropped
    left = k * sqrt(max(wrong * (1.0 - wrong / total), 0.0)) if total > 0 else 0.0
    cut = np.zeros(tree.node_count, dtype=bool)
    while True:
        cheapest = count.cheapest(left)
        price = sum((count.errors[cheapest] - count.branch[cheapest]).tolist())
        if not cheapest or price > left:
            return cut
        for node in cheapest:
            count.cut(node)
            cut[node] = True
        left -= price


def lacks_values(tree: Tree, rows: Rows) -> bool:
    """Whether a column that the tree tests has a missing value in these rows."""
    tested = np.unique(tree.feature[~tree.is_leaf]).tolist()
    return any(bool(np.isnan(rows.columns.numbers(column)).any()) for column in tested)


def wrong_rows(tree: Tree, rows: Rows) -> float:
    """The weight of the rows for which the tree predicts another class, as a mean over outputs."""
    return float((rows.weight[:, None] * (tree.labels(rows.columns) != rows.y)).sum() / tree.n_outputs)


class Counted:
    """Errors and leaves below every node while branches are cut."""

    def __init__(self, tree: Tree) -> None:
        leaf, weight = tree.is_leaf, tree.weighted_n_node_samples
        # The program counts in single precision, which decides between branches of equal cost.
        right = np.take_along_axis(tree.value, tree.label[:, :, None], axis=2).mean(axis=(1, 2))
        errors = weight.astype(np.float32) - (weight * right).astype(np.float32)
        self.errors = errors.astype(np.float64)
        stopped = np.where(leaf, self.errors, stopped_risk(tree, "error"))
        self.branch: Floats = _single_sums(tree, stopped)
        some = leaf & (weight > EMPTY)  # a leaf without rows is none
        self.leaves: Ints = sum_below(tree, some.astype(np.int64))
        self.parent: list[int] = tree.parent.tolist()
        self.size: Ints = sum_below(tree, np.ones(tree.node_count, dtype=np.int64))
        self.place = after_children(tree, self.size)
        waiting = np.flatnonzero(~leaf & ~tree.over_ancestors(np.logical_or, weight <= LIGHT))
        self.waiting = waiting[np.argsort(self.place[waiting])]

    def extra(self, node: int) -> float:
        """The errors that a node would make as a leaf beyond those of its branch."""
        return float(self.errors[node] - self.branch[node])

    def cheapest(self, left: float) -> list[int]:
        """The nodes that cost least of those that cost no more than what is left; none below another.

        Looking at children before their parents, the program keeps the least cost in single precision. So
        of equal costs that are rounded up the last stays, and of those that are rounded down the first.
        """
        extra = self.errors[self.waiting] - self.branch[self.waiting]
        cost = extra / np.maximum(self.leaves[self.waiting] - 1, 1)
        some = np.flatnonzero(extra <= left)
        if not len(some):
            return []
        some = some[cost[some] <= cost[some].min() * (1 + NEAR)]
        found: list[int] = []
        least = np.inf
        for node, price in zip(self.waiting[some].tolist(), cost[some].tolist(), strict=True):
            if price < least:
                found, least = [node], float(np.float32(price))
            elif price == least:
                while found and self.is_below(found[-1], node):  # those below it come right before it
                    found.pop()
                found.append(node)
        return found

    def is_below(self, node: Any, other: int) -> Any:
        """Whether a node, or each of several, is another one or below it."""
        last = self.place[other]
        return (self.place[node] <= last) & (self.place[node] > last - self.size[other])

    def cut(self, node: int) -> None:
        """Make a node a leaf, and update its ancestors."""
        extra, fewer = self.extra(node), self.leaves[node] - 1
        self.waiting = self.waiting[~self.is_below(self.waiting, node)]
        while node >= 0:
            self.branch[node] += extra
            self.leaves[node] -= fewer
            node = self.parent[node]


def _single_sums(tree: Tree, own: Floats) -> Floats:
    """The sums of what nodes have and what those below them have, child after child in single precision."""
    found = own.astype(np.float32)
    for node in range(tree.node_count - 1, -1, -1):
        first = int(tree.first_child[node])
        for child in range(first, first + int(tree.n_children[node])):
            found[node] += found[child]
    return found.astype(np.float64)


def after_children(tree: Tree, size: Ints) -> Ints:
    """The place of every node in an order in which a node follows all nodes below it; `size` counts these."""
    sizes, begin = size.tolist(), [0] * tree.node_count
    for node, (first, count) in enumerate(
        zip(tree.first_child.tolist(), tree.n_children.tolist(), strict=True)
    ):
        at = begin[node]
        for child in range(first, first + count):
            begin[child] = at
            at += sizes[child]
    return np.array(begin) + size - 1
