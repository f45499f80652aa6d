"""The first part of a CSV → its dialect, the names of its columns, and rows to take types from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .aligned import NOTE, without_alignment
from .body import Body
from .detection import Rows, find_decimal, find_header, find_newline, find_quote, find_separator, split
from .dialect import Dialect, check_together
from .encoding import as_utf8, decode_start, find_encoding, is_utf8
from .errors import TableError, shown
from .formulas import name_as_read
from .source import Source
from .top_lines import lines_above, without_comments
from .units_row import header_above_units, units_note

_FEW, _CLEAR = 200, 5  # rows that are looked at for spaces, at most and at least
SAMPLE = 1 << 18  # bytes that are looked at before all are read
_FOREIGN = ((r"[\[{]\s*[\[{\"]", "JSON"), (r"<(?:!doctype|html|\?xml)", "HTML or XML"))


@dataclass(frozen=True, eq=False)
class Layout:
    """What the first part says: the text and its dialect, the rows of that part, and remarks.

    `complete` is whether the part is all there is; `bytes_per_row` is its mean. `padded` are the places of
    the columns with spaces around their cells, `unnamed` the columns without a name. `header_line` is the
    line of the header. A row of units below it stands in its place in the body.
    """

    body: Body
    rows: Rows
    complete: bool
    bytes_per_row: float
    padded: tuple[int, ...]
    unnamed: tuple[str, ...]
    notes: tuple[str, ...]
    header_line: int


class _Start(NamedTuple):
    """The dialect, the rows, the text above the header, that of a header above units, and notes."""

    dialect: Dialect
    rows: Rows
    above: str
    header: str
    notes: tuple[str, ...]


def lay_out(source: Source, given: dict[str, Any]) -> Layout:
    """The layout of a CSV. What is given is not looked for."""
    aligned = without_alignment(source, given)
    source = source if aligned is None else aligned
    size = SAMPLE
    while True:
        complete = size >= len(source.data)
        start = source.data[:size]
        encoding = given.get("encoding") or find_encoding(start, complete=complete, name=source.name)
        text = decode_start(start, encoding, complete=complete, name=source.name)
        dialect, rows, above, header, said = _look(text, given, encoding, source)
        if not complete:
            rows = rows[:-1]  # the last may be cut off
        if complete or len(rows) > 1:
            break
        size *= 8  # a single row is longer than the part
    padded, remarks = _padded(rows, dialect)
    names, unnamed, notes = _names(rows, dialect, padded)
    body = _body(source, dialect, names, above + header, given.get("comment"))
    if body.dialect.quote is None and "quote" not in given and _opens_cells('"', body):
        body = replace(body, dialect=replace(dialect, quote='"'))
    below = rows[int(dialect.header) :]
    notes = (*said, *(() if aligned is None else (NOTE,)), *remarks, *notes)
    line = 1 + above.count("\n")
    return Layout(body, below, complete, len(start) / len(rows), padded, unnamed, notes, line)


def _look(text: str, given: dict[str, Any], encoding: str, source: Source) -> _Start:
    old = "\n" not in text  # lines end with \r, as on machines of old
    text = text.replace("\r", "\n") if old else text
    separator = given.get("separator")
    skipped, named, notes = lines_above(text, given)
    text = text[len(skipped) :]
    separator = separator or named
    if not text.strip("\r\n" if separator == " " else "\r\n "):
        raise _blank(source.name)
    if separator is None:
        _reject_foreign(text, source.name)
    quote = given["quote"] if "quote" in given else find_quote(text, separator)
    separator = separator or find_separator(text, quote, given.get("decimal"), source.name)
    whole = text
    if given.get("comment"):
        text = without_comments(text.encode(), given["comment"], quote).decode()
    rows = split(text, separator, quote)
    if not rows:
        raise _blank(source.name)
    newline = "\r" if old and "\n" in text else find_newline(text, quote)
    decimal = given.get("decimal") or find_decimal(rows, separator)
    check_together(separator, decimal, quote)
    header = given["header"] if "header" in given else find_header(rows, decimal)
    dialect = Dialect("csv", separator, decimal, encoding, header, quote, newline, source.compression)
    above_units = ""
    if header and given.get("skip_rows") != 0:
        above_units = header_above_units(whole, rows, separator, quote, decimal)
    if above_units:
        line = 1 + (skipped + above_units).count("\n")
        notes = (*notes, units_note(line, rows.pop(1), separator))
    return _Start(dialect, rows, skipped, above_units, notes)


def _blank(name: str) -> TableError:
    return TableError(f"A table must have a header and rows. {name} has blank lines only.")


def _reject_foreign(text: str, name: str) -> None:
    for pattern, what in _FOREIGN:
        if re.match(r"\s*" + pattern, text, re.IGNORECASE):
            raise TableError(
                f"{name} must be a table: CSV or TSV text, Parquet or Arrow. It looks like {what}. Convert "
                "it, or give the separator if it is a table all the same."
            )


def _body(
    source: Source, dialect: Dialect, names: tuple[str, ...], skipped: str, comment: str | None
) -> Body:
    """The text for polars: the file itself where it is UTF-8 and begins with the table."""
    data, path = source.data, source.path
    if not is_utf8(dialect.encoding):
        data, path = as_utf8(data[:], dialect.encoding, source.name), None
    if skipped:
        mark = 3 if data[:3] == b"\xef\xbb\xbf" else 0
        data, path = data[mark + len(skipped.encode()) :], None
    if comment and data.find(f"\n{comment}".encode()) >= 0:
        data, path = without_comments(data[:], comment, dialect.quote), None
    return Body(source.name, data, path, dialect, names, 1 + skipped.count("\n"))


def _opens_cells(quote: str, body: Body) -> bool:
    """Whether the quote stands where a cell begins, further down than was looked."""
    return any(body.data.find((before + quote).encode()) >= 0 for before in (body.dialect.separator, "\n"))


def _padded(rows: Rows, dialect: Dialect) -> tuple[tuple[int, ...], list[str]]:
    """The places of the columns with spaces around their name and all cells, and a note about them."""
    few, width = [row for row in rows[:_FEW] if len(row) == len(rows[0])], len(rows[0])
    if dialect.separator == " " or width < 2:
        return (), []
    if all(cell.startswith(" ") for row in few for cell in row[1:]):
        return tuple(range(1, width)), ["The space after each separator is left out."]
    full = [j for j in range(width) if any(row[j].strip() for row in few)]
    found = tuple(j for j in full if all(row[j] != row[j].strip(" ") for row in few if row[j]))
    if len(found) < 2 or len(few) < _CLEAR:  # a space may belong to a word
        return (), []
    return found, [f"The spaces around the cells of {listed_columns(found)} are left out."]


def listed_columns(places: Sequence[int]) -> str:
    """Columns by their number: column 1, or columns 1, 4 and 5."""
    *first, last = [f"{place + 1}" for place in places] or [""]
    return f"columns {', '.join(first)} and {last}" if first else f"column {last}"


def _names(
    rows: Rows, dialect: Dialect, padded: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The names of the columns without spaces around them, which had none, and notes about double ones."""
    if not dialect.header:
        return tuple(f"column_{j + 1}" for j in range(len(rows[0]))), (), ()
    names, notes, unnamed = (
        [name_as_read(cell.strip(" ") if j in padded else cell) for j, cell in enumerate(rows[0])],
        [],
        [],
    )
    for j, cell in enumerate(names):
        if not cell.strip():
            names[j] = _unused(f"column_{j + 1}", names)
            unnamed.append(names[j])
    seen: dict[str, list[int]] = {}
    for j, cell in enumerate(tuple(names)):
        places = seen.setdefault(cell, [])
        places.append(j + 1)
        if len(places) > 1:
            names[j] = _unused(f"{cell}_{len(places)}", names)
            notes.append(
                f"Columns {places[0]} and {j + 1} are both named {shown(cell)}; column {j + 1} is called "
                f"{shown(names[j])}. Pass header=False if the first line is a row."
            )
    return tuple(names), tuple(unnamed), tuple(notes)


def _unused(name: str, names: list[str]) -> str:
    while name in names:
        name += "_"
    return name
