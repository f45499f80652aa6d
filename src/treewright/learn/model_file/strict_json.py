"""JSON, strictly: valid UTF-8, no key twice, no NaN, nested only so deep.

Reading a file takes memory in proportion to its size: what takes most per byte, lists and objects, is counted
before they are made.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .limits import MAX_LISTS, MAX_NESTING, FileError

SPECIAL = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}  # JSON has no such numbers
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")  # an escape that may be half of a character
_TOO_DEEP = f"Lists and objects must be nested at most {MAX_NESTING} deep. Got more."


def parse(data: bytes) -> dict[str, Any]:
    """The object that a model file is; FileError for anything else."""
    if data.count(b"[") + data.count(b"{") > MAX_LISTS:
        raise FileError(f"A model file must have at most {MAX_LISTS:,} lists and objects. Got more.")
    try:
        doc = json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_constant)
        if _HALF_PAIR.search(data):
            json.dumps(doc, ensure_ascii=False).encode()
    except FileError:
        raise
    except RecursionError:
        raise FileError(_TOO_DEEP) from None
    except UnicodeError:
        raise FileError("A model file must be valid Unicode, written as UTF-8. Got other bytes.") from None
    except json.JSONDecodeError as error:
        raise FileError(f"A model file must be JSON. {error.msg} in line {error.lineno}.") from None
    except ValueError:  # of a whole number that Python does not read
        raise FileError("A number must have at most 4,300 digits. Got a longer one.") from None
    if not isinstance(doc, dict):
        raise FileError(f"A model file must be one JSON object. Got a {type(doc).__name__}.")
    _check_depth(doc)
    return doc


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FileError(f"A key may be there only once. Got {twice[:60]!r} twice in one object.")
    return found


def _constant(word: str) -> NoReturn:
    raise FileError(f"A model file must be JSON, which has no {word}.")


def _check_depth(doc: dict[str, Any]) -> None:
    level: list[Any] = [doc]
    for _ in range(MAX_NESTING):
        parts = [part.values() if isinstance(part, dict) else part for part in level]
        level = [each for part in parts for each in part if isinstance(each, list | dict)]
        if not level:
            return
    raise FileError(_TOO_DEEP)


# -- arrays of numbers


def numbers(items: Any, name: str, dtype: type, most: int) -> NDArray[Any]:
    """A list of at most so many numbers; those of a float type may be "nan", "inf" or "-inf"."""
    if not isinstance(items, list) or len(items) > most:
        raise FileError(f"The array {name!r} must be a list of at most {most:,} numbers. Got something else.")
    try:
        return _floats(items) if dtype is np.float64 else _integers(items, dtype)
    except (ValueError, OverflowError) as error:
        raise FileError(f"The array {name!r} must hold numbers of its type only, but {error}.") from None


def _floats(items: list[Any]) -> NDArray[np.float64]:
    kinds, special = set(map(type, items)), 0
    if not kinds <= {float, int, str}:
        raise ValueError("there is something else among them")
    if str in kinds:
        words = [item for item in items if isinstance(item, str)]
        if not SPECIAL.keys() >= set(words):
            raise ValueError('there is a text other than "nan", "inf" and "-inf"')
        items, special = [SPECIAL[item] if isinstance(item, str) else item for item in items], len(words)
    if int in kinds and any(isinstance(item, int) and abs(item) > 2**53 for item in items):
        raise ValueError("there is a whole number that float64 cannot hold")
    found = np.array(items, dtype=np.float64)
    if np.count_nonzero(~np.isfinite(found)) != special:
        raise ValueError("there is one that float64 cannot hold")
    return found


def _integers(items: list[Any], dtype: type) -> NDArray[Any]:
    if not set(map(type, items)) <= {int}:
        raise ValueError("there is something other than a whole number")
    limits = np.iinfo(dtype)
    if items and not limits.min <= min(items) <= max(items) <= limits.max:
        raise ValueError(f"there is one outside of {limits.min}..{limits.max}")
    return np.array(items, dtype=dtype)
