"""Soft thresholds, as C5.0's fuzzy ones: between two numbers around a cut, rows go down both branches.

From the cut, value by value, the ends move outwards as long as the rows passed would be predicted nearly as
well by the branch on the other side: it makes at most one error more than twice those of their own branch,
and not more than a standard error of all errors of the node in addition.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, sqrt
from typing import Any

import numpy as np

from .. import _core
from ..data.common.array_types import Floats, Ints
from ..tree.invariants import SOFT
from ..tree.single_walk import SingleWalk
from ..tree.tree import Tree

DIGITS = 7  # that the program writes


def softened(tree: Tree, columns: _core.Columns, y: Ints, weights: Floats | None) -> Tree:
    """The tree with soft thresholds, found from the rows that it was grown on."""
    walk = SingleWalk(tree, columns)
    own = np.ones(len(y)) if weights is None else weights
    some = np.flatnonzero(own > 0)
    reached = {node: (rows, weight) for node, rows, weight in walk.down(0, some, own[some])}
    allowed = _errors(tree, reached, walk, own)
    ends = np.full((len(SOFT), tree.node_count), np.nan)
    for node in np.flatnonzero(~tree.is_leaf & ~tree.is_nominal).tolist():
        if node in reached:
            ends[:, node] = _ends(walk, node, *reached[node], y, allowed[node])
    named: dict[str, Any] = dict(zip(SOFT, ends, strict=True))
    return replace(tree, **named)


def _errors(
    tree: Tree, reached: dict[int, tuple[Ints, Floats]], walk: SingleWalk, own: Floats
) -> list[float]:
    """The training errors of the leaves below every node; 0 where the first rows of a path are divided.

    That is a node to which only whole rows come, and some of them have no value there.
    """
    right = np.take_along_axis(tree.value[:, 0], tree.label, axis=1)[:, 0]
    errors: list[float] = np.where(tree.is_leaf, tree.weighted_n_node_samples * (1 - right), 0.0).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.node_count - 1, -1, -1):
        if not tree.is_leaf[node] and node in reached and _divides_first(walk, node, *reached[node], own):
            errors[node] = 0.0
        if node:
            errors[parent[node]] += errors[node]
    return errors


def _divides_first(walk: SingleWalk, node: int, rows: Ints, weight: Floats, own: Floats) -> bool:
    return bool((walk.child(node, rows) < 0).any() and (weight == own[rows]).all())


def _ends(
    walk: SingleWalk, node: int, rows: Ints, weight: Floats, y: Ints, errors: float
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
