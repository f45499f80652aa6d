"""A test of C5.0, scored on the rows of a node: its gain, the information in its branches, their ratio."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Sample, Test, spread_bits


@dataclass(frozen=True)
class Scored(Test):
    """A test with the weights of its branches; `forks` counts these as C5.0 does to compare tests."""

    sizes: tuple[float, ...] = ()
    forks: int = 3  # of a threshold: there is one for values that do not apply

    def reaching(self, least: float) -> int:
        """How many branches have at least this weight."""
        return sum(size >= least - 1e-9 for size in self.sizes)

    def less(self, bits: float) -> "Scored":
        """The test when so much is taken off its gain."""
        gain = self.gain - bits
        return replace(self, gain=gain, ratio=gain / self.info if self.info > 0 else 0.0)


def scored(sample: Sample, test: Test, forks: int = 3) -> Scored:
    """known/total · (entropy of the known rows - entropy within branches), and what goes with it.

    The information is the entropy of the branches, with the rows without the value as one branch more.
    """
    known, total = sample.known(test.column), float(sample.total)
    counts = known.counts(test.side(known.values(test.column)), test.n_branches)
    sizes, weight = counts.sum(axis=1), float(known.total)
    within = sum(float(spread_bits(branch)) for branch in counts)
    gain = weight / total * (float(spread_bits(counts.sum(axis=0))) / weight - within / weight)
    info = float(spread_bits(np.append(sizes, total - weight))) / total
    return Scored(
        test.column,
        threshold=test.threshold,
        groups=test.groups,
        gain=gain,
        info=info,
        ratio=gain / info if info > 0 else 0.0,
        shares=tuple((sizes / weight).tolist()),
        sizes=tuple(sizes.tolist()),
        forks=forks,
    )


def recorded(sample: Sample, column: int, middle: float) -> float:
    """The largest value of the whole table that is not above the middle."""
    values = sample.data.columns[column].values
    return float(np.max(values[values <= middle]))


def tested(sample: Sample, test: Test) -> dict[str, Any]:
    """The fields of a test as trees are written."""
    column = sample.data.columns[test.column]
    if test.threshold is not None:
        return {"feature": column.name, "threshold": test.threshold}
    groups = [[column.levels[level] for level in group] for group in test.groups]
    return {"feature": column.name, "levels": groups}


def groups_of(blocks: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Levels in order within their group, and groups by their first level."""
    return tuple(sorted(tuple(sorted(block)) for block in blocks))
