"""The type in which polars reads each column of a CSV, from the first part of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .column_types import read_column
from .families import Rules
from .layout import Layout

if TYPE_CHECKING:
    import polars as pl

_NOT_A_NUMBER = {"NaN", "nan"}
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?")
_TEXT_BYTES, _INLINE = 16, 12  # polars keeps a text in 16 bytes, and what is longer than 12 elsewhere


def first_types(layout: Layout, rules: Rules) -> list[Any]:
    """The type in which polars shall read each column: a plain one, or text to be read afterwards."""
    import polars as pl

    dialect, width = layout.body.dialect, len(layout.body.names)
    columns = [[row[j] or None for row in layout.rows if len(row) == width] for j in range(width)]
    if dialect.decimal == ",":  # polars would take 1.500 for one and a half
        return [pl.String] * width
    return [
        _type_of_numbers(cells, rules) or _plain_type(pl.Series("", cells, dtype=pl.String), rules)
        for cells in columns
    ]


def _type_of_numbers(cells: list[str | None], rules: Rules) -> Any:
    """The same for cells that are all plain numbers, which is soon seen; None for others."""
    import polars as pl

    known = [cell for cell in cells if cell is not None]
    if not known or not all(map(_PLAIN_NUMBER.fullmatch, known)) or not set(rules.missing).isdisjoint(known):
        return None
    if any("." in cell for cell in known):
        return None if rules.doubt_mark else pl.Float64
    lengths = {0 if cell is None else len(cell) for cell in cells}
    return pl.String if len(lengths) == 1 and max(lengths) > 1 else pl.Int64  # as below


def _plain_type(cells: pl.Series, rules: Rules) -> Any:
    import polars as pl

    read = read_column(cells, replace(rules, formats={}, numbers=frozenset(), unused=frozenset()))
    dtype = read.column.dtype
    words = set(read.words) - (_NOT_A_NUMBER if dtype == pl.Float64 else set())
    if dtype not in {pl.Int64, pl.Float64, pl.Boolean} or words or read.remark:
        return pl.String
    if (cells.str.strip_chars() != cells).any():
        return pl.String
    lengths = cells.str.len_bytes()
    if dtype == pl.Int64 and lengths.n_unique() == 1 and lengths[0] > 1:
        return pl.String  # all of one length, as codes are: one may still start with 0
    return dtype


def bytes_of_cells(layout: Layout, types: list[Any]) -> Iterator[float]:
    """What a cell of each column takes in memory."""
    import polars as pl

    few = layout.rows[:200]
    for j, dtype in enumerate(types):
        if dtype == pl.String:
            longer = [len(row[j]) for row in few if len(row) > j and len(row[j]) > _INLINE]
            yield _TEXT_BYTES + sum(longer) / max(len(few), 1)
        else:
            yield 1 if dtype == pl.Boolean else 8
