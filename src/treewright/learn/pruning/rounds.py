"""Raising where every row ends in one leaf: all branches that are ready are decided at once.

Branches that do not hold one another do not touch, so deciding on them together, round by round from the
leaves up, decides as one after the other does. What stands below a node is always a part of what was grown
below it: in the order of a walk that meets a node before what is below it, that is a stretch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ...tree.walks import class_weights, sum_above, sum_below
from .raising import EQUAL, SLACK, Ways, errors_of
from .rebuild import COLLAPSE, takers
from .rows import Rows


class Candidates(NamedTuple):
    """Nodes that are ready, in the order of the walk, and what each may become."""

    node: Ints
    branch: Floats  # errors of what stands below it
    child: Ints  # the number of the one that may be raised
    taker: Ints  # the node that stands in that child's place


class Rerouted(NamedTuple):
    """Rows sent down the candidate instead, and what its branch would then count."""

    row: Ints
    end: Ints
    counts: Floats  # of every node
    errors: Floats  # of every node as a leaf
    raised: Floats  # of every node: the errors of the branch in its place


class SharedError(Exception):
    """A row ends at several nodes, or at a test."""


def decided_in_rounds(tree: Tree, rows: Rows, decision: Ints, ways: Ways) -> Ints | None:
    """What is decided for every node; None where a row does not end at one leaf, or siblings are pooled."""
    if ways.pool > 0:
        return None
    try:
        return Rounds(tree, rows, decision, ways).decide()
    except SharedError:
        return None


class Rounds:
    """The tree as it stands: what is decided, what each node counts, and where every row ends."""

    def __init__(self, tree: Tree, rows: Rows, decision: Ints, ways: Ways) -> None:
        self.tree, self.rows, self.ways, self.decision = tree, rows, ways, decision.copy()
        self.begin, self.end = stretches(tree)
        under_leaf = np.where(tree.depth > 0, decision[tree.parent] == COLLAPSE, False)
        self.stands: Mask = sum_above(tree, under_leaf.astype(np.int64)) == 0
        self.row = np.flatnonzero(rows.weight > 0)
        self.at = self._sent(self.row, np.zeros(len(self.row), dtype=np.int64))
        self.counts = self._below(self._counted(self.row, self.at))
        self.as_leaf = self._errors(self.counts)
        self.expected = self.as_leaf.copy()

    def decide(self) -> Ints:
        """Round by round, until no node waits; those of a raised branch wait again."""
        waiting = self._inner
        while waiting.any():
            ready = self._ready(waiting)
            waiting[ready] = False
            waiting |= self._decide(ready)
            waiting &= self.stands
        return self.decision

    def _ready(self, waiting: Mask) -> Ints:
        """Those with none that waits below them, in the order of the walk."""
        found = np.flatnonzero(waiting)
        found = found[np.argsort(self.begin[found])]
        following = np.append(self.begin[found[1:]], self.tree.node_count)
        return found[following >= self.end[found]]

    def _decide(self, ready: Ints) -> Mask:
        """Cut, raise or keep; which nodes to decide again."""
        candidates = self._candidates(ready)
        place, inside = self._places(candidates)
        rerouted = self._reroute(candidates, place, inside)
        leaf, raisable = self.as_leaf[ready], self._inner[candidates.taker]
        raised = np.where(raisable, rerouted.raised, leaf)  # a leaf that is raised is the node as a leaf
        cut = (leaf <= candidates.branch + SLACK) & (leaf <= raised + SLACK)
        rises = ~cut & raisable & (raised <= candidates.branch + SLACK)
        self.expected[ready] = np.where(cut, leaf, candidates.branch)
        self._cut(ready, cut, place)
        return self._raise(candidates, rises, place, inside, rerouted)

    def _candidates(self, ready: Ints) -> Candidates:
        """The heaviest child of each, the last of equals."""
        count = self.tree.n_children[ready].astype(np.int64)
        start = np.cumsum(count) - count
        slot = np.arange(count.sum()) - np.repeat(start - self.tree.first_child[ready], count)
        child = takers(self.tree, self.decision)[slot]
        weight = self.counts[child, 0].sum(axis=1)
        most = np.repeat(np.maximum.reduceat(weight, start), count)
        last = np.maximum.reduceat(np.where(weight >= most - EQUAL, np.arange(len(slot)), -1), start)
        branch = np.add.reduceat(self.expected[child], start)
        return Candidates(ready, branch, last - start, child[last])

    def _places(self, candidates: Candidates) -> tuple[Ints, Mask]:
        """For every node, below which of these it stands (-1: none); and whether inside its candidate."""
        place = np.searchsorted(self.begin[candidates.node], self.begin, side="right") - 1
        outside = (place < 0) | (self.begin >= self.end[candidates.node[place]]) | ~self.stands
        taker = candidates.taker[place]
        inside = ~outside & (self.begin >= self.begin[taker]) & (self.begin < self.end[taker])
        return np.where(outside, -1, place), inside

    def _reroute(self, candidates: Candidates, place: Ints, inside: Mask) -> Rerouted:
        """Send the rows of every node down its candidate, if that has a test; nothing is changed."""
        has_test = self._inner[candidates.taker]
        moving = (place[self.at] >= 0) & ~inside[self.at]
        moving &= has_test[place[self.at]]
        row, start = self.row[moving], candidates.taker[place[self.at[moving]]]
        end = self._sent(row, start)
        counts = self.counts + self._below(self._counted(row, end))
        errors = self.as_leaf.copy()
        errors[inside] = self._errors(counts[inside])
        leaves = inside & ~self._inner
        raised = np.bincount(place[leaves], errors[leaves], len(candidates.node))
        return Rerouted(np.flatnonzero(moving), end, counts, errors, raised.astype(np.float64))

    def _cut(self, ready: Ints, cut: Mask, place: Ints) -> None:
        gone = (place >= 0) & cut[place]
        rows = gone[self.at]
        self.at[rows] = ready[place[self.at[rows]]]
        self.stands[gone] = False
        self.stands[ready[cut]] = True
        self.decision[ready[cut]] = COLLAPSE

    def _raise(
        self, candidates: Candidates, rises: Mask, place: Ints, inside: Mask, rerouted: Rerouted
    ) -> Mask:
        """Let candidates take the places of their parents, with all rows."""
        here = (place >= 0) & rises[place]
        moved = rises[place[self.at[rerouted.row]]]
        self.at[rerouted.row[moved]] = rerouted.end[moved]
        self.stands[here & ~inside] = False
        self.decision[candidates.node[rises]] = candidates.child[rises]
        branch = here & inside
        self.counts[branch], self.as_leaf[branch] = rerouted.counts[branch], rerouted.errors[branch]
        leaves = branch & ~self._inner
        self.expected[branch] = self._below(np.where(leaves, rerouted.errors, 0.0))[branch]
        return branch & self._inner

    # -- what is known of nodes and rows

    @property
    def _inner(self) -> Mask:
        return np.asarray(self.stands & ~self.tree.is_leaf & (self.decision != COLLAPSE))

    def _errors(self, counts: Floats) -> Floats:
        return errors_of(counts, self.tree.costs, self.ways)

    def _sent(self, row: Ints, start: Ints) -> Ints:
        end = self.tree.predictor.ends_below(self.rows.columns, row, start, self.decision)
        if (end < 0).any():
            raise SharedError
        return end

    def _counted(self, row: Ints, end: Ints) -> Floats:
        """The weight of every output and class that these rows bring where they end."""
        y, weight = self.rows.y[row], self.rows.weight[row]
        each = [class_weights(self.tree, end, y[:, k], weight) for k in range(self.tree.n_outputs)]
        return np.stack(each, axis=1)

    def _below(self, values: Floats) -> Floats:
        """The sum over every node and all below it as grown; in the order of the walk that is a stretch."""
        order = np.argsort(self.begin)
        total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values[order], axis=0)])
        return np.asarray(total[self.end] - total[self.begin])


def stretches(tree: Tree) -> tuple[Ints, Ints]:
    """When a walk meets every node before all below it: its number, and the first number after those."""
    size = sum_below(tree, np.ones(tree.node_count, dtype=np.int64))
    before = np.cumsum(size) - size
    step = np.zeros(tree.node_count, dtype=np.int64)
    step[1:] = 1 + before[1:] - before[tree.first_child[tree.parent[1:]]]
    begin = sum_above(tree, step)
    return begin, begin + size
