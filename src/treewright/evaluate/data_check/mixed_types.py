"""The finding "mixed types": columns of several types, and text that is numbers but for some cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from .reading import MIXED, NOMINAL, Coded, type_group
from .report import Finding
from .subject import Subject, listed, names_of, title_of

if TYPE_CHECKING:
    import polars as pl

    from ...data.files.column_types import ReadColumn

MOSTLY = 0.8  # the share of numbers among texts from which the others are exceptions
FEWEST = 5  # of different values
MOST_SHOWN = 5  # of odd values


def mixed_types(q: Subject) -> Iterator[Finding]:
    """Columns with values of several types, and texts that are numbers or times but for some."""
    for column in (*q.features, q.target):
        if column.kind == MIXED:
            yield from _several_types(column, q)
        elif column.kind == NOMINAL and all(isinstance(level, str) for level in column.levels):
            yield from _nearly_numbers(column, q)


def _several_types(column: Coded, q: Subject) -> Iterator[Finding]:
    groups = np.array([type_group(type(level)) for level in column.levels], dtype=object)
    weights = {name: int(column.counts[groups == name].sum()) for name in dict.fromkeys(groups.tolist())}
    if len(weights) < 2:
        return
    usual = max(weights, key=weights.__getitem__)
    others = np.flatnonzero(groups != usual).tolist()
    parts = ", ".join(f"{weights[name]:,} × {name}" for name in sorted(weights, key=lambda g: -weights[g]))
    shown = listed([repr(column.levels[i]) for i in others])
    holds, remedy = f"{title_of(column, q)} holds {parts}.", "Give it one type, or make the others missing."
    rows = np.flatnonzero(np.isin(column.codes, others))
    sentence = f"{holds} Not {usual}: {shown}. {remedy}"
    yield Finding("mixed types", names_of(column, q), rows, sentence, without_values=f"{holds} {remedy}")


def _nearly_numbers(column: Coded, q: Subject) -> Iterator[Finding]:
    """What the reader of files finds in a column of text that is not text for the most part."""
    if not any(letter.isdigit() for level in column.levels for letter in level):
        return
    import polars as pl

    from ...data.files.column_types import read_column
    from ...data.files.families import Rules

    cells = pl.Series("", [*column.levels, None], dtype=pl.String)
    cells = cells.gather(np.where(column.codes < 0, len(column.levels), column.codes))
    read = read_column(cells, Rules())
    rows = _odd_rows(cells, read, q)
    is_exception = not read.remedy and (bool(read.among) or read.odd is None)
    too_many = len(rows) > (1 - MOSTLY) * column.n_present or len(column.levels) < FEWEST
    if not len(rows) or (is_exception and too_many):
        return
    no_format = read.odd is not None and not read.among
    why = "no number format suits" if no_format else f"among {read.among or 'numbers'} it has"
    sentence = f"{title_of(column, q)} is text: {why} {{}}. {_remedy(read, q)}"
    yield Finding(
        "mixed types",
        names_of(column, q),
        rows,
        sentence.format(_odd_values(cells, rows, q)),
        words=read.strays if q.line_of is not None else (),
        without_values=sentence.format(
            f"{'cells' if no_format else 'others'} in {counted(len(rows), 'row')}"
        ),
    )


def _odd_rows(cells: pl.Series, read: ReadColumn, q: Subject) -> NDArray[np.intp]:
    """The rows of cells that keep the column text. A table in memory has words for missing values too."""
    from ...data.files.cells import AMONG_VALUES, MISSING

    if read.odd is None and read.column.dtype == cells.dtype:
        return np.array([], dtype=np.intp)
    odd = cells.is_null() & False if read.odd is None else read.odd
    if q.line_of is None:
        odd |= cells.str.strip_chars().is_in(["", *MISSING, *AMONG_VALUES]).fill_null(False)
    return np.flatnonzero(odd.to_numpy())


def _odd_values(cells: pl.Series, rows: NDArray[np.intp], q: Subject) -> str:
    """The first few different odd values, each with its line or row."""
    first: dict[str, int] = {}
    for row in rows.tolist():
        first.setdefault(cells[row], row)
    shown = [
        f"{value!r} (row {row:,})" if q.line_of is None else f"{value!r} (line {q.line_of(row):,})"
        for value, row in list(first.items())[:MOST_SHOWN]
    ]
    more = len(first) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _remedy(read: ReadColumn, q: Subject) -> str:
    """What to do."""
    if read.remedy:
        return read.remedy
    if not read.among and read.odd is not None:
        return "If they are numbers, write all of them alike; if they are names, nothing is to be done."
    if read.strays and q.line_of is not None:
        return "Read them as missing values if that is what they stand for, or correct them."
    return "Correct them, or make them missing; if the column holds names, nothing is to be done."
