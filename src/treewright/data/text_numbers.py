"""Texts that are numbers, in tables that come from memory: a target becomes numbers, a column gets a note.

The same reader as for files decides what a text is. A table in memory keeps its types otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .common.array_types import Array, Floats
from .levels import is_missing
from .target import are_classes

_FEW = 10_000  # rows of a column that are looked at


def numbers_of_text(values: Array) -> tuple[Floats, str] | None:
    """Texts as numbers, NaN where missing, with the first of them; None if one is something else."""
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

    found = read_column(pl.Series("", items, dtype=pl.String), Rules()).column
    if not found.dtype.is_numeric():
        return None
    return found.cast(pl.Float64).fill_null(float("nan")).to_numpy(), example


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def measured_text(values: Array) -> tuple[Floats, str] | None:
    """As `numbers_of_text`, but None for whole numbers of few values, which are as well names of classes."""
    found = numbers_of_text(values)
    return None if found is None or are_classes(found[0]) else found


def notes_on_text(frame: Any) -> Iterator[str]:
    """A note for every column of text that holds numbers. `frame` is one of narwhals."""
    import narwhals.stable.v2 as nw

    for series in frame.iter_columns():
        if series.dtype not in (nw.String, nw.Object):
            continue
        found = measured_text(np.array(series.head(_FEW).to_list(), dtype=object))
        if found is not None:
            yield (
                f"Column {series.name!r} is text with numbers in it, such as {found[1]!r}, and is used as "
                "text. Convert it to numbers if it holds measurements."
            )
