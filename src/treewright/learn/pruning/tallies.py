"""Where rows end in a tree, and what every node sees of their target."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Array, Floats, Ints
from ...tree.tree import SHARED, Tree
from ...tree.walks import class_weights, sum_above, sum_below


class Arrivals(NamedTuple):
    """Where the weight of rows ends: at a leaf, at the node where they stop, or shared among leaves."""

    row: Ints
    node: Ints
    weight: Floats
    share: Floats  # per node, as `share` of the tree


class Tallies(NamedTuple):
    """What passes every node: rows, their weight, and sums of their target.

    For classes `sums` is the weight per (node, output, class); for numbers the sum and the sum of squares.
    """

    n: Ints
    weight: Floats
    sums: Floats


def arrivals(
    tree: Tree, columns: _core.Columns, weight: Floats, recount: Floats | None = None, n_threads: int = 1
) -> Arrivals:
    """Send rows down the tree.

    Where missing values are shared out, the shares are those of the tree; with `recount` they are those of
    the rows themselves: of the rows that reach a node and have its value, what part goes to each child. It
    has what to multiply each row's weight with in that.
    """
    row, node, share = tree.leaves_reached(columns, n_threads)
    if recount is None or not tree.shares_rows:
        return Arrivals(row, node, share * weight[row], tree.share)
    if len(row) > columns.n_rows:
        return _recounted(tree, columns, weight, recount)
    # no row was shared out
    seen = sum_below(tree, np.bincount(node, (weight * recount)[row], tree.node_count))
    shares = tree.share.copy()
    shares[1:] = _shares(tree, shares[1:], seen[1:], slice(1, None))
    return Arrivals(row, node, weight[row], shares)


def tallies(tree: Tree, at: Arrivals, y: Array) -> Tallies:
    """What every node sees of the rows that pass it. A row of no weight is not there."""
    there = at.weight > 0
    row, node, weight = at.row[there], at.node[there], at.weight[there]
    classes = tree.max_n_classes if tree.classes is not None else 2
    sums = np.zeros((tree.node_count, tree.n_outputs, classes))
    for k in range(tree.n_outputs):
        values = y[row, k]
        if tree.classes is not None:
            sums[:, k] = class_weights(tree, node, values, weight)
        else:
            for power in (1, 2):
                sums[:, k, power - 1] = np.bincount(node, weight * values**power, tree.node_count)
    total = np.bincount(node, weights=weight, minlength=tree.node_count)
    return Tallies(_rows(tree, row, node), sum_below(tree, total), sum_below(tree, sums))


def _rows(tree: Tree, row: Ints, node: Ints) -> Ints:
    """How many rows pass every node; one that ends at several nodes below it counts once."""
    if not tree.shares_rows or (np.diff(row) > 0).all():  # every row ends once
        return sum_below(tree, np.bincount(node, minlength=tree.node_count))
    # The ends of a row below a node are neighbours from left to right: of k ends there, k - 1 pairs of
    # neighbours meet at the node or below it.
    order = np.lexsort((_from_left(tree)[node], row))
    row, node = row[order], node[order]
    again = row[1:] == row[:-1]
    meet = _where_they_meet(tree, node[:-1][again], node[1:][again])
    ends = np.bincount(node, minlength=tree.node_count) - np.bincount(meet, minlength=tree.node_count)
    return sum_below(tree, ends)


def _from_left(tree: Tree) -> Ints:
    """The place of every node if a node is followed by all that is below it, child after child."""
    size = sum_below(tree, np.ones(tree.node_count, dtype=np.int64))
    before = np.cumsum(size) - size
    first = tree.first_child[np.maximum(tree.parent, 0)]
    step = np.where(np.arange(tree.node_count) > 0, 1 + before - before[first], 0)
    return sum_above(tree, step)


def _where_they_meet(tree: Tree, a: Ints, b: Ints) -> Ints:
    """The lowest node that is, or is above, both of two nodes. Children have greater numbers than parents."""
    while (a != b).any():
        a = np.where(a > b, tree.parent[a], a)
        b = np.where(b > a, tree.parent[b], b)
    return a


def _recounted(tree: Tree, columns: _core.Columns, weight: Floats, factor: Floats) -> Arrivals:
    """Level by level: a row without the value goes on with the shares of those that have it.

    With equal shares everywhere the path of a row shows what it lacks: it passes several children of a node.
    """
    count = np.maximum(tree.n_children[np.maximum(tree.parent, 0)], 1)
    even = replace(tree, share=np.where(np.arange(tree.node_count) > 0, 1.0 / count, 1.0))
    path = even.decision_path(columns).tocsc()
    node, row = np.repeat(np.arange(tree.node_count), np.diff(path.indptr)), path.indices.astype(np.int64)
    order = np.lexsort((row, node))
    node, row = node[order], row[order]
    key = node * columns.n_rows + row
    above = np.searchsorted(key, np.maximum(tree.parent[node], 0) * columns.n_rows + row)
    under = np.bincount(above[node > 0], minlength=len(node))  # children passed: several, if it has no value
    amount, share = np.where(node == 0, weight[row], 0.0), tree.share.copy()
    nodes = np.searchsorted(tree.depth, np.arange(tree.max_depth + 2))  # where each level begins
    begin = np.searchsorted(node, nodes)
    for level in range(1, tree.max_depth + 1):
        here, low, high = slice(begin[level], begin[level + 1]), nodes[level], nodes[level + 1]
        known = under[above[here]] == 1
        arrives = amount[above[here]]
        measured = (arrives * factor[row[here]])[known]
        seen = np.bincount(node[here][known] - low, measured, high - low).astype(np.float64)
        share[low:high] = _shares(tree, share[low:high], seen, slice(low, high))
        amount[here] = np.where(known, arrives, arrives * share[node[here]])
    last = under == 0
    return Arrivals(row[last], node[last], amount[last], share)


def _shares(tree: Tree, old: Floats, seen: Floats, level: slice) -> Floats:
    """The shares of a level's nodes among their siblings, by what each has seen; old ones if none has any."""
    parent = tree.parent[level]
    total = np.bincount(parent - parent[0], weights=seen)[parent - parent[0]]
    renewed = (tree.missing_child[parent] == SHARED) & (total > 0)
    return np.asarray(np.where(renewed, seen / np.where(total > 0, total, 1.0), old))
