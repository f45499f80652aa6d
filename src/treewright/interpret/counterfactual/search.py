"""The nearest change, exactly: best first over the nodes of a tree, by the distance to what leads there.

A path through the tree requires of every column that its value be in a set: an interval, or some levels.
Where a value is missing and a surrogate decides, that is one more path, with a set for each tested column.
The least change into a set is known column by column, so the distance of a path is a sum that only grows on
the path down: the first complete path that is taken from the heap is the nearest. A row that is divided goes
down several nodes at once; such a path is complete when all of them have reached a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree.paths import Branches
from ...tree.tree import SHARED, STOPS, Tree
from ...tree.value_sets import ValueSet, branch_values, meet, untested_values
from ..row import LazyDict
from .changes import NEVER, ChangeCost, ValueChange
from .numbers import Number

MOST_PATHS = 500_000  # taken from the heap, before the search gives up
MORE_PATHS = 64  # taken after the nearest was found, to see others that are as near


class TooManyPathsError(Exception):
    """The search has seen too many paths."""


class ColumnSets(NamedTuple):
    """One test: the column, the set that leads to each child, and the set that has no branch."""

    column: int
    branches: tuple[ValueSet, ...]
    untested: ValueSet


class NodeTest(NamedTuple):
    """The test of a node, followed by those of its surrogates."""

    tests: tuple[ColumnSets, ...]
    first_child: int
    n_children: int
    missing: int


class NodeSets(LazyDict[NodeTest]):
    """The tests of the inner nodes of a tree as sets of values; made when first met."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(self._made)
        self.tree = tree
        self.is_inner: list[bool] = (tree.n_children > 0).tolist()

    def _made(self, node: int) -> NodeTest:
        found = []
        branches = Branches(self.tree, node)
        for test, column in branches.tests:
            children = range(len(test.levels) or 2)
            values = tuple(branch_values(test, column, child, 0.0) for child in children)
            found.append(ColumnSets(test.feature, values, untested_values(test, column)))
        return NodeTest(tuple(found), branches.first, int(self.tree.n_children[node]), branches.missing)


class CandidatePath(NamedTuple):
    """A part of a path: the nodes still open, what the values must be, and what that costs."""

    open: tuple[int, ...]
    values: dict[int, ValueSet]
    change_costs: dict[int, ChangeCost]
    end: int = 0  # the last node reached
    point: Mapping[int, Number] | None = None  # the new values, where the equation of a leaf links them

    @property
    def cost(self) -> float:
        """What the least change costs."""
        return sum(change_cost.cost for change_cost in self.change_costs.values())

    @property
    def changed(self) -> int:
        """How many columns change."""
        return sum(change_cost.changed for change_cost in self.change_costs.values())


@dataclass
class NearestSearch:
    """The search for one row. `good` marks the nodes to end at; a tree that shares rows has no such mark."""

    sets: NodeSets
    changes: Mapping[int, ValueChange]
    good: NDArray[np.bool_] | None
    reach: list[bool] | None  # whether a good node is at or below each node
    max_changes: int | None = None
    fewest: bool = False  # count the changes first, and then the distance

    def nearest(self, accept: Callable[[CandidatePath], bool]) -> CandidatePath | None:
        """The nearest complete path that is accepted; None if there is none.

        Of those that are as near, as far as they are met at once, it is the one with most training rows.
        """
        heap: list[tuple[tuple[float, float], int, CandidatePath]] = []
        order, alike, more = count(), list[CandidatePath](), 0

        def push(path: CandidatePath | None) -> None:
            if path is not None and (self.max_changes is None or path.changed <= self.max_changes):
                heappush(heap, (self._key(path), next(order), path))

        push(self._going(CandidatePath((), {}, {}), (0,)))
        for taken in count():
            if alike and (not heap or more == MORE_PATHS or heap[0][0] != self._key(alike[0])):
                found = next(filter(accept, sorted(alike, key=self._rows, reverse=True)), None)
                if found is not None:
                    return found
                alike, more = [], 0
            if not heap:
                return None
            if taken > MOST_PATHS:
                raise TooManyPathsError
            path = heappop(heap)[-1]
            more += bool(alike)
            if not path.open:
                alike.append(path)
                continue
            for further in self._next(path):
                push(further)
        return None

    def _key(self, path: CandidatePath) -> tuple[float, float]:
        return (path.changed, path.cost) if self.fewest else (path.cost, path.changed)

    def _rows(self, path: CandidatePath) -> int:
        return int(self.sets.tree.n_node_samples[path.end])

    def _next(self, path: CandidatePath) -> Iterator[CandidatePath | None]:
        """All that the first open node leads to."""
        test = self.sets[path.open[0]]
        for each in test.tests:
            for child, side in enumerate(each.branches):
                narrow = self._narrowed(path, each.column, side)
                if narrow is not None:
                    yield self._going(narrow, (test.first_child + child,))
            untested = self._narrowed(path, each.column, each.untested)
            if untested is None:
                return
            path = untested
        yield self._without_branch(path, test)

    def _without_branch(self, path: CandidatePath, test: NodeTest) -> CandidatePath | None:
        """Where a row goes for which no test has a branch."""
        if test.missing == STOPS:
            stays = self.good is None or self.good[path.open[0]]
            return path._replace(open=path.open[1:], end=path.open[0]) if stays else None
        if test.missing == SHARED:
            children = range(test.first_child, test.first_child + test.n_children)
            return self._going(path, tuple(k for k in children if self.sets.tree.share[k] > 0))
        return self._going(path, (test.first_child + test.missing,))

    def _going(self, path: CandidatePath, to: tuple[int, ...]) -> CandidatePath | None:
        """The path with its first open node replaced by others; None where that leads to no good end."""
        if self.reach is not None and not self.reach[to[0]]:
            return None
        inner = tuple(node for node in to if self.sets.is_inner[node])
        return path._replace(open=inner + path.open[1:], end=to[-1])

    def _narrowed(self, path: CandidatePath, column: int, to: ValueSet) -> CandidatePath | None:
        change = self.changes[column]
        values = meet(path.values.get(column) or change.allowed, to)
        change_cost = change.change_cost(values)
        if change_cost.cost == NEVER:
            return None
        return path._replace(
            values=path.values | {column: values}, change_costs=path.change_costs | {column: change_cost}
        )


def reachable(tree: Tree, good: NDArray[np.bool_]) -> list[bool]:
    """Whether a walk from each node may end at a good one; children come after their parents."""
    ends = tree.is_leaf | (tree.missing_child == STOPS)
    found: list[bool] = (good & ends).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.node_count - 1, 0, -1):
        if found[node]:
            found[parent[node]] = True
    return found
