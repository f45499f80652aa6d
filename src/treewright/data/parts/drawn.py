"""Rows of a table in parts that are drawn by a hash of their number: parts and batches do not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.array_types import Mask
from ..table import frame_of
from .in_memory import read_whole, stacked
from .sources import Source

APART = np.uint64(1 << 63)  # so that drawing rows does not depend on folds, which hash their numbers too


def hash_of_rows(first: int, n_rows: int, apart: np.uint64 | None = None) -> NDArray[np.uint64]:
    """SplitMix64 of the numbers of the rows from `first` on."""
    z = np.arange(first, first + n_rows, dtype=np.uint64) + np.uint64(1)
    z = z * np.uint64(0x9E3779B97F4A7C15) if apart is None else (z ^ apart) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def are_drawn(first: int, n_rows: int, share: float) -> Mask:
    """Whether each of the rows from the number `first` on is among this share of all."""
    return np.asarray(hash_of_rows(first, n_rows, APART) / 2.0**64 < share)


def rows_of(frame: Any, first: int, share: float, inside: bool) -> Any:
    """The rows of a frame that are drawn, or the others. `first` is the number of its first row."""
    wanted = np.flatnonzero(are_drawn(first, len(frame), share) == inside)
    return frame_of(frame)[wanted].to_native()


@dataclass(frozen=True)
class DrawnRows:
    """A part of a table without the rows that are drawn, or with these alone."""

    source: Source
    first: int  # the number of its first row in the whole table
    share: float
    inside: bool

    @property
    def name(self) -> str:
        """What a message calls it."""
        return self.source.name

    def n_rows(self) -> int:
        """How many rows it has."""
        return int((are_drawn(self.first, self.source.n_rows(), self.share) == self.inside).sum())

    def names(self) -> list[str]:
        """The names of its columns."""
        return self.source.names()

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Its rows in order."""
        first = self.first
        for batch in self.source.batches(columns):
            yield rows_of(batch, first, self.share, self.inside)
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

    def drawn(self, share: float) -> Any:
        """This share of its rows, drawn by their number, in memory."""
        return read_whole(self._divided(share, inside=True))

    def rest(self, share: float) -> list[Source]:
        """The other rows, as `fit` takes them."""
        return self._divided(share, inside=False)

    def whole(self) -> list[Source]:
        """All rows, as `fit` takes them."""
        return self.sources

    def without(self, names: Sequence[str]) -> LargeTable:
        """The same rows without some columns."""
        return LargeTable([Without(source, frozenset(names)) for source in self.sources]) if names else self

    def _divided(self, share: float, inside: bool) -> list[Source]:
        firsts = np.cumsum([0, *self.sizes]).tolist()
        return [
            DrawnRows(each, first, share, inside) for each, first in zip(self.sources, firsts, strict=False)
        ]
