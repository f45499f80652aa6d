"""C4.5 release 8: which test a node gets. `classic_merge` has what its option -s does with levels.

It computes in single precision, which decides where scores are equal but for rounding: give a `Sample` of
float32 to follow it to the last node, or of float64 for the rules alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_merge import merged
from tests.oracle.classic_rows import Data, Floats, Sample, Test, summed_in_order, worth
from tests.oracle.classic_value import Known

EPSILON = 1e-3  # what gains and ratios may fall short by
GAP = 1e-5  # values that differ by no more are one
JUST = 1e-9  # what rounding can do to a sum of doubles
MANY = 0.3  # of the rows: a column with so many levels has no part in the average gain


@dataclass
class C45:
    """The options -m, -g and -s. With -s one program grows one tree, since `least` may change on the way."""

    least: float = 2
    by_gain: bool = False
    merge: bool = False
    empty: str = "class"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The test of a node; None where it stays a leaf."""
        if sample.is_pure() or sample.total < 2 * self.least:
            return None
        columns = [column for column in range(len(sample.data.columns)) if column not in path.tested]
        tests = [self.of_column(sample, column) for column in columns]
        return self.choose(sample.data, [test for test in tests if test])

    def tests_once(self, data: Data, test: Test, /) -> bool:
        """A column with a branch per level is not tested again."""
        return test.threshold is None and not self.merges(data, test.column)

    def merges(self, data: Data, column: int) -> bool:
        """Whether the levels of a column are merged."""
        return self.merge and len(data.columns[column].levels) > 2

    def choose(self, data: Data, tests: list[Test]) -> Test | None:
        """The greatest ratio among tests of at least average gain, the first of equals.

        With -g the greatest gain. A split that gains nothing is taken where there is no other.
        """
        few = [test.gain for test in tests if not data.many_levels(test.column, MANY)]
        gains = np.array(few or [test.gain for test in tests])
        average = summed_in_order(gains) / len(gains) if len(gains) else 0.0
        slack = 0.0 if gains.dtype == np.float32 else JUST
        best, most = None, -EPSILON
        for test in tests:
            heard = test.gain >= average - EPSILON and test.info > EPSILON
            found = test.gain if self.by_gain else test.ratio if heard else -EPSILON
            if found > most + slack:
                best, most = test, found
        return best

    def of_column(self, sample: Sample, column: int) -> Test | None:
        """The test of one column, if it has an admissible one."""
        if not sample.data.columns[column].levels:
            return self.threshold(sample, column)
        if self.merges(sample.data, column):
            if not len(sample.known(column)):
                self.least = 1  # and it stays so: a slip of the program that its trees show
                return None
            return merged(sample, column, self.least, self.by_gain)
        return self.branches(sample, column)

    def branches(self, sample: Sample, column: int) -> Test | None:
        """A branch per level, if at least two of them are large enough."""
        known = Known.of(sample, column)
        groups = tuple((level,) for level in range(len(sample.data.columns[column].levels)))
        counts = known.rows.counts(known.rows.values(column).astype(np.int64), len(groups))
        sizes = np.array([summed_in_order(row) for row in counts])
        if (sizes >= self.least).sum() < 2:
            return None
        return known.measured(Test(column, groups=groups), counts)

    # -- thresholds

    def threshold(self, sample: Sample, column: int) -> Test | None:
        """The cut of greatest gain, less what it takes to name one of so many: log2(cuts) / weight."""
        known = Known.of(sample, column)
        if known.weight < 2 * self.least or not len(known.rows):
            return None
        rows = sample.sorted_by(column)
        cuts = self.cuts(rows, rows.values(column), known)
        if not cuts:
            return None
        real = sample.weight.dtype.type
        gains = [known.gain(counts) for _, counts in cuts]
        first = int(np.argmax(gains))
        gain = real(gains[first] - real(np.log2(len(cuts)) / known.total))
        if gain <= 0:
            return None
        place, counts = cuts[first]
        low, high = rows.values(column)[place : place + 2].astype(np.float32)
        cut = recorded(sample.data.columns[column].values, (low + high) / np.float32(2))
        test = known.measured(Test(column, cut), counts)
        return worth(test, gain, test.info)

    def cuts(self, rows: Sample, x: Floats, known: Known) -> list[tuple[int, Floats]]:
        """The places where sorted rows may be parted, with the classes on both sides.

        In single precision a side that has just enough may have too little, as in the program.
        """
        side = max(self.least, min(25.0, 0.1 * known.weight / rows.data.n_classes))
        slack = 0.0 if rows.weight.dtype == np.float32 else JUST
        counts = rows.counts(np.ones(len(rows), dtype=np.int64), 2)
        left, found = rows.weight.dtype.type(0), []
        for place, (label, weight) in enumerate(zip(rows.y[:-1], rows.weight[:-1], strict=True)):
            counts[0, label] += weight
            counts[1, label] -= weight
            left += weight
            enough = side - slack <= left <= known.weight - side + slack
            if enough and x[place] < x[place + 1] - GAP:
                found.append((place, counts.copy()))
        return found


def recorded(values: Floats, middle: Any) -> float:
    """The largest value of the whole table that is not above the middle, both in single precision."""
    single = values.astype(np.float32)
    return float(values[np.nanargmax(np.where(single <= middle, single, np.nan))])
