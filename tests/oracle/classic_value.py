"""What a test of C4.5 is worth: its gain, and the bits that tell its branches, in single precision.

Every sum is rounded after every addition. A product n·log2(n) is a double.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Floats, Sample, summed_in_order, times_log

single = np.float32
NONE = single(-1e-3)  # the gain where there is no test
EPSILON = 1e-3


def information(weights: Any) -> Any:
    """Weight times entropy of these weights."""
    inner, total = single(0), single(0)
    for weight in weights:
        inner, total = single(float(inner) + times_log(weight)), single(total + weight)
    return single(times_log(total) - float(inner))


def sizes_of(counts: Floats) -> Floats:
    """The weight of every branch: the sum over its classes."""
    return np.array([summed_in_order(row) for row in counts], dtype=single)


@dataclass(frozen=True)
class Known:
    """What all tests of one column at one node have in common."""

    rows: Sample  # those that have a value
    total: Any  # the weight of the node
    unknown: Any  # ... of the rows without a value
    weight: Any  # ... and of the others
    share: Any  # of the rows without a value

    @classmethod
    def of(cls, sample: Sample, column: int) -> "Known":
        """Look at the rows of a node."""
        lacking = sample.where(np.isnan(sample.values(column)))
        unknown, total = summed_in_order(lacking.counts()[0]), sample.total
        weight = single(total - unknown)
        nominal = bool(sample.data.columns[column].levels)
        share = single(unknown / total) if nominal else single(1.0 - float(single(weight / total)))
        return cls(sample.known(column), total, unknown, weight, share)

    def entropy_of_levels(self, counts: Floats) -> Any:
        """The entropy of the rows that have a level."""
        inner = sum(times_log(summed_in_order(of_class)) for of_class in counts.T)
        return single((times_log(self.weight) - inner) / float(self.weight))

    def gain(self, base: Any, counts: Floats, sizes: Floats, least: float) -> Any:
        """(1 - unknown share) · (base - Σ bits of a branch / known weight), if two branches have enough."""
        if sum(float(size) >= least for size in sizes) < 2:
            return NONE
        within = summed_in_order(np.array([information(branch) for branch in counts], dtype=single))
        return single(single(single(1) - self.share) * single(base - single(within / self.weight)))

    def info(self, sizes: Any) -> Any:
        """The entropy of the branches, with the rows without the value as one branch more."""
        return single(information([self.unknown, *sizes]) / self.total)

    def shares(self, sizes: Floats) -> tuple[float, ...]:
        """What every branch gets of a row without the value."""
        known = single(self.total * single(single(1) - self.share))
        return tuple(float(single(size / known)) for size in sizes)


def ratio(gain: Any, info: Any, least: Any) -> Any:
    """Gain ratio of a test that gains at least so much; else less than nothing."""
    return single(gain / info) if float(gain) >= float(least) - EPSILON and float(info) > EPSILON else NONE


def value(gain: Any, info: Any, least: Any, by_gain: bool) -> Any:
    """By what tests are compared."""
    if by_gain:
        return gain if info > 0 and float(gain) > -EPSILON else NONE
    return ratio(gain, info, least)
