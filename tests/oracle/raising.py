"""Raising as the core does it, written from its definition: all rows are sent down for every decision."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from treewright.data.common.array_types import Floats, Ints
from treewright.learn.pruning.bounds import expected_errors
from treewright.learn.pruning.raising import ErrorOptions
from treewright.learn.pruning.rebuild import COLLAPSE, gather
from treewright.learn.pruning.rows import Rows
from treewright.learn.pruning.tallies import Arrivals, arrivals, tallies
from treewright.tree.tree import Tree, cheapest

Held = tuple[Ints, Floats]  # rows, and the weight of each

EQUAL = 1e-6  # errors or weights this close are equal
SLACK = 0.1 + EQUAL  # how many errors more a simpler tree may make


def errors_of(counts: Floats, costs: Floats | None, error_options: ErrorOptions) -> Floats:
    """The errors to expect of leaves, from their counts per node, output and class."""
    weight = counts.sum(axis=2)
    shares = counts / np.where(weight > 0, weight, 1.0)[:, :, None]
    label = cheapest(shares, costs)
    wrong = weight - np.take_along_axis(counts, label[:, :, None], axis=2)[:, :, 0]
    return expected_errors(weight[:, 0], wrong.mean(axis=1), error_options.CF, error_options.bound)


def sent(tree: Tree, rows: Rows, held: Held) -> Arrivals:
    """Where some rows end; the others weigh nothing."""
    weight = np.zeros(len(rows))
    weight[held[0]] = held[1]
    at = arrivals(tree, rows.columns, weight, rows.growth_factor)
    there = at.weight > 0
    return at._replace(row=at.row[there], node=at.node[there], weight=at.weight[there])


class Routed(NamedTuple):
    """A branch that rows were sent down: its nodes by their old numbers, what they count, what ends there."""

    order: list[int]
    counts: Floats
    held: dict[int, Held]


class Raiser:
    """The tree as it stands while it is pruned: what is decided, and which rows end where."""

    def __init__(self, tree: Tree, rows: Rows, decision: Ints, error_options: ErrorOptions) -> None:
        self.tree, self.rows, self.error_options = tree, rows, error_options
        self.decision: list[int] = decision.tolist()
        self.first, self.n_children = tree.first_child.tolist(), tree.n_children.tolist()
        self.counts = np.zeros_like(tree.value)
        self.expected = [0.0] * tree.node_count  # errors of the branch below a node as it stands
        self.as_leaf = [0.0] * tree.node_count  # ... and of the node as a leaf
        self.held: dict[int, Held] = {}
        self.shared = False  # whether some row was ever held in several places, or stops at a test
        everything = np.flatnonzero(rows.weight > 0)
        self._settle(self._route(0, (everything, rows.weight[everything])))
        self.shared |= any(map(self._is_inner, self.held))

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
        """Decide on one node all of whose children are decided; the nodes to decide again."""
        leaf, branch = self.as_leaf[node], self._as_branch(node)
        self.expected[node] = branch
        child = self._candidate(node)
        taker = None if child is None else self._taker(self.first[node] + child)
        routed, raised = None, leaf  # a leaf that is raised is the node as a leaf
        if taker is not None and self._is_inner(taker):
            routed = self._with_all_rows(taker, node)
            raised = self._judged(routed)[0]
        if leaf <= branch + SLACK and leaf <= raised + SLACK:
            self._cut(node, leaf)
        elif child is not None and routed is not None and raised <= branch + SLACK:
            return self._raise(node, child, routed)
        return []

    def _cut(self, node: int, expected: float) -> None:
        rows = self._rows_at(node)
        self._forget(node)
        self.decision[node] = COLLAPSE
        self.expected[node], self.held[node] = expected, rows

    def _raise(self, node: int, child: int, routed: Routed) -> list[int]:
        """Let a child take the place of its parent, with all rows; the nodes to decide again."""
        self._forget(node)
        self.decision[node] = child
        self._settle(routed)
        return [at for at in routed.order if self._is_inner(at)]

    def _forget(self, node: int) -> None:
        """No row is held below a node any more."""
        for gone in self._below(node):
            self.held.pop(gone, None)

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
        if not self.shared:
            return row, weight
        once, place = np.unique(row, return_inverse=True)
        return once, np.bincount(place, weight, len(once)).astype(np.float64)

    def _candidate(self, node: int) -> int | None:
        """The number of the child that may be raised: the one with most weight, the last of equals."""
        weight = np.array([self.counts[at, 0].sum() for at in self._children(node)])
        return int(np.flatnonzero(weight >= weight.max() - EQUAL)[-1])

    # -- errors

    def _as_leaf(self, counts: Floats) -> float:
        return float(self._errors(counts[None])[0])

    def _as_branch(self, node: int) -> float:
        """The sum over the children, and over the rows that stop at the node."""
        children = self._children(node)
        below = self._together([self.expected[at] for at in children], self.counts[children])
        return below + self._stopped(node, self.held)

    def _together(self, expected: list[float], counts: Floats) -> float:
        """The errors of siblings; those of too little weight count as one leaf."""
        if self.error_options.pool <= 0:
            return sum(expected)
        light = counts[:, 0].sum(axis=1) < self.error_options.pool - EQUAL
        if not light.any():
            return sum(expected)
        heavy = sum(errors for errors, is_light in zip(expected, light, strict=True) if not is_light)
        return heavy + self._as_leaf(counts[light].sum(axis=0))

    def _stopped(self, node: int, held: dict[int, Held]) -> float:
        return self._as_leaf(self._count(held[node])) if node in held else 0.0

    def _errors(self, counts: Floats) -> Floats:
        return errors_of(counts, self.tree.costs, self.error_options)

    def _count(self, held: Held) -> Floats:
        found = np.zeros(self.counts.shape[1:])
        for k in range(self.tree.n_outputs):
            np.add.at(found, (k, self.rows.y[held[0], k]), held[1])
        return found

    # -- sending rows down

    def _standing(self, node: int) -> tuple[list[int], list[int]]:
        """The nodes of the branch below a node as it stands, breadth-first, and the places that they take."""
        order, place = [], [node]
        for at in place:
            order.append(self._taker(at))
            if self._is_inner(order[-1]):
                place += range(self.first[order[-1]], self.first[order[-1]] + self.n_children[order[-1]])
        return order, place

    def _route(self, node: int, held: Held) -> Routed:
        """Send rows down the branch below a node as it stands; nothing is changed."""
        order, place = self._standing(node)
        inner = np.array([self._is_inner(at) for at in order])
        branch = gather(self.tree, np.array(order), np.array(place), inner)
        at_end = sent(branch, self.rows, held)
        self.shared |= len(at_end.row) > len(held[0])
        seen = tallies(branch, at_end, self.rows.y)
        sort = np.argsort(at_end.node, kind="stable")
        begin = np.searchsorted(at_end.node[sort], np.arange(len(order) + 1))
        found = {}
        for k, old in enumerate(order):
            here = sort[begin[k] : begin[k + 1]]
            if len(here) or not inner[k]:
                found[old] = at_end.row[here], at_end.weight[here]
        return Routed(order, seen.sums, found)

    def _with_all_rows(self, taker: int, node: int) -> Routed:
        """The branch that would take the place of a node, with all of the node's rows."""
        return self._route(taker, self._rows_at(node))

    def _judged(self, routed: Routed) -> list[float]:
        """The errors to expect of a branch and of all below it, in its order, in which siblings adjoin."""
        found: list[float] = self._errors(routed.counts).tolist()
        end = len(found)
        for k in range(len(found) - 1, -1, -1):
            node = routed.order[k]
            if self._is_inner(node):
                below = slice(end - self.n_children[node], end)
                found[k] = self._together(found[below], routed.counts[below])
                found[k] += self._stopped(node, routed.held)
                end = below.start
        return found

    def _settle(self, routed: Routed) -> None:
        """Take over what a branch counts and holds, and what errors it is expected to make."""
        self.held.update(routed.held)
        self.counts[routed.order] = routed.counts
        leaves = self._errors(routed.counts).tolist()
        for node, errors, leaf in zip(routed.order, self._judged(routed), leaves, strict=True):
            self.expected[node], self.as_leaf[node] = errors, leaf
