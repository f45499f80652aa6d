"""Some coded parts that one thread or one worker has, with their rows by node."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial, reduce
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Array, Ints
from ...tree.tree import Tree
from .coded import CodedPart, PartTotals
from .folds import RowFolds, folds_of_rows
from .leaf_counts import LeafCounts

Reply = tuple[Ints, Ints, Ints]

ROUTE = 5  # the operation after which rows are in other nodes


class Moves(NamedTuple):
    """What has become of the rows of a growth so far."""

    fold: int | None = None  # whose rows are left out
    folds: RowFolds = RowFolds()
    routes: tuple[Ints, ...] = ()  # the words of all operations ROUTE

    def then(self, words: Ints) -> Moves:
        """With one more."""
        return self._replace(routes=(*self.routes, words))


class Share:
    """Parts, and their rows by node after the moves so far.

    Both are kept from one request to the next. A share that comes from another process begins anew and
    repeats the moves, so that a reply depends on the request alone.

    Parameters
    ----------
    parts : coded parts
    first_rows : the number of the first row of each part in the whole table
    totals : PartTotals
        Of all parts of the table.
    keep : bool, default=True
        Whether the tallies of the target are held in memory.
    release : function of the place of a part, optional
        Called when the part was read.
    """

    def __init__(
        self,
        parts: Sequence[CodedPart],
        first_rows: Sequence[int],
        totals: PartTotals,
        keep: bool = True,
        release: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.parts, self.first_rows, self.totals, self.keep = list(parts), list(first_rows), totals, keep
        self.release = release
        self.blocks: list[_core.Block] = []
        self.rows: list[_core.RowsByNode] = []
        self.moves: Moves | None = None
        self.lock = Lock()

    def __reduce__(self) -> Any:
        return Share, (self.parts, self.first_rows, self.totals, self.keep)

    def __sizeof__(self) -> int:
        return sum(map(sys.getsizeof, self.parts))

    def reply(self, moves: Moves, operation: int, words: Ints) -> Reply:
        """The reply to a request after these moves: sums, maxima, and items of all parts."""
        with self.lock:
            self._catch_up(moves)
            found = self._compute(operation, words)
            self.moves = moves.then(words) if operation == ROUTE else moves
            return found

    def _catch_up(self, moves: Moves) -> None:
        if not self.blocks:
            for place, part in enumerate(self.parts):
                self.blocks.append(part.block(self.totals, self.keep))
                self.release(place)
        done, self.moves = self.moves, None  # until all is done: what is cut off begins anew
        if done is None or done[:2] != moves[:2] or len(done.routes) > len(moves.routes):
            starts = zip(self.parts, self.first_rows, strict=True)
            self.rows = [_start(part, first, moves) for part, first in starts]
            done = moves._replace(routes=())
        for words in moves.routes[len(done.routes) :]:
            self._compute(ROUTE, words)

    def _compute(self, operation: int, words: Ints) -> Reply:
        reply = _core.Reply()
        for place, (block, rows) in enumerate(zip(self.blocks, self.rows, strict=True)):
            block.add_reply(operation, words, rows, reply)
            self.release(place)
        return reply.take()

    def count_leaves(
        self, trees: Sequence[Tree], folds: RowFolds, ends: tuple[float, float]
    ) -> list[LeafCounts]:
        """The rows by the node that they reach: all rows of the first tree, of others those of their fold."""
        counts = [LeafCounts(tree, *ends) for tree in trees]
        for place, (part, first) in enumerate(zip(self.parts, self.first_rows, strict=True)):
            fold = _fold(part, first, folds)
            columns, y, w = part.columns(), part.y[:, 0], part.evaluation_weights()
            for k, found in enumerate(counts):
                node, held_out = found.tree.apply(columns), slice(None) if k == 0 else fold == k - 1
                found.add(node[held_out], y[held_out], w[held_out])
            self.release(place)
        return counts


def _start(part: CodedPart, first: int, moves: Moves) -> _core.RowsByNode:
    if moves.fold is None:
        return part.start()
    return part.start(moves.folds.left_out(_fold(part, first, moves.folds), moves.fold))


def _fold(part: CodedPart, first: int, folds: RowFolds) -> Array:
    return folds_of_rows(first, part.n_rows, folds.n) if part.folds is None else part.folds


def added(replies: Sequence[Reply]) -> Reply:
    """Replies of several parts: sums are added, maxima compared, items joined."""
    sums, maxima, items = (list(each) for each in zip(*replies, strict=True))
    total = reduce(partial(np.add, dtype=np.int64), sums[1:], sums[0].astype(np.int64, copy=False))
    most = reduce(np.maximum, maxima[1:], maxima[0].astype(np.int64, copy=False))
    rows = items[0] if len(items) == 1 else np.concatenate(items)
    return total, most, rows.astype(np.int64, copy=False)


def packed(numbers: Ints) -> Array:
    """The same integers in as few bytes as hold them all."""
    low, high = (numbers.min(), numbers.max()) if numbers.size else (0, 0)
    fitting = np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high))
    return numbers.astype(fitting if fitting.kind in "iu" else np.int64, copy=False)
