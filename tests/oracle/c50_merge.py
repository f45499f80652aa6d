"""C5.0's option subset: levels are merged into groups, with a branch for each."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import log2

import numpy as np
from numpy.typing import NDArray

from tests.oracle.c50_tests import Scored, single, single_bits
from tests.oracle.classic_rows import Sample

Floats = NDArray[np.float64]
Blocks = list[tuple[int, ...]]


@dataclass(frozen=True)
class Levels:
    """The levels of a node that occur: the weight of their classes, and what the node weighs."""

    counts: Floats
    missing: float
    least: float

    def row(self, block: tuple[int, ...]) -> Floats:
        """The weights of the classes in a block."""
        return np.asarray(self.counts[list(block)].sum(axis=0))

    @property
    def known(self) -> float:
        """The weight of the rows that have a level."""
        return float(self.counts.sum())

    @property
    def all(self) -> float:
        """The weight of the node."""
        return self.known + self.missing

    def gain(self, blocks: Blocks) -> float:
        """known / all x (entropy before - entropy within the blocks), single."""
        before = single_bits(self.counts.sum(axis=0)) / self.known
        within = sum(single_bits(self.row(block)) for block in blocks) / self.known
        return single((1 - single(self.missing / self.all)) * (before - within))

    def info(self, blocks: Blocks) -> float:
        """The entropy of the blocks, with the missing rows as one more."""
        sizes = [float(self.row(block).sum()) for block in blocks]
        return single(single_bits(np.array([*sizes, self.missing])) / self.all)

    def worth(self, blocks: Blocks, n_levels: int) -> float:
        """The ratio of a grouping that pays log2(number of such groupings) bits."""
        paid = log2(partitions(n_levels, len(blocks))) / self.all
        return single((self.gain(blocks) - paid) / self.info(blocks))

    def n_big(self, blocks: Blocks) -> int:
        """How many blocks have the least weight."""
        return sum(float(self.row(block).sum()) >= self.least - 1e-4 for block in blocks)


def merged(sample: Sample, column: int, least: float) -> Scored | None:
    """The best state on the way from single levels to two groups; levels that do not occur are one more."""
    known = sample.known(column)
    n_levels = len(sample.data.columns[column].levels)
    counts = known.counts(known.values(column).astype(np.int64), n_levels).astype(np.float64)
    present = [level for level in range(n_levels) if counts[level].sum() > 1e-4]
    absent = tuple(level for level in range(n_levels) if level not in present)
    if len(present) < 2:
        return None
    counts[list(absent)] = 0.0
    node = Levels(counts, float(sample.total) - float(known.total), least)
    blocks: Blocks = [(level,) for level in present]
    if node.n_big(blocks) < 1:
        return None
    best = best_state(node, blocks)
    paid = log2(partitions(len(present), len(best)))
    gain, info = node.gain(best) - paid / node.known, node.info(best)
    sizes = [float(node.row(block).sum()) for block in best]
    found = Scored(
        column,
        groups=tuple(tuple(sorted(block)) for block in best),
        shares=tuple(single(size / node.known) for size in sizes),
        sizes=tuple(sizes),
        forks=len(best) + bool(absent),
    ).scored_as(gain, info)
    if absent:
        found = replace(found, groups=(*found.groups, absent), shares=(*found.shares, 0.0))
    return found


def best_state(node: Levels, blocks: Blocks) -> Blocks:
    """Single levels; those of equal shares joined; then each time the two that leave most gain are merged."""
    n_levels, best = len(blocks), blocks
    joined = equal_joined(node, blocks)
    if 1 < len(joined) < n_levels and node.n_big(joined) > 1:
        best = at_least_as_good(node, best, joined, n_levels)
    now = joined
    while len(now) > 2:
        pair = favourite(node, now)
        if pair is None:
            return best
        a, b = pair
        now = [*now[:a], now[a] + now[b], *now[a + 1 : b], *now[b + 1 :]]
        best = at_least_as_good(node, best, now, n_levels)
    return best


def at_least_as_good(node: Levels, best: Blocks, other: Blocks, n_levels: int) -> Blocks:
    """The later of two states, unless the first is worth more."""
    return other if node.worth(other, n_levels) >= node.worth(best, n_levels) else best


def favourite(node: Levels, blocks: Blocks) -> tuple[int, int] | None:
    """The pair that leaves most gain; a later one must leave 0.0001 more. The only two big ones stay."""
    big = [float(node.row(block).sum()) >= node.least - 1e-4 for block in blocks]
    found, bar = None, 0.0
    now, per_bit = node.gain(blocks), (1 - single(node.missing / node.all)) / node.known
    for a, b in combinations(range(len(blocks)), 2):
        one, other = node.row(blocks[a]), node.row(blocks[b])
        left = now - per_bit * (single_bits(one + other) - single_bits(one) - single_bits(other))
        if left > bar and not (sum(big) == 2 and big[a] and big[b]):
            found, bar = (a, b), left + 1e-4
    return found


def equal_joined(node: Levels, blocks: Blocks) -> Blocks:
    """Levels whose class shares differ by at most 0.001 become one block, at the place of the first."""
    found: Blocks = []
    for block in blocks:
        shares = node.row(block) / node.row(block).sum()
        for k, other in enumerate(found):
            if np.abs(shares - node.row(other) / node.row(other).sum()).max() <= 1e-3:
                found[k] = other + block
                break
        else:
            found.append(block)
    return found


@cache
def partitions(n: int, k: int) -> int:
    """The number of partitions of n things into k groups: S(n,k) = k S(n-1,k) + S(n-1,k-1)."""
    if k in {n, 1}:
        return 1
    return k * partitions(n - 1, k) + partitions(n - 1, k - 1)
