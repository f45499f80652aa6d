"""The dialect of a CSV from its first part: quote, separator, decimal mark, header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from .cells import COMMA, INTEGER, POINT, THOUSANDS, family_of, kind_of
from .dialect import spoken
from .errors import TableError
from .number_patterns import looks_written, unit_of

Rows = list[list[str]]

USUAL = (",", ";", "\t", "|")
OTHER = (":", " ", "^", "~", "\x1f", "\x01")
_FEW = 200  # rows that decide
_START = 1 << 16  # characters that decide

# -- rows


@contextmanager
def long_fields() -> Iterator[None]:
    """Let Python's csv read cells of any length for a while."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def rows_of(lines: Iterable[str], separator: str, quote: str | None, *, strict: bool = False) -> Any:
    """Python's reader of CSV, for a part of a table or to find what is wrong with it."""
    if quote is None:
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, quotechar=quote, strict=strict)


def split(text: str, separator: str, quote: str | None) -> Rows:
    """The rows of a text, blank lines left out."""
    with long_fields():
        try:
            found: Rows = list(rows_of(io.StringIO(text, newline="\n"), separator, quote))
        except csv.Error:  # it takes a \r inside a line for an end of line
            found = list(rows_of(io.StringIO(without_returns(text), newline="\n"), separator, quote))
    return [row for row in found if not is_blank(row)]


def is_blank(row: list[str]) -> bool:
    """Whether a row is a line with nothing in it."""
    return not row or (len(row) == 1 and not row[0].strip())


def without_returns(text: str) -> str:
    r"""The text with a space for each \r that is not followed by \n."""
    return re.sub(r"\r(?!\n)", " ", text)


def find_newline(text: str, quote: str | None) -> str:
    """The end of the first line that does not end inside quotes."""
    at = text.find("\n")
    while quote is not None and at >= 0 and text.count(quote, 0, at) % 2:
        at = text.find("\n", at + 1)
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


# -- quote and separator


def find_quote(text: str, separator: str | None) -> str | None:
    """The quote: one that opens cells. Where " stands inside cells only, as in 5" pipe, there is none."""
    usual = any(mark in text.split("\n", 1)[0] for mark in USUAL)
    marks = re.escape(separator or "".join(USUAL if usual else USUAL + OTHER))
    if re.search(rf'(?:^|[{marks}]) *"', text, re.MULTILINE):
        return '"'
    opened = len(re.findall(rf"(?:^|[{marks}])'", text, re.MULTILINE))
    closed = len(re.findall(rf"(?:^|[{marks}])'(?:[^'\n]|'')*'(?=[{marks}\r\n]|\Z)", text, re.MULTILINE))
    if opened and opened == closed:
        return "'"
    return None if '"' in text else '"'


def find_separator(text: str, quote: str | None, decimal: str | None, name: str) -> str:
    """The separator by which the lines fall into as many fields each, most of them numbers and times."""
    start = text if len(text) <= _START else text[: text.rfind("\n", 0, _START) + 1] or text
    for candidates in (USUAL, OTHER):
        scores = {}
        for separator in candidates:
            if separator in start and separator not in {quote, decimal}:
                score = _score(split(start, separator, quote)[:_FEW], decimal, separator)
                if score is not None and (candidates is USUAL or score[0] == 1):
                    scores[separator] = score
        if scores:
            return max(scores, key=lambda separator: scores[separator])
    tried = " ".join(map(spoken, USUAL + OTHER[:2]))
    raise TableError(
        f"A table must have two columns or more. {name} has one field a line, whichever of these is taken to "
        f"stand between fields: {tried}. Give the separator; separator=',' if there is one column only."
    )


def _score(rows: Rows, decimal: str | None, separator: str) -> tuple[float, float] | None:
    """The share of the rows that are as wide as the first, and the share of cells that are not text."""
    width = len(rows[0]) if rows else 0
    if width < 2:
        return None
    same = sum(len(row) == width for row in rows) / len(rows)
    cells = [cell for row in rows[1:] or rows for cell in row]
    marks = [decimal] if decimal else [".", ","] if separator != "," else ["."]
    typed = sum(any(kind_of(cell, mark) not in {"text", "missing"} for mark in marks) for cell in cells)
    return round(same, 1), typed / len(cells)


