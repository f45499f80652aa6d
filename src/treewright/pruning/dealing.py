"""Rows dealt into folds as Weka deals them, so that its trees can be grown from the same rows.

If there is a seed, the rows are shuffled by Java's generator. Rows of a class are brought together by swaps,
and then dealt in turn: every n-th row, from the first on, then every n-th from the second on, and so on. A
fold is a run of that list; where the folds cannot be of one size, the first ones have a row more.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..allowed import is_whole
from .rows import Parts

Ints = NDArray[np.int64]


def dealt(codes: NDArray[np.integer] | None, n_rows: int, folds: int, fold: int, seed: int | None) -> Parts:
    """The rows to grow on, and those of one fold (-1 is the last) to prune with.

    `codes` are the classes of the rows; None for numbers, whose rows are not brought together.
    """
    if not (is_whole(folds) and 2 <= folds <= n_rows):
        raise ValueError(
            f"folds must be a number from 2 to that of the rows, {n_rows}. Got {folds!r}. "
            "Take fewer folds, or do not prune."
        )
    order = np.arange(n_rows) if seed is None else shuffled(n_rows, seed)
    if codes is not None:
        order = by_turns(order[together(codes[order])], folds)
    size, more = divmod(n_rows, folds)
    place = fold % folds
    begin = place * size + min(place, more)
    prune = order[begin : begin + size + (place < more)]
    return Parts(np.setdiff1d(order, prune), np.sort(prune))


def java_random(seed: int) -> Iterator[int]:
    """31 random bits at a time, as Java's own generator draws them.

    x' = (25214903917 x + 11) mod 2^48, of which the upper bits are used; the first x is the seed, mixed.
    """
    factor, mask = 25214903917, (1 << 48) - 1
    x = (seed ^ factor) & mask
    while True:
        x = (x * factor + 11) & mask
        yield x >> 17


def shuffled(n_rows: int, seed: int) -> Ints:
    """The numbers of the rows, each from the last on swapped with one drawn from those up to it."""
    bits, order = java_random(seed), list(range(n_rows))
    for last in range(n_rows - 1, 0, -1):
        other = _below(last + 1, bits)
        order[last], order[other] = order[other], order[last]
    return np.array(order, dtype=np.int64)


def _below(bound: int, bits: Iterator[int]) -> int:
    """A number from 0 to bound - 1, all equally likely: what would favour the low ones is drawn again."""
    if bound & (bound - 1) == 0:
        return bound * next(bits) >> 31
    even = (1 << 31) - (1 << 31) % bound
    while True:
        drawn = next(bits)
        if drawn < even:
            return drawn % bound


def together(codes: NDArray[np.integer]) -> Ints:
    """An order in which rows of a class stand together: each that fits is swapped next to those before."""
    order = np.arange(len(codes))
    begin = 0
    while begin < len(order):
        same = np.flatnonzero(codes[order[begin:]] == codes[order[begin]]) + begin
        for place, found in enumerate(same.tolist(), begin):
            order[place], order[found] = order[found], order[place]
        begin += len(same)
    return order


def by_turns(order: Ints, folds: int) -> Ints:
    """Every n-th from the first on, every n-th from the second on, and so on."""
    return np.concatenate([order[start::folds] for start in range(folds)])
