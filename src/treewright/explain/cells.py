"""One row of any table, read by the types of fit, and its values in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..data.columns import from_columns, known_columns
from ..data.common.hints import nearest
from ..data.levels import is_missing
from ..data.schema import NUMBER, ColumnType
from ..data.table import as_array, each_column, is_frame
from ..data.values import Column, Read, values_of
from ..tree.value_text import date_text, duration_text, level_text, shortest
from .subject import Subject

T = TypeVar("T")


class Lazy(dict[int, T]):
    """Entries that are made when first asked for: a tree asks few columns of a wide table."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, column: int) -> T:
        found = self[column] = self._make(column)
        return found


@dataclass(frozen=True)
class Cells:
    """The columns of fit with one row each, and that row in words; "" where a value is missing."""

    columns: list[Column]
    texts: Mapping[int, str]  # by the number of the column; made when asked for

    @cached_property
    def core(self) -> _core.Columns:
        """The row as the core reads it."""
        return from_columns(self.columns, 1)


def cells_of(subject: Subject, X: Any, row: int) -> Cells:
    """Read one row of a table, of an array, or a dict of its values. Columns with names are found by them."""
    if isinstance(X, Mapping) or (hasattr(X, "to_dict") and getattr(X, "ndim", 2) == 1):
        reads = _of_mapping(subject, X if isinstance(X, Mapping) else X.to_dict(), row)
    elif is_frame(X):
        reads = _of_frame(subject, X, row)
    else:
        reads = _of_array(subject, X, row)
    columns = list(known_columns(reads, subject.tree.column_types))
    types = subject.tree.column_types or [NUMBER] * len(columns)
    return Cells(columns, Lazy(lambda j: _text(reads[j], columns[j], types[j])))


def _check_row(row: Any, n_rows: int) -> int:
    whole = isinstance(row, int | np.integer) and not isinstance(row, bool)
    if not n_rows:
        raise ValueError("X must have a row to explain. Got a table without rows.")
    if not whole or not 0 <= row < n_rows:
        raise ValueError(f"row must be an int in 0..{n_rows - 1}, the rows of X. Got {row!r}.")
    return int(row)


def _places(found: Sequence[Any], subject: Subject) -> list[int]:
    """Where each column of fit stands among the columns found, by name; all others are left alone."""
    known = subject.names
    if known is None or not all(isinstance(name, str) for name in found):
        if len(found) != subject.tree.n_features:
            raise ValueError(f"X must have {subject.tree.n_features} columns, as at fit. Got {len(found)}.")
        return list(range(len(found)))
    at = {name: place for place, name in enumerate(found)}
    for name in known:
        if name not in at:
            hint = nearest(name, [each for each in found if each not in known], "its column ")
            raise ValueError(f"X must have the columns of fit, but it has no {name!r}.{hint}")
    return [at[name] for name in known]


def _of_mapping(subject: Subject, given: Mapping[Any, Any], row: Any) -> list[Read]:
    _check_row(row, 1)
    keys = list(given)
    for called in (subject.words.features, range(subject.tree.n_features)):
        if subject.names is None and set(keys) == set(called):
            keys = list(called)  # feature_0, feature_1, ..., as they are called here; or their numbers
    values = [given[keys[place]] for place in _places(keys, subject)]
    reads = []
    for name, value in zip(subject.words.features, values, strict=True):
        if isinstance(value, list | tuple | dict) or len(getattr(value, "shape", ())):
            raise ValueError(
                f"A dict for X must hold one value per column. Got {type(value).__name__} for {name!r}. "
                "Give a table and the number of its row."
            )
        reads.append(_read_one(value, f"column {name!r}"))
    return reads


def _read_one(value: Any, name: str) -> Read:
    """A single value as a column of one row; objects are looked at by what they are."""
    if isinstance(value, np.generic):
        return values_of(np.array([value]), name)
    held = np.empty(1, dtype=object)
    held[0] = value
    return values_of(held, name)


def _of_frame(subject: Subject, X: Any, row: Any) -> list[Read]:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    number = _check_row(row, len(frame))
    places = _places(frame.columns, subject)
    if frame.implementation.is_pandas():
        return _of_pandas(X.iloc[number : number + 1], places)
    return list(each_column(frame[number : number + 1, places].to_native()))


def _of_pandas(one: Any, places: list[int]) -> list[Read]:
    """The columns of one row of pandas. Those of numpy's types are read all of a type at once.

    Column by column, a wide row would take most of the time of an explanation. Types of pandas' own are read
    as everywhere.
    """
    found: dict[int, Read] = {}
    dtypes, alike, every = one.dtypes.tolist(), dict[Any, list[int]](), list(range(one.shape[1]))
    for place in places:
        alike.setdefault(dtypes[place], []).append(place)
    for dtype, members in alike.items():
        part = one if members == every else one.iloc[:, members]
        if isinstance(dtype, np.dtype):
            values, names = part.to_numpy(), part.columns.tolist()
            for k, place in enumerate(members):
                found[place] = values_of(values[:, k], f"column {names[k]!r}")
        else:
            found.update(zip(members, each_column(part), strict=True))
    return [found[place] for place in places]


def _of_array(subject: Subject, X: Any, row: Any) -> list[Read]:
    sparse = hasattr(X, "tocsr")
    array: Any = X.tocsr() if sparse else as_array(X)
    if array.ndim == 1:
        array = array[None, :]
    if array.ndim != 2:
        raise ValueError(f"X must be a table, or the values of one row. Got {array.ndim} dimensions.")
    number = _check_row(row, int(array.shape[0]))
    _places(range(array.shape[1]), subject)
    one = array[[number]].toarray() if sparse else array[number : number + 1]
    return [values_of(one[:, j], f"column {name!r}") for j, name in enumerate(subject.words.features)]


# -- words


def _text(read: Read, column: Column, known: ColumnType) -> str:
    """The value of the one row; "" if it is missing. A level that was not known at fit is named too."""
    if known.has_levels:
        code = int(column.values[0])
        gone = bool(column.missing[0]) if column.missing is not None else code < 0
        return level_text(known.levels[code]) if not gone and code < len(known.levels) else _unknown(read)
    if column.missing is not None and column.missing[0]:
        return ""
    value = column.values[0]
    if value.dtype.kind == "f" and np.isnan(value):
        return ""
    if known.kind == "datetime":
        return date_text(int(value)) + (" UTC" if known.utc else "")
    if known.kind == "duration":
        return duration_text(int(value))
    if known.kind == "boolean" and value in (0, 1):
        return "true" if value else "false"
    return shortest(float(value)) if value.dtype.kind == "f" else str(int(value))


def _unknown(read: Read) -> str:
    """A level that the tree has never seen, as it stands in the table."""
    if isinstance(read, Column):
        return "" if read.is_empty() else level_text(read.values[0].item())
    code = int(read.codes[0])
    level = read.levels[code] if code >= 0 else None
    return "" if is_missing(level) else level_text(level)
