"""What a cell of text is, and which words stand for a missing value.

Words are looked at without the spaces around them. `MISSING` is missing in every column; `AMONG_VALUES` only
in a column that is otherwise made of numbers, times or booleans, since "None" may well be a level.
"""

from __future__ import annotations

import re

from .date_formats import looks_like_date
from .number_patterns import looks_written
from .times import CLOCK, SPAN, TIME

MISSING = (
    *("NA", "N/A", "n/a", "n.a.", "N.A.", "#N/A", "#NA", "#NV", "<NA>", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "?"),
)
AMONG_VALUES = (
    *("None", "none", "NONE", "Null", "NAN", "Nan", "na", "Na", "n.a", "N.A", "#n/a"),
    *("k.A.", "k. A.", "k.A"),  # keine Angabe
    *("0000-00-00", "0000-00-00 00:00:00"),
    *("-", "--", "---", "\u2013", "\u2014", ".", "..", "...", "missing", "Missing", "MISSING"),
    *("#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"),
    *("#WERT!", "#BEZUG!", "#ZAHL!"),
)
BOOLEANS = ("true", "True", "TRUE", "false", "False", "FALSE")
TRUE = BOOLEANS[:3]

# The same text is a pattern of Python and of polars; [0-9], since \d would take digits of other scripts.
INTEGER = r"^[+-]?[0-9]+$"
_EXPONENT = r"(?:[eE][+-]?[0-9]+)?$"
POINT = r"^[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)" + _EXPONENT
COMMA = r"^[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)" + _EXPONENT
THOUSANDS = r"^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$"

_IS_INTEGER, _IS_POINT, _IS_COMMA = re.compile(INTEGER), re.compile(POINT), re.compile(COMMA)
_IS_TIME = re.compile(f"(?:{TIME})|(?:{CLOCK})|(?:{SPAN})")
_IS_OTHER = re.compile(r"^[+-]?(?:[0-9]+[eE][+-]?[0-9]+|inf|infinity)$", re.IGNORECASE)


def kind_of(cell: str, decimal: str = ".", missing: tuple[str, ...] = MISSING) -> str:
    """What a cell is by itself: missing, number, boolean, time or text."""
    word = cell.strip()
    if not word or word in missing or word in AMONG_VALUES:
        return "missing"
    if word in BOOLEANS:
        return "boolean"
    fraction = _IS_POINT if decimal == "." else _IS_COMMA
    if _IS_INTEGER.match(word) or fraction.match(word) or _IS_OTHER.match(word):
        return "number"
    return "time" if _IS_TIME.match(word) or looks_like_date(word) else "text"


def family_of(cells: list[str], decimal: str, missing: tuple[str, ...] = MISSING) -> str:
    """What most of these cells are: number, boolean, time or text; or missing if there is no other.

    "formatted" are numbers with units or marks between thousands.
    """
    counts: dict[str, int] = {}
    for cell in cells:
        kind = kind_of(cell, decimal, missing)
        if kind == "text" and looks_written(cell.strip()):
            kind = "formatted"
        counts[kind] = counts.get(kind, 0) + 1
    known = len(cells) - counts.pop("missing", 0)
    if not known:
        return "missing"
    if 2 * counts.get("number", 0) <= known and "formatted" in counts:
        counts["formatted"] += counts.get("number", 0)
    best = max(counts, key=lambda kind: counts[kind])
    return best if 2 * counts[best] > known else "text"
