"""Any table → columns of codes: equal values have equal codes, missing ones −1. Values are read as at fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.levels import Labels, is_missing
from ...data.table import as_array, each_column, is_frame, names_of, reject_lazy
from ...data.text_numbers import times_of_text
from ...data.values import Read, values_of

Array = NDArray[Any]
Codes = NDArray[np.int64]

NUMBER, DATETIME, DURATION, BOOLEAN, NOMINAL, MIXED = (
    "number", "datetime", "duration", "boolean", "nominal", "mixed",
)  # fmt: skip


@dataclass(frozen=True)
class Coded:
    """A column: row i holds levels[codes[i]], or nothing where the code is −1.

    Every level occurs. Those of numbers, times and booleans are sorted, the others in order of appearance.
    """

    name: Any
    kind: str
    codes: Codes
    levels: Sequence[Any] | Array
    is_text: bool = False  # of times: they are written as text

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
        return self.kind not in {NOMINAL, MIXED}

    @cached_property
    def is_whole(self) -> bool:
        """Whether these are numbers without fractions, whatever their type."""
        if self.kind != NUMBER:
            return False
        levels = np.asarray(self.levels)
        return levels.dtype.kind in "iu" or bool((np.isfinite(levels) & (levels == np.floor(levels))).all())


def read(table: Any) -> list[Coded]:
    """The columns of a frame or of an array of two dimensions."""
    from narwhals.exceptions import DuplicateError

    if hasattr(table, "tocsc"):
        raise TypeError("table must be a frame or a dense array. Got a sparse matrix; use its .toarray().")
    if is_frame(table):
        try:
            names = names_of(table) or []
        except DuplicateError as twice:
            text = " ".join(str(twice).split())
            raise ValueError(f"Columns of table must have different names. {text}. Rename them.") from None
        return [_coded(name, column) for name, column in zip(names, each_column(table), strict=True)]
    reject_lazy(table)
    matrix = as_array(table)
    if matrix.ndim != 2:
        raise ValueError(
            "table must be a frame or an array of two dimensions, rows × columns. "
            f"Got {matrix.ndim} dimensions."
        )
    return [_coded(place, column) for place, column in enumerate(each_column(matrix))]


def read_beside(values: Any, n_rows: int, what: str) -> Coded:
    """A target or a time that is not a column of the table."""
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(series, nw.Series):
        column = next(each_column(series.to_frame().to_native()))
    else:
        target = as_array(values)
        if target.ndim == 2 and target.shape[1] == 1:
            target = target[:, 0]
        if target.ndim != 1:
            raise ValueError(
                f"{what} must be the name of a column or an array with one entry per row. Got "
                f"{target.ndim} dimensions. Give one column."
            )
        column = values_of(target, f"the {what}")
    found = replace(_coded(None, column), name=None)
    if len(found.codes) != n_rows:
        raise ValueError(
            f"{what} must have one entry per row of the table: {n_rows}. Got {len(found.codes)}."
        )
    return found


def _coded(name: Any, read: Read) -> Coded:
    if isinstance(read, Labels):
        return _of_labels(name, read)
    values, missing = read.values, read.missing
    if missing is None:
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    kind = read.type.kind if read.type.kind in {DATETIME, DURATION, BOOLEAN} else NUMBER
    codes = np.full(len(values), -1, dtype=np.int64)
    levels, codes[~missing] = np.unique(values[~missing], return_inverse=True)
    return Coded(name, kind, codes, levels)


def _of_labels(name: Any, labels: Labels) -> Coded:
    """Levels that occur, in order of appearance; booleans in order of size."""
    absent = np.array([is_missing(level) for level in labels.levels] + [True])
    codes = np.where(absent[labels.codes], -1, labels.codes).astype(np.int64)
    used, first = np.unique(codes[codes >= 0], return_index=True)
    booleans = len(used) > 0 and all(isinstance(labels.levels[k], bool | np.bool_) for k in used)
    order = used if booleans else used[np.argsort(first, kind="stable")]
    place = np.full(len(labels.levels) + 1, -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    levels = [labels.levels[k] for k in order]
    kinds = {type_group(type(level)) for level in levels}
    kind = BOOLEAN if booleans else NOMINAL if len(kinds) < 2 else MIXED
    return Coded(name, kind, place[codes], np.array(levels) if booleans else levels)


def type_group(kind: type) -> str:
    """What a Python type is to a reader of a table."""
    if issubclass(kind, bool | np.bool_):
        return "boolean"
    if issubclass(kind, str):
        return "text"
    return "number" if issubclass(kind, Real) else kind.__name__


def as_times(column: Coded) -> Coded:
    """A column of text whose levels are dates or times, as ISO 8601 writes them, as one of times."""
    times = times_of_text(np.array(column.levels, dtype=object)) if column.kind == NOMINAL else None
    if times is None:
        return column
    levels, place = np.unique(times, return_inverse=True)
    codes = np.where(column.codes < 0, -1, place.ravel()[column.codes])
    return replace(column, kind=DATETIME, codes=codes, levels=levels, is_text=True)
