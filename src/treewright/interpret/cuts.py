"""Cuts: places between numbers, compared exactly.

(2, 1) lies just above 2 and (2, 0) just below it, so that x <= 2 is all that lies before (2, 1), and x >= 2
all after (2, 0). Cuts are compared as pairs; an int is never rounded.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cut = tuple[float | int, int]
Mask = NDArray[np.bool_]

FIRST: Cut = (-math.inf, 0)  # before every number
LAST: Cut = (math.inf, 1)  # after every number


def last_whole(cut: Cut) -> float | int:
    """The greatest whole number before a cut, or an infinity."""
    at, after = cut
    if math.isinf(at):
        return at
    return math.floor(at) if after else math.ceil(at) - 1


def before(values: NDArray[Any], cut: Cut) -> Mask:
    """Which numbers lie before a cut, of whatever type they are, compared exactly."""
    if values.dtype.kind == "f":
        near = float(cut[0])  # of an int it may be a neighbour, and then the cut lies on one side of it
        after = cut[1] if near == cut[0] else near < cut[0]
        wide = values.astype(np.float64, copy=False)
        return np.asarray(wide <= near if after else wide < near)
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    limits, last = np.iinfo(values.dtype), last_whole(cut)
    if last >= limits.max - (limits.bits == 64):  # the two greatest of 64 bits count as one, as in the core
        return np.ones(len(values), dtype=bool)
    if last < limits.min:
        return np.zeros(len(values), dtype=bool)
    return np.asarray(values <= values.dtype.type(last))
