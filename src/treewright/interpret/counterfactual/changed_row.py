"""The changed row in the form in which the row was given; where a type cannot hold a value, it is widened."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...data.common.array_types import Array
from ...data.table import as_array, is_frame
from ...data.values import Column
from ..described_model import DescribedModel
from ..row import column_name, is_gap, is_single, one_row, rows_of

Check = Callable[[Any, list[int]], bool]  # whether these columns of a table of one row read as they should


def in_form(model: DescribedModel, X: Any, row: int, new: dict[int, Any], wanted: list[Column]) -> Any:
    """The row of X with new values, as X is: a dict, a frame or an array of one row, or values.

    `wanted` has the columns as they must be read again.
    """
    if isinstance(X, Mapping) or (is_single(X) and hasattr(X, "to_dict")):
        found = dict(X if is_single(X) and isinstance(X, Mapping) else _values(X, row))
        named = {j: _instant(value) if model.words.column(j).utc else value for j, value in new.items()}
        return found | {_key(model, found, j): value for j, value in named.items()}

    def is_right(made: Any, columns: list[int]) -> bool:
        try:
            held = rows_of(model, made, 0).table.columns
        except (TypeError, ValueError):
            return False
        return all(_same(held[j], wanted[j]) for j in columns)

    if is_frame(X):
        return _frame(model, X, row, new, is_right)
    array = X.tocsr()[[row]].toarray() if hasattr(X, "tocsr") else as_array(X)
    array = array if array.ndim == 1 else array[row : row + 1] if len(array) > 1 else array
    return _array(array, new, is_right)


def _values(X: Any, row: int) -> dict[Any, Any]:
    """The values of one row, of a series or of a dict of columns."""
    if not isinstance(X, Mapping):
        return dict(X.to_dict())
    return {name: values.tolist()[0] for name, values in one_row(X, row).items()}


def _same(held: Column, wanted: Column) -> bool:
    if is_gap(held) or is_gap(wanted):
        return is_gap(held) and is_gap(wanted)
    return bool(held.values[0].item() == wanted.values[0].item())  # Python compares int and float exactly


def _key(model: DescribedModel, found: dict[Any, Any], column: int) -> Any:
    """What a dict calls a column: by its name of fit, as it is called here, or by its number."""
    names = [model.names[column]] if model.names else []
    names += [model.words.features[column]]
    return next((name for name in [*names, column] if name in found), list(found)[column])


def _array(array: Array, new: dict[int, Any], is_right: Check) -> Array:
    """An array of one type: its own, the next that holds the new values too, or objects."""
    every = list(range(array.shape[-1]))
    for widens in (False, True):
        added = [np.asarray(value).dtype for value in new.values()] if widens else []
        try:
            made = _filled(array.astype(np.result_type(array.dtype, *added)), new)
        except (TypeError, ValueError, OverflowError):
            continue
        if is_right(made, every):
            return made
    return _filled(array.astype(object), new)


def _filled(array: Array, new: dict[int, Any]) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what does not fit; it is looked at afterwards
        for j, value in new.items():
            array[..., j] = value
    return array


# -- frames


def _frame(model: DescribedModel, X: Any, row: int, new: dict[int, Any], is_right: Check) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    columns = frame.columns
    put = _put_pandas if frame.implementation.is_pandas() else _put
    one = frame[row : row + 1, :].to_native()
    for j, value in new.items():
        aware = model.words.column(j).utc
        plain = _instant(value) if aware else value.item() if isinstance(value, np.generic) else value
        made, place = None, columns.index(column_name(model, columns, j))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = put(one, place, plain, True)
        except Exception:  # noqa: BLE001, each library has errors of its own for what a type cannot hold
            made = None
        one = made if made is not None and is_right(made, [j]) else put(one, place, plain, False)
    return one


def _put(one: Any, place: int, value: Any, keeps_type: bool) -> Any:
    """The frame with a new value in a column, of the type that the column has or of the value's own."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(one, eager_only=True)
    name, made = frame.columns[place], nw.lit(value)
    if keeps_type and frame.schema[name] not in (nw.Object, nw.Unknown):
        made = made.cast(frame.schema[name])
    return frame.with_columns(made.alias(name)).to_native()


def _put_pandas(one: Any, place: int, value: Any, keeps_type: bool) -> Any:
    """The same for pandas, whose types narwhals does not tell apart: int64 and Int64, for one."""
    import pandas as pd

    made = one.copy()
    dtype = one.dtypes.iloc[place] if keeps_type else None
    made.isetitem(place, pd.Series([value], index=one.index, dtype=dtype))
    return made


def _instant(value: Any) -> Any:
    """A point in time of UTC that says so."""
    held = value.item() if isinstance(value, np.datetime64) else value
    return held.replace(tzinfo=dt.UTC) if isinstance(held, dt.datetime) else held
