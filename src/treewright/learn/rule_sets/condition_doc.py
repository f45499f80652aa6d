"""A condition ↔ plain data: [column, low, high, missing] of numbers, [column, levels, missing] of levels.

`low` and `high` are null, or [number, 1 or 0]: the cut lies just above the number, or just below it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...data.schema import ColumnType
from ...tree.value_sets import FIRST, LAST, Cut, LevelSet, NumberRange, ValueSet, is_whole


def condition_doc(values: ValueSet) -> list[Any]:
    """A condition as a list; a missing value meets it wholly or not at all."""
    missing = bool(values.missing)
    if isinstance(values, LevelSet):
        return [values.feature, sorted(values.codes), missing]
    return [values.feature, _cut_doc(values.low, FIRST), _cut_doc(values.high, LAST), missing]


def _cut_doc(cut: Cut, none: Cut) -> list[Any] | None:
    return None if cut == none else list(cut)


def condition_of(doc: Any, columns: Sequence[ColumnType]) -> ValueSet:
    """The condition of a list; ValueError for one that no rule can have."""
    if not isinstance(doc, list) or not doc or type(doc[0]) is not int or not 0 <= doc[0] < len(columns):
        raise ValueError(f"A condition must begin with a column in 0..{len(columns) - 1}. Got {doc!r:.100}.")
    place, column = doc[0], columns[doc[0]]
    if column.kind == "nominal":
        count = len(column.levels)
        if len(doc) != 3 or not _are_codes(doc[1], count) or type(doc[2]) is not bool:
            raise ValueError(
                f"A condition on levels must list some of 0..{count - 1}, and a bool. Got {doc!r:.100}."
            )
        return LevelSet(place, count, frozenset(doc[1]), float(doc[2]))
    if len(doc) != 4 or type(doc[3]) is not bool:
        raise ValueError(f"A condition on numbers must have two cuts, and a bool. Got {doc!r:.100}.")
    return NumberRange(place, _cut_of(doc[1], FIRST), _cut_of(doc[2], LAST), float(doc[3]), is_whole(column))


def _are_codes(given: Any, count: int) -> bool:
    whole = isinstance(given, list) and all(type(each) is int and 0 <= each < count for each in given)
    return whole and len(set(given)) == len(given)


def _cut_of(given: Any, none: Cut) -> Cut:
    if given is None:
        return none
    valid = isinstance(given, list) and len(given) == 2 and type(given[0]) in (int, float)
    if not valid or math.isnan(given[0]) or type(given[1]) is not int or given[1] not in (0, 1):
        raise ValueError(f"A cut must be null, or a number with 0 or 1. Got {given!r:.100}.")
    return (given[0], given[1])
