"""A CSV → a frame whose columns have the types that all their cells have.

One read of polars in the usual case: types come from the first part, and columns that it leaves
open come as text and get their types afterwards. Where a cell does not fit its type, its column is read anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from .cells import MISSING
from .column_types import ReadColumn, as_numbers, as_text, read_column
from .csv_rows import OtherEncodingError, read_rows
from .dialect import Dialect
from .encoding import encoding_instead
from .errors import CellError, TableError, shown
from .families import Format, Rules
from .first_types import bytes_of_cells, first_types
from .formats import formats_from_dicts
from .layout import Layout, lay_out, listed_columns
from .lines import line_of
from .memory import reject_too_large
from .reading_notes import OddCell, missing_note, odd_cells, odd_note, strays_note
from .source import Source

if TYPE_CHECKING:
    import polars as pl


_TOTAL = re.compile(
    r"(?:grand |sub-?)?totals?|sums?|gesamt(?:summe)?|summe|total g[ée]n[ée]ral|somme|totale|totaal|suma",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table that was read: the frame, its dialect, what the user should know, and the name of the file.

    `written` has the cells of a CSV as they are written, all of them text, with `as_written`. `formats` has
    the columns whose numbers or dates are not written plainly, and how they are. `missing_words` has what was
    read as missing values, by column; `conversions` are the notes on other units than at fit. Of the notes,
    `file_notes` are about the file and `column_notes` about one column each. `odd` has the first cell of each
    column that does not fit the others, which made the column text.
    """

    frame: pl.DataFrame
    dialect: Dialect
    notes: tuple[str, ...]
    name: str
    written: pl.DataFrame | None = None
    formats: dict[str, Format] = field(default_factory=dict)
    missing_words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    conversions: tuple[str, ...] = ()
    line_of: Callable[[int], int] | None = None  # the line of a row in the file, if it is text
    file_notes: tuple[str, ...] = ()
    column_notes: tuple[tuple[str, str], ...] = ()
    odd: dict[str, OddCell] = field(default_factory=dict)

    def like_this(self) -> dict[str, Any]:
        """The options of `read_table` that read another file with the same columns as this one."""
        types = self.frame.schema.items()
        text = [name for name, dtype in types if str(dtype) == "String"]
        numbers = [name for name, dtype in types if dtype.is_numeric()]
        return {"text": text, "numbers": numbers, "formats": self.formats}


def read_text(source: Source, given: dict[str, Any]) -> ReadTable:
    """Read a CSV."""
    import polars as pl

    layout = lay_out(source, given)
    if not layout.rows:
        raise TableError(
            f"A table must have rows. {source.name} has only a header. Pass header=False if that is a row."
        )
    rules = _rules(layout, given)
    width = len(layout.body.names)
    types = [pl.String] * width if layout.complete else first_types(layout, rules)
    kept = {name: how for name in layout.body.names if (how := _kept(name, given)) is not None}
    types = [
        pl.String if name in kept or name in rules.formats else dtype
        for name, dtype in zip(layout.body.names, types, strict=True)
    ]
    read_as = [pl.String] * width if given.get("as_written") else types
    both = read_as if read_as == types else [*read_as, *(dtype for dtype in types if dtype != pl.String)]
    needed = len(source.data) / layout.bytes_per_row * sum(bytes_of_cells(layout, both))
    reject_too_large(source.name, needed, given.get("check_memory", True))
    try:
        frame, left_out = read_rows(layout.body, read_as)
    except OtherEncodingError as problem:
        encoding = encoding_instead(layout.body.data, problem.at, given.get("encoding"), source.name)
        return read_text(source, {**given, "encoding": encoding})
    if not frame.height:
        raise TableError(f"A table must have rows. {source.name} has none that can be read.")
    frame = _without_spaces(frame, layout.padded) if layout.padded else frame
    frame, footer = _without_total(frame)
    written = None
    if given.get("as_written"):
        written, frame = frame, _in_types(frame, types)
    lines = partial(line_of, layout.body, blanks=bool(left_out))
    left_out += [f"Line {lines(frame.height):,}, {shown(footer)}, is left out as a footer."] if footer else []
    found = _read_columns(frame, lines, rules, kept)
    frame, unnamed = _without_empty(frame, layout)
    dialect = layout.body.dialect
    said = f"Read as {dialect.words(layout.header_line)}."
    of_file = (said, *layout.notes, *unnamed, *left_out)
    formats = {name: each.format for name, each in found.columns.items() if each.format is not None}
    words = {name: tuple(each.words) for name, each in found.columns.items() if each.words}
    return ReadTable(
        frame, dialect, (*of_file, *found.notes), source.name, written, formats, words, found.conversions,
        lines, of_file, found.column_notes, odd_cells(found.columns, lines),
    )  # fmt: skip


