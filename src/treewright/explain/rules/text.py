"""Rules in words: one condition, and the whole list so that it can be pasted into a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ...data.schema import ColumnType
from ...tree.split_test import SplitTest
from ...tree.tree_text import TreeText
from ...tree.value_text import level_text, levels_text, sides
from .conditions import Condition, Levels, Range
from .cuts import FIRST, LAST, last_whole
from .paths import Clause, StandIns

TURNED = {">": "<", ">=": "<="}
NOT_BELOW = 3  # `not in` is written where the levels that are let through are so many times as many


def clause_text(clause: Clause, words: TreeText) -> str:
    """A condition in words, or what stand-ins must say."""
    if not isinstance(clause, StandIns):
        return condition_text(clause, words)
    found = [f"if {condition_text(clause.silent, words)}: "]
    for says, silent in clause.steps:
        found.append(f"{condition_text(says, words)}; if also {condition_text(silent, words)}: ")
    return "".join(found) + ("holds" if clause.otherwise else "does not hold")


def condition_text(condition: Condition, words: TreeText) -> str:
    """`x > 3`, `2 < x <= 5 or missing`, `x is present`, `colour in {red, green}`, `colour is red`."""
    name, column = words.features[condition.feature], words.column(condition.feature)
    if condition.takes_no_value:  # what no value meets can only be the answer of a stand-in
        return f"{name} is missing{_part(condition.missing, words)}" if condition.missing else "never"
    if condition.takes_every_value:
        found = f"{name} is present"
    elif isinstance(condition, Range):
        found = _range_text(condition, name, column, words)
    else:
        return _levels_text(condition, name, column, words)
    return f"{found} or missing{_part(condition.missing, words)}" if condition.missing else found


def _part(share: float, words: TreeText) -> str:
    return "" if share == 1 else f" (by a share of {words.short(share)})"


def _range_text(condition: Range, name: str, column: ColumnType, words: TreeText) -> str:
    low, high = condition.low, condition.high
    if column.kind == "ordered" and condition.whole:
        first = 0 if low == FIRST else int(last_whole(low)) + 1
        last = len(column.levels) - 1 if high == LAST else int(last_whole(high))
        if first == last:
            return f"{name} is {level_text(column.levels[first])}"
    if low != FIRST and high != LAST and column.kind == "boolean":
        column = ColumnType()
    above = _side(condition.feature, low, column, words)[1] if low != FIRST else None
    below = _side(condition.feature, high, column, words)[0] if high != LAST else None
    if above and below:
        return f"{above[1]} {TURNED[above[0]]} {name} {below[0]} {below[1]}"
    sign, value = above or below or ("", "")
    return f"{name} {sign} {value}"


def _side(feature: int, cut: tuple[Any, int], column: ColumnType, words: TreeText) -> Any:
    return sides(SplitTest(feature, cut[0], strict=not cut[1]), column, words.number)


def _levels_text(condition: Levels, name: str, column: ColumnType, words: TreeText) -> str:
    """The levels that are let through whole, then those that are shared out by their shares, then missing."""
    groups: dict[float, list[Any]] = {}
    for level, share in zip(column.levels, condition.shares, strict=False):
        groups.setdefault(share, []).append(level)
    taken, left = groups.get(1.0, []), groups.pop(0.0, [])
    # Stand-ins tell levels that are known from missing ones, so every level must be named beside them.
    alone = condition.missing == 1 and len(groups) == 1 and words.tree.surrogates is None
    if alone and len(taken) >= NOT_BELOW * len(left):
        return f"{name} is missing or {_among(left, 'not ', 'not in ')}"
    found = [
        _among(groups[share], "is ", "in ") + _part(share, words) for share in sorted(groups, reverse=True)
    ]
    if condition.missing:
        found.append(f"missing{_part(condition.missing, words)}")
    return f"{name} " + " or ".join(found)


def _among(levels: Sequence[Any], one: str, several: str) -> str:
    return (one if len(levels) == 1 else several) + levels_text(levels)


# -- sentences under the rules

SHARED = (
    "A row without a value may fall under several rules, each by a share of it; its shares sum to 1, and the "
    "mean of what these rules say decides."
)
LEVELS = "A level that no rule names is treated as missing."
SMOOTHED = "Confidence is that of the training rows; the probabilities that the model predicts are smoothed."
COSTS = "The decision is the class of least expected cost, which need not be the most frequent one."


def notes_of(words: TreeText, clauses: Iterable[Clause], unreached: int) -> tuple[str, ...]:
    """The sentences that the rules rely on."""
    used = sorted({feature for clause in clauses for feature in _features(clause)})
    kinds = {feature: words.column(feature) for feature in used}
    found = [SHARED] if words.tree.shares_rows else []
    if any(column.kind == "nominal" for column in kinds.values()):
        found.append(LEVELS)
    for feature, column in kinds.items():
        if column.kind == "ordered" and column.levels:
            order = " < ".join(map(level_text, column.levels))
            found.append(
                f"The order of {words.features[feature]}: {order}; any other level is treated as missing."
            )
    if words.tree.costs is not None:
        found.append(COSTS)
    if len(words.tree.estimate) and words.classes is not None:
        found.append(SMOOTHED)
    if words.decimals is not None:
        places = "1 decimal" if words.decimals == 1 else f"{words.decimals} decimals"
        found.append(f"Numbers are rounded to {places} here; the model compares with exact ones.")
    if unreached:
        found.append(f"No row can reach {unreached} of the leaves, so these have no rule.")
    return tuple(found)


def _features(clause: Clause) -> list[int]:
    if isinstance(clause, StandIns):
        return [clause.silent.feature, *(step.says.feature for step in clause.steps)]
    return [clause.feature]


# -- numbers


def percent(share: float | None) -> str:
    """`12.5 %`."""
    return "–" if share is None else f"{100 * share:.1f} %"


def short(number: float, decimals: int | None) -> str:
    """A predicted number, in six digits unless told otherwise."""
    if decimals is not None and math.isfinite(number):
        return f"{number:.{decimals}f}"
    return f"{number:.6g}"
