"""Any table → its columns as what they are: a matrix, a sparse matrix, or columns of numbers and of labels.

Names and numbers of columns are checked by scikit-learn, so its words and rules hold. Values are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .common.array_types import Array
from .levels import series_labels
from .schema import UTC
from .values import Column, Read, is_native, native, nothing, type_of, values_of

# -- what scikit-learn checks


def checked_at_fit(estimator: Any, X: Any) -> Any:
    """X after scikit-learn's checks of shape and names, which are set; a frame is left as it is."""
    if is_frame(X):
        names = frame_of(X).columns  # rejects names that are there twice
        if all(isinstance(name, str) for name in names):
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        else:
            from sklearn.utils.validation import validate_data

            validate_data(estimator, X, reset=True, skip_check_array=True)
        if min(X.shape) == 0:
            raise ValueError(
                f"X must have at least one row and one column. Got a table of shape {tuple(X.shape)}."
            )
        return X
    from sklearn.utils.validation import validate_data

    reject_lazy(X)
    table = as_array(X) if isinstance(X, list | tuple) else X
    return validate_data(
        estimator,
        table,
        reset=True,
        dtype=None,
        accept_sparse="csc",
        ensure_all_finite=False,
        ensure_2d=True,
    )


def is_frame(X: Any) -> bool:
    """Whether X is a table with columns of their own types: pandas, polars, pyarrow and the like."""
    if isinstance(X, np.ndarray | list):
        return False
    import narwhals.stable.v2 as nw

    return bool(nw.dependencies.is_into_dataframe(X))


def is_plain(X: Any) -> bool:
    """Whether X is a matrix of numbers as the core reads them, of which nothing else needs to be checked."""
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and is_native(X)


def as_array(X: Any) -> Array:
    """X as an array; lists with text as an array of objects, so that numpy makes no text of their numbers."""
    array = np.asarray(X)
    return array if array is X or array.dtype.kind not in "US" else np.asarray(X, dtype=object)


def reject_lazy(X: Any) -> None:
    """Reject a query that has not been run."""
    if isinstance(X, np.ndarray | list):
        return
    import narwhals.stable.v2 as nw

    if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
        raise TypeError(f"X must be a table in memory. Got a {type(X).__name__}; collect it first.")


# -- the columns


def frame_of(X: Any) -> Any:
    """A frame as narwhals sees it, whose columns must have different names."""
    import narwhals.stable.v2 as nw

    columns = getattr(X, "columns", ())
    try:
        frame = nw.from_native(X, eager_only=True)
        len(frame.columns)  # where pandas has a name twice, this fails
    except Exception:
        names = list(columns)
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is None:
            raise
        raise ValueError(
            f"The columns of X must have different names. Got {twice!r} {names.count(twice)} times. "
            "Rename or drop some of them."
        ) from None
    return frame


def names_of(X: Any) -> list[Any] | None:
    """The names of the columns, if X has any."""
    if not is_frame(X):
        return None
    return list(frame_of(X).columns)


def each_column(X: Any) -> Iterator[Read]:
    """The columns of a frame or of an array of two dimensions, each as what it is."""
    if not is_frame(X):
        return (values_of(X[:, j], f"column {j}") for j in range(X.shape[1]))
    return map(read_series, frame_of(X).iter_columns())


def sparse_frame(X: Any) -> Any:
    """The sparse matrix inside a pandas table of sparse columns (only these have `.sparse`), or None."""
    if not hasattr(type(X), "sparse") or not hasattr(X, "sparse"):
        return None
    try:
        return X.sparse.to_coo().tocsc()
    except ValueError:  # the common value is not 0: each column is read by itself
        return None


def read_series(series: Any) -> Read:
    """A column of a frame. What pandas keeps as objects is looked at one by one: its type says nothing."""
    import narwhals.stable.v2 as nw

    name, dtype = f"column {series.name!r}", series.dtype
    objects = getattr(series.to_native(), "dtype", None) == np.dtype(object)
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum) and not objects:
        return series_labels(series, name)
    if dtype in (nw.Int128, nw.UInt128):
        series = _within_64_bits(series, name)
    if dtype == nw.Unknown and series.null_count() == len(series):  # a column of nulls has no other type
        return nothing(name, len(series))
    if (dtype.is_integer() or dtype == nw.Boolean) and series.null_count():
        missing = np.asarray(series.is_null().to_numpy())
        filled = native(series.fill_null(False if dtype == nw.Boolean else 0).to_numpy(), name)
        return Column(name, filled, missing, type_of(filled))
    read = values_of(series.to_numpy(), name)
    aware = isinstance(dtype, nw.Datetime) and dtype.time_zone is not None
    return read._replace(type=UTC) if aware and isinstance(read, Column) else read


def _within_64_bits(series: Any, name: str) -> Any:
    """Integers of 128 bits as those of 64, which the core compares exactly."""
    import narwhals.stable.v2 as nw

    try:
        return series.cast(nw.Int64)
    except Exception:  # noqa: BLE001 (each library has its own)
        raise ValueError(
            f"Whole numbers in X must lie within 64 bits, to be compared exactly. Got larger ones in {name}. "
            "Make text of them if they are names, or divide them."
        ) from None
