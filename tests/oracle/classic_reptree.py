"""REPTree of Weka, as it grows before it prunes.

Information gain, or the drop of the sum of squares. Numbers are cut midway, levels have a branch each. A row
without the value goes down every branch by the shares of those that have it, and so it enters the gain. The
program shuffles rows first, and lets the rounding of a shuffled sum decide between splits that gain the same:
`prefer` names the one to take, else it is the first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tests.oracle.classic_grow import Path
from tests.oracle.classic_rows import Data, Floats, Sample, Test, divide, shared, spread_bits
from tests.oracle.classic_stump import squares

GREATER = 1e-6  # what Weka takes for greater
EQUAL = 1e-9  # of a gain: what rounding can do to it


def nothing(_test: Test) -> bool:
    """No test is preferred."""
    return False


@dataclass(frozen=True)
class RepTree:
    """The options -M and -L, and the variance below which a node is a leaf: -V times that of all rows."""

    least: float = 2
    deepest: int = -1
    flat: float = 0.0
    prefer: Callable[[Test], bool] = nothing
    empty: str = "shares"

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The column of greatest gain; None if that is nothing, or only one branch of it is large enough."""
        if self.stays_leaf(sample, path.depth):
            return None
        columns = range(len(sample.data.columns))
        tests = [test for column in columns if (test := self.of_column(sample, column))]
        best = self.first(tests)
        if best is None or best.gain <= GREATER:
            return None
        sizes = [part.weight.sum() for part in divide(sample, best)]
        return best if sum(size >= self.least for size in sizes) >= 2 else None

    def tests_once(self, _data: Data, _test: Test, /) -> bool:
        """No column is closed."""
        return False

    def stays_leaf(self, sample: Sample, depth: int) -> bool:
        """Whether a node is not split, whatever its columns hold."""
        if sample.weight.sum() < 2 * self.least or depth == self.deepest:
            return True
        if sample.data.classes:
            return sample.is_pure()
        return bool(squares(sample) / sample.weight.sum() < self.flat)

    def of_column(self, sample: Sample, column: int) -> Test | None:
        """The best test of a column, and what it gains once rows without the value are shared out."""
        test = Test(column, groups=tuple((k,) for k in range(len(sample.data.columns[column].levels))))
        if not test.groups:
            cut = self.cut(sample.known(column), column)
            if cut is None:
                return None
            test = cut
        test = shared(sample, test)
        return replace(test, gain=gain_of(sample, divide(sample, test)))

    def cut(self, known: Sample, column: int) -> Test | None:
        """Midway between two values, where the rows that have one are parted best."""
        x, tried = known.values(column), []
        for low, high in pairwise(np.unique(x)):
            gain = gain_of(known, [known.where(x <= low), known.where(x > low)])
            tried.append(Test(column, midway(low, high), strict=True, gain=gain))
        return self.first(tried)

    def first(self, tests: list[Test]) -> Test | None:
        """The test of greatest gain; of equals one that is preferred, else the first."""
        if not tests:
            return None
        most = max(test.gain for test in tests)
        equal = [test for test in tests if test.gain >= most - EQUAL * abs(most)]
        return next((test for test in equal if self.prefer(test)), equal[0])


def midway(low: Floats, high: Floats) -> float:
    """The middle, which must part the two also where rounding takes it to the lower one."""
    return float(max((low + high) / 2, np.nextafter(low, high)))


def gain_of(sample: Sample, parts: list[Sample]) -> float:
    """Bits per row, or the drop of the sum of squares."""
    if not sample.data.classes:
        return squares(sample) - sum(squares(part) for part in parts)
    lost = spread_bits(sample.counts()) - sum(spread_bits(part.counts()) for part in parts)
    return float(lost / sample.weight.sum())