def _rules(layout: Layout, given: dict[str, Any]) -> Rules:
    also = given.get("also_missing", ())
    also = also.split(",") if isinstance(also, str) else also
    missing = (*given.get("missing", MISSING), *also)
    decimal, is_given = layout.body.dialect.decimal, "decimal" in given
    formats = formats_from_dicts(given.get("formats"))
    doubt_mark = layout.body.dialect.separator == ";" and not is_given
    numbers, unused = (frozenset(given.get(name, ())) for name in ("numbers", "unused"))
    return Rules(decimal, is_given, missing, given.get("day_first"), formats, numbers, unused, doubt_mark)


def _kept(name: str, given: dict[str, Any]) -> str | None:
    """Whether a column stays "text", with words for missing values, or "verbatim"; None: it is read."""
    if name in given.get("text", ()):
        return "text"
    return "verbatim" if "only" in given and name not in given["only"] else None


# -- columns


def _without_spaces(frame: pl.DataFrame, places: tuple[int, ...]) -> pl.DataFrame:
    """The frame without the spaces around the cells of some columns."""
    import polars as pl

    text = [frame.columns[j] for j in places if frame.dtypes[j] == pl.String]
    return frame.with_columns(pl.col(text).str.strip_chars(" "))


def _without_total(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The frame without a last row that is empty but for a word such as Total, and that word."""
    known = [cell for cell in frame.row(-1) if cell is not None and str(cell).strip()]
    is_total = len(known) == 1 and frame.width > 2 and frame.height > 1 and isinstance(known[0], str)
    if not is_total or not _TOTAL.fullmatch(known[0].strip()):
        return frame, ""
    return frame.head(-1), known[0].strip()


def _without_empty(frame: pl.DataFrame, layout: Layout) -> tuple[pl.DataFrame, list[str]]:
    """The frame without columns that have neither a name nor a value, and notes on those without a name."""
    empty = [name for name in layout.unnamed if frame[name].null_count() == frame.height]
    if len(empty) == frame.width:
        empty = []
    names = layout.body.names
    notes = [
        f"Column {names.index(name) + 1} has no name; it is called {name}."
        for name in layout.unnamed
        if name not in empty
    ]
    if empty:
        where, has = (
            listed_columns([names.index(name) for name in empty]),
            "has" if len(empty) == 1 else "have",
        )
        are = "is" if len(empty) == 1 else "are"
        notes.append(f"{where.capitalize()} {has} neither a name nor a value and {are} left out.")
    return frame.drop(empty), notes


def _in_types(frame: pl.DataFrame, types: list[Any]) -> pl.DataFrame:
    """The frame with columns of text in the plain types of the first part, where all of their cells fit."""
    import polars as pl

    numbers = [
        pl.col(column.name).cast(dtype, strict=False)
        for column, dtype in zip(frame.get_columns(), types, strict=True)
        if column.dtype == pl.String and dtype in {pl.Int64, pl.Float64}
    ]
    found = frame.select(numbers)  # all at once, which polars does side by side
    valid = [each for each in found.get_columns() if each.null_count() == frame[each.name].null_count()]
    return frame.with_columns(valid)


class _Read(NamedTuple):
    columns: dict[str, ReadColumn]
    notes: list[str]
    conversions: tuple[str, ...]
    column_notes: tuple[tuple[str, str], ...]


def _read_columns(
    frame: pl.DataFrame, lines: Callable[[int], int], rules: Rules, kept: dict[str, str]
) -> _Read:
    """Every column in its type, put into the frame; with notes on what was odd, missing or converted."""
    found: dict[str, ReadColumn] = {}
    notes: list[tuple[str, str]] = []
    conversions: list[str] = []
    for j, column in enumerate(frame.get_columns()):
        how = kept.get(column.name)
        if how is None:
            read = _of_column(column, rules, lines)
        else:
            read = as_text(column, rules.missing) if how == "text" else ReadColumn(column)
        note = odd_note(read, column, lines)
        notes += [(column.name, each) for each in note]
        conversions += note if read.is_converted else []
        if read.column is not column:
            frame.replace_column(j, read.column)
        found[column.name] = read
    every = [*(note for _, note in notes), *missing_note(found), *strays_note(found)]
    return _Read(found, every, tuple(conversions), tuple(notes))


def _of_column(column: pl.Series, rules: Rules, lines: Callable[[int], int]) -> ReadColumn:
    import polars as pl

    if column.dtype == pl.String:
        try:
            read = read_column(column, rules)
            return as_numbers(read, rules) if column.name in rules.unused else read
        except CellError as error:
            cell, line = shown(column[error.row].strip()), lines(error.row)
            raise TableError(f"{shown(column.name)}: line {line:,} has {cell}, {error}") from None
    if column.dtype == pl.Float64 and (holes := column.is_nan().sum()):
        return ReadColumn(column.fill_nan(None), {"NaN": int(holes)})
    return ReadColumn(column)
