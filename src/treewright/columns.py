"""A table → the core's Columns: views of the user's own memory, each column in its own type."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from .table import (
    Array,
    Column,
    checked,
    frame_columns,
    is_frame,
    is_plain,
    native,
    numbers_of,
    sparse_frame,
)


def columns_at_fit(estimator: Any, X: Any, check_input: bool = True) -> _core.Columns:
    """Read X for growing; scikit-learn's attributes about columns are set on the estimator."""
    if check_input and is_plain(X):
        vars(estimator).pop("feature_names_in_", None)
    elif check_input:
        X = checked(estimator, X, reset=True)
    columns = as_columns(X, warn_if_empty=True)
    estimator.n_features_in_ = columns.n_columns
    return columns


def columns_at_predict(estimator: Any, X: Any, check_input: bool = True) -> _core.Columns:
    """Read X for a fitted estimator; a plain matrix of the right width pays for no other checks."""
    if is_plain(X) and X.shape[1] == estimator.n_features_in_ and not hasattr(estimator, "feature_names_in_"):
        return from_matrix(X)
    table = checked(estimator, X, reset=False) if check_input else X
    columns = as_columns(table)
    if columns.n_columns != estimator.n_features_in_:
        raise ValueError(
            f"X has {columns.n_columns} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
    return columns


def as_columns(X: Any, warn_if_empty: bool = False) -> _core.Columns:
    """The Columns of a table that needs no checks of names."""
    if isinstance(X, _core.Columns):
        return X
    if is_frame(X):
        sparse = sparse_frame(X)
        return (
            from_sparse(sparse)
            if sparse is not None
            else from_columns(frame_columns(X), len(X), warn_if_empty)
        )
    if hasattr(X, "tocsc"):
        return from_sparse(X.tocsc())
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must be a table of two dimensions. Got {X.ndim}.")
    if X.dtype.kind in "biuf":
        matrix = native(X, "column")
        if warn_if_empty and matrix.dtype.kind == "f":
            _warn_of(_empty_in_matrix(matrix))
        return from_matrix(matrix)
    each = (numbers_of(X[:, j], f"column {j}") for j in range(X.shape[1]))
    return from_columns(each, len(X), warn_if_empty)


def from_matrix(matrix: Array) -> _core.Columns:
    """The columns of a matrix, where they are."""
    columns = _core.Columns(len(matrix))
    columns.add_matrix(matrix)
    return columns


def from_columns(each: Iterable[Column], n_rows: int, warn_if_empty: bool) -> _core.Columns:
    """Columns of different types."""
    columns, empty = _core.Columns(n_rows), []
    for column in each:
        columns.add_column(column.values, column.missing)
        if warn_if_empty and _is_empty(column):
            empty.append(column.name)
    _warn_of(empty)
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


def _is_empty(column: Column) -> bool:
    if column.missing is not None:
        return bool(column.missing.all())
    return column.values.dtype.kind == "f" and bool(np.isnan(column.values).all())


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
