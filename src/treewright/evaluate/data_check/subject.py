"""A table as it was read, with its target, and parts of the sentences of findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from .equal_rows import Rows, equal_rows, repeats
from .leakage import OneColumn
from .reading import Array, Coded


@dataclass(frozen=True)
class Subject:
    """A table as it was read, with its target."""

    features: list[Coded]
    target: Coded
    labels: list[str]  # of the classes; empty for numbers
    y: Array  # class codes with −1 for missing, or numbers
    leak: float
    groups_known: bool = False  # groups were given
    time: Coded | None = None  # when each row was observed, if it is known
    line_of: Callable[[int], int] | None = None  # the line of a row, if the table is a file
    labels_checked: bool = True  # whether to look for suspect labels

    @property
    def n_rows(self) -> int:
        """All rows."""
        return len(self.target.codes)

    @property
    def known(self) -> NDArray[np.intp]:
        """The rows that have a target."""
        return np.flatnonzero(self.target.codes >= 0)

    @cached_property
    def one_column(self) -> OneColumn:
        """How well columns predict the target on their own."""
        distinct = max(len(self.known) - len(self.repeated), 1)
        return OneColumn(self.y, bool(self.labels), self.known, distinct)

    @cached_property
    def repeated(self) -> Rows:
        """The rows that equal an earlier one in all that was read."""
        return repeats(equal_rows([*self.features, self.target], np.arange(self.n_rows)))


# -- words


def named(columns: Sequence[Any]) -> str:
    """Columns by name: Column 'a', or Columns 'a', 'b' and 3 more."""
    return f"Column{'s' if len(columns) > 1 else ''} {listed([repr(name) for name in columns])}"


def listed(words: Sequence[str], most: int = 5) -> str:
    """The first few, and how many more there are."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more:,} more" if more > 0 else "")


def count_of(rows: NDArray[np.intp]) -> str:
    """1 row, or 7 rows."""
    return counted(len(rows), "row")


def rows_have(rows: NDArray[np.intp]) -> str:
    """1 row has, or 7 rows have."""
    return f"{count_of(rows)} {'has' if len(rows) == 1 else 'have'}"


def title_of(column: Coded, q: Subject) -> str:
    """A column at the start of a sentence."""
    return "The target" if column is q.target else f"Column {column.name!r}"


def names_of(column: Coded, q: Subject) -> tuple[Any, ...]:
    """A column as a finding names it; a target that came as an array has no name."""
    return () if column is q.target and column.name is None else (column.name,)


def floored(share: float) -> str:
    """A share in percent, never more than it is."""
    return f"{np.floor(1000 * share) / 10:.1f} %"
