"""The conjunctions that say most about a target, beyond what their single conditions say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, log

import numpy as np
from numpy.typing import NDArray

from ...data.common.array_types import Array, Floats, Ints

MOST_CONDITIONS = 200  # of a wide table those that say most alone
BEAM = 30  # conjunctions of a size that are made longer
Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Found:
    """A conjunction, by the places of its conditions, and its gain: what it explains of the target."""

    terms: tuple[int, ...]
    gain: float


def search(holds: Matrix, target: Floats, max_terms: int, max_columns: int) -> list[Found]:
    """One conjunction after another: each explains most of what the ones before have left.

    A conjunction must beat the best single condition: n · log(left by the condition / left by it) must be
    above log(n) per further term (as BIC counts a parameter), plus twice the logarithm of how many times more
    conjunctions there are to choose from. `holds` is (rows, conditions), `target` (rows, numbers).
    """
    cells = np.zeros(len(target), dtype=np.int64)  # rows that all conjunctions so far treat alike
    total = float(((target - target.mean(axis=0)) ** 2).sum())
    chosen: list[Found] = []
    rest, left = target - target.mean(axis=0), total
    while len(chosen) < max_columns and left > 1e-9 * total:
        best = _best(holds, rest, left, max_terms)
        if best is None or best.terms in {each.terms for each in chosen}:
            break
        inside = holds[:, list(best.terms)].all(axis=1)
        cells = np.unique(2 * cells + inside, return_inverse=True)[1].ravel()
        rest = target - _means(target, cells)
        before, left = left, float((rest**2).sum())
        chosen.append(Found(best.terms, (before - left) / total))
    return chosen


def _best(holds: Matrix, rest: Floats, left: float, max_terms: int) -> Found | None:
    """The conjunction that pays best for its terms; None where none beats the single conditions."""
    n_rows, n_conditions = holds.shape
    single = _gains(holds.sum(axis=0), holds.T @ rest, n_rows)
    unexplained = max(left - float(single.max(initial=0.0)), 1e-12 * left)
    best, best_worth = None, 0.0
    for found, size in _by_size(holds, rest, max_terms):
        remains = max(left - found.gain, 1e-12 * left)
        price = (size - 1) * log(n_rows) + 2 * log(max(1.0, comb(n_conditions, size) / n_conditions))
        worth = n_rows * log(unexplained / remains) - price
        if worth > best_worth:
            best, best_worth = found, worth
    return best


def _by_size(holds: Matrix, rest: Floats, max_terms: int) -> Iterator[tuple[Found, int]]:
    """The best conjunction of two conditions, of three, ..."""
    n_rows, n_conditions = holds.shape
    beam: list[tuple[int, ...]] = [(k,) for k in range(n_conditions)]
    for size in range(2, max_terms + 1):
        inside = np.stack([holds[:, list(terms)].all(axis=1) for terms in beam], axis=1).astype(np.float32)
        counts = inside.T @ holds
        sums = np.stack([(inside * part[:, None]).T @ holds for part in rest.T.astype(np.float32)], axis=2)
        gains = _gains(counts, sums, n_rows)
        for row, terms in enumerate(beam):
            gains[row, list(terms)] = 0.0  # the same condition twice
        order = np.argsort(-gains, axis=None, kind="stable")[: 4 * BEAM]
        pairs = np.column_stack(np.unravel_index(order, gains.shape)).tolist()
        longer = dict.fromkeys(tuple(sorted((*beam[row], column))) for row, column in pairs)
        if not longer or gains.flat[order[0]] <= 0:
            return
        yield Found(next(iter(longer)), float(gains.flat[order[0]])), size
        beam = [*longer][:BEAM]


def strongest(holds: Matrix, target: Floats) -> Ints:
    """The places of the conditions to combine: all, or in a wide table those that say most alone."""
    if holds.shape[1] <= MOST_CONDITIONS:
        return np.arange(holds.shape[1])
    gains = _gains(holds.sum(axis=0), holds.T @ (target - target.mean(axis=0)), len(target))
    return np.sort(np.argsort(-gains, kind="stable")[:MOST_CONDITIONS])


def _gains(counts: Array, sums: Array, n_rows: int) -> Floats:
    """What a split explains of targets with mean 0: |sum inside|² · (1 / inside + 1 / outside)."""
    inside = np.asarray(counts, dtype=np.float64)
    both = np.maximum(inside, 1) * np.maximum(n_rows - inside, 1)
    explained = (np.asarray(sums, dtype=np.float64) ** 2).sum(axis=-1) * n_rows / both
    return np.asarray(np.where((inside < 1) | (inside > n_rows - 1), 0.0, explained))


def _means(target: Floats, cells: Ints) -> Floats:
    sizes = np.bincount(cells)
    sums = np.stack([np.bincount(cells, weights=part) for part in target.T], axis=1)
    return np.asarray((sums / sizes[:, None])[cells])
