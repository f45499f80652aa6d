"""C4.5 release 8: which test a node gets. Levels have a branch each; `classic_merge` has the option -s."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.reference.classic_merge import merged
from treewright.reference.classic_rows import Floats, Real, Sample, Test, spread_bits

EPSILON = 1e-3  # what gains and ratios may fall short by
GAP = 1e-5  # values that differ by no more are one
MANY = 0.3  # of the rows: a column with so many levels has no part in the average gain


@dataclass
class C45:
    """The options: -m, -g, -s, and the type it computes in. `least` changes while -s grows a tree."""

    least: float = 2
    by_gain: bool = False
    merge: bool = False
    real: Real = np.float64

    def best(self, sample: Sample, asked: frozenset[int]) -> Test | None:
        """The test of a node; None where it stays a leaf."""
        if sample.is_pure() or sample.total < 2 * self.least:
            return None
        tests = [
            self.of_column(sample, column)
            for column in range(len(sample.data.columns))
            if column not in asked
        ]
        return self.choose(sample, [test for test in tests if test and test.gain > -EPSILON])

    def choose(self, sample: Sample, tests: list[Test]) -> Test | None:
        """By ratio among the tests of at least average gain, or by gain; the first of equals."""
        counted = [test.gain for test in tests if not self.is_many(sample, test)] or [t.gain for t in tests]
        if getattr(self,'avg0',False):
            counted=[t.strict if t.strict else t.gain for t in tests if not self.is_many(sample,t)]
        average = self.sum(counted) / self.real(len(counted)) if counted else self.real(0)
        best, most = None, -EPSILON
        for test in tests:
            worth = self.worth(test, average)
            if worth > most:
                best, most = test, worth
        return best

    def worth(self, test: Test, average: Any) -> Any:
        """By what tests are compared."""
        if self.by_gain:
            return test.gain
        if test.gain >= average - EPSILON and test.info > EPSILON:
            return test.gain / test.info
        return -EPSILON

    def is_many(self, sample: Sample, test: Test) -> bool:
        """Whether a column has too many levels to count in the average gain."""
        levels = len(sample.data.columns[test.column].levels)
        return levels >= MANY * len(sample.data.y)

    def sum(self, numbers: list[Any]) -> Any:
        """One after the other, in the program's own type."""
        return np.add.accumulate(np.array(numbers, self.real))[-1]

    def of_column(self, sample: Sample, column: int) -> Test | None:
        """The test of one column, if it has an admissible one."""
        levels = sample.data.columns[column].levels
        if not levels:
            return self.threshold(sample, column)
        if self.merge and len(levels) > 2:
            return merged(self, sample, column)
        groups = tuple((level,) for level in range(len(levels)))
        return self.branches(sample, Test(column, groups=groups))

    def asks_once(self, sample: Sample, test: Test) -> bool:
        """Whether a column is not looked at again below: each of its levels has its own branch."""
        return test.threshold is None and not (self.merge and len(sample.data.columns[test.column].levels) > 2)

    # -- what a test gains

    def known_weight(self, sample: Sample, column: int) -> tuple[Any, Any, Any]:
        unknown = sample.where(np.isnan(sample.values(column))).total
        rate = self.real(unknown / sample.total)
        return unknown, rate, self.real(self.real(1 - rate) * sample.total)

    def gain(self, counts: Floats, known: Any, unknown: Any, base: Any) -> Any:
        """known/total · (entropy of the known rows - Σ share · entropy of a branch)."""
        real = self.real
        within = real(0)
        for branch in counts:
            within = real(within + spread_bits(branch))
        return real((1 - unknown) * (base - real(within / known)))

    def info(self, sizes: Floats, unknown: Any, total: Any) -> Any:
        """The entropy of the branches, and of the rows without the value as one branch more."""
        return self.real(spread_bits(np.append(unknown, sizes)) / total)

    def branches(self, sample: Sample, test: Test) -> Test | None:
        """A test of levels, if at least two branches are large enough."""
        known, side = sample.known(test.column), test.side(sample.known(test.column).values(test.column))
        counts = known.counts(side, test.n_branches)
        sizes = np.array([self.sum(list(row)) for row in counts], self.real)
        if (sizes >= self.least).sum() < 2:
            return None
        return self.measured(sample, known, test, counts)

    def measured(self, sample: Sample, known: Sample, test: Test, counts: Floats) -> Test:
        """A test with its gain, split information and shares."""
        total = sample.total
        unknown, rate, weight = self.known_weight(sample, test.column)
        sizes = np.array([self.sum(list(row)) for row in counts], self.real)
        base = self.real(spread_bits(known.counts()) / weight)
        gain, info = self.gain(counts, weight, rate, base), self.info(sizes, unknown, total)
        shares = tuple((sizes / weight).tolist())
        return replace(test, gain=gain, info=info, ratio=gain / info if info > 0 else 0.0, shares=shares)

    # -- thresholds

    def threshold(self, sample: Sample, column: int) -> Test | None:
        """The cut of greatest gain, less what it takes to name one of so many: log2(cuts) / weight."""
        known = sample.known(column)
        if not len(known) or known.total < 2 * self.least:
            return None
        x = known.values(column)
        order = np.argsort(x, kind="stable")
        known, x = known.where_order(order), x[order]
        total = sample.total
        unknown, rate, weight = self.known_weight(sample, column)
        cuts = self.cuts(known, x, weight)
        if not cuts:
            return None
        base = self.real(spread_bits(known.counts()) / weight)
        best, most = None, self.real(0)
        for place, counts in cuts:
            gain = self.gain(counts, weight, rate, base)
            if best is None or gain > most:
                best, most = (place, counts), gain
        assert best is not None
        most = self.real(most - self.real(np.log2(len(cuts)) / total))
        if most <= 0:
            return None
        place, counts = best
        cut = self.recorded(sample, column, self.real((x[place] + x[place + 1]) / 2))
        test = self.measured(sample, known, Test(column, cut), counts)
        return replace(test, gain=most, ratio=most / test.info)

    def cuts(self, known: Sample, x: Floats, whole: Any) -> list[tuple[int, Floats]]:
        """The places where sorted rows may be parted, with the classes on both sides."""
        side = max(self.least, min(25.0, 0.1 * known.total / known.data.n_classes))
        counts = known.counts(np.ones(len(known), dtype=np.int64), 2)
        left, found = self.real(0), []
        for place in range(len(x) - 1):
            counts[0, known.y[place]] += known.weight[place]
            counts[1, known.y[place]] -= known.weight[place]
            left = self.real(left + known.weight[place])
            if left >= side and left <= whole - side and x[place] < x[place + 1] - GAP:
                found.append((place, counts.copy()))
        return found

    def recorded(self, sample: Sample, column: int, middle: Any) -> float:
        """The largest value of the whole table that is not above the middle."""
        values = sample.data.columns[column].values
        return float(np.max(values[values <= middle]))
