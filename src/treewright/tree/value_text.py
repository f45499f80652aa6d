"""Values in words: numbers, levels, dates and durations, each so that it reads back as the same value."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.common.numbers import figure
from ..data.schema import ColumnType
from .split_test import SplitTest

PLAIN = frozenset("_-.+/:%&#@*!?~^$")  # besides letters and digits, what a level may hold without quotes
OWN_WORDS = frozenset({"missing", "present"})
DAY = 86_400_000_000  # microseconds

Side = tuple[str, str]  # a sign and a value


def shortest(number: float) -> str:
    """The fewest digits that read back as the same float64; 2.0 is "2".

    From 2**53 up, as far as 64 bits go, all digits are written: whole numbers are compared exactly there, and
    x <= 1e18 read by hand must mean the same.
    """
    if 2.0**53 <= abs(number) < 2.0**64:
        return str(int(number))
    return repr(float(number)).removesuffix(".0")


def level_text(level: Any) -> str:
    """The name of a level, in quotes where it would not stand apart from the words around it."""
    if isinstance(level, float | np.floating):
        return shortest(float(level))
    text = str(level)
    plain = all(letter.isalnum() or letter in PLAIN for letter in text)
    if text and plain and text.lower() not in OWN_WORDS:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def levels_text(levels: Sequence[Any], most: int | None = None) -> str:
    """`sunny`, or `{overcast, rainy}`; of a longer list than `most` only the first are written."""
    if len(levels) == 1:
        return level_text(levels[0])
    if most is None or len(levels) <= most:
        return f"{{{', '.join(map(level_text, levels))}}}"
    shown = [*map(level_text, levels[:most]), f"… and {len(levels) - most} more"]
    return f"{{{', '.join(shown)}}}"


def date_text(micros: int) -> str:
    """A point in time, as exact as it is: `2024-03-01`, `2024-03-01 12:30:00`."""
    day, _, time = str(np.datetime64(micros, "us")).partition("T")
    if micros % DAY == 0:
        return day
    return f"{day} {time if micros % 1_000_000 else time[:8]}".rstrip("0" if micros % 1_000_000 else "")


def duration_text(micros: int) -> str:
    """A length of time: `2 days 03:00:00`; below 0 as pandas writes it, `-3 days +21:00:00`."""
    days, rest = divmod(micros, DAY)
    seconds, fraction = divmod(rest, 1_000_000)
    time = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if fraction:
        time += f".{fraction:06}".rstrip("0")
    unit = "day" if abs(days) == 1 else "days"
    if days < 0:
        return f"{days} {unit}" + (f" +{time}" if rest else "")
    if days == 0:
        return time
    return f"{days} {unit}" + (f" {time}" if rest else "")


def sides(test: SplitTest, column: ColumnType, number: Any) -> tuple[Side, Side]:
    """The two sides of a threshold: where it is kept and where it is not, each a sign and a value.

    `number` writes what is a plain number. Codes and microseconds are whole, so a threshold between two of
    them may be written as one of them.
    """
    threshold, strict = test.threshold, test.strict
    low, high = ("<", ">=") if strict else ("<=", ">")
    whole = isinstance(threshold, int) or (math.isfinite(threshold) and abs(threshold) < 2.0**63)
    if whole and column.kind in {"datetime", "duration"}:
        micros = math.ceil(threshold) if strict else math.floor(threshold)
        text = date_text(micros) if column.kind == "datetime" else duration_text(micros)
        text += " UTC" if column.utc else ""
        return (low, text), (high, text)
    if whole and column.kind == "ordered" and column.levels:
        return _ordered(threshold, strict, column.levels)
    if column.kind == "boolean" and (0 < threshold <= 1 if strict else 0 <= threshold < 1):
        return ("is", "false"), ("is", "true")
    text = str(threshold) if isinstance(threshold, int) else number(threshold)
    return (low, text), (high, text)


def threshold_text(threshold: float, column: ColumnType) -> str:
    """The value up to which a test goes: a number, a date or a level; infinite if it may be any."""
    if math.isinf(threshold):
        return "present"
    return sides(SplitTest(0, threshold), column, lambda number: figure(number, ".6g"))[0][1]


def _ordered(threshold: float, strict: bool, levels: Sequence[Any]) -> tuple[Side, Side]:
    """By the last level that goes left, or where the rule is < by the first that does not."""
    n_left = math.ceil(threshold) if strict else math.floor(threshold) + 1
    n_left = min(max(n_left, 0), len(levels))
    if n_left == 0 or (strict and n_left < len(levels)):
        text = level_text(levels[n_left])
        return ("<", text), (">=", text)
    text = level_text(levels[n_left - 1])
    return ("<=", text), (">", text)
