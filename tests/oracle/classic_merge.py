"""C4.5 -s: the levels of a column are merged into groups, greedily. Found from its recorded trees.

A pair of groups is merged if that makes the gain ratio of the whole test no worse, the best pair first. At
least two groups must keep enough weight. Where only two have enough, the largest takes part in no merger: no
reason is known, but the recorded trees show it. These rules explain 164 of their 166 inner nodes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Floats, Sample, Test, summed_in_order, worth
from tests.oracle.classic_value import Known

PRESENT = 0.5  # weight: levels with less join those that are not there at all
PURE = 0.1  # weight: a group with less outside its main class is of one class
EQUAL = 1e-9  # ratios: the last of equals is merged


@dataclass(frozen=True)
class Groups:
    """Groups of levels, and the weight of every class in each."""

    levels: tuple[tuple[int, ...], ...]
    counts: Floats

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def sizes(self) -> Floats:
        """The weight of every group."""
        return np.array([summed_in_order(row) for row in self.counts])

    def merged(self, x: int, y: int) -> "Groups":
        """The union stands in the place of x < y, and the last group moves to the place of y."""
        levels, counts = list(self.levels), self.counts.copy()
        levels[x], counts[x] = levels[x] + levels[y], counts[x] + counts[y]
        levels[y], counts[y] = levels[-1], counts[-1]
        return Groups(tuple(levels[:-1]), counts[:-1])

    def outside(self, label: int) -> Floats:
        """The weight of every group that is not of this class."""
        return self.sizes - self.counts[:, label]


def merged(sample: Sample, column: int, least: float, by_gain: bool = False) -> Test | None:
    """The test of a column that some rows know, if at least two of its groups are large enough."""
    known = Known.of(sample, column)
    n = len(sample.data.columns[column].levels)
    counts = known.rows.counts(known.rows.values(column).astype(np.int64), n)
    sizes = np.array([summed_in_order(row) for row in counts])
    present = np.flatnonzero(sizes >= PRESENT)
    groups = of_one_class(Groups(tuple((int(level),) for level in present), counts[present]))
    while len(groups) > 2:
        best = best_merger(known, groups, least, by_gain)
        if best is None:
            break
        groups = best
    if (groups.sizes >= least).sum() < 2:
        return None
    return test_of(known, column, groups, np.flatnonzero(sizes < PRESENT), sizes)


def of_one_class(groups: Groups) -> Groups:
    """Groups of one class are merged with all others of that class first."""
    x = 0
    while x < len(groups):
        label = int(np.argmax(groups.counts[x]))
        same = groups.outside(label) < PURE
        later = np.flatnonzero(same[x + 1 :]) + x + 1
        if same[x] and len(later):
            groups = groups.merged(x, int(later[0]))
        else:
            x += 1
    return groups


def best_merger(known: Known, groups: Groups, least: float, by_gain: bool) -> Groups | None:
    """The groups after the best merger; None if it would make the test worse."""
    best, most = None, value(known, groups, by_gain)
    for x, y in mergers(groups, least):
        tried = groups.merged(x, y)
        found = value(known, tried, by_gain)
        if found >= most - EQUAL:
            best, most = tried, max(found, most)
    return best


def mergers(groups: Groups, least: float) -> Iterator[tuple[int, int]]:
    """The pairs that may be merged."""
    sizes = groups.sizes
    enough = int((sizes >= least).sum())
    for x, y in combinations(range(len(groups)), 2):
        after = enough - int(sizes[x] >= least) - int(sizes[y] >= least) + int(sizes[x] + sizes[y] >= least)
        if after >= 2 and not (enough == 2 and int(np.argmax(sizes)) in (x, y)):
            yield x, y


def value(known: Known, groups: Groups, by_gain: bool) -> Any:
    """Gain ratio, or gain. Levels that are set aside count in the entropy before, but in no branch."""
    sizes = groups.sizes
    gain, info = known.gain(groups.counts, summed_in_order(sizes)), known.info(sizes)
    return gain if by_gain else gain / info


def test_of(known: Known, column: int, groups: Groups, aside: Any, sizes: Floats) -> Test:
    """The test; levels that were set aside are its last branch."""
    levels = tuple(tuple(sorted(group)) for group in groups.levels)
    levels += (tuple(aside.tolist()),) if len(aside) else ()
    shares = tuple(float(summed_in_order(sizes[list(group)]) / known.weight) for group in levels)
    found = Test(column, groups=levels, shares=shares)
    kept = groups.sizes
    return worth(found, known.gain(groups.counts, summed_in_order(kept)), known.info(kept))
