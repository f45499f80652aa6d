"""Progress of a tree that is grown from parts: its nodes so far, and the rows that were read for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ...data.common.array_types import Ints
from ...data.common.plural import counted
from .share import ROUTE, Reply

_SAY: ContextVar[Callable[[str], None] | None] = ContextVar("say", default=None)


@contextmanager
def reporting(say: Callable[[str], None]) -> Iterator[None]:
    """Report the trees that are grown from parts within this context, as a text now and then."""
    token = _SAY.set(say)
    try:
        yield
    finally:
        _SAY.reset(token)


class Watched:
    """An engine whose requests are counted and reported."""

    def __init__(self, engine: Any, n_rows: int) -> None:
        self.engine, self.n_rows = engine, n_rows
        self.say = _SAY.get()
        self.n_nodes, self.n_requests = 1, 0

    def compute(self, operation: int, words: Ints) -> Reply:
        """As that of the engine."""
        found: Reply = self.engine.compute(operation, words)
        self.n_requests += 1
        if operation == ROUTE and self.say is not None:
            self.n_nodes = _n_nodes(words)
        if self.say is not None:
            done = self.n_requests * self.n_rows
            self.say(f"{counted(self.n_nodes, 'node')}, {done:,} rows read")
        return found


def _n_nodes(words: Ints) -> int:
    """The nodes after some moves, each with its node, its first child, and a test as in core/test.hpp."""
    place, n_nodes = 1, 1
    while place < 1 + words[0]:
        n_nodes = int(words[place + 1] + words[place + 3])  # the first child and how many there are
        place += 9 + 2 * int(words[place + 8])
    return n_nodes