# -- decimal mark and header

_CLEAR_COMMA = r"[0-9]\.[0-9]{3},[0-9]|^[0-9]+,[0-9]{1,2} ?[^0-9.,]*$"
_CLEAR_POINT = r"[0-9],[0-9]{3}\.[0-9]|^[^0-9.,]*[0-9]+\.[0-9]{1,2} ?[^0-9.,]+$"
_THREE_DIGITS = r"^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$"  # a decimal point, or one between thousands


def find_decimal(rows: Rows, separator: str) -> str:
    """The decimal mark. Where it could also part thousands, only ; between fields speaks for a comma.

    A point that could part thousands in all numbers of a column does not count.
    """
    if separator == ",":
        return "."
    commas, points, thousands = 0, 0, 0
    below = [row for row in rows[1:] if len(row) == len(rows[0])] or rows[:1]
    for column in zip(*below, strict=True):
        cells = [cell.strip() for cell in column if kind_of(cell) != "missing"]
        with_comma = [cell for cell in cells if re.match(COMMA, cell) or re.search(_CLEAR_COMMA, cell)]
        if with_comma and family_of(cells, ",") in {"number", "formatted"}:
            commas += 1
            thousands += all(re.match(THOUSANDS, cell) for cell in with_comma)
        with_point = [cell for cell in cells if re.match(POINT, cell) and not re.match(_THREE_DIGITS, cell)]
        points += bool(with_point) and family_of(cells, ".") == "number"
        clear = any(re.search(_CLEAR_POINT, cell) for cell in cells)
        points += clear and family_of(cells, ".") == "formatted"
    unclear = commas == thousands and separator != ";"
    return "," if commas > points and not unclear else "."


def find_header(rows: Rows, decimal: str) -> bool:
    """Whether the first row names the columns: it is unlike the rows below it.

    Where all is text, names are distinct, and few of them are cells of their own column too.
    """
    first, below = rows[0], [row for row in rows[1 : _FEW + 1] if len(row) == len(rows[0])]
    kinds = [kind_of(cell, decimal) for cell in first]
    if not below:
        return not any(kind in {"number", "time", "boolean"} for kind in kinds)
    if _counts_on(first, below[0]):
        return True
    unlike = like = repeated = 0
    for j, kind in enumerate(kinds):
        column = [row[j] for row in below]
        others = [kind_of(cell, decimal) for cell in column]
        known = [other for other in others if other != "missing"]
        typed = sum(other != "text" for other in known)
        units = [unit_of(cell) for cell in map(str.strip, column) if looks_written(cell)]
        if known and 2 * typed > len(known):
            unlike += kind == "text"
            like += kind not in {"text", "missing"}
        elif known and 2 * len(units) > len(known):
            same = looks_written(first[j].strip()) and unit_of(first[j].strip()) in units
            like += same
            unlike += kind == "text" and not same
        elif kind == "text":
            repeated += first[j] in column
        else:
            like += kind != "missing" and not known
    if unlike or like:
        return unlike >= like
    distinct = all(map(str.strip, first)) and len(set(first)) == len(first)
    return not repeated or (distinct and 2 * repeated < len(first))


def _counts_on(first: list[str], second: list[str]) -> bool:
    """Whether the first row counts on, as names 0, 1, 2 or 2019, 2020, 2021 do, and the second does not."""

    def run(row: list[str]) -> list[int]:
        numbers = [int(cell) for cell in row if re.match(INTEGER, cell)]
        steps = all(later == number + 1 for number, later in pairwise(numbers))
        return numbers if steps and len(numbers) > 2 else []

    found = run(first)
    return bool(found) and (found[0] == 0 or 1800 <= found[0] <= 2100) and not run(second)
