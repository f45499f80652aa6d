"""Rows of any table, read by the types of fit, and their values as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Number
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..data.columns import from_columns
from ..data.common.allowed import is_whole
from ..data.levels import is_missing
from ..data.schema import ColumnType
from ..data.table import as_array, is_frame
from ..data.typed_table import TypedTable
from ..data.values import Column, Read
from ..learn.folds import take
from ..tree.sums import ColumnsWithSums
from ..tree.tree_text import TreeText
from ..tree.value_text import date_text, duration_text, level_text, shortest
from .described_model import DescribedModel

T = TypeVar("T")


class LazyDict(dict[int, T]):
    """Entries that are made when first needed: a tree tests few columns of a wide table."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, column: int) -> T:
        found = self[column] = self._make(column)
        return found


@dataclass(frozen=True)
class Row:
    """The columns of fit with one row each, and its values as text; "" where a value is missing."""

    number: int  # in the table
    columns: Sequence[Column]
    texts: Mapping[int, str]  # by the number of the column
    tested: Sequence[Column]  # the columns, and behind them the sums that tests compare

    @cached_property
    def core(self) -> _core.Columns:
        """The row as the core reads it."""
        return from_columns(self.columns, 1)


@dataclass(frozen=True)
class RowsToExplain:
    """The rows to explain: all of a table, or one of it."""

    table: TypedTable
    words: TreeText
    first: int  # the number of the first one

    def __len__(self) -> int:
        return self.table.n_rows

    def __getitem__(self, place: int) -> Row:
        one = self.table if len(self) == 1 else self.table.row(place)
        tested, n_columns = ColumnsWithSums(self.words.tree, one.columns), len(one.columns)

        def text(j: int) -> str:
            if j >= n_columns:
                return _sum_text(tested[j])
            return _text(one.given[j], one.columns[j], self.words.column(j))

        return Row(self.first + place, one.columns, LazyDict(text), tested)


def rows_of(model: DescribedModel, X: Any, row: int | None) -> RowsToExplain:
    """Read one row of X, or without `row` all of them."""
    table = as_table(model.model.table(X))
    many = n_rows_of(table)
    if not many:
        raise ValueError("X must have at least one row. Got a table without rows.")
    if row is None:
        return RowsToExplain(model.model.read(table), model.words, 0)
    if not is_whole(row) or not 0 <= row < many:
        raise ValueError(f"row must be None or an int in 0..{many - 1}, the rows of X. Got {row!r}.")
    return RowsToExplain(model.model.read(one_row(table, int(row))), model.words, int(row))


def is_single(X: Any) -> bool:
    """Whether X is one row: a dict of values, a series of pandas, or values in one dimension."""
    if isinstance(X, Mapping) and not hasattr(X, "tocsr"):
        return all(np.ndim(value) == 0 for value in X.values())
    if hasattr(X, "to_dict") and getattr(X, "ndim", 2) == 1:
        return True
    return not is_frame(X) and not hasattr(X, "tocsr") and as_array(X).ndim == 1


def as_table(X: Any) -> Any:
    """X as a table; one row, given as a series or as its values, becomes a table of one row."""
    if X is None or isinstance(X, str | bytes | Number):
        raise ValueError(f"X must be a row or a table. Got {X!r:.100}. Give a dict, a list or a table.")
    if isinstance(X, Mapping | _core.Columns) or is_frame(X) or hasattr(X, "tocsr"):
        return X
    if hasattr(X, "to_dict") and getattr(X, "ndim", 2) == 1:
        return X.to_dict()
    array = as_array(X)
    return array[None, :] if array.ndim == 1 else array


def n_rows_of(table: Any) -> int:
    """How many rows a table has."""
    if isinstance(table, Mapping) and not hasattr(table, "tocsr"):
        sizes = {np.size(value) for value in table.values()}
        if len(sizes) > 1:
            raise ValueError(f"The columns of X must have the same length. Got {sorted(sizes)}.")
        return max(sizes, default=1)
    return int(table.shape[0])


def one_row(table: Any, row: int) -> Any:
    """One row of a table, of the same kind."""
    if isinstance(table, Mapping) and not hasattr(table, "tocsr"):
        return {name: np.atleast_1d(as_array(value))[row : row + 1] for name, value in table.items()}
    return take(table, np.array([row]))


def column_name(model: DescribedModel, columns: Sequence[Any], column: int) -> Any:
    """What a frame calls a column of the model: by name where both have names, else by position."""
    by_name = model.names is not None and all(isinstance(name, str) for name in columns)
    return model.names[column] if by_name and model.names is not None else columns[column]


# -- text


def is_gap(held: Column) -> bool:
    """Whether the one value of a column is missing."""
    if held.missing is not None:
        return bool(held.missing[0])
    return held.values.dtype.kind == "f" and bool(np.isnan(held.values[0]))


def _text(read: Read, column: Column, known: ColumnType) -> str:
    """The value of the one row; "" if it is missing. A level that was not known at fit is named too."""
    if known.has_levels:
        code = int(column.values[0])
        gone = bool(column.missing[0]) if column.missing is not None else code < 0
        return level_text(known.levels[code]) if not gone and code < len(known.levels) else _unknown(read)
    return "" if is_gap(column) else value_text(known, column.values[0].item())


def _sum_text(column: Column) -> str:
    """A sum of columns; it has the rounding errors of its terms, which nobody wants to read."""
    value = float(column.values[0])
    return "" if np.isnan(value) else shortest(float(f"{value:.12g}"))


def value_text(known: ColumnType, value: Any) -> str:
    """A value as text: the code of a level, microseconds, a boolean, or a number."""
    if known.has_levels:
        return level_text(known.levels[int(value)])
    if known.kind == "datetime":
        return date_text(int(value)) + (" UTC" if known.utc else "")
    if known.kind == "duration":
        return duration_text(int(value))
    if known.kind == "boolean" and value in (0, 1):
        return "true" if value else "false"
    return shortest(value) if isinstance(value, float) else str(int(value))


def _unknown(read: Read) -> str:
    """A level that the tree has never seen, as it stands in the table."""
    if isinstance(read, Column):
        return "" if read.is_empty() else level_text(read.values[0].item())
    code = int(read.codes[0])
    level = read.levels[code] if code >= 0 else None
    return "" if is_missing(level) else level_text(level)
