"""Any table → its columns as what they are: a matrix, a sparse matrix, or columns of numbers and of labels.

Names and numbers of columns are checked by scikit-learn, so its words and rules hold. Values are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .levels import series_labels
from .schema import BOOLEAN, NUMBER, UTC
from .values import Array, Column, Read, is_native, native, nothing, type_of, values_of

# -- what scikit-learn checks


def checked(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X after scikit-learn's checks of shape, names and number of columns; a frame is left as it is."""
    from sklearn.utils.validation import validate_data

    if is_frame(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if min(X.shape) == 0:
            raise ValueError(
                f"X must have at least one row and one column. Got a table of shape {tuple(X.shape)}."
            )
        return X
    refuse_lazy(X)
    table = as_array(X) if isinstance(X, list | tuple) else X
    return validate_data(
        estimator,
        table,
        reset=reset,
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


def refuse_lazy(X: Any) -> None:
    """Refuse a query that has not been run."""
    if isinstance(X, np.ndarray | list):
        return
    import narwhals.stable.v2 as nw

    if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
        raise TypeError(f"X must be a table in memory. Got a {type(X).__name__}; collect it first.")


# -- the columns


def names_of(X: Any) -> list[Any] | None:
    """The names of the columns, if X has any."""
    if not is_frame(X):
        return None
    import narwhals.stable.v2 as nw

    return list(nw.from_native(X, eager_only=True).columns)


def each_column(X: Any) -> Iterator[Read]:
    """The columns of a frame or of an array of two dimensions, each as what it is."""
    if not is_frame(X):
        return (values_of(X[:, j], f"column {j}") for j in range(X.shape[1]))
    import narwhals.stable.v2 as nw

    return map(_of_series, nw.from_native(X, eager_only=True).iter_columns())


def few_rows(frame: Any) -> list[Read]:
    """The columns of a narwhals frame of few rows: plain numbers together, the others one by one.

    To read a column costs as much as to read a thousand values; here that is paid once for all numbers.
    """
    native_frame, names = frame.to_native(), frame.columns
    kinds = _numbers_of_pandas(native_frame) if frame.implementation.is_pandas() else None
    if kinds is None:
        return [_of_series(series) for series in frame.iter_columns()]
    found: list[Any] = [None] * len(names)
    for dtype, places in kinds.items():
        part = native_frame if len(places) == len(names) else native_frame.iloc[:, places]
        matrix = np.asfortranarray(part.to_numpy())
        for k, j in enumerate(places):
            known = BOOLEAN if dtype.kind == "b" else NUMBER
            found[j] = Column(f"column {names[j]!r}", matrix[:, k], None, known)
    for j, read in enumerate(found):
        if read is None:
            found[j] = _of_series(frame[names[j]])
    return found


def _numbers_of_pandas(frame: Any) -> dict[Any, list[int]] | None:
    """The places of the columns of each plain type of numbers."""
    kinds: dict[Any, list[int]] = {}
    for j, dtype in enumerate(frame.dtypes.to_numpy()):
        if isinstance(dtype, np.dtype) and dtype.kind in "biuf" and dtype.itemsize <= 8 and dtype.isnative:
            kinds.setdefault(dtype, []).append(j)
    return kinds


def sparse_frame(X: Any) -> Any:
    """The sparse matrix inside a pandas table of sparse columns (only these have `.sparse`), or None."""
    if not hasattr(type(X), "sparse") or not hasattr(X, "sparse"):
        return None
    try:
        return X.sparse.to_coo().tocsc()
    except ValueError:  # the common value is not 0: each column is read by itself
        return None


def _of_series(series: Any) -> Read:
    """A column of a frame. What pandas keeps as objects is looked at one by one: its type says nothing."""
    import narwhals.stable.v2 as nw

    name, dtype = f"column {series.name!r}", series.dtype
    objects = getattr(series.to_native(), "dtype", None) == np.dtype(object)
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum) and not objects:
        return series_labels(series, name)
    if dtype == nw.Unknown and series.null_count() == len(series):  # a column of nulls has no other type
        return nothing(name, len(series))
    if (dtype.is_integer() or dtype == nw.Boolean) and series.null_count():
        missing = np.asarray(series.is_null().to_numpy())
        filled = native(series.fill_null(False if dtype == nw.Boolean else 0).to_numpy(), name)
        return Column(name, filled, missing, type_of(filled))
    read = values_of(series.to_numpy(), name)
    aware = isinstance(dtype, nw.Datetime) and dtype.time_zone is not None
    return read._replace(type=UTC) if aware and isinstance(read, Column) else read
