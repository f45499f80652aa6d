"""What a test of C4.5 is worth: its gain, and the bits that tell its branches."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Floats, Sample, Test, spread_bits, summed_in_order, worth


@dataclass(frozen=True)
class Known:
    """What all tests of one column at one node have in common."""

    rows: Sample  # those that have a value
    unknown: Any  # the weight of the others
    rate: Any  # and their share
    weight: Any  # of the known rows; in single precision rounded as the program has it
    total: Any
    base: Any  # the entropy of the known rows

    @classmethod
    def of(cls, sample: Sample, column: int) -> "Known":
        """Look at the rows of a node."""
        real, rows, total = sample.weight.dtype.type, sample.known(column), sample.total
        unknown = sample.where(np.isnan(sample.values(column))).total
        rate = real(unknown / total)
        weight = rows.total if real is np.float64 else real(real(1 - rate) * total)
        base = real(spread_bits(rows.counts()) / weight) if weight > 0 else real(0)
        return cls(rows, unknown, rate, weight, total, base)

    def gain(self, counts: Floats, whole: Any = None) -> Any:
        """(1 - unknown share) · (base - Σ bits of a branch / weight of the known rows)."""
        real = counts.dtype.type
        within = real(0)
        for branch in counts:
            within = real(within + spread_bits(branch))
        return real((1 - self.rate) * (self.base - real(within / (self.weight if whole is None else whole))))

    def info(self, sizes: Floats) -> Any:
        """The entropy of the branches, with the rows without the value as one branch more."""
        return sizes.dtype.type(spread_bits(np.append(self.unknown, sizes).astype(sizes.dtype)) / self.total)

    def measured(self, test: Test, counts: Floats) -> Test:
        """A test with its gain, split information and shares."""
        sizes = np.array([summed_in_order(row) for row in counts])
        shares = tuple((sizes / self.weight).tolist())
        return worth(replace(test, shares=shares), self.gain(counts), self.info(sizes))
