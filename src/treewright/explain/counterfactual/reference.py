"""Whole tables as their columns were at fit: reference rows, rows to judge by, and row after row."""

from __future__ import annotations

from typing import Any

from ...data.columns import known_columns
from ...data.schema import NUMBER
from ...data.table import as_array, each_column, is_frame
from ...data.values import Column, Read
from ..cells import Cells, Lazy, _places, _text
from ..subject import Subject


class Table:
    """A table that is read once, and looked at row by row."""

    def __init__(self, subject: Subject, X: Any) -> None:
        self.reads = table_reads(subject, X)
        self.columns = list(known_columns(self.reads, subject.tree.column_types))
        self.types = subject.tree.column_types or [NUMBER] * len(self.columns)

    def cells(self, row: int) -> Cells:
        """One row, as `cells_of` reads it."""
        columns = [_row(column, row) for column in self.columns]
        return Cells(columns, Lazy(lambda j: _text(_row(self.reads[j], row), columns[j], self.types[j])))


def _row(read: Any, row: int) -> Any:
    if not isinstance(read, Column):
        return read._replace(codes=read.codes[row : row + 1])
    return read.take(slice(row, row + 1))


def reference_columns(subject: Subject, X: Any) -> list[Column]:
    """The columns of a table as they were at fit, found by name where there are names."""
    return list(known_columns(table_reads(subject, X), subject.tree.column_types))


def table_reads(subject: Subject, X: Any) -> list[Read]:
    """The columns of a table as they are, in the order of fit."""
    if is_frame(X):
        import narwhals.stable.v2 as nw

        frame = nw.from_native(X, eager_only=True)
        return list(each_column(frame[:, _places(frame.columns, subject)].to_native()))
    array = X.toarray() if hasattr(X, "tocsr") else as_array(X)
    if array.ndim != 2:
        raise ValueError(f"A table must have two dimensions. Got {array.ndim}. Give a row for each case.")
    _places(range(array.shape[1]), subject)
    return list(each_column(array))
