"""Rows of a table in parts that are drawn by a hash, or by time: parts and batches do not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.array_types import Array, Mask
from ..files.errors import TableError
from ..known_target import n_missing
from ..table import frame_of
from .hashes import are_drawn, hash_of_values, places, row_numbers
from .in_memory import read_whole, stacked
from .sources import Source
from .value_counts import group_hashes, time_values


@dataclass(frozen=True)
class Drawn:
    """Which rows are drawn: a share of them by their number, a share of the groups, or the latest rows."""

    share: float = 0.0
    groups: str | None = None  # the name of a column
    time: str | None = None
    after: Any = None  # a time: rows from then on are drawn

    def rows(self, frame: Any, first: int, inside: bool) -> Any:
        """The rows of a frame that are drawn, or the others. `first` is the number of its first row."""
        wrapped = frame_of(frame)
        return wrapped[np.flatnonzero(self._are(wrapped, first) == inside)].to_native()

    def count(self, source: Source, first: int, inside: bool) -> int:
        """How many rows of a part those are."""
        column = self.time or self.groups
        if column is None:
            return int((are_drawn(row_numbers(first, source.n_rows()), self.share) == inside).sum())
        batches = map(frame_of, source.batches([column]))
        return sum(int((self._are(batch, 0) == inside).sum()) for batch in batches)

    def _are(self, frame: Any, first: int) -> Mask:
        if self.time is not None:
            return np.asarray(time_values(frame[self.time], self.time, "the table") >= self.after)
        keys = row_numbers(first, len(frame))
        if self.groups is not None:
            keys = group_hashes(frame[self.groups], self.groups, "the table").view(np.uint64)
        return are_drawn(keys, self.share)


def share_of_groups(groups: Array, share: float) -> float:
    """The share of groups to draw so that they have about this share of the rows, and others are left."""
    found, counts = np.unique(places(hash_of_values(groups)), return_counts=True)
    if len(found) < 2:
        raise TableError("groups must have at least two groups, to test on other ones. Got one.")
    drawn = np.cumsum(counts)[:-1]
    return float(found[1 + np.abs(drawn - share * len(groups)).argmin()])


@dataclass(frozen=True)
class DrawnRows:
    """A part of a table without the rows that are drawn, or with these alone."""

    source: Source
    first: int  # the number of its first row in the whole table
    drawn: Drawn
    inside: bool

    @property
    def name(self) -> str:
        """What a message calls it."""
        return self.source.name

    def n_rows(self) -> int:
        """How many rows it has."""
        return self.drawn.count(self.source, self.first, self.inside)

    def names(self) -> list[str]:
        """The names of its columns."""
        return self.source.names()

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Its rows in order."""
        first = self.first
        for batch in self.source.batches(columns):
            yield self.drawn.rows(batch, first, self.inside)
            first += len(batch)

    def frame(self) -> Any:
        """All of it in memory."""
        return stacked(list(self.batches()) or [self.source.frame()])


@dataclass(frozen=True)
class Without:
    """A part of a table without some of its columns."""

    source: Source
    left_out: frozenset[str]

    @property
    def name(self) -> str:
        """What a message calls it."""
        return self.source.name

    def n_rows(self) -> int:
        """How many rows it has."""
        return self.source.n_rows()

    def names(self) -> list[str]:
        """The names of its columns."""
        return [name for name in self.source.names() if name not in self.left_out]

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Its rows in order."""
        return self.source.batches(self.names() if columns is None else columns)

    def frame(self) -> Any:
        """All of it in memory."""
        return frame_of(self.source.frame()).select(self.names()).to_native()


class LargeTable:
    """A table of files or frames that is not read as a whole."""

    where = "does not fit in memory"

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources
        self.sizes = [source.n_rows() for source in sources]

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return sum(self.sizes)

    def n_without(self, target: str) -> int:
        """How many rows have no target."""
        columns = (frame_of(batch)[target] for each in self.sources for batch in each.batches([target]))
        return sum(map(n_missing, columns))

    def drawn(self, drawn: Drawn) -> Any:
        """The rows that are drawn, in memory."""
        return read_whole(self._divided(drawn, inside=True))

    def rest(self, drawn: Drawn) -> list[Source]:
        """The other rows, as `fit` takes them."""
        return self._divided(drawn, inside=False)

    def whole(self) -> list[Source]:
        """All rows, as `fit` takes them."""
        return self.sources

    def without(self, names: Sequence[str]) -> LargeTable:
        """The same rows without some columns."""
        return LargeTable([Without(source, frozenset(names)) for source in self.sources]) if names else self

    def _divided(self, drawn: Drawn, inside: bool) -> list[Source]:
        firsts = np.cumsum([0, *self.sizes]).tolist()
        return [
            DrawnRows(each, first, drawn, inside) for each, first in zip(self.sources, firsts, strict=False)
        ]
