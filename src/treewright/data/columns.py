"""A table → the core's Columns: numbers are views of the user's own memory, levels become codes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from .. import _core
from .levels import Labels
from .schema import NUMBER, ColumnType, as_column_types, nominal_mask
from .table import as_array, checked, each_column, is_frame, is_plain, names_of, sparse_frame
from .typed import as_at_fit, as_known
from .values import Array, Column, Read, native

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
        X = checked(estimator, X, reset=True)
    columns, types = _read_at_fit(X, categorical_features)
    estimator.n_features_in_ = columns.n_columns
    return columns, types


def columns_at_predict(estimator: Any, X: Any, check_input: bool = True) -> _core.Columns:
    """Read X for a fitted estimator, by the types of fit; the module `typed` says what may have changed.

    A plain matrix of the right width pays for no other checks.
    """
    types = estimator.tree_.column_types
    named = hasattr(estimator, "feature_names_in_")
    if types is None and not named and is_plain(X) and X.shape[1] == estimator.n_features_in_:
        return from_matrix(X)
    table = checked(estimator, X, reset=False) if check_input else X
    columns = as_columns(table, types)
    if columns.n_columns != estimator.n_features_in_:
        raise ValueError(
            f"X has {columns.n_columns} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
    return columns


def as_columns(X: Any, column_types: Sequence[ColumnType] | None = None) -> _core.Columns:
    """The Columns of a table that needs no checks of names, read by the types of fit (None: all numbers)."""
    if isinstance(X, _core.Columns):
        return X
    X, sparse = _dense_or_sparse(X)
    if column_types is not None and X.shape[1] != len(column_types):
        raise ValueError(f"X must have {len(column_types)} columns, as at fit. Got {X.shape[1]}.")
    if sparse is not None:
        _refuse_sparse([j for j, known in enumerate(column_types or ()) if not known.is_number])
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
    X, sparse = _dense_or_sparse(X)
    nominal = nominal_mask(chosen, names_of(X), X.shape[1])
    listed = [] if nominal is None else np.flatnonzero(nominal).tolist()
    if sparse is not None:
        _refuse_sparse(listed)
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


def _dense_or_sparse(X: Any) -> tuple[Any, Any]:
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


def _refuse_sparse(columns: list[int]) -> None:
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
