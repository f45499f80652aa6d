"""A table → the core's Columns: numbers are views of the user's own memory, levels become codes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from .. import _core
from .common.array_types import Array
from .common.hints import nearest
from .common.plural import counted
from .few_rows import FEW_ROWS, few_rows
from .levels import Labels
from .schema import NUMBER, ColumnType, as_column_types, nominal_mask
from .table import (
    as_array,
    checked,
    each_column,
    frame_of,
    is_frame,
    is_plain,
    names_of,
    reject_lazy,
    sparse_frame,
)
from .typed import as_at_fit, as_known
from .values import Column, Read, native, values_of

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


def columns_at_predict(
    X: Any, names: Sequence[str] | None, types: Sequence[ColumnType] | None, n_features: int, who: str
) -> _core.Columns:
    """Read X for a fitted model, by the types of fit; the module `typed` says what may have changed.

    Columns are found by name where both the model and X have names: they may come in any order and among
    others. Otherwise they are taken by position, and there must be as many as at fit. X may be any table, or
    a dictionary of columns. `who` is the model in messages.
    """
    if types is None and is_plain(X) and X.shape[1] == n_features:
        return from_matrix(X)
    if isinstance(X, _core.Columns):
        return _as_wide(X, n_features, who)
    found = select_columns(X, names, n_features, who)
    if isinstance(found, dict) and not hasattr(found, "tocsc"):
        return _as_at_fit(each_of_dict(found), types, len(next(iter(found.values()))))
    if not is_frame(found):
        dense = types is not None and not hasattr(found, "tocsc")
        return _as_at_fit(each_column(found), types, len(found)) if dense else as_columns(found, types)
    if len(found) <= FEW_ROWS:
        return _as_at_fit(few_rows(frame_of(found), types), types, len(found))
    if (sparse := sparse_frame(found)) is not None:
        return as_columns(sparse, types)
    return _as_at_fit(each_column(found), types, len(found))


def select_columns(X: Any, names: Sequence[str] | None, n_features: int, who: str) -> Any:
    """X with the columns of the model alone, in the order of fit: a frame, a matrix, or a dict of arrays.

    Columns are found by name where both have names, else by position.
    """
    if isinstance(X, Mapping) and not hasattr(X, "tocsc"):  # one kind of sparse matrix is a mapping
        return _of_mapping(X, names, n_features, who)
    if is_frame(X):
        return _of_frame(X, names, n_features, who)
    reject_lazy(X)
    X = X if hasattr(X, "tocsc") else as_array(X)
    if X.ndim != 2:
        raise ValueError(_other_dimensions(X))
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must hold real numbers.")
    if X.shape[1] != n_features:
        raise ValueError(_other_width(X.shape[1], n_features, who))
    return X


def _as_at_fit(read: Iterable[Read], types: Sequence[ColumnType] | None, n_rows: int) -> _core.Columns:
    """Columns as what they were at fit, with a warning where rows have levels that were not seen then."""
    columns = list(known_columns(read, types))
    unseen = [column for column in columns if column.unknown]
    if unseen:
        shown = ", ".join(f"{column.name} in {counted(column.unknown, 'row')}" for column in unseen[:10])
        more = f" and {len(unseen) - 10} more columns" if len(unseen) > 10 else ""
        warnings.warn(
            f"X has levels that were not seen at fit, which are treated as missing: {shown}{more}.",
            UserWarning,
            stacklevel=6,
        )
    return from_columns(columns, n_rows)


def _of_frame(X: Any, names: Sequence[str] | None, n_features: int, who: str) -> Any:
    frame = frame_of(X)
    there = frame.columns
    if names is not None and all(isinstance(name, str) for name in there):
        return X if list(names) == there else frame.select(_found_in(names, there)).to_native()
    if len(there) != n_features:
        raise ValueError(_other_width(len(there), n_features, who))
    return X


def _of_mapping(
    given: Mapping[Any, Any], names: Sequence[str] | None, n_features: int, who: str
) -> dict[Any, Array]:
    wanted: list[Any] = list(given) if names is None else list(_found_in(names, list(given)))
    if len(wanted) != n_features:
        raise ValueError(_other_width(len(wanted), n_features, who))
    numbers: list[list[Any]] = [[*range(n_features)], [f"feature_{j}" for j in range(n_features)]]
    for known in numbers:
        wanted = known if names is None and set(known) == set(wanted) else wanted  # as they are called here
    arrays = {name: np.atleast_1d(as_array(given[name])) for name in wanted}
    sizes = {len(array) for array in arrays.values()}
    if len(sizes) != 1:
        raise ValueError(f"The columns of X must have the same length. Got {sorted(sizes)}.")
    return arrays


def each_of_dict(columns: Mapping[Any, Array]) -> Iterator[Read]:
    """The columns of a dictionary of arrays, each as what it is."""
    return (values_of(array, f"column {name!r}") for name, array in columns.items())


def _found_in(wanted: Sequence[str], names: list[Any]) -> list[str]:
    """The columns of the model, all of which must be there, each once."""
    there = set(names)
    if len(there) < len(names):
        twice = next(name for name in wanted if names.count(name) > 1) if names else None
        if twice is not None:
            raise ValueError(f"X must have every column of the model once. Got {twice!r} twice.")
    lacking = [name for name in wanted if name not in there]
    if not lacking:
        return list(wanted)
    hint = nearest(lacking[0], names, "its column ")
    hint += " Rename it." if hint else ""
    more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
    raise ValueError(f"X must have all columns of the model. It lacks {lacking[0]!r}{more}.{hint}")


def _as_wide(columns: _core.Columns, n_features: int, who: str) -> _core.Columns:
    if columns.n_columns != n_features:
        raise ValueError(_other_width(columns.n_columns, n_features, who))
    return columns


def _other_width(got: int, wanted: int, who: str) -> str:
    return f"X has {got} features, but {who} is expecting {wanted} features as input."


def _other_dimensions(X: Array) -> str:
    return (
        f"Expected 2D array: X must be a table. Got {X.ndim} dimensions. Reshape your data: one row is "
        "X.reshape(1, -1), one column is X.reshape(-1, 1)."
    )


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
