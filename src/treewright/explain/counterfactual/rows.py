"""The changed row as the core reads it, and its values as a table holds them and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ... import _core
from ...data.columns import from_columns
from ...data.schema import ColumnType
from ...data.table import as_array, is_frame
from ...data.values import Column
from ...tree.value_text import date_text, duration_text, level_text, shortest
from ..cells import Cells
from ..subject import Subject
from .numbers import Number

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
    return from_columns(expected(subject, cells, changed), 1)


def expected(subject: Subject, cells: Cells, changed: Changed) -> list[Column]:
    """The columns of the changed row."""
    columns = list(cells.columns)
    for j, value in changed.items():
        known = subject.words.column(j)
        dtype = _dtype(known, columns[j], value)
        columns[j] = Column(columns[j].name, np.array([value], dtype=dtype), None, known)
    return columns


def _dtype(known: ColumnType, held: Column, value: Number) -> Any:
    if known.kind == "nominal":
        return np.int32
    if known.kind == "boolean" or (isinstance(value, float) and held.values.dtype.kind == "f"):
        return held.values.dtype
    if isinstance(value, float):  # an int was given, but the column is one of any numbers
        return np.float64
    return np.int64 if value < 2**63 else np.uint64


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
    return float(value) if held.values.dtype.kind == "f" else value


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
    return shortest(value) if isinstance(value, float) else str(value)
