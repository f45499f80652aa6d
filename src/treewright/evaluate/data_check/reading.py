"""Any table → columns of codes: equal values have equal codes, missing ones −1. Nothing is judged here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import is_frame

Array = NDArray[Any]
Codes = NDArray[np.int64]

NUMBER, TIME, BOOLEAN, NOMINAL, MIXED = "number", "time", "boolean", "nominal", "mixed"


@dataclass(frozen=True)
class Coded:
    """A column: row i holds levels[codes[i]], or nothing where the code is −1.

    Every level occurs. Those of numbers, times and booleans are sorted, the others in order of appearance.
    """

    name: Any
    kind: str
    codes: Codes
    levels: Sequence[Any] | Array

    @cached_property
    def counts(self) -> Codes:
        """How many rows each level has."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))

    @property
    def n_present(self) -> int:
        """How many rows have a value."""
        return int(self.counts.sum())

    @property
    def is_ordered(self) -> bool:
        """Whether codes are ranks."""
        return self.kind in {NUMBER, TIME, BOOLEAN}

    @cached_property
    def is_whole(self) -> bool:
        """Whether these are numbers without fractions, whatever their type."""
        if self.kind != NUMBER:
            return False
        levels = np.asarray(self.levels)
        return levels.dtype.kind in "iu" or bool((np.isfinite(levels) & (levels == np.floor(levels))).all())


def read(table: Any) -> list[Coded]:
    """The columns of a frame or of an array of two dimensions."""
    return list(_of_frame(table) if is_frame(table) else _of_array(table))


def read_target(values: Any, n_rows: int) -> Coded:
    """A target that is not a column of the table."""
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(series, nw.Series):
        found = _of_series(series)
    else:
        target = np.asarray(values)
        if target.ndim == 2 and target.shape[1] == 1:
            target = target[:, 0]
        if target.ndim != 1:
            raise ValueError(
                "target must be the name of a column or an array with one entry per row. Got "
                f"{target.ndim} dimensions. Check several targets one by one."
            )
        found = _of_values(None, target)
    if len(found.codes) != n_rows:
        raise ValueError(
            f"target must have one entry per row of the table: {n_rows}. Got {len(found.codes)}."
        )
    return replace(found, name=None)  # a name of its own is not one of the table's


def _of_frame(table: Any) -> Iterator[Coded]:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(table, eager_only=True)
    except DuplicateError as twice:
        said = " ".join(str(twice).split())
        raise ValueError(f"Columns of table must have different names. {said}. Rename them.") from None
    yield from map(_of_series, frame.iter_columns())


def _of_series(series: Any) -> Coded:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype in {nw.String, nw.Categorical, nw.Enum}:
        return _of_objects(series.name, series.to_list(), nominal=True)
    if dtype.is_float():
        return _of_values(series.name, series.to_numpy())
    if dtype.is_integer() or dtype == nw.Boolean:
        missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
        filled = series.fill_null(False if dtype == nw.Boolean else 0) if missing.any() else series
        return _of_plain(series.name, filled.to_numpy(), missing)
    if dtype.is_temporal():
        values = series.to_numpy()
        if values.dtype.kind in "mM":
            return _of_values(series.name, values)
    return _of_objects(series.name, series.to_list())


def _of_array(table: Any) -> Iterator[Coded]:
    import narwhals.stable.v2 as nw

    if isinstance(nw.from_native(table, pass_through=True), nw.LazyFrame):
        raise TypeError(f"table must be in memory. Got a {type(table).__name__}; collect it first.")
    if hasattr(table, "tocsc"):
        raise TypeError("table must be a frame or a dense array. Got a sparse matrix; use its .toarray().")
    matrix = np.asarray(table)
    if matrix.ndim != 2:
        raise ValueError(
            "table must be a frame or an array of two dimensions, rows × columns. "
            f"Got {matrix.ndim} dimensions."
        )
    for j in range(matrix.shape[1]):
        yield _of_values(j, matrix[:, j])


def _of_values(name: Any, values: Array) -> Coded:
    """One column of any numpy type."""
    kind = values.dtype.kind
    if kind == "f":
        return _of_plain(name, values, np.isnan(values))
    if kind in "mM":
        return _of_plain(name, values, np.isnat(values))
    if kind in "biu":
        return _of_plain(name, values, np.zeros(len(values), dtype=bool))
    return _of_objects(name, values.tolist())


def _of_plain(name: Any, values: Array, missing: NDArray[np.bool_]) -> Coded:
    kind = {"b": BOOLEAN, "m": TIME, "M": TIME}.get(values.dtype.kind, NUMBER)
    codes = np.full(len(values), -1, dtype=np.int64)
    levels, codes[~missing] = np.unique(values[~missing], return_inverse=True)
    return Coded(name, kind, codes, levels)


def _of_objects(name: Any, items: list[Any], nominal: bool = False) -> Coded:
    """Text, categories and Python objects. Numbers, booleans and times among them are sorted again."""
    both = {type_group(kind) for kind in set(map(type, items))} >= {BOOLEAN, NUMBER}
    keys = list(zip(map(type, items), items, strict=True)) if both else items  # True == 1, but not here
    try:
        distinct = list(dict.fromkeys(keys))
    except TypeError:
        strange = next(type(item).__name__ for item in items if type(item).__hash__ is None)
        raise TypeError(
            f"Columns must hold numbers, text, booleans or times. Got values of type {strange} in "
            f"column {name!r}. Leave it out."
        ) from None
    values = [key[1] for key in distinct] if both else distinct
    present = np.array([not _is_missing(value) for value in values], dtype=bool)
    place = dict(zip(distinct, np.where(present, np.cumsum(present) - 1, -1).tolist(), strict=True))
    codes = np.fromiter(map(place.__getitem__, keys), dtype=np.int64, count=len(keys))
    levels = [value for value, there in zip(values, present, strict=True) if there]
    groups = {type_group(kind) for kind in set(map(type, levels))}
    if not nominal and len(groups) == 1 and groups <= {NUMBER, BOOLEAN, TIME}:
        return _sorted(name, groups.pop(), codes, levels)
    return Coded(name, NOMINAL if nominal or len(groups) < 2 else MIXED, codes, levels)


def _sorted(name: Any, kind: str, codes: Codes, levels: list[Any]) -> Coded:
    try:
        values = _array_of(levels) if kind != TIME else np.array(levels, dtype=object)
        ordered, ranks = np.unique(values, return_inverse=True)
    except TypeError:  # times of different kinds
        return Coded(name, MIXED, codes, levels)
    return Coded(name, kind, np.append(ranks, -1)[codes], ordered)


def _array_of(numbers: list[Any]) -> Array:
    """Booleans, integers that fit 64 bits, or floats."""
    values = np.array(numbers)
    return values if values.dtype.kind in "biu" else values.astype(np.float64)


def type_group(kind: type) -> str:
    """What a Python type is to a reader of a table."""
    if issubclass(kind, bool | np.bool_):
        return "boolean"
    if issubclass(kind, Real | Decimal):
        return "number"
    if issubclass(kind, str | bytes):
        return "text"
    if issubclass(kind, date | time | timedelta | np.datetime64 | np.timedelta64):
        return "time"
    return kind.__name__


def _is_missing(item: Any) -> bool:
    if isinstance(item, float | np.floating | Decimal):
        return math.isnan(item)
    return item is None or type(item).__name__ in {"NAType", "NaTType"}
