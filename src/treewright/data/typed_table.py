"""A table at predict as columns that Python can look into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .. import _core
from .columns import dense_or_sparse, each_of_dict, from_columns, known_columns, select_columns
from .few_rows import FEW_ROWS, few_rows
from .schema import ColumnType
from .table import each_column, frame_of, is_frame, sparse_frame
from .values import Column, Read, values_of


class TypedTable(NamedTuple):
    """The columns of the model in a table: as they stand there, and as the tree reads them."""

    given: list[Read]
    columns: list[Column]
    n_rows: int

    @property
    def core(self) -> _core.Columns:
        """The table as the core reads it."""
        return from_columns(self.columns, self.n_rows)

    def row(self, number: int) -> TypedTable:
        """The table of one row."""
        one = slice(number, number + 1)
        given = [
            read.take(one) if isinstance(read, Column) else read._replace(codes=read.codes[one])
            for read in self.given
        ]
        return TypedTable(given, [column.take(one) for column in self.columns], 1)


def typed_table(
    X: Any, names: Sequence[str] | None, types: Sequence[ColumnType] | None, n_features: int, who: str
) -> TypedTable:
    """Read X as `columns_at_predict` does."""
    found = select_columns(X, names, n_features, who)
    given = list(_each(found))
    n_rows = len(next(iter(found.values()))) if _is_dict(found) else int(found.shape[0])
    return TypedTable(given, list(known_columns(given, types)), n_rows)


def _each(X: Any) -> Iterator[Read]:
    if _is_dict(X):
        return each_of_dict(X)
    if is_frame(X) and len(X) <= FEW_ROWS and sparse_frame(X) is None:
        return iter(few_rows(frame_of(X), None))  # labels as they stand there, known or not
    X, sparse = dense_or_sparse(X)
    if sparse is None:
        return each_column(X)
    return (values_of(sparse[:, [j]].toarray().ravel(), f"column {j}") for j in range(sparse.shape[1]))


def _is_dict(X: Any) -> bool:
    return isinstance(X, dict) and not hasattr(X, "tocsc")  # one kind of sparse matrix is a dict
