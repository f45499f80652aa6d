"""C5.0's option subset: levels are merged into groups, with a branch for each."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tests.oracle.c50_tests import Scored, groups_of, scored
from tests.oracle.classic_rows import Sample, Test, spread_bits

Floats = NDArray[np.float64]
Blocks = list[tuple[int, ...]]


def merged(sample: Sample, column: int, least: float) -> Scored | None:
    """The best state on the way from single levels to two groups; levels that no row has are one more branch.

    log2(number of partitions of the levels into so many groups) / weight is taken off the gain of a state.
    The single levels are taken as they are; groups only if two have the least weight.
    """
    known = sample.known(column)
    levels = sample.data.columns[column].levels
    counts = known.counts(known.values(column).astype(np.int64), len(levels))
    present = [level for level in range(len(levels)) if counts[level].sum() > 0]
    if len(present) < 2:
        return None
    absent = tuple(level for level in range(len(levels)) if level not in present)
    best: Scored | None = None
    for blocks in states(counts, present):
        forks = len(blocks) + bool(absent)
        state = scored(sample, Test(column, groups=groups_of(blocks)), forks)
        state = state.less(float(np.log2(float(partitions(len(present), len(blocks))))) / float(sample.total))
        allowed = len(blocks) == len(present) or state.reaching(least) > 1
        if allowed and (best is None or state.ratio > best.ratio + 1e-12):
            best = state
    if best is None or not absent:
        return best
    return replace(best, groups=(*best.groups, absent), shares=(*best.shares, 0.0))


def states(counts: Floats, present: list[int]) -> list[Blocks]:
    """Single levels; those of equal shares joined; then each time the two that lose least are merged."""
    blocks: Blocks = [(level,) for level in present]
    found = [blocks]
    joined = equal_joined(counts, blocks)
    if len(joined) < len(blocks):
        found.append(joined)
    while len(found[-1]) > 2:
        blocks = found[-1]
        lost = [
            (round(loss(counts, one, other), 9), a, b)
            for (a, one), (b, other) in combinations(enumerate(blocks), 2)
        ]
        _, a, b = min(lost)
        found.append([*blocks[:a], blocks[a] + blocks[b], *blocks[a + 1 : b], *blocks[b + 1 :]])
    return found


def equal_joined(counts: Floats, blocks: Blocks) -> Blocks:
    """Levels with the same shares of the classes become one block, at the place of the first."""
    found: dict[tuple[float, ...], tuple[int, ...]] = {}
    for block in blocks:
        row = counts[list(block)].sum(axis=0)
        shares = tuple(np.round(row / row.sum(), 9).tolist())
        found[shares] = found.get(shares, ()) + block
    return list(found.values())


def loss(counts: Floats, one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """What merging two blocks takes from weight times gain."""
    rows = [counts[list(block)].sum(axis=0) for block in (one, other)]
    return float(spread_bits(rows[0] + rows[1]) - spread_bits(rows[0]) - spread_bits(rows[1]))


@cache
def partitions(n: int, k: int) -> int:
    """The number of partitions of n things into k groups: S(n,k) = k S(n-1,k) + S(n-1,k-1)."""
    if k in {n, 1}:
        return 1
    return k * partitions(n - 1, k) + partitions(n - 1, k - 1)
