"""J48 of Weka: which test a node gets, where it differs from C4.5.

It computes in double precision, and takes for greater only what is greater by more than 1e-6.
"""

from dataclasses import dataclass, replace

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_rows import Data, Floats, Sample, Test, spread_bits, worth

SLACK = 1e-6
SHORT = 1e-3  # gains may fall short of the average by this
GAP = 1e-5  # values that differ by no more are one
MANY = 0.3  # of the rows: a column with so many levels has no part in the average gain


@dataclass(frozen=True)
class J48:
    """The options -M, -J (a threshold has no price), -B, and -doNotMakeSplitPointActualValue."""

    least: float = 2
    price: bool = True
    binary: bool = False
    recorded: bool = True
    empty: str = "shares"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The test of a node; None where it stays a leaf."""
        del path  # a column that cannot part rows any more has no admissible test
        if sample.is_pure() or sample.total < 2 * self.least - SLACK:
            return None
        tests = [self.of_column(sample, column) for column in range(len(sample.data.columns))]
        best = self.choose(sample.data, [test for test in tests if test])
        if best is None or best.threshold is None or not self.recorded:
            return best
        values = sample.data.columns[best.column].values  # of the whole table
        return replace(best, threshold=float(values[values <= best.threshold].max()))

    def tests_once(self, _data: Data, _test: Test, /) -> bool:
        """No column is closed."""
        return False

    def choose(self, data: Data, tests: list[Test]) -> Test | None:
        """The greatest ratio among tests of at least average gain, the first of equals; 0 is not enough."""
        few = [test.gain for test in tests if not data.many_levels(test.column, MANY)]
        gains = few or [test.gain for test in tests]
        best, most = None, 0.0
        for test in tests:
            if test.gain >= sum(gains) / len(gains) - SHORT and test.ratio > most + SLACK:
                best, most = test, test.ratio
        return best

    def of_column(self, sample: Sample, column: int) -> Test | None:
        """The test of one column, if it has an admissible one."""
        n = len(sample.data.columns[column].levels)
        if not n:
            return self.threshold(sample, column)
        if self.binary:
            return self.equality(sample, column, n)
        return self.branches(sample, Test(column, groups=tuple((level,) for level in range(n))))

    def equality(self, sample: Sample, column: int, n: int) -> Test | None:
        """-B: one level against the rest, by ratio; the first declared level needs no ratio to be taken."""
        best, most = None, 0.0
        for level in range(n):
            rest = tuple(other for other in range(n) if other != level)
            test = self.branches(sample, Test(column, groups=((level,), rest)))
            if test and (level == 0 or test.ratio > most + SLACK):
                best, most = test, test.ratio
        return best

    def branches(self, sample: Sample, test: Test) -> Test | None:
        """A test of levels, if at least two branches are large enough."""
        known = sample.known(test.column)
        counts = known.counts(test.side(known.values(test.column)), test.n_branches)
        if (counts.sum(axis=1) >= self.least - SLACK).sum() < 2:
            return None
        return measured(sample, test, counts, gain_of(counts, sample.total))

    # -- thresholds

    def threshold(self, sample: Sample, column: int) -> Test | None:
        """The cut of greatest gain, from which its price is taken afterwards: log2(cuts) / weight."""
        rows = sample.sorted_by(column)
        x, cuts = rows.values(column), self.cuts(rows, rows.values(column))
        best, most = None, 0.0
        for place, counts in cuts:
            gain = gain_of(counts, sample.total)
            if gain > most + SLACK:
                best, most = (place, counts), gain
        if best is None:
            return None
        most -= float(np.log2(len(cuts)) / sample.total) if self.price else 0.0
        if most <= SLACK:
            return None
        place, counts = best
        middle = (x[place] + x[place + 1]) / 2
        cut = x[place] if middle == x[place + 1] else middle
        return measured(sample, Test(column, float(cut)), counts, most)

    def cuts(self, rows: Sample, x: Floats) -> list[tuple[int, Floats]]:
        """The places where sorted rows may be parted, with the classes on both sides."""
        side = max(self.least, min(25.0, 0.1 * rows.total / rows.data.n_classes))
        if len(rows) < 2 * side - SLACK:  # rows, not their weight
            return []
        counts, found = rows.counts(np.ones(len(rows), dtype=np.int64), 2), []
        for place, (label, weight) in enumerate(zip(rows.y[:-1], rows.weight[:-1], strict=True)):
            counts[0, label] += weight
            counts[1, label] -= weight
            if x[place] + GAP < x[place + 1] and counts.sum(axis=1).min() >= side - SLACK:
                found.append((place, counts.copy()))
        return found


def gain_of(counts: Floats, total: float) -> float:
    """(bits of the known rows - Σ bits of a branch) / weight of all rows."""
    return float((spread_bits(counts.sum(axis=0)) - sum(spread_bits(part) for part in counts)) / total)


def measured(sample: Sample, test: Test, counts: Floats, gain: float) -> Test:
    """A test with its gain, split information and shares; rows without the value are one branch more."""
    sizes, total = counts.sum(axis=1), sample.total
    info = float(spread_bits(np.append(sizes, max(total - sizes.sum(), 0.0))) / total)
    shares = tuple((sizes / sizes.sum()).tolist())
    return worth(replace(test, shares=shares), gain, info if info > SLACK else 0.0)
