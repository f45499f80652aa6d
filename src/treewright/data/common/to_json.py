"""Python and numpy values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def to_json(value: Any, not_finite: Any = None) -> Any:
    """Lists, dictionaries with text as keys, text, numbers, booleans and None; all else becomes text.

    Numbers that are not finite become None, or what the function `not_finite` makes of them.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return None if not_finite is None else not_finite(float(value))
    if isinstance(value, Mapping):
        return {_key(key): to_json(each, not_finite) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(each, not_finite) for each in value]
    for method in ("tolist", "to_list", "to_dict", "isoformat"):  # arrays, series, results, times
        if hasattr(value, method):
            return to_json(getattr(value, method)(), not_finite)
    return str(value)


def _key(key: Any) -> str:
    found = to_json(key)
    return found if isinstance(found, str) else str(found)
