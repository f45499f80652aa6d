"""Soft thresholds, as C5.0's fuzzy ones: between two numbers around a cut, rows go down both branches.

From the cut, value by value, the ends move outwards as long as the rows passed would be predicted nearly as
well by the branch on the other side: it makes at most one error more than twice those of their own branch,
and not more than a standard error of all errors of the node in addition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite, sqrt
from typing import Any

import numpy as np

from .. import _core
from ..data.common.array_types import Floats, Ints
from ..tree.invariants import SOFT
from ..tree.tree import SHARED, Tree, cheapest

DIGITS = 7  # that the program writes


def softened(tree: Tree, columns: _core.Columns, y: Ints, weights: Floats | None) -> Tree:
    """The tree with soft thresholds, found from the rows that it was grown on."""
    walk = _Walk(tree, columns)
    own = np.ones(len(y)) if weights is None else weights
    some = np.flatnonzero(own > 0)
    reached = {node: (rows, weight) for node, rows, weight in walk.down(0, some, own[some])}
    allowed = _errors(tree, reached, walk)
    ends = np.full((len(SOFT), tree.node_count), np.nan)
    for node in np.flatnonzero(~tree.is_leaf & ~tree.is_nominal).tolist():
        if node in reached:
            ends[:, node] = _ends(walk, node, *reached[node], y, allowed[node])
    named: dict[str, Any] = dict(zip(SOFT, ends, strict=True))
    return replace(tree, **named)


def _errors(tree: Tree, reached: dict[int, tuple[Ints, Floats]], walk: _Walk) -> list[float]:
    """The training errors of the leaves below every node; where the tested value is missing in a row, 0."""
    right = np.take_along_axis(tree.value[:, 0], tree.label, axis=1)[:, 0]
    errors: list[float] = np.where(tree.is_leaf, tree.weighted_n_node_samples * (1 - right), 0.0).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.node_count - 1, -1, -1):
        if not tree.is_leaf[node] and node in reached and (walk.child(node, reached[node][0]) < 0).any():
            errors[node] = 0.0
        if node:
            errors[parent[node]] += errors[node]
    return errors


def _ends(
    walk: _Walk, node: int, rows: Ints, weight: Floats, y: Ints, errors: float
) -> tuple[float, float, float]:
    """The low end, the middle and the high end of one threshold; NaN where a side has no rows or no end."""
    values = walk.values(node)[rows]
    known = ~np.isnan(values)
    rows, weight, values = rows[known], weight[known], values[known]
    low_side = walk.child(node, rows) == 0
    if low_side.all() or not low_side.any():
        return np.nan, np.nan, np.nan
    first = int(walk.tree.first_child[node])
    wrong = [walk.labels(first + side, rows) != y[rows] for side in (0, 1)]
    total = weight.sum()
    slack = sqrt(max(errors * (total - errors), 0.0) / (total + 0.001))
    found = []
    for side, outwards in ((0, -1), (1, 1)):
        here = low_side == (side == 0)
        order = np.flatnonzero(here)[np.argsort(outwards * values[here], kind="stable")]
        found.append(_end(values[order], weight[order], wrong[side][order], wrong[1 - side][order], slack))
    inner = values[low_side].max(), values[~low_side].min()
    cut = float(walk.tree.threshold[node])  # rounding must not put it outside
    with np.errstate(over="ignore", invalid="ignore"):
        middle = float((np.float32(inner[0]) + np.float32(inner[1])) / 2)
    if not isfinite(middle):  # beyond single precision
        middle = cut
    low, high = min(_written(found[0]), cut), max(_written(found[1]), cut)
    if not isfinite(high - low):
        return np.nan, np.nan, np.nan
    return low, min(max(_written(middle), low), high), high


def _end(values: Floats, weight: Floats, own: Any, other: Any, slack: float) -> float:
    """How far an end moves: rows of one side in order from the cut, and whether each branch errs on them."""
    starts = np.flatnonzero(values[1:] != values[:-1]) + 1  # where another value begins
    errs, other_errs = np.cumsum(weight * own), np.cumsum(weight * other)
    for at in starts.tolist():
        mine, theirs = errs[at - 1], other_errs[at - 1]
        if theirs > 2 * mine + 1 or theirs - mine > slack:
            return float(values[at - 1])
    return float(values[-1])


def _written(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


class _Walk:
    """Sends rows down a tree, or a branch of it."""

    def __init__(self, tree: Tree, columns: _core.Columns) -> None:
        self.tree = tree
        self._numbers: dict[int, Floats] = {}
        self._columns = columns

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

    def down(self, start: int, rows: Ints, weight: Floats) -> Iterator[tuple[int, Ints, Floats]]:
        """All nodes from this one down that rows come to, with the rows and their weight there."""
        tree, waiting = self.tree, [(start, rows, weight)]
        while waiting:
            node, rows, weight = waiting.pop()
            yield node, rows, weight
            if tree.is_leaf[node] or not len(rows):
                continue
            child, first = self.child(node, rows), int(tree.first_child[node])
            for k in range(int(tree.n_children[node])):
                part = np.where(child == k, weight, 0.0)
                if tree.missing_child[node] == SHARED:
                    part = np.where(child < 0, weight * tree.share[first + k], part)
                some = part > 0
                if some.any():
                    waiting.append((first + k, rows[some], part[some]))

    def labels(self, start: int, rows: Ints) -> Ints:
        """The class that the branch from this node on predicts for each row."""
        tree = self.tree
        shares = np.zeros((int(rows.max()) + 1, tree.max_n_classes))
        for node, some, weight in self.down(start, rows, np.ones(len(rows))):
            if tree.is_leaf[node]:
                shares[some] += weight[:, None] * tree.value[node, 0]
        return cheapest(shares[rows][:, None], tree.costs)[:, 0]
