"""A test of C5.0, scored on the rows of a node: its gain, the information in its branches, their ratio."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.oracle.classic_rows import Sample, Test


def single(number: Any) -> float:
    """A number in single precision."""
    return float(np.float32(number))


def single_bits(counts: Any) -> float:
    """Weight times entropy, W·log2(W) - Σ w·log2(w), with each weight single under the logarithm."""
    some = np.asarray(counts, dtype=np.float64).ravel()
    weight = float(some.sum())
    inner = sum(float(w) * float(np.log2(single(w))) for w in some if w > 0)
    return weight * float(np.log2(single(weight))) - inner if weight > 0 else 0.0


@dataclass(frozen=True)
class Scored(Test):
    """A test with the weights of its branches; `forks` counts these as C5.0 does to compare tests."""

    sizes: tuple[float, ...] = ()
    forks: int = 3  # of a threshold: there is one for values that do not apply

    def reaching(self, least: float) -> int:
        """How many branches have at least this weight."""
        return sum(size >= least - 1e-6 for size in self.sizes)

    def less(self, bits: float) -> "Scored":
        """The test when so much is taken off its gain."""
        return self.scored_as(self.gain - bits, self.info)

    def scored_as(self, gain: float, info: float) -> "Scored":
        """The test with this gain and information, and their ratio, all single."""
        gain, info = single(gain), single(info)
        return replace(self, gain=gain, info=info, ratio=single(gain / info) if info > 0 else 0.0)


def scored(sample: Sample, test: Test, forks: int = 3) -> Scored:
    """known/total · (entropy of the known rows - entropy within branches), and what goes with it.

    The information is the entropy of the branches, with the rows without the value as one branch more.
    """
    known, total = sample.known(test.column), float(sample.total)
    counts = known.counts(test.side(known.values(test.column)), test.n_branches)
    sizes, weight = counts.sum(axis=1), float(known.total)
    within = sum(single_bits(branch) for branch in counts)
    gain = (1 - single((total - weight) / total)) * (single_bits(counts.sum(axis=0)) - within) / weight
    info = single_bits(np.append(sizes, total - weight)) / total
    found = Scored(
        test.column,
        threshold=test.threshold,
        groups=test.groups,
        shares=tuple((sizes / weight).tolist()),
        sizes=tuple(sizes.tolist()),
        forks=forks,
    )
    return found.scored_as(gain, info)


def recorded(sample: Sample, column: int, middle: float) -> float:
    """The largest value of the whole table that is not above the middle, all single."""
    values = sample.data.columns[column].values
    return float(np.max(values[values.astype(np.float32) <= np.float32(middle)]))


def tested(sample: Sample, test: Test) -> dict[str, Any]:
    """The fields of a test as trees are written."""
    column = sample.data.columns[test.column]
    if test.threshold is not None:
        return {"feature": column.name, "threshold": test.threshold}
    groups = [[column.levels[level] for level in group] for group in test.groups]
    return {"feature": column.name, "levels": groups}
