"""C4.5 release 8: which test a node gets. `classic_merge` has what its option -s does with levels.

It computes in single precision, which decides where scores are equal but for rounding: give it a `Sample` of
float32, whose rows are in the order of the table.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_merge import merged
from tests.oracle.classic_rows import Data, Floats, Sample, Test, summed_in_order, worth
from tests.oracle.classic_value import EPSILON, NONE, Known, information, single, sizes_of, value

GAP = 1e-5  # values that differ by no more are one
MANY = 0.3  # of the rows: a column with so many levels has no part in the average gain
UNKNOWN = -999.0  # a number that stands for a missing value


@dataclass
class C45:
    """The options -m, -g and -s. With -s one program grows one tree, since `least` may change on the way."""

    least: float = 2
    by_gain: bool = False
    merge: bool = False
    empty: str = "class"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The test of a node; None where it stays a leaf."""
        if sample.is_pure() or float(sample.total) < 2 * self.least:
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
        all_many = all(data.many_levels(column, MANY) for column in range(len(data.columns)))
        counted = [t for t in tests if self.merge or all_many or not data.many_levels(t.column, MANY)]
        gains = np.array([test.gain for test in counted], dtype=single)
        average = single(summed_in_order(gains) / single(len(gains))) if len(gains) else single(1e6)
        best, most = None, NONE
        for test in tests:
            found = value(test.gain, test.info, average, self.by_gain)
            if found > most:
                best, most = test, found
        return best

    def of_column(self, sample: Sample, column: int) -> Test | None:
        """The test of one column, if it has an admissible one."""
        if not sample.data.columns[column].levels:
            return self.threshold(sample, column)
        is_known = len(sample.known(column)) > 0
        if self.merges(sample.data, column):
            if not is_known:
                self.least = 1  # and it stays so: a slip of the program that its trees show
                return None
            return merged(sample, column, self.least, self.by_gain)
        return self.branches(sample, column) if is_known else None

    def branches(self, sample: Sample, column: int) -> Test | None:
        """A branch per level, if at least two of them are large enough."""
        known = Known.of(sample, column)
        groups = tuple((level,) for level in range(len(sample.data.columns[column].levels)))
        counts = known.rows.counts(known.rows.values(column).astype(np.int64), len(groups))
        sizes = sizes_of(counts)
        gain = known.gain(known.entropy_of_levels(counts), counts, sizes, self.least)
        if gain == NONE:
            return None
        weights = [known.rows.where(known.rows.values(column) == level).total for (level,) in groups]
        shares = known.shares(np.array(weights, dtype=single))
        return worth(Test(column, groups=groups, shares=shares), gain, known.info(sizes))

    # -- thresholds

    def threshold(self, sample: Sample, column: int) -> Test | None:
        """The cut of greatest gain, less what it takes to name one of so many: log2(cuts) / weight."""
        known = Known.of(sample, column)
        if float(known.weight) < 2 * self.least or not len(known.rows):
            return None
        rows = sample.sorted_by(column)
        cuts = self.cuts(rows, rows.values(column), known)
        if not cuts:
            return None
        base = single(information(rows.counts()[0]) / known.weight)
        cost = single(np.log2(len(cuts)) / float(known.total))
        sides = [np.array([low, known.weight - low], dtype=single) for _, low, _ in cuts]
        gains = [known.gain(base, cut[2], side, self.least) for cut, side in zip(cuts, sides, strict=True)]
        left = np.array(gains, dtype=single) - cost
        first = int(np.argmax(left))
        if left[first] <= 0:
            return None
        x = rows.values(column)[cuts[first][0] :]
        cut = recorded(sample.data.columns[column].values, single((x[0] + x[1]) / single(2)), x)
        found = Test(column, cut)
        side = found.side(rows.values(column))
        shares = known.shares(np.array([rows_of(sample, found, k).total for k in (0, 1)], dtype=single))
        assert side.max() == 1
        return worth(replace(found, shares=shares), left[first], known.info(sides[first]))

    def cuts(self, rows: Sample, x: Floats, known: Known) -> list[tuple[int, Any, Floats]]:
        """The places where sorted rows may be parted, the weight below, and the classes on both sides."""
        part = single(0.1 * float(known.weight) / rows.data.n_classes)
        side = single(max(self.least, min(25.0, float(part))))
        counts = rows.counts(np.ones(len(rows), dtype=np.int64), 2)
        low, found = single(0), []
        for place, (label, weight) in enumerate(zip(rows.y[:-1], rows.weight[:-1], strict=True)):
            counts[0, label] += weight
            counts[1, label] -= weight
            low += weight
            if low > single(known.weight - side):
                break
            if low >= side and float(x[place]) < float(x[place + 1]) - GAP:
                found.append((place, low, counts.copy()))
        return found


def rows_of(sample: Sample, test: Test, side: int) -> Sample:
    """The rows of a node that take one branch, in the order of the table."""
    return sample.where(test.side(sample.values(test.column)) == side)


def recorded(values: Floats, middle: Any, x: Floats) -> float:
    """The largest value of the whole table that is not above the middle, both in single precision.

    The middle of neighbours may be rounded up to the higher one. Some value `x` of the node must stay above.
    """
    middle = middle if middle < x[-1] else x[0]
    own = values.astype(single)
    return float(np.nanmax(np.where(own <= middle, values, np.nan)))


def with_unknown(data: Data) -> Data:
    """The table with missing values in place of the number that stands for them."""
    columns = [
        c if c.levels else replace(c, values=np.where(c.values == UNKNOWN, np.nan, c.values))
        for c in data.columns
    ]
    return replace(data, columns=tuple(columns))
