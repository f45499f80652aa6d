"""Texts that are numbers or dates, in tables from memory: a target becomes numbers, a column gets a note.

The same reader as for files decides what a text is. A table in memory keeps its types otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from .common.array_types import Array, Floats
from .levels import is_missing
from .target import are_classes

_FEW = 10_000  # rows of a column that are looked at


def numbers_of_text(values: Array) -> tuple[Floats, str] | None:
    """Texts as numbers, NaN where missing, with the first of them; None if one is something else."""
    found = _as_in_a_file(values)
    if found is None or not found[0].dtype.is_numeric():
        return None
    return found[0].cast(float).fill_null(float("nan")).to_numpy(), found[1]


def times_of_text(values: Array) -> Array | None:
    """Texts as dates or times if all are, as ISO 8601 writes them; else None."""
    from .files.times import TIME

    first = next(iter(values.tolist()), None)
    if not isinstance(first, str) or not re.match(TIME, first.strip()):
        return None
    found = _as_in_a_file(values)
    if found is None or not found[0].dtype.is_temporal() or found[0].null_count():
        return None
    return np.asarray(found[0].to_numpy())


def _as_in_a_file(values: Array) -> tuple[Any, str] | None:
    """Texts as a file with them would be read, with the first of them; None for names and other values."""
    if values.dtype.kind not in "OUT":
        return None
    head = values[:_FEW].tolist()
    if all(type(item) is str for item in head) and not any(map(_has_digit, set(head))):
        return None  # names, as most texts are
    items = [None if is_missing(item) else item for item in values.tolist()]
    example = next((item for item in items if item is not None), None)
    if example is None or not all(item is None or isinstance(item, str) for item in items):
        return None
    import polars as pl

    from .files.column_types import read_column
    from .files.families import Rules

    return read_column(pl.Series("", items, dtype=pl.String), Rules()).column, example


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def measured_text(values: Array) -> tuple[Floats, str] | None:
    """As `numbers_of_text`, but None for whole numbers of few values, which are as well names of classes."""
    found = numbers_of_text(values)
    return None if found is None or are_classes(found[0]) else found


def notes_on_text(frame: Any) -> Iterator[str]:
    """A note for every column of text that holds numbers or dates. `frame` is one of narwhals."""
    import narwhals.stable.v2 as nw

    for series in frame.iter_columns():
        if series.dtype not in (nw.String, nw.Object):
            continue
        found = _as_in_a_file(np.array(series.head(_FEW).to_list(), dtype=object))
        if found is None:
            continue
        column, example = found
        name, what = (
            f"Column {series.name!r} is text with",
            f"in it, such as {example!r}, and is used as text.",
        )
        if column.dtype.is_temporal():
            yield f"{name} dates or times {what} Convert it to dates or times."
        elif column.dtype.is_numeric() and not are_classes(column.cast(float).fill_null(np.nan).to_numpy()):
            yield f"{name} numbers {what} Convert it to numbers if it holds measurements."
