"""Raising: a node may give its place to its largest child, whose branch then takes all of the node's rows."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tree import Tree, cheapest
from .bounds import expected_errors
from .rebuild import COLLAPSE, gather
from .rows import Rows
from .tallies import arrivals, tallies

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Held = tuple[Ints, Floats]  # rows, and the weight of each

EQUAL = 1e-6  # errors or weights this close are equal
SLACK = 0.1 + EQUAL  # how many errors more a simpler tree may make


class Ways(NamedTuple):
    """How errors are expected: the confidence, and the kind of limit."""

    CF: float
    bound: str


class Routed(NamedTuple):
    """A branch that rows were sent down: its nodes by their old numbers, what they count, what ends there."""

    order: list[int]
    counts: Floats
    held: dict[int, Held]


class Raiser:
    """The tree as it stands while it is pruned: what is decided, and which rows end where."""

    def __init__(self, tree: Tree, rows: Rows, decision: Ints, ways: Ways) -> None:
        self.tree, self.rows, self.ways = tree, rows, ways
        self.decision: list[int] = decision.tolist()
        self.first, self.n_children = tree.first_child.tolist(), tree.n_children.tolist()
        self.counts = np.zeros_like(tree.value)
        self.expected = [0.0] * tree.node_count  # errors of the branch below a node as it stands
        self.held: dict[int, Held] = {}
        everything = np.flatnonzero(rows.weight > 0)
        self._settle(self._route(0, (everything, rows.weight[everything])))

    def decide(self) -> Ints:
        """Go up from the leaves; a raised branch goes into the queue again."""
        waiting = [-node for node in self._below(0) if self._is_inner(node)]
        heapq.heapify(waiting)  # the greatest number first: children before their parents
        while waiting:
            node = -heapq.heappop(waiting)
            for again in self._judge(node):
                heapq.heappush(waiting, -again)
        return np.array(self.decision, dtype=np.int64)

    def _judge(self, node: int) -> list[int]:
        """Decide on one node all of whose children are decided; the nodes to be judged again."""
        leaf, branch = self._as_leaf(self.counts[node]), self._as_branch(node)
        self.expected[node] = branch
        child = self._largest(node)
        taker = self._taker(self.first[node] + child)
        routed, raised = None, leaf  # a leaf that is raised is the node as a leaf
        if self._is_inner(taker):
            routed = self._route(taker, self._rows_at(node))
            raised = self._total(routed)
        if leaf <= branch + SLACK and leaf <= raised + SLACK:
            self._cut(node, leaf)
        elif routed is not None and raised <= branch + SLACK:
            for gone in self._below(node):
                self.held.pop(gone, None)
            self.decision[node] = child
            self._settle(routed)
            return [at for at in routed.order if self._is_inner(at)]
        return []

    def _cut(self, node: int, expected: float) -> None:
        rows = self._rows_at(node)
        for gone in self._below(node):
            self.held.pop(gone, None)
        self.decision[node], self.expected[node], self.held[node] = COLLAPSE, expected, rows

    # -- the tree as it stands

    def _taker(self, node: int) -> int:
        """The node that stands in the place of this one."""
        while self.decision[node] >= 0:
            node = self.first[node] + self.decision[node]
        return node

    def _is_inner(self, node: int) -> bool:
        return self.n_children[node] > 0 and self.decision[node] != COLLAPSE

    def _children(self, node: int) -> list[int]:
        """The nodes that stand below one that is not raised; none below a leaf."""
        count = self.n_children[node] if self._is_inner(node) else 0
        return [self._taker(self.first[node] + k) for k in range(count)]

    def _below(self, node: int) -> list[int]:
        """The node and all that stand below it, breadth-first."""
        found = [self._taker(node)]
        for at in found:
            found += self._children(at)
        return found

    def _rows_at(self, node: int) -> Held:
        """The rows that pass a node, each once, with their weight there."""
        parts = [self.held[at] for at in self._below(node) if at in self.held]
        row, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        if not self.tree.shares_rows:
            return row, weight
        once, place = np.unique(row, return_inverse=True)
        return once, np.bincount(place, weight, len(once)).astype(np.float64)

    def _largest(self, node: int) -> int:
        """The number of the child with most weight, the last of equals."""
        weight = np.array([self.counts[at, 0].sum() for at in self._children(node)])
        return int(np.flatnonzero(weight >= weight.max() - EQUAL)[-1])

    # -- errors

    def _as_leaf(self, counts: Floats) -> float:
        return float(self._errors(counts[None])[0])

    def _as_branch(self, node: int) -> float:
        """The sum over the children, and over the rows that stop at the node."""
        return sum(self.expected[at] for at in self._children(node)) + self._stopped(node)

    def _stopped(self, node: int) -> float:
        if node not in self.held:
            return 0.0
        return self._as_leaf(self._count(self.held[node]))

    def _errors(self, counts: Floats) -> Floats:
        """The errors to expect of leaves, from their counts per node, output and class."""
        weight = counts.sum(axis=2)
        shares = counts / np.where(weight > 0, weight, 1.0)[:, :, None]
        label = cheapest(shares, self.tree.costs)
        wrong = weight - np.take_along_axis(counts, label[:, :, None], axis=2)[:, :, 0]
        return expected_errors(weight[:, 0], wrong.mean(axis=1), self.ways.CF, self.ways.bound)

    def _count(self, held: Held) -> Floats:
        found = np.zeros(self.counts.shape[1:])
        for k in range(self.tree.n_outputs):
            np.add.at(found, (k, self.rows.y[held[0], k]), held[1])
        return found

    # -- sending rows down

    def _route(self, node: int, held: Held) -> Routed:
        """Send rows down the branch below a node as it stands; nothing is changed."""
        order, place = [], [node]
        for at in place:
            order.append(self._taker(at))
            if self._is_inner(order[-1]):
                place += range(self.first[order[-1]], self.first[order[-1]] + self.n_children[order[-1]])
        inner = np.array([self._is_inner(at) for at in order])
        branch = gather(self.tree, np.array(order), np.array(place), inner)
        row, weight = held
        at_end = arrivals(branch, self.rows.take(row), weight, self.rows.growth_factor[row])
        seen = tallies(branch, at_end, self.rows.y[row])
        sort = np.argsort(at_end.node, kind="stable")
        begin = np.searchsorted(at_end.node[sort], np.arange(len(order) + 1))
        found = {}
        for k, old in enumerate(order):
            here = sort[begin[k] : begin[k + 1]]
            if len(here) or not inner[k]:
                found[old] = row[at_end.row[here]], at_end.weight[here]
        return Routed(order, seen.sums, found)

    def _total(self, routed: Routed) -> float:
        """The errors to expect of a branch: of its leaves, and of the rows that stop inside it."""
        leaf = np.array([not self._is_inner(at) for at in routed.order])
        stopped = [self._count(held) for at, held in routed.held.items() if self._is_inner(at)]
        counts = np.concatenate(
            [routed.counts[leaf], np.array(stopped).reshape(-1, *routed.counts.shape[1:])]
        )
        return float(self._errors(counts).sum())

    def _settle(self, routed: Routed) -> None:
        """Take over what a branch counts and holds, and what errors it is expected to make."""
        self.held.update(routed.held)
        self.counts[routed.order] = routed.counts
        leaves = self._errors(routed.counts)
        for k in range(len(routed.order) - 1, -1, -1):
            node = routed.order[k]
            self.expected[node] = self._as_branch(node) if self._is_inner(node) else float(leaves[k])
