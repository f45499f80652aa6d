"""Folds as Weka makes them, so that its trees can be grown from the same rows.

If there is a seed, the rows are shuffled by Java's generator. Rows of a class are brought together by swaps,
and then reordered: every n-th row, from the first on, then every n-th from the second on, and so on. A
fold is a run of that list; where the folds cannot be of one size, the first ones have a row more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import is_whole
from ...data.common.array_types import Ints
from ...data.common.errors import ParameterError
from .rows import Parts


def weka_fold(
    codes: NDArray[np.integer] | None, n_rows: int, folds: int, fold: int, seed: int | None
) -> Parts:
    """The rows to fit on, and those of one fold (-1 is the last) to prune with.

    `codes` are the classes of the rows; None for numbers, whose rows are not brought together.
    """
    if not (is_whole(folds) and 2 <= folds <= n_rows):
        raise ParameterError(
            f"folds must be a number from 2 to that of the rows, {n_rows}. Got {folds!r}. "
            "Take fewer folds, or do not prune.",
            "folds",
        )
    order = np.arange(n_rows) if seed is None else shuffled(n_rows, seed)
    if codes is not None:
        order = every_nth(order[together(codes[order])], folds)
    size, more = divmod(n_rows, folds)
    place = fold % folds
    begin = place * size + min(place, more)
    prune = order[begin : begin + size + (place < more)]
    return Parts(np.setdiff1d(order, prune), np.sort(prune))


def shuffled(n_rows: int, seed: int) -> Ints:
    """The numbers of the rows, each from the last on swapped with one drawn from those up to it.

    Java's generator draws 31 bits at a time: x' = (25214903917 x + 11) mod 2^48, of which the upper bits are
    used; the first x is the seed, mixed. Of these a number below a bound is made, and what would favour the
    low ones is drawn again.
    """
    factor, mask, order = 25214903917, (1 << 48) - 1, list(range(n_rows))
    x = (seed ^ factor) & mask
    for last in range(n_rows - 1, 0, -1):
        x = (x * factor + 11) & mask
        bound, other = last + 1, x >> 17
        if bound & last == 0:  # a power of two: the upper bits
            other = bound * other >> 31
        else:
            while other - other % bound + last >= 1 << 31:
                x = (x * factor + 11) & mask
                other = x >> 17
            other %= bound
        order[last], order[other] = order[other], order[last]
    return np.array(order, dtype=np.int64)


def together(codes: NDArray[np.integer]) -> Ints:
    """An order in which rows of a class stand together: each that fits is swapped next to those before."""
    order, begin = np.arange(len(codes)), 0
    while begin < len(order):
        same = np.flatnonzero(codes[order[begin:]] == codes[order[begin]]) + begin
        swapped = order.tolist()
        for place, found in enumerate(same.tolist(), begin):
            swapped[place], swapped[found] = swapped[found], swapped[place]
        order, begin = np.array(swapped), begin + len(same)
    return order


def every_nth(order: Ints, folds: int) -> Ints:
    """Every n-th from the first on, every n-th from the second on, and so on."""
    return np.concatenate([order[start::folds] for start in range(folds)])
