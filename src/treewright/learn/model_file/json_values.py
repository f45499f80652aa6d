"""Python values ↔ what JSON can hold, without a loss: parameters, summaries, levels.

Text, numbers, true, false and none stand for themselves; lists, tuples and arrays become lists. What JSON has
no form for is an object with one key: {"$float": "inf"}, and for a dictionary whose keys are not all text
{"$pairs": [[key, value], ...]}.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from .limits import MAX_DIGITS, MAX_NESTING, MAX_TEXT, FileError, short_text
from .strict_json import SPECIAL

_DEEPEST = MAX_NESTING // 3 - 1  # pairs take three levels each


def encoded(value: Any, what: str, depth: int = 0) -> Any:
    """A value as JSON has it; FileError for what cannot be written."""
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return checked_text(str(value), what)
    if isinstance(value, numbers.Integral):
        if abs(int(value)) >= 10 ** (MAX_DIGITS - 1):
            raise FileError(f"{what} must hold numbers of less than {MAX_DIGITS} digits. Got a longer one.")
        return int(value)
    if isinstance(value, float | np.float32 | np.float16):
        number = float(value)
        return number if math.isfinite(number) else {"$float": str(number)}
    if depth >= _DEEPEST:
        raise FileError(f"{what} must be nested at most {_DEEPEST} deep. Got more.")
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUO":
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [encoded(item, what, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return _dictionary(value, what, depth)
    raise FileError(
        f"{what} must hold text, numbers, true, false, none, lists and dictionaries only. "
        f"Got a {type(value).__name__}."
    )


def checked_text(text: str, what: str) -> str:
    """A text that a file can hold."""
    try:
        size = 6 * len(text) if len(text) * 6 <= MAX_TEXT - 2 else len(text.encode("unicode-escape"))
        text.encode()
    except UnicodeEncodeError:
        raise FileError(f"{what} must hold valid Unicode. Got {text[:60]!r}.") from None
    if size > MAX_TEXT - 2:
        raise FileError(
            f"{what} must hold texts of at most {MAX_TEXT:,} bytes. Got {len(text):,} characters."
        )
    return text


def _dictionary(value: Mapping[Any, Any], what: str, depth: int) -> dict[str, Any]:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {checked_text(key, what): encoded(item, what, depth + 1) for key, item in value.items()}
    pairs = [[encoded(part, what, depth + 1) for part in pair] for pair in value.items()]
    return {"$pairs": pairs}


def decoded(value: Any, what: str) -> Any:
    """The value that `encoded` was given, with lists for tuples and arrays."""
    if isinstance(value, list):
        return [decoded(item, what) for item in value]
    if not isinstance(value, dict):
        if isinstance(value, float) and not math.isfinite(value):
            raise FileError(f"{what} must hold numbers that fit in 64 bits. Got a larger one.")
        return value
    if "$float" in value and len(value) == 1:
        word = value["$float"]
        if isinstance(word, str) and word in SPECIAL:
            return SPECIAL[word]
    elif "$pairs" in value and len(value) == 1:
        return _from_pairs(value["$pairs"], what)
    elif not any(key.startswith("$") for key in value):
        return {key: decoded(item, what) for key, item in value.items()}
    raise FileError(f'{what} must use "$float" and "$pairs" as they are meant. Got {short_text(value)}.')


def _from_pairs(pairs: Any, what: str) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for pair in pairs if isinstance(pairs, list) else [[]]:
        key = decoded(pair[0], what) if isinstance(pair, list) and len(pair) == 2 else found
        if isinstance(key, dict | list) or key in found:
            raise FileError(
                f'{what} must have "$pairs" of different simple keys and values. Got {short_text(pair)}.'
            )
        found[key] = decoded(pair[1], what)
    return found


def as_read_again(value: Any, what: str) -> Any:
    """A value as it will be read again."""
    return decoded(encoded(value, what), what)
