"""The test of a node or of a surrogate: which values of a column lead to which child."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class SplitTest(NamedTuple):
    """A test on one column or on a weighted sum of several, which sends every value to a child.

    A threshold sends x <= threshold to child 0 and the rest to child 1; `strict` means x < threshold, and
    `reversed` swaps the two children. A nominal test has `levels`: per child, the codes that go there. A test
    that combines columns has `terms`, and as its feature a number behind those of all columns.
    """

    feature: int
    threshold: float | int  # nan for a test on levels
    strict: bool = False
    reversed: bool = False
    levels: tuple[tuple[int, ...], ...] = ()
    terms: tuple[tuple[int, float], ...] = ()  # column and coefficient

    @property
    def is_nominal(self) -> bool:
        """Whether it tests levels."""
        return bool(self.levels)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that it reads."""
        return tuple(column for column, _ in self.terms) or (self.feature,)


def exact_number(threshold: float, bits: int | None) -> float | int:
    """The number to compare with: an int where float64 would merge it with its neighbours.

    `bits` are None or the 64 bits of the integer, read as unsigned for a column of type uint64; only there a
    positive threshold has negative bits.
    """
    if bits is None:
        return threshold
    return bits + 2**64 if bits < 0 < threshold else bits


def levels_by_child(code: NDArray[Any], child: NDArray[Any], n_children: int) -> tuple[tuple[int, ...], ...]:
    """The codes that go to each child, in order; () where no level is listed."""
    if not len(code):
        return ()
    groups: list[list[int]] = [[] for _ in range(n_children)]
    for one, to in zip(code.tolist(), child.tolist(), strict=True):
        groups[to].append(one)
    return tuple(map(tuple, groups))


def select(begin: NDArray[Any], wanted: NDArray[np.bool_], keep: NDArray[np.bool_]) -> tuple[Any, Any]:
    """Cut lists that lie one after another, list i from begin[i] to begin[i + 1], down to some of them.

    Returned are the new begins of the lists marked in `keep`, of which those not in `wanted` become empty,
    and a mask of the entries that stay.
    """
    sizes = np.diff(begin)
    stays = np.repeat(wanted & keep, sizes)
    return np.concatenate([[0], np.cumsum(np.where(wanted, sizes, 0)[keep])]), stays
