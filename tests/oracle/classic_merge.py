"""C4.5 -s: the levels of a column are merged into groups, greedily."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Floats, Sample, Test, worth
from tests.oracle.classic_value import EPSILON, NONE, Known, single, sizes_of, value

PRESENT = 0.5  # weight: levels with no more join those that are not there at all
OTHERS = 0.1  # weight: a group with no more outside a class is of that class
BETTER = 1e-5  # what a merger must add to the ratio


@dataclass
class State:
    """Groups of levels, with the weight of every class in each, and of each."""

    levels: list[list[int]]
    counts: Floats
    sizes: Floats

    def __len__(self) -> int:
        return len(self.levels)

    def merged(self, i: int, j: int) -> "State":
        """The union stands in the place of i < j, and the last group moves to the place of j."""
        levels = [list(group) for group in self.levels]
        counts, sizes = self.counts.copy(), self.sizes.copy()
        levels[i] += levels[j]
        counts[i], sizes[i] = counts[i] + counts[j], sizes[i] + sizes[j]
        levels[j], counts[j], sizes[j] = levels[-1], counts[-1], sizes[-1]
        return State(levels[:-1], counts[:-1], sizes[:-1])

    def is_of(self, group: int, label: int) -> bool:
        """Whether all but a tenth of a row of a group is of one class."""
        return float(self.counts[group, label]) >= float(self.sizes[group]) - OTHERS


@dataclass
class Merging:
    """The merging of one column at one node. Until the end, branches of weight 1 are large enough."""

    known: Known
    counts: Floats  # of all declared levels
    least: float
    by_gain: bool
    base: Any = field(init=False)

    def __post_init__(self) -> None:
        self.base = self.known.entropy_of_levels(self.counts)

    def measured(self, counts: Floats, sizes: Floats, least: float = 1) -> tuple[Any, Any]:
        """Gain and split information."""
        return self.known.gain(self.base, counts, sizes, least), self.known.info(sizes)

    def value(self, gain: Any, info: Any) -> Any:
        """What mergers are compared by."""
        return value(gain, info, single(EPSILON), self.by_gain)

    def run(self) -> tuple[State, Any, Any] | None:
        """The groups with their gain and split information; None without a test."""
        sizes = sizes_of(self.counts)
        now = self.measured(self.counts, sizes)
        present = np.flatnonzero(sizes.astype(float) > PRESENT)
        start = State([[int(level)] for level in present], self.counts[present], sizes[present])
        state = of_one_class(start)
        if len(state) < len(start):
            now = self.measured(state.counts, state.sizes)
        mark = single(now[0] / single(2))
        while len(state) > 2:
            best = self.best_merger(state, mark, self.value(*now))
            if best is None:
                break
            state, now = best
        if self.value(*now) <= 0:
            return None
        return state, self.measured(state.counts, state.sizes, self.least)[0], now[1]

    def best_merger(self, state: State, mark: Any, present: Any) -> tuple[State, tuple[Any, Any]] | None:
        """The groups after the best merger, and what they are worth; None to stop."""
        n_big = int((state.sizes.astype(float) >= self.least).sum())
        alone = int(np.argmax(state.sizes)) if n_big < 3 else -1
        best, worth_of_best, most = None, (single(0), single(0)), single(0)
        for i, j in combinations(range(len(state)), 2):
            if alone in (i, j):
                continue
            tried = state.merged(i, j)
            found = self.measured(tried.counts, tried.sizes)
            reaches = found[0] >= mark > worth_of_best[0]
            any_will_do = best is None and (self.by_gain or n_big < 2)
            if reaches or self.value(*found) >= most or any_will_do:
                best, worth_of_best, most = tried, found, self.value(*found)
        stops = not self.by_gain and n_big >= 2 and float(most) < float(present) + BETTER
        return None if best is None or stops else (best, worth_of_best)


def of_one_class(state: State) -> State:
    """Groups of one class are merged with all later ones of that class."""
    i = 0
    while i < len(state):
        labels = np.flatnonzero(state.counts[i].astype(float) >= OTHERS)
        j = i + 1
        while len(labels) and state.is_of(i, labels[0]) and j < len(state):
            if state.is_of(j, labels[0]):
                state = state.merged(i, j)
            else:
                j += 1
        i += 1
    return state


def merged(sample: Sample, column: int, least: float, by_gain: bool = False) -> Test | None:
    """The test of a column that some rows know; levels that are hardly there are its last branch."""
    known = Known.of(sample, column)
    n = len(sample.data.columns[column].levels)
    counts = known.rows.counts(known.rows.values(column).astype(np.int64), n)
    found = Merging(known, counts, least, by_gain).run()
    if found is None or found[1] == NONE:
        return None
    state, gain, info = found
    aside = np.flatnonzero(sizes_of(counts).astype(float) <= PRESENT)
    levels = tuple(tuple(sorted(group)) for group in state.levels)
    levels += (tuple(aside.tolist()),) if len(aside) else ()
    sizes = [known.rows.where(np.isin(known.rows.values(column), group)).total for group in levels]
    return worth(Test(column, groups=levels, shares=known.shares(np.array(sizes, dtype=single))), gain, info)
