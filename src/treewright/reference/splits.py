"""The tests that a node may put to its rows, and their thresholds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Value = int | float | None  # None is a missing value


@dataclass(frozen=True)
class Split:
    """x <= threshold goes left; where float64 cannot tell the neighbours apart, x <= cut in whole numbers."""

    feature: int
    cut: int | float  # the largest value of the node that goes left
    threshold: float
    integer_exact: bool
    missing_left: bool

    def goes_left(self, x: Value) -> bool:
        """Tell the side of one value."""
        if x is None:
            return self.missing_left
        return x <= self.cut if self.integer_exact else float(x) <= self.threshold


def midpoint(a: float, b: float) -> float:
    """t = a/2 + b/2 if a <= t < b, else a (t may round up to b, or be infinite, or be no number)."""
    t = a / 2 + b / 2
    return t if a <= t < b else a


def candidates(columns: Sequence[Sequence[Value]]) -> Iterator[Split]:
    """Every split of these rows, in the order that breaks ties: feature, cut, missing right before left."""
    for feature, column in enumerate(columns):
        values = sorted({x for x in column if x is not None})
        some_missing = None in column
        for a, b in pairwise(values):
            for missing_left in (False, True) if some_missing else (False,):
                yield Split(feature, a, midpoint(float(a), float(b)), float(a) == float(b), missing_left)
        if values and some_missing:  # all that is present against all that is missing
            yield Split(feature, values[-1], math.inf, False, False)
