"""A table → the core's Columns: numbers are views of the user's own memory, levels become codes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from .. import _core
from .common.array_types import Array
from .common.plural import counted
from .few_rows import FEW_ROWS, few_rows
from .levels import Labels
from .schema import NUMBER, ColumnType, as_column_types, nominal_mask
from .selection import each_of_dict, n_rows_of, other_width, places_of, select_columns
from .table import (
    as_array,
    checked_at_fit,
    each_column,
    frame_of,
    is_frame,
    is_plain,
    names_of,
    sparse_frame,
)
from .typed import as_at_fit, as_known, without_values
from .values import Column, Read, native

ColumnTypes = tuple[ColumnType, ...]


def columns_at_fit(
    estimator: Any, X: Any, check_input: bool = True, categorical_features: Any = "from_dtype"
) -> tuple[_core.Columns, ColumnTypes | None]:
    """Read X for growing: its columns, and their types if not all of them are numbers or booleans.

    scikit-learn's attributes about columns are set on the estimator.
    """
    if check_input and is_plain(X):
        vars(estimator).pop("feature_names_in_", None)
    elif check_input:
        X = checked_at_fit(estimator, X)
    columns, types = _read_at_fit(X, categorical_features)
    estimator.n_features_in_ = columns.n_columns
    return columns, types


def columns_at_predict(
    X: Any,
    names: Sequence[str] | None,
    types: Sequence[ColumnType] | None,
    n_features: int,
    who: str,
    used: Sequence[int] | None = None,
) -> _core.Columns:
    """Read X for a fitted model, by the types of fit; the module `typed` says what may have changed.

    Columns are found by name where both the model and X have names: they may come in any order and among
    others. Otherwise they are taken by position, and there must be as many as at fit. X may be any table, or
    a dictionary of columns. `who` is the model in messages. `used` are the places of the columns that the
    tree tests (None: all): the others are not read, and with names they may be absent.
    """
    if types is None and is_plain(X) and X.shape[1] == n_features:
        return from_matrix(X)
    if isinstance(X, _core.Columns):
        return _as_wide(X, n_features, who)
    used = range(n_features) if used is None else used
    if is_frame(X) and (n_rows := n_rows_of(X)) <= FEW_ROWS:
        frame = frame_of(X)
        places = places_of(frame.columns, names, n_features, who, used)
        types = None if types is None else [types[place] for place in used]
        columns = warned_of_unknown(known_columns(few_rows(frame, types, places), types))
        return from_columns(_in_place(columns, used, n_features, n_rows), n_rows)
    found = select_columns(X, names, n_features, who, used)
    if hasattr(found, "tocsc") or (types is None and not isinstance(found, dict) and not is_frame(found)):
        return as_columns(found, types)
    n_rows = n_rows_of(X if is_frame(found) or len(used) == 0 else found)
    if len(used) < n_features:
        types = None if types is None else [types[place] for place in used]
        found = found if isinstance(found, dict) or is_frame(found) else found[:, list(used)]
    whole = is_frame(found) and len(used) == n_features
    if whole and (sparse := sparse_frame(found)) is not None:
        return as_columns(sparse, types)
    read: Iterable[Read] = each_of_dict(found) if isinstance(found, dict) else each_column(found)
    read = read if len(used) else ()
    columns = warned_of_unknown(known_columns(read, types))
    return from_columns(_in_place(columns, used, n_features, n_rows), n_rows)


def _in_place(columns: list[Column], places: Sequence[int], n_columns: int, n_rows: int) -> list[Column]:
    """All columns of the model: those that were read in their places, the others without a value."""
    if len(columns) == n_columns:
        return columns
    every = [without_values("", n_rows)] * n_columns
    for place, column in zip(places, columns, strict=True):
        every[place] = column
    return every


def warned_of_unknown(each: Iterable[Column]) -> list[Column]:
    """The columns, with a warning where rows have levels that were not seen at fit."""
    columns = list(each)
    unseen = [column for column in columns if column.unknown]
    if unseen:
        shown = ", ".join(f"{column.name} in {counted(column.unknown, 'row')}" for column in unseen[:10])
        more = f" and {len(unseen) - 10} more columns" if len(unseen) > 10 else ""
        warnings.warn(
            f"The table has levels that were not seen at fit, which are treated as missing: {shown}{more}.",
            UserWarning,
            stacklevel=6,
        )
    return columns


def _as_wide(columns: _core.Columns, n_features: int, who: str) -> _core.Columns:
    if columns.n_columns != n_features:
        raise ValueError(other_width(columns.n_columns, n_features, who))
    return columns


def as_columns(X: Any, column_types: Sequence[ColumnType] | None = None) -> _core.Columns:
    """The Columns of a table that needs no checks of names, read by the types of fit (None: all numbers)."""
    if isinstance(X, _core.Columns):
        return X
    X, sparse = dense_or_sparse(X)
    if column_types is not None and X.shape[1] != len(column_types):
        raise ValueError(f"X must have {len(column_types)} columns, as at fit. Got {X.shape[1]}.")
    if sparse is not None:
        _reject_sparse([j for j, known in enumerate(column_types or ()) if not known.is_number])
        return from_sparse(sparse)
    if column_types is None and _is_matrix(X):
        return from_matrix(native(X, "column"))
    return from_columns(known_columns(each_column(X), column_types), len(X))


def known_columns(read: Iterable[Read], types: Sequence[ColumnType] | None) -> Iterator[Column]:
    """Columns as what they were at fit (None: all numbers)."""
    return map(as_known, read, repeat(NUMBER) if types is None else types)


# -- at fit


def _read_at_fit(X: Any, chosen: Any) -> tuple[_core.Columns, ColumnTypes | None]:
    if isinstance(X, _core.Columns):
        return X, None
    X, sparse = dense_or_sparse(X)
    nominal = nominal_mask(chosen, names_of(X), X.shape[1])
    listed = [] if nominal is None else np.flatnonzero(nominal).tolist()
    if sparse is not None:
        _reject_sparse(listed)
        return from_sparse(sparse), None
    if not listed and _is_matrix(X):
        matrix = native(X, "column")
        if matrix.dtype.kind == "f":
            _warn_of(_empty_in_matrix(matrix))
        return from_matrix(matrix), None
    wanted = [None] * X.shape[1] if nominal is None else nominal.tolist()
    unordered = isinstance(chosen, str) and chosen == "unordered"
    columns = [
        as_at_fit(read, True if unordered and isinstance(read, Labels) else mark)
        for read, mark in zip(each_column(X), wanted, strict=True)
    ]
    _warn_of([column.name for column in columns if column.is_empty()])
    return from_columns(columns, len(X)), as_column_types([column.type for column in columns])


def dense_or_sparse(X: Any) -> tuple[Any, Any]:
    """X as a frame or an array of two dimensions, and the sparse matrix that it is, if it is one."""
    if hasattr(X, "tocsc"):
        return X, X.tocsc()
    if is_frame(X):
        return X, sparse_frame(X)
    array = as_array(X)
    if array.ndim != 2:
        raise ValueError(f"X must be a table of two dimensions. Got {array.ndim}.")
    return array, None


def _is_matrix(X: Any) -> bool:
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"


def _reject_sparse(columns: list[int]) -> None:
    if columns:
        raise ValueError(
            f"A sparse X may hold only numbers, but column {columns[0]} is of another kind. "
            "Give X as a dense table."
        )


def from_matrix(matrix: Array) -> _core.Columns:
    """The columns of a matrix, where they are."""
    columns = _core.Columns(len(matrix))
    columns.add_matrix(matrix)
    return columns


def from_columns(each: Iterable[Column], n_rows: int) -> _core.Columns:
    """Columns of different types."""
    columns = _core.Columns(n_rows)
    for column in each:
        if column.type.kind == "nominal" and column.type.levels:
            columns.add_nominal(column.values, len(column.type.levels))
        else:
            is_time = column.type.kind in {"datetime", "duration"}
            columns.add_column(column.values, column.missing, is_time)
    return columns


def from_sparse(X: Any) -> _core.Columns:
    """The columns of a scipy CSC matrix: what is not stored is 0. The user's matrix is not touched."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()  # sorts the rows of each column too
    data = native(X.data, "column")
    columns = _core.Columns(X.shape[0])
    columns.add_csc(data.view(np.uint8) if data.dtype.kind == "b" else data, X.indices, X.indptr)
    return columns


def _empty_in_matrix(matrix: Array) -> list[str]:
    """Only columns whose first value is missing need a look at the rest."""
    if not len(matrix):
        return []
    suspects = np.flatnonzero(np.isnan(matrix[0]))
    return [f"column {j}" for j in suspects if np.isnan(matrix[:, j]).all()]


def _warn_of(empty: list[str]) -> None:
    if empty:
        shown = ", ".join(empty[:10]) + (f" and {len(empty) - 10} more" if len(empty) > 10 else "")
        warnings.warn(
            f"Every value is missing in {shown} of X, so no split can use it. Fill it or leave it out.",
            UserWarning,
            stacklevel=4,
        )
