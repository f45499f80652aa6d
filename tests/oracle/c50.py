"""C5.0: which test a node gets, and the tree before pruning; from the notes beside the recorded trees.

Gains, the information of branches and ratios are single, sums are double. `c50_merge` has the option subset.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.oracle.c50_merge import merged
from tests.oracle.c50_tests import Scored, recorded, scored, single, single_bits, tested
from tests.oracle.classic_rows import Sample, Test, divide

Floats = NDArray[np.float64]

PURE = 0.999  # of the weight: a node with so much of one class is a leaf
LEAST_GAIN = 1e-4  # bits per unit of weight
NEARLY = 0.999  # of the best ratio, or of the gain that is required
MANY = 0.3  # of the rows of the table: a column with so many levels and one is left out
SMALLEST = 0.05  # of a weight: a lighter branch stays empty
SMALL, LARGE = 500.0, 1000.0  # rows per class, between which another gain is required


def scaled(weight: Floats) -> Floats:
    """Weights with the mean 1; a row without a weight above 0 counts as one row."""
    some = weight > 0
    return np.where(some, weight / weight[some].mean(), 1.0)


@dataclass(frozen=True)
class C50:
    """The options minCases and subset."""

    least: float = 2
    merge: bool = True

    def best(self, sample: Sample) -> Scored | None:
        """The test of a node; None where it stays a leaf."""
        counts = sample.counts()[0]
        if counts.sum() < 2 * self.least - 1e-6 or counts.max() >= PURE * counts.sum():
            return None
        tests = [self.of_column(sample, column) for column in range(len(sample.data.columns))]
        some = [test for test in tests if test and test.gain >= LEAST_GAIN and test.info > 0]
        return self.choose(sample, some)

    def of_column(self, sample: Sample, column: int) -> Scored | None:
        """The test of one column, if it has an admissible one."""
        n_levels = len(sample.data.columns[column].levels)
        if not len(sample.known(column)):
            return None
        if not n_levels:
            return self.threshold(sample, column)
        if self.merge and n_levels > 2:
            return merged(sample, column, self.least)
        if not self.merge and self.many(sample, column) and not self.all_many(sample):
            return None
        groups = tuple((level,) for level in range(n_levels))
        test = scored(sample, Test(column, groups=groups), n_levels + 1)
        return test if test.reaching(self.least) > 1 else None

    def many(self, sample: Sample, column: int) -> bool:
        """Whether a column has too many levels for the rows of the table."""
        n_levels = len(sample.data.columns[column].levels)
        return n_levels > 0 and n_levels + 1 >= MANY * len(sample.data.y)

    def all_many(self, sample: Sample) -> bool:
        """Whether all columns have too many levels; then they are tested."""
        return all(self.many(sample, column) for column in range(len(sample.data.columns)))

    # -- among the columns

    def choose(self, sample: Sample, tests: Sequence[Scored]) -> Scored | None:
        """The greatest ratio of those that gain enough; of nearly equal ones the simpler, or of more gain."""
        best: Scored | None = None
        for test in tests:
            if test.gain < NEARLY * self.enough(sample, tests):
                continue
            if (
                best is None
                or test.ratio > best.ratio
                or (test.ratio > NEARLY * best.ratio and (test.forks, -test.gain) < (best.forks, -best.gain))
            ):
                best = test
        return best

    def enough(self, sample: Sample, tests: Sequence[Test]) -> float:
        """What a test must gain: the mean; in large nodes 0.9 log2(tests) / weight; a mixture in between."""
        mean = sum(test.gain for test in tests) / len(tests)
        by_number = 0.9 * float(np.log2(len(tests))) / float(sample.total)
        rows = round(float(sample.total)) // sample.data.n_classes
        large = min(max((rows - SMALL) / (LARGE - SMALL), 0.0), 1.0)
        return (1 - large) * mean + large * by_number

    # -- thresholds

    def threshold(self, sample: Sample, column: int) -> Scored | None:
        """The first cut of greatest gain; only then it pays for the choice.

        That is min(log2(cuts), log2(range / gap)) / weight, with the gap between the two values around it.
        """
        known = sample.known(column)
        order = np.argsort(known.values(column), kind="stable")
        known, x = known.where_order(order), known.values(column)[order]
        cuts = self.cuts(known, x)
        if not cuts:
            return None
        within = [cut_bits(known, at) for at in cuts]
        at = cuts[next(k for k, bits in enumerate(within) if bits <= min(within) + 1e-9)]
        middle = single((x[at] + x[at + 1]) / 2)
        middle = middle if middle < x[at + 1] else float(x[at])
        test = scored(sample, Test(column, middle))
        bits = min(np.log2(len(cuts)), np.log2(single((x[-1] - x[0]) / (x[at + 1] - x[at]))))
        snapped = replace(test, threshold=recorded(sample, column, middle))
        return snapped.less(float(bits) / float(sample.total))

    def cuts(self, known: Sample, x: Floats) -> list[int]:
        """The places between different values that leave enough on both sides."""
        below = np.cumsum(known.weight)
        side = max(self.least, min(25.0, 0.1 * float(below[-1]) / known.data.n_classes))
        enough = (below >= side - 1e-5) & (below[-1] - below >= side - 1e-9)
        found: list[int] = np.flatnonzero(enough[:-1] & (x[:-1] < x[1:])).tolist()
        return found

    # -- the tree

    def grow(self, sample: Sample) -> dict[str, Any]:
        """The tree before pruning as nested dictionaries, by a stack of open nodes."""
        root: dict[str, Any] = {}
        waiting = [(root, sample, root)]
        while waiting:
            node, here, parent = waiting.pop()
            counts = here.counts()[0]
            weight = float(counts.sum())
            node |= {"weight": weight, "value": (counts / weight).tolist() if weight else parent["value"]}
            test = self.best(here) if weight else None
            if test is None:
                continue
            below: list[dict[str, Any]] = [{} for _ in test.shares]
            node |= tested(sample, test) | {
                "children": below,
                "missing": "share",
                "shares": list(test.shares),
            }
            parts = [in_single(part) for part in divide(here, replace(test, shares=single_shares(test)))]
            waiting += [(child, part, node) for child, part in zip(below, parts, strict=True)]
        return root


def single_shares(test: Scored) -> tuple[float, ...]:
    """The share of each branch in the known rows."""
    known = single(sum(test.sizes))
    return tuple(single(single(size) / known) for size in test.sizes) + (0.0,) * (
        len(test.shares) - len(test.sizes)
    )


def in_single(part: Sample) -> Sample:
    """A branch whose rows have single weights; none, if it is too light."""
    return replace(part, weight=part.weight.astype(np.float32).astype(np.float64)).where(
        np.full(len(part), part.total >= SMALLEST)
    )


def cut_bits(known: Sample, at: int) -> float:
    """Weight times entropy within both sides of a cut after this row."""
    side = (np.arange(len(known)) > at).astype(np.int64)
    return sum(single_bits(branch) for branch in known.counts(side, 2))
