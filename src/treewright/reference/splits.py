"""The tests that a node may put to its rows, and their thresholds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Value = int | float | None  # None is a missing value


@dataclass(frozen=True)
class Split:
    """x <= threshold goes left. Python compares a whole number with a float exactly, and so does the core."""

    feature: int
    threshold: int | float  # an int where no float64 lies between two whole numbers
    missing_left: bool

    def goes_left(self, x: Value) -> bool:
        """Tell the side of one value."""
        return self.missing_left if x is None else x <= self.threshold


def between(a: float, b: float) -> int | float:
    """t = a/2 + b/2 in float64 if a <= t < b, else a: t may round out of [a, b), or be infinite or nan."""
    t = float(a) / 2 + float(b) / 2
    return t if a <= t < b else a


def candidates(columns: Sequence[Sequence[Value]]) -> Iterator[Split]:
    """Every split of these rows, in the order that breaks ties: feature, cut, missing right before left."""
    for feature, column in enumerate(columns):
        values = sorted({x for x in column if x is not None})
        some_missing = None in column
        for a, b in pairwise(values):
            yield Split(feature, between(a, b), False)
            if some_missing:
                yield Split(feature, between(a, b), True)
        if values and some_missing:  # all that is present against all that is missing
            yield Split(feature, math.inf, False)
