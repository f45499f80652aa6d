"""The nearest change, exactly: best first over the nodes of a tree, by the distance to what leads there.

A way through the tree asks of every column that its value be in a set: an interval, or some levels. Where a
value is missing and a surrogate decides, that is one more way, with a set for each column that was asked. The
least change into a set is known column by column, so the distance of a way is a sum that only grows on the
way down: the first complete way that is taken from the heap is the nearest. A row that is shared out goes
down several nodes at once; such a way is complete when all of them have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree.tree import SHARED, STOPS, Tree
from .moves import NEVER, Cell, Move, Price

MOST_WAYS = 500_000  # taken from the heap, before the search gives up
MORE_WAYS = 64  # taken after the nearest was found, to see others that are as near


class TooManyWaysError(Exception):
    """The search has seen too many ways."""


class Ask(NamedTuple):
    """One question: the column, the set that leads to each child, and the set that has no answer."""

    column: int
    sides: tuple[Cell, ...]
    silent: Cell


class Test(NamedTuple):
    """What a node asks, first of its own column and then of the surrogates."""

    asks: tuple[Ask, ...]
    first_child: int
    n_children: int
    missing: int


@dataclass
class Tests:
    """The tests of a tree, as sets of the values of a kind of row; made when first met."""

    tree: Tree
    moves: Mapping[int, Move]  # of which only the kinds of columns are looked at
    found: dict[int, Test] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_inner: list[bool] = (self.tree.n_children > 0).tolist()

    def at(self, node: int) -> Test:
        """What an inner node asks."""
        if node not in self.found:
            self.found[node] = self._made(node)
        return self.found[node]

    def _made(self, node: int) -> Test:
        tree = self.tree
        questions = [tree.test(node)]
        if tree.surrogates is not None:
            questions += map(tree.surrogates.test, tree.surrogates.of(node))
        asks = []
        for question in questions:
            move = self.moves[question.feature]
            asks.append(Ask(question.feature, tuple(move.sides(question)), move.silent(question)))
        missing = int(tree.missing_child[node])
        return Test(tuple(asks), int(tree.first_child[node]), int(tree.n_children[node]), missing)


class Way(NamedTuple):
    """A part of a way: the nodes still open, what the cells must be, and what that costs."""

    open: tuple[int, ...]
    cells: dict[int, Cell]
    prices: dict[int, Price]
    end: int = 0  # the last node where it has ended

    @property
    def cost(self) -> float:
        """What the least change costs."""
        return sum(price.cost for price in self.prices.values())

    @property
    def changed(self) -> int:
        """How many columns change."""
        return sum(price.changed for price in self.prices.values())


@dataclass
class Search:
    """The search for one row. `good` marks the nodes to end at; a tree that shares rows has no such mark."""

    tests: Tests
    moves: Mapping[int, Move]
    good: NDArray[np.bool_] | None
    reach: list[bool] | None  # whether a good node is at or below each node
    max_changes: int | None = None
    fewest: bool = False  # count the changes first, and then the distance

    def nearest(self, accept: Callable[[Way], bool]) -> Way | None:
        """The nearest complete way that is accepted; None if there is none.

        Of those that are as near, as far as they are met at once, it is the one with most training rows.
        """
        heap: list[tuple[tuple[float, float], int, Way]] = []
        turn, alike, more = count(), list[Way](), 0

        def push(way: Way | None) -> None:
            if way is not None and (self.max_changes is None or way.changed <= self.max_changes):
                heappush(heap, (self._key(way), next(turn), way))

        push(self._going(Way((), {}, {}), (0,)))
        for taken in count():
            if alike and (not heap or more == MORE_WAYS or heap[0][0] != self._key(alike[0])):
                found = next(filter(accept, sorted(alike, key=self._rows, reverse=True)), None)
                if found is not None:
                    return found
                alike, more = [], 0
            if not heap:
                return None
            if taken > MOST_WAYS:
                raise TooManyWaysError
            way = heappop(heap)[-1]
            more += bool(alike)
            if not way.open:
                alike.append(way)
                continue
            for each in self._next(way):
                push(each)
        return None

    def _key(self, way: Way) -> tuple[float, float]:
        return (way.changed, way.cost) if self.fewest else (way.cost, way.changed)

    def _rows(self, way: Way) -> int:
        return int(self.tests.tree.n_node_samples[way.end])

    def _next(self, way: Way) -> Iterator[Way | None]:
        """All that the first open node leads to."""
        test = self.tests.at(way.open[0])
        for ask in test.asks:
            for child, side in enumerate(ask.sides):
                narrow = self._narrowed(way, ask.column, side)
                if narrow is not None:
                    yield self._going(narrow, (test.first_child + child,))
            silent = self._narrowed(way, ask.column, ask.silent)
            if silent is None:
                return
            way = silent
        yield self._without_answer(way, test)

    def _without_answer(self, way: Way, test: Test) -> Way | None:
        """Where a row goes that has answered nothing."""
        if test.missing == STOPS:
            stays = self.good is None or self.good[way.open[0]]
            return way._replace(open=way.open[1:], end=way.open[0]) if stays else None
        if test.missing == SHARED:
            children = range(test.first_child, test.first_child + test.n_children)
            return self._going(way, tuple(k for k in children if self.tests.tree.share[k] > 0))
        return self._going(way, (test.first_child + test.missing,))

    def _going(self, way: Way, to: tuple[int, ...]) -> Way | None:
        """The way with its first open node replaced by others; None where that leads to no good end."""
        if self.reach is not None and not self.reach[to[0]]:
            return None
        inner = tuple(node for node in to if self.tests.is_inner[node])
        return way._replace(open=inner + way.open[1:], end=to[-1])

    def _narrowed(self, way: Way, column: int, to: Cell) -> Way | None:
        move = self.moves[column]
        held = way.cells.get(column) or move.everything()
        cell = held.both(to)  # type: ignore[arg-type]
        price = move.price(cell)
        if price.cost == NEVER:
            return None
        return Way(way.open, way.cells | {column: cell}, way.prices | {column: price}, way.end)


def reachable(tree: Tree, good: NDArray[np.bool_]) -> list[bool]:
    """Whether a walk from each node may end at a good one; children come after their parents."""
    ends = tree.is_leaf | (tree.missing_child == STOPS)
    found: list[bool] = (good & ends).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.node_count - 1, 0, -1):
        if found[node]:
            found[parent[node]] = True
    return found
