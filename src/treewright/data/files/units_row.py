"""A row of units below the header of a CSV, such as cm,kg,USD."""

from __future__ import annotations

import re

from .cells import family_of, kind_of
from .detection import Rows, split
from .errors import shown
from .number_patterns import is_unit

_FEW = 200  # rows that are looked at
_LONGEST = 20  # characters of a unit
_BRACKETS = re.compile(r"\[([^\[\]]*)\]|\(([^()]*)\)")


def header_above_units(text: str, rows: Rows, separator: str, quote: str | None, decimal: str) -> str:
    """The text of the header if a row of units is the line below it, else nothing."""
    if not _has_units(rows, decimal):
        return ""
    at = text.find("\n")
    while quote is not None and at >= 0 and text.count(quote, 0, at) % 2:
        at = text.find("\n", at + 1)
    below = text[at + 1 :].split("\n", 1)[0]
    return text[: at + 1] if split(below, separator, quote) == [rows[1]] else ""


def units_note(line: int, units: list[str], separator: str) -> str:
    """What is said about the row that is left out."""
    return (
        f"Line {line:,}, {shown(separator.join(units))}, is left out as a row of units. "
        "Pass skip_rows=0 if it belongs to the table."
    )


def _has_units(rows: Rows, decimal: str) -> bool:
    """Whether the row below the header has units, and numbers stand below these.

    Two units that are known make it clear, or one in a row that is otherwise empty.
    """
    width = len(rows[0])
    below = [row for row in rows[2 : _FEW + 2] if len(row) == width]
    if len(rows) < 2 or len(rows[1]) != width or not below:
        return False
    known = others = 0
    for unit, *cells in zip(rows[1], *below, strict=True):
        word = unit.strip()
        if kind_of(word, decimal) == "missing":
            continue
        if family_of(cells, decimal) in {"number", "formatted"}:
            if not _may_be_unit(word, decimal):
                return False
            known += _is_known(word)
        elif unit in cells:
            return False  # a value of the column
        others += 1
    return known > 1 or known == others == 1


def _may_be_unit(word: str, decimal: str) -> bool:
    return len(word) <= _LONGEST and kind_of(word, decimal) == "text" and not re.search(r"[0-9]{2}", word)


def _is_known(word: str) -> bool:
    inside = _BRACKETS.fullmatch(word)
    return inside is not None or is_unit(word)
