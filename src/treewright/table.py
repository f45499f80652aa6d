"""Any table → plain numbers: a matrix, a sparse matrix, or columns each in their own type.

Names and numbers of columns are checked by scikit-learn, so its words and rules hold. Values are ours:
nothing is cast unless the core has no such type (float16, longdouble, times, objects).
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Column(NamedTuple):
    """One column: its name for messages, its values, and which of them are missing (None: only NaN)."""

    name: str
    values: Array
    missing: NDArray[np.bool_] | None = None


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
    _refuse_lazy(X)
    return validate_data(
        estimator, X, reset=reset, dtype=None, accept_sparse="csc", ensure_all_finite=False, ensure_2d=True
    )


def is_frame(X: Any) -> bool:
    """Whether X is a table with columns of their own types: pandas, polars, pyarrow and the like."""
    if isinstance(X, np.ndarray | list):
        return False
    import narwhals.stable.v2 as nw

    return bool(nw.dependencies.is_into_dataframe(X))


def _refuse_lazy(X: Any) -> None:
    if isinstance(X, np.ndarray | list):
        return
    import narwhals.stable.v2 as nw

    if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
        raise TypeError(f"X must be a table in memory. Got a {type(X).__name__}; collect it first.")


# -- frames


def sparse_frame(X: Any) -> Any:
    """The sparse matrix inside a pandas table of sparse columns (only these have `.sparse`), or None."""
    if not hasattr(type(X), "sparse") or not hasattr(X, "sparse"):
        return None
    try:
        return X.sparse.to_coo().tocsc()
    except ValueError:  # the common value is not 0: each column is read by itself
        return None


def frame_columns(X: Any) -> Iterator[Column]:
    """The columns of a frame, each in its own type."""
    import narwhals.stable.v2 as nw

    for series in nw.from_native(X, eager_only=True).iter_columns():
        name, dtype = f"column {series.name!r}", series.dtype
        if dtype in {nw.String, nw.Categorical, nw.Enum}:
            if series.null_count() < len(series):
                raise ValueError(_text_refused(name))
            yield Column(name, np.zeros(len(series)), np.ones(len(series), dtype=bool))
            continue
        if (dtype.is_integer() or dtype == nw.Boolean) and series.null_count():
            missing = np.asarray(series.is_null().to_numpy())
            filled = series.fill_null(False if dtype == nw.Boolean else 0)
            yield Column(name, native(filled.to_numpy(), name), missing)
        else:
            yield numbers_of(series.to_numpy(), name)


# -- one column or matrix of any numpy type


def is_native(values: Array) -> bool:
    """Whether the core reads this type: bool, int, uint, float32 and float64 in the machine's byte order."""
    dtype = values.dtype
    return bool(
        dtype.kind in "biuf"
        and dtype.itemsize in _SIZES[dtype.kind]
        and dtype.isnative
        and values.flags.aligned
    )


_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (4, 8)}


def is_plain(X: Any) -> bool:
    """Whether X is a matrix of numbers as the core reads them, of which nothing else needs to be checked."""
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and is_native(X)


def native(values: Array, name: str) -> Array:
    """Numbers in a type that the core reads, the same array if it is one already."""
    if is_native(values):
        return values
    if values.dtype.kind not in "biuf":
        raise TypeError(_object_refused(name, str(values.dtype)))
    if values.dtype.kind == "f":
        return values.astype(np.float32 if values.dtype.itemsize == 2 else np.float64)
    return values.astype(values.dtype.newbyteorder("="))


def numbers_of(values: Array, name: str) -> Column:
    """A column of numbers, times, or objects that are numbers."""
    kind = values.dtype.kind
    if values.ndim != 1:
        raise TypeError(_object_refused(name, f"{values.ndim}-dimensional array"))
    if kind in "Mm":
        return _times(values, name)
    if kind == "O":
        return _objects(values, name)
    if kind in "UST":
        raise ValueError(_text_refused(name))
    return Column(name, native(values, name))


def _times(values: Array, name: str) -> Column:
    """Dates, times and durations as whole microseconds, one unit for all so that fit and predict agree."""
    missing = np.isnat(values)
    unit = values.dtype.str[1:2] + "8[us]"
    micros = values.astype(unit)
    no_length = values.dtype.kind == "m" and np.datetime_data(values.dtype)[0] in {"Y", "M", "generic"}
    if no_length or not ((micros.astype(values.dtype) == values) | missing).all():
        raise ValueError(
            f"Times must be whole microseconds. Got {values.dtype} in {name} of X. Turn them into integers."
        )
    return Column(name, micros.view(np.int64), missing if missing.any() else None)


def _objects(values: Array, name: str) -> Column:
    """Python numbers, with None, NA and NaN as missing; integers stay integers."""
    items = values.tolist()
    missing = np.fromiter(map(_is_missing, items), dtype=bool, count=len(items))
    present = values[~missing]
    kinds = set(map(type, present.tolist()))
    if any(issubclass(kind, str | bytes) for kind in kinds):
        raise ValueError(_text_refused(name))
    strange = [kind for kind in kinds if not issubclass(kind, numbers.Real | Decimal | np.bool_)]
    if strange:
        raise TypeError(_object_refused(name, strange[0].__name__))
    filled: Array = np.zeros(len(items), dtype=_number_type(kinds, present))
    filled[~missing] = present.astype(filled.dtype)
    return Column(name, filled, missing if missing.any() else None)


def _is_missing(item: Any) -> bool:
    if isinstance(item, float | np.floating | Decimal):
        return math.isnan(item)
    return item is None or type(item).__name__ in {"NAType", "NaTType"}


def _number_type(kinds: set[type], present: Array) -> type:
    """The narrowest of bool, int64, uint64 and float64 that holds these Python numbers."""
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return np.bool_
    if all(issubclass(kind, numbers.Integral | np.bool_) for kind in kinds):
        for dtype in (np.int64, np.uint64):
            if not len(present) or np.iinfo(dtype).min <= min(present) <= max(present) <= np.iinfo(dtype).max:
                return dtype
    return np.float64


# Both sentences hold "argument must be ... string ... number": scikit-learn's checks look for it.
def _object_refused(name: str, kind: str) -> str:
    return (
        f"Every column of the X argument must be made of numbers; neither a string nor another object is a "
        f"number. Got values of type {kind} in {name}. Turn them into numbers or leave the column out."
    )


def _text_refused(name: str) -> str:
    return (
        f"X must hold numbers, but {name} holds text or categories, on which trees cannot be split yet. "
        "Encode it, for example with sklearn.preprocessing.OrdinalEncoder, or leave it out."
    )
