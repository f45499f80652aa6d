"""Conditions of rules as text: `x > 3`, `2 < x <= 5 or missing`, `colour in {red, green}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..data.schema import ColumnType
from .paths import Condition, SurrogateCondition
from .split_test import SplitTest
from .tree_text import TreeText
from .value_sets import FIRST, LAST, LevelSet, NumberRange, ValueSet, last_whole
from .value_text import level_text, levels_text

MOST_LEVELS = 8  # that printed text names; full text and `to_dicts` have all
FLIPPED = {">": "<", ">=": "<="}
NOT_BELOW = 3  # `not in` is written where the levels that are let through are so many times as many


def condition_text(condition: Condition, words: TreeText, most: int | None = None) -> str:
    """A condition as text; of more levels than `most` only the first are named."""
    if not isinstance(condition, SurrogateCondition):
        return values_text(condition, words, most)
    found = [f"if {values_text(condition.untested, words, most)}: "]
    for values, untested in condition.steps:
        found.append(f"{values_text(values, words, most)}; if also {values_text(untested, words, most)}: ")
    return "".join(found) + ("holds" if condition.otherwise else "does not hold")


def printed_text(condition: Condition, words: TreeText, most: int | None = MOST_LEVELS) -> str:
    """A condition for people: one sentence elsewhere says where missing values go of columns without any."""
    if isinstance(condition, SurrogateCondition) or condition.takes_no_value:
        return condition_text(condition, words, most)
    if condition.feature in words.columns_with_missing:
        return values_text(condition, words, most)
    if isinstance(condition, LevelSet) and condition.missing == 1:  # and so new levels go there too
        left = _left_out(condition, words)
        if left:
            return f"{words.name(condition.feature)} {_among(left, 'is not ', 'not in ', most)}"
    return values_text(replace(condition, missing=0.0), words, most)


def printed_rule(conditions: Sequence[Condition], words: TreeText, most: int | None = None) -> str:
    """All conditions of a rule for people, in one line."""
    return joined([printed_text(each, words, most) for each in conditions], " and ") or "always"


def values_text(values: ValueSet, words: TreeText, most: int | None = None) -> str:
    """A set of values as text: `x > 3`, `x is present`, `colour is red`, `x is missing`."""
    name, column = words.name(values.feature), words.column(values.feature)
    if values.takes_no_value:  # only a surrogate leads here
        return f"{name} is missing{_part(values.missing, words)}" if values.missing else "never"
    if values.takes_every_value:
        found = f"{name} is present"
    elif isinstance(values, NumberRange):
        found = _range_text(values, name, column, words)
    else:
        return _level_set_text(values, name, column, words, most)
    return f"{found} or missing{_part(values.missing, words)}" if values.missing else found


def _part(share: float, words: TreeText) -> str:
    return "" if share == 1 else f" (by a share of {words.short_number(share)})"


def _range_text(values: NumberRange, name: str, column: ColumnType, words: TreeText) -> str:
    low, high = values.low, values.high
    if column.kind == "ordered" and values.whole:
        first = 0 if low == FIRST else int(last_whole(low)) + 1
        last = len(column.levels) - 1 if high == LAST else int(last_whole(high))
        if first == last:
            return f"{name} is {level_text(column.levels[first])}"
    if low != FIRST and high != LAST and column.kind == "boolean":
        column = ColumnType()
    above = _side(values.feature, low, column, words)[1] if low != FIRST else None
    below = _side(values.feature, high, column, words)[0] if high != LAST else None
    if above and below:
        return f"{above[1]} {FLIPPED[above[0]]} {name} {below[0]} {below[1]}"
    sign, value = above or below or ("", "")
    return f"{name} {sign} {value}"


def _side(feature: int, cut: tuple[Any, int], column: ColumnType, words: TreeText) -> Any:
    return words.sides(SplitTest(feature, cut[0], strict=not cut[1]), column)


def _level_set_text(
    values: LevelSet, name: str, column: ColumnType, words: TreeText, most: int | None
) -> str:
    """The levels let through whole, then those let through by shares, then missing values."""
    if values.missing == 1 and (left := _left_out(values, words)):
        return f"{name} is missing or {_among(left, 'not ', 'not in ', most)}"
    groups: dict[float, list[Any]] = {}
    for code in sorted(values.shares):
        groups.setdefault(values.shares[code], []).append(column.levels[code])
    found = [
        _among(groups[share], "is ", "in ", most) + _part(share, words)
        for share in sorted(groups, reverse=True)
    ]
    if values.missing:
        found.append(f"missing{_part(values.missing, words)}")
    return f"{name} " + " or ".join(found)


def _left_out(values: LevelSet, words: TreeText) -> list[Any]:
    """The levels that are not let through, where these are few beside the others."""
    # Surrogates distinguish known levels from missing ones, so every level must be named beside them.
    if values.partial or words.tree.surrogates is not None:
        return []
    if len(values.codes) < NOT_BELOW * (values.n_levels - len(values.shares)):
        return []
    levels = words.column(values.feature).levels
    return [levels[code] for code in sorted(set(range(len(levels))) - values.codes)]


def _among(levels: Sequence[Any], one: str, several: str, most: int | None) -> str:
    return (one if len(levels) == 1 else several) + levels_text(levels, most)


def joined(conditions: Sequence[str], word: str) -> str:
    """Conditions in one line, with brackets around those of which an `or` could be misread."""
    if len(conditions) == 1:
        return conditions[0]
    return word.join(f"({each})" if " or " in each or ": " in each else each for each in conditions)


def percent(share: float | None) -> str:
    """`12.5 %`."""
    return "–" if share is None else f"{100 * share:.1f} %"
