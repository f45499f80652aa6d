"""The loss of every row as the tree is pruned, over a grid of alphas.

Under alpha a row is predicted by the first node on its path that cost-complexity pruning has made a leaf. So
its loss is a step function of alpha with at most as many steps as its path has nodes: all alphas at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Array, Floats, Ints
from ...tree.tree import LeavesReached, Tree
from ...tree.walks import climb
from ..losses import mean_losses, node_losses

NodeLoss = Callable[[Array, Array], Floats]

_AT_ONCE = 4096  # rows that reach several leaves


class Steps(NamedTuple):
    """The loss of rows for a stretch of alphas each: from grid[begin] on, and below grid[end]."""

    row: Ints
    begin: Ints
    end: Ints
    loss: Floats


def leaves_reached_by(tree: Tree, columns: _core.Columns, rows: Ints, n_threads: int = 1) -> LeavesReached:
    """The leaves that these rows, in rising order, reach in the whole tree; `row` is a place among them."""
    some = columns if len(rows) == columns.n_rows else columns.of_rows(rows)
    return tree.leaves_reached(some, n_threads)


def reached_at_top(tree: Tree, reached: LeavesReached, depth: int) -> LeavesReached:
    """The leaves reached in the first levels of a tree, whose nodes keep their numbers."""
    up = np.where(tree.depth > depth, tree.parent, np.arange(tree.node_count))
    while (tree.depth[up] > depth).any():
        up = up[up]
    return reached._replace(node=up[reached.node])


class Spans(NamedTuple):
    """For every node the stretch of the grid in which it is a leaf of the pruned tree; maybe none."""

    begin: Ints
    end: Ints

    def n_leaves(self, size: int) -> Ints:
        """How many leaves the tree has at each place of the grid."""
        there = self.begin < self.end
        change = np.bincount(self.begin[there], minlength=size + 1)
        change -= np.bincount(self.end[there], minlength=size + 1)
        return np.asarray(np.cumsum(change)[:size])


def spans_of(tree: Tree, stops: Floats, grid: Floats) -> Spans:
    """When each node is a leaf: from its own alpha (a leaf: from the start) to the first of its ancestors'.

    alpha = 0 means no pruning at all, so that what is cut for nothing is cut right above 0.
    """
    stops = np.maximum(stops, np.nextafter(0.0, 1.0))
    above = np.full(tree.node_count, np.inf)
    above[1:] = tree.over_ancestors(np.minimum, stops)[tree.parent[1:]]
    begin = np.where(tree.is_leaf, 0, np.searchsorted(grid, stops))
    return Spans(begin, np.searchsorted(grid, above))


# -- the losses


def steps(tree: Tree, reached: LeavesReached, spans: Spans, y: Array, loss: str) -> Iterator[Steps]:
    """The losses of all rows over the grid. `y` has the truth of the rows: (rows, outputs)."""
    several = np.bincount(reached.row, minlength=len(y)) > 1
    up = _next_leaf(tree, spans)
    one = ~several[reached.row]
    yield from _of_one_leaf(reached.row[one], reached.node[one], spans, up, y, node_losses(tree, loss))
    rows = np.flatnonzero(several)
    for start in range(0, len(rows), _AT_ONCE):
        some = slice(*np.searchsorted(reached.row, [rows[start], rows[start : start + _AT_ONCE][-1] + 1]))
        part = LeavesReached(reached.row[some], reached.node[some], reached.share[some])
        shared = several[part.row]
        part = LeavesReached(part.row[shared], part.node[shared], part.share[shared])
        yield _of_several_leaves(tree, part, spans, up, y, loss)


def _next_leaf(tree: Tree, spans: Spans) -> Ints:
    """For every node the nearest one above it that is ever a leaf; -1 if none is."""
    ever_leaf = spans.begin < spans.end
    up = tree.parent.copy()
    while (idle := (up >= 0) & ~ever_leaf[up]).any():
        up[idle] = up[up[idle]]
    return up


def _climb(node: Ints, spans: Spans, up: Ints) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """All nodes from these up that are ever leaves: place of the start, node, begin and end on the grid."""
    for step, (place, leaf) in enumerate(climb(up, node)):
        begin = spans.begin[leaf] if step else np.zeros_like(leaf)  # the leaf reached predicts from the start
        end = spans.end[leaf]
        there = begin < end
        yield place[there], leaf[there], begin[there], end[there]


def _of_one_leaf(
    row: Ints, node: Ints, spans: Spans, up: Ints, y: Array, losses: NodeLoss
) -> Iterator[Steps]:
    for place, leaf, begin, end in _climb(node, spans, up):
        yield Steps(row[place], begin, end, losses(leaf, y[row[place]]))


def _of_several_leaves(
    tree: Tree, reached: LeavesReached, spans: Spans, up: Ints, y: Array, loss: str
) -> Steps:
    """Rows whose prediction is a mean over leaves: it changes wherever one of its parts does.

    Every leaf comes with its share of the row at `begin` and goes at `end`; what has come and not gone is
    the prediction.
    """
    parts = list(_climb(reached.node, spans, up))
    place, leaf, begin, end = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    value = tree.prediction.reshape(tree.node_count, -1)[leaf] * reached.share[place][:, None]
    row, at = np.tile(reached.row[place], 2), np.concatenate([begin, end])
    order = np.lexsort([at, row])
    row, at = row[order], at[order]
    held = np.cumsum(np.concatenate([value, -value])[order], axis=0)
    last = np.append((row[1:] != row[:-1]) | (at[1:] != at[:-1]), True)  # of what happens at one alpha
    row, at, held = row[last], at[last], held[last]
    until = np.append(at[1:], 0)
    lasts = np.append(row[1:] == row[:-1], False)  # at its last change all of a row has gone
    row, begin, end, held = row[lasts], at[lasts], until[lasts], held[lasts]
    predicted = held.reshape(len(row), tree.n_outputs, tree.max_n_classes)
    return Steps(row, begin, end, mean_losses(loss, predicted, y[row], tree.costs))
