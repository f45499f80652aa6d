"""DecisionStump of Weka: one test of two branches, and a third for missing values. It always splits."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_rows import Data, Sample, Test, divide


@dataclass(frozen=True)
class Stump:
    """It has no options. A branch without rows predicts as the root."""

    empty: str = "shares"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The test that leaves least impurity, the first of equals; missing values are a part of it."""
        if path.depth:
            return None
        best, least = None, np.inf
        for column in range(len(sample.data.columns)):
            for test in candidates(sample, column):
                left = impurity(divide(sample, test))
                if left < least:
                    best, least = test, left
        return best

    def tests_once(self, _data: Data, _test: Test, /) -> bool:
        """There is nothing below."""
        return False


def candidates(sample: Sample, column: int) -> Iterator[Test]:
    """Each level against the rest, or each cut midway between two values."""
    test = Test(column, alone=True)
    n = len(sample.data.columns[column].levels)
    for level in range(n):
        yield replace(test, groups=((level,), tuple(other for other in range(n) if other != level)))
    values = np.unique(sample.known(column).values(column)) if not n else np.array([])
    for low, high in pairwise(values):
        yield replace(test, threshold=float((low + high) / 2))


def impurity(parts: list[Sample]) -> float:
    """Σ (W·ln(W) - Σ w·ln(w)), or the sum of squares around the mean of each part.

    One running sum over all parts, of natural logarithms: mirrored cuts differ in its last bit.
    """
    if not parts[0].data.classes:
        return sum(squares(part) for part in parts)
    found = 0.0
    for part in parts:
        counts = part.counts()[0]
        for count in counts:
            found += times_ln(count)
        found -= times_ln(counts.sum())
    return -found


def squares(part: Sample) -> float:
    """Σ w·(y - mean)²."""
    if not part.total > 0:
        return 0.0
    mean = (part.weight * part.y).sum() / part.weight.sum()
    return float((part.weight * (part.y - mean) ** 2).sum())


def times_ln(count: float) -> float:
    """w·ln(w), which is 0 for nothing."""
    return float(count * np.log(count)) if count > 0 else 0.0
