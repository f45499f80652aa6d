"""The lines of a CSV: which is broken, where a row stands, and whether every row has all its fields.

polars fills short rows up and does not say where a long one is; here the lines are counted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from ..common.plural import counted
from .body import Body
from .detection import is_blank, long_fields, rows_of, without_returns
from .errors import TableError, shown

_PIECE = 1 << 22
_END = 1 << 16

# -- counting


def has_all_fields(body: Body, n_rows: int) -> bool:
    """Whether the rows have all their fields, given that none has too many: the separators add up."""
    return _separators(body) == (n_rows + body.dialect.header) * (len(body.names) - 1)


def _separators(body: Body) -> int:
    """The separators of the text that are not inside quotes."""
    data, mark = body.data, ord(body.dialect.separator)
    quote = ord(body.dialect.quote) if body.has_quotes() and body.dialect.quote else None
    found, inside = 0, False
    for start in range(0, len(data), _PIECE):
        piece = np.frombuffer(data[start : start + _PIECE], dtype=np.uint8)
        marks = piece == mark
        if quote is not None and (quotes := piece == quote).any():
            # an odd number of quotes before it: inside
            within = np.logical_xor.accumulate(quotes) ^ inside
            found += int(np.count_nonzero(marks & ~within))
            inside = bool(within[-1])
        elif not inside:
            found += int(np.count_nonzero(marks))
    return found


def blank_at_the_end(body: Body) -> int:
    """How many blank lines end the text; polars makes a row of each."""
    end = body.data[max(len(body.data) - _END, 0) :]
    ending = b"\r" if body.dialect.newline == "\r" else b"\n"
    end = end if ending == b"\r" else end.replace(b"\r\n", b"\n")
    return max(len(end) - len(end.rstrip(ending)) - 1, 0)


# -- reading line by line


class _Records:
    """The records of a text, each with its first line; slow, for what went wrong."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.held: list[str] = []

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """The line and the fields of every record, blank ones too."""
        dialect = self._body.dialect
        line = self._body.first_line
        with long_fields():
            reader = rows_of(self._lines(), dialect.separator, dialect.quote, strict=True)
            while True:
                self.held = []
                try:
                    record = next(reader, None)
                except csv.Error:
                    raise _quote_error(self._body, line, self.held) from None
                if record is None:
                    return
                yield line, record
                line = self._body.first_line + reader.line_num

    def _lines(self) -> Iterator[str]:
        old = self._body.dialect.newline == "\r"
        file = io.BytesIO(self._body.data[:])
        for line in io.TextIOWrapper(file, "utf-8-sig", "replace", newline="\r" if old else "\n"):
            self.held.append(line)
            yield line[:-1] + "\n" if old and line.endswith("\r") else without_returns(line)


def lines_to_leave_out(body: Body) -> tuple[list[int], dict[int, str]]:
    """The blank lines, and the footers at the end; a row with too many or too few fields is rejected.

    A footer has one field where rows have three or more, and stands below a blank line or begins with a mark.
    """
    blanks: list[int] = []
    footers: dict[int, str] = {}
    width = len(body.names)
    for line, record in _Records(body):
        if is_blank(record) and width > 1:
            blanks.append(line)
            continue
        after_blank = line - 1 in blanks or line - 1 in footers
        if len(record) == 1 and width > 2 and (after_blank or record[0][:1] in {"*", "#"}):
            footers[line] = record[0]
        elif footers or (len(record) != width and record):
            raise _broken(body, *(next(iter(footers.items())) if footers else (line, record)))
    return blanks, footers


def _broken(body: Body, line: int, record: list[str] | str) -> TableError:
    fields, width = [record] if isinstance(record, str) else record, len(body.names)
    whose = "the header" if body.dialect.header else "the first line"
    hint = " A cell with a separator in it must be quoted." if len(fields) > width else ""
    if fields[0].startswith("#"):
        hint = " Pass comment='#' to skip the lines that begin so."
    return TableError(
        f"Every line of {body.name} must have {counted(width, 'field')}, as {whose} has. Line "
        f"{line:,} has {len(fields):,}: {shown(body.dialect.separator.join(fields))}. Repair "
        f"the line.{hint}"
    )


def without_lines(body: Body, lines: Iterable[int]) -> Body:
    """The text without these lines; line breaks inside quotes stay."""
    gone, kept, records = set(lines), [], _Records(body)
    for line, _ in records:
        if line not in gone:
            kept += records.held
    return replace(body, data="".join(kept).encode(), path=None)


def line_of(body: Body, row: int, *, blanks: bool) -> int:
    """The line at which a row begins."""
    if not blanks and not body.has_quotes():
        return body.first_row_line + row
    seen = -1 - body.dialect.header
    for line, record in _Records(body):
        seen += not (is_blank(record) and len(body.names) > 1)
        if seen == row:
            return line
    return body.first_row_line + row


def written_anew(body: Body) -> Body:
    """The same table with every cell quoted that must be: a quote inside one, as in 5" pipe, is doubled."""
    held = io.StringIO(newline="")
    dialect = replace(body.dialect, quote=body.dialect.quote or '"', newline="\n")
    writer = csv.writer(held, delimiter=dialect.separator, quotechar=dialect.quote, lineterminator="\n")
    writer.writerows(record for _, record in _Records(body))
    return replace(body, data=held.getvalue().encode(), path=None, dialect=dialect)


def _quote_error(body: Body, line: int, lines: list[str]) -> TableError:
    return TableError(
        f"A quote must open and close a cell, and one inside a cell be doubled. In {body.name} this is not "
        f"so in the row of line {line:,}, which starts with {shown(''.join(lines[:1]).rstrip())}. Repair it, "
        "or pass quote=None if quotes are part of the text."
    )
