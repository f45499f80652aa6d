"""The numbers that a column can hold: those between two cuts, and those that read well."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..cuts import FIRST, LAST, Cut, last_whole

Number = float | int

UNITS = tuple(10**6 * s for s in (86_400, 3_600, 60, 1))  # a day, an hour, a minute, a second in microseconds


@dataclass(frozen=True)
class Numbers:
    """All numbers from `low` to `high` of a type; whole ones, or those of float32 or float64."""

    dtype: Any
    low: Number
    high: Number
    is_time: bool = False

    @property
    def whole(self) -> bool:
        """Whether there are whole numbers alone."""
        return isinstance(self.low, int)

    def has(self, x: Number) -> bool:
        """Whether this is one of the numbers."""
        return self.low <= x <= self.high and (not self.whole or x == math.floor(x))

    def nearest(self, x: float) -> float:
        """A float as a number of this type, itself a float."""
        if self.dtype == np.float64:
            return float(x)
        with np.errstate(over="ignore"):
            return float(self.dtype.type(x))

    def step(self, x: Number, upwards: bool) -> Number:
        """The next number of this type."""
        if self.whole:
            return x + 1 if upwards else x - 1
        far = math.inf if upwards else -math.inf
        if self.dtype == np.float64:
            return math.nextafter(x, far)
        end = self.dtype.type(far)
        with np.errstate(over="ignore", under="ignore"):
            return float(np.nextafter(self.dtype.type(x), end))

    def within(self, low: Cut, high: Cut) -> tuple[Number, Number] | None:
        """The first and the last number between two cuts; None if there is none."""
        first, last = self._first_after(low), self._last_before(high)
        return None if first is None or last is None or first > last else (first, last)

    def _first_after(self, cut: Cut) -> Number | None:
        if cut >= LAST:
            return None
        if self.whole:
            last = last_whole(cut)
            return (
                self.low if last == -math.inf else None if last == math.inf else max(int(last) + 1, self.low)
            )
        x: Number = self.nearest(float(cut[0]))
        while x < cut[0] or (cut[1] and x == cut[0]):  # Python compares int and float exactly
            x = self.step(x, upwards=True)
        return x

    def _last_before(self, cut: Cut) -> Number | None:
        if cut <= FIRST:
            return None
        if self.whole:
            last = last_whole(cut)
            return self.high if last == math.inf else None if last == -math.inf else min(int(last), self.high)
        x: Number = self.nearest(float(cut[0]))
        while x > cut[0] or (not cut[1] and x == cut[0]):
            x = self.step(x, upwards=False)
        return x

    def readable(self, edge: Number, inner: Number, upwards: bool) -> Number:
        """A number of few digits from `edge` on towards `inner`; of those the nearest to `edge`.

        Whole numbers are as they are, but for times, which are made round on the clock.
        """
        if self.whole:
            return self._round_time(int(edge), int(inner), upwards) if self.is_time else edge
        low, high = (edge, inner) if upwards else (inner, edge)
        if not (math.isfinite(low) and math.isfinite(high)):
            return edge
        if low <= 0 <= high:
            return 0.0
        most = math.ceil(math.log10(max(abs(low), abs(high)))) + 1
        for exponent in range(most, most - 19, -1):
            unit = Fraction(10) ** exponent
            many = math.ceil(Fraction(edge) / unit) if upwards else math.floor(Fraction(edge) / unit)
            found = self.nearest(float(f"{many}e{exponent}"))
            if low <= found <= high:
                return found
        return edge

    def _round_time(self, edge: int, inner: int, upwards: bool) -> int:
        for unit in UNITS:
            found = -(-edge // unit) * unit if upwards else edge // unit * unit
            if (found <= inner) if upwards else (found >= inner):
                return found
        return edge


def numbers_of(dtype: Any) -> Numbers:
    """The numbers of a numpy type."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return Numbers(dtype, 0, 1)
    if dtype.kind in "iu":
        most = np.iinfo(dtype)
        return Numbers(dtype, int(most.min), int(most.max))
    return Numbers(dtype, -math.inf, math.inf)
