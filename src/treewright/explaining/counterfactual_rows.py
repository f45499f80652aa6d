"""The changed row: as the core reads it, and in the form in which the row was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import _core
from ..columns import from_columns
from ..drawings.values import date_text, duration_text, level_text, shortest
from ..schema import ColumnType
from ..table import as_array, is_frame
from ..values import Column
from .cells import Cells
from .counterfactual_numbers import Number
from .subject import Subject

Changed = dict[int, Number]  # by column: a number, microseconds or the code of a level


def is_single(X: Any) -> bool:
    """Whether X is one row: a dict, a series of pandas, or values in one dimension."""
    if isinstance(X, Mapping) or (hasattr(X, "to_dict") and getattr(X, "ndim", 2) == 1):
        return True
    return not is_frame(X) and not hasattr(X, "tocsr") and as_array(X).ndim == 1


def n_rows_of(X: Any) -> int:
    """How many rows there are."""
    if is_single(X):
        return 1
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def core_row(subject: Subject, cells: Cells, changed: Changed) -> _core.Columns:
    """The row with its changes, for the core."""
    columns = list(cells.columns)
    for j, value in changed.items():
        known = subject.words.column(j)
        columns[j] = Column(columns[j].name, np.array([value], dtype=_dtype(known, columns[j])), None, known)
    return from_columns(columns, 1)


def _dtype(known: ColumnType, held: Column) -> Any:
    if known.kind == "nominal":
        return np.int32
    return np.int64 if known.kind in ("ordered", "datetime", "duration") else held.values.dtype


def plain_value(known: ColumnType, held: Column, value: Number) -> Any:
    """A value as a table would hold it."""
    if known.has_levels:
        return known.levels[int(value)]
    if known.kind == "datetime":
        return np.datetime64(int(value), "us")
    if known.kind == "duration":
        return np.timedelta64(int(value), "us")
    if known.kind == "boolean":
        return bool(value)
    if held.values.dtype == np.float32:
        return np.float32(value)
    return int(value) if held.values.dtype.kind in "iu" else float(value)


def value_text(known: ColumnType, held: Column, value: Number) -> str:
    """The same in words."""
    if known.has_levels:
        return level_text(known.levels[int(value)])
    if known.kind == "datetime":
        return date_text(int(value)) + (" UTC" if known.utc else "")
    if known.kind == "duration":
        return duration_text(int(value))
    if known.kind == "boolean":
        return "true" if value else "false"
    if held.values.dtype == np.float32:
        return str(np.float32(value)).removesuffix(".0")
    return shortest(float(value)) if held.values.dtype.kind == "f" else str(int(value))


# -- in the form that was given


def in_form(subject: Subject, X: Any, row: int, new: dict[int, Any]) -> Any:
    """The row of X with new values, as X is: a dict, a frame or an array of one row, or values."""
    if isinstance(X, Mapping) or (is_single(X) and hasattr(X, "to_dict")):
        found = dict(X if isinstance(X, Mapping) else X.to_dict())
        return found | {_key(subject, found, j): value for j, value in new.items()}
    if is_frame(X):
        return _frame(subject, X, row, new)
    array = X.tocsr()[[row]].toarray() if hasattr(X, "tocsr") else as_array(X)
    array = (
        np.array(array) if array.ndim == 1 else np.array(array[row : row + 1] if len(array) > 1 else array)
    )
    for j, value in new.items():
        array[..., j] = value
    return array


def _key(subject: Subject, found: dict[Any, Any], column: int) -> Any:
    """What a dict calls a column: by its name of fit, as it is called here, or by its number."""
    names = [subject.names[column]] if subject.names else []
    names += [subject.words.features[column]]
    return next((name for name in [*names, column] if name in found), list(found)[column])


def _frame(subject: Subject, X: Any, row: int, new: dict[int, Any]) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    one = frame[row : row + 1, :]
    columns = frame.columns
    for j, value in new.items():
        known = subject.names is not None and all(isinstance(name, str) for name in columns)
        name = subject.names[j] if known and subject.names is not None else columns[j]
        held = value.item() if isinstance(value, np.generic) else value
        made, dtype = nw.lit(_aware(held, frame.schema[name])), frame.schema[name]
        if dtype not in (nw.Object, nw.Unknown):
            made = made.cast(dtype)
        one = one.with_columns(made.alias(name))
    return one.to_native()


def _aware(value: Any, dtype: Any) -> Any:
    """An instant of UTC where the column has a time zone."""
    import datetime as dt

    zone = getattr(dtype, "time_zone", None)
    return value.replace(tzinfo=dt.UTC) if zone and isinstance(value, dt.datetime) else value
