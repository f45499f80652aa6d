"""The upper convex hull of a curve that rises by segments, and its tangents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Slopes that differ by less, relative to their size, are the same: the last bits of a sum decide nothing.
ROUNDING = 2.0**-44


def upper_hull(across: Floats, up: Floats) -> Ints:
    """The places of the points on the upper hull of a curve that starts at (0, 0) and moves by these steps.

    Place k is the point after k steps; the first and the last are always on the hull, points in the middle
    of a straight side are not. The monotone chain is run on steps instead of points, since sums of counts are
    exact and differences of running totals may not be: a side joins the one before it unless it is flatter.
    """
    sides: list[tuple[float, float]] = []
    ends: list[int] = []
    for place, (dx, dy) in enumerate(zip(across.tolist(), up.tolist(), strict=True), start=1):
        x, y = dx, dy
        while sides and not _steeper(sides[-1], (x, y)):
            x, y = x + sides[-1][0], y + sides[-1][1]
            sides.pop()
            ends.pop()
        sides.append((x, y))
        ends.append(place)
    return np.array([0, *ends], dtype=np.int64)


def _steeper(one: tuple[float, float], other: tuple[float, float]) -> bool:
    left, right = one[1] * other[0], other[1] * one[0]
    return left - right > 2.0**-48 * (left + right)


def tangent(x: Floats, y: Floats, hull: Ints, slope: float) -> int:
    """The place of the hull's point that a line of this slope touches from above; the first of several.

    The slopes of the sides fall, so that it is found by halving.
    """
    dx, dy = np.diff(x[hull]), np.diff(y[hull])
    slopes = np.divide(dy, dx, out=np.full(len(dx), np.inf), where=dx > 0)
    return int(hull[np.searchsorted(-slopes, -slope * (1 + ROUNDING), side="left")])
