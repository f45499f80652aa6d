"""What a cell of text is, and which words stand for a missing value.

Words are looked at without the spaces around them. `MISSING` is missing in every column; `AMONG_VALUES` only
in a column that is otherwise made of numbers, times or booleans, since "None" may well be a level.
"""

from __future__ import annotations

import re

MISSING = (*("NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan"), *("NULL", "null", "?"))
AMONG_VALUES = (
    *("None", "none", "-", "--", ".", "na", "missing"),
    *("#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"),
)
BOOLEANS = ("true", "True", "TRUE", "false", "False", "FALSE")
TRUE = BOOLEANS[:3]

# The same text is a pattern of Python and of polars; [0-9], since \d would take digits of other scripts.
INTEGER = r"^[+-]?[0-9]+$"
ZERO_FIRST = r"^[+-]?0[0-9]"
TIME = (
    r"^([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2}(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$"
)
_EXPONENT = r"(?:[eE][+-]?[0-9]+)?$"
POINT = r"^[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)" + _EXPONENT
COMMA = r"^[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)" + _EXPONENT
THOUSANDS = r"^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$"

_IS_INTEGER, _IS_POINT, _IS_COMMA = re.compile(INTEGER), re.compile(POINT), re.compile(COMMA)
_IS_TIME = re.compile(TIME)
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
    return "time" if _IS_TIME.match(word) else "text"


def family_of(cells: list[str], decimal: str, missing: tuple[str, ...] = MISSING) -> str:
    """What most of these cells are: number, boolean, time or text; or missing if there is no other."""
    counts: dict[str, int] = {}
    for cell in cells:
        kind = kind_of(cell, decimal, missing)
        counts[kind] = counts.get(kind, 0) + 1
    known = len(cells) - counts.pop("missing", 0)
    if not known:
        return "missing"
    best = max(counts, key=lambda kind: counts[kind])
    return best if 2 * counts[best] > known else "text"
