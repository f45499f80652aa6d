"""A table at predict as columns that Python can look into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from .. import _core
from .columns import dense_or_sparse, from_columns
from .few_rows import FEW_ROWS, few_rows
from .schema import NUMBER, ColumnType
from .selection import each_of_dict, n_rows_of, select_columns, there_of
from .table import each_column, frame_of, is_frame, sparse_frame
from .typed import as_known, without_values
from .values import Column, Read, nothing, values_of


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
    X: Any,
    names: Sequence[str] | None,
    types: Sequence[ColumnType] | None,
    n_features: int,
    who: str,
    used: Sequence[int] | None = None,
) -> TypedTable:
    """Read X as `columns_at_predict` does; columns that the tree does not use are read where X has them."""
    used = range(n_features) if used is None else used
    there = there_of(X, names, n_features)
    found = select_columns(X, names, n_features, who, sorted({*used, *there}))
    n_rows = n_rows_of(found) if len(there) else n_rows_of(X)
    given: list[Read] = [nothing(f"column {name!r}", n_rows) for name in names or range(n_features)]
    for place, read in zip(there, _each(found) if len(there) else (), strict=True):
        given[place] = read
    known = repeat(NUMBER, n_features) if types is None else types
    columns = [
        as_known(read, each) if place in used else _as_known_or_nothing(read, each)
        for place, (read, each) in enumerate(zip(given, known, strict=True))
    ]
    return TypedTable(given, columns, n_rows)


def _as_known_or_nothing(read: Read, known: ColumnType) -> Column:
    """A column that no test uses: what does not suit it is missing."""
    try:
        return as_known(read, known)
    except ValueError:
        return without_values(read.name, len(read.values if isinstance(read, Column) else read.codes))


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
