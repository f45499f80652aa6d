"""Whatever Python and numpy hold → values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Lists, dictionaries, text and numbers. Numbers that are not finite become text: nan, inf, -inf."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, bool | int) else str(value)


def short(value: float | None, digits: int = 6) -> Any:
    """A figure for people, with no more digits than they read; None for what is not known or not finite."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{digits}g}")


def shorts(values: Any, digits: int = 6) -> list[Any]:
    """The same for many."""
    return [short(value, digits) for value in np.asarray(values, dtype=np.float64).tolist()]
