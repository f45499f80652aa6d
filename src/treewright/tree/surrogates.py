"""Surrogates: the tests that replace the test of a node where its value is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.array_types import Floats
from .flat_arrays import FlatArrays, read_only
from .split_test import SplitTest, exact_number, levels_by_child, select

# The arrays with one entry per surrogate, and their types; what is left out or empty becomes the value here.
ENTRY_ARRAYS: dict[str, tuple[type, float]] = {
    "node": (np.int64, 0),
    "feature": (np.int32, 0),
    "threshold": (np.float64, np.nan),
    "integer_threshold": (np.int64, 0),
    "integer_exact": (np.uint8, 0),
    "strict": (np.uint8, 0),
    "reversed": (np.uint8, 0),
    "agreement": (np.float64, np.nan),
    "adjusted": (np.float64, np.nan),
}
NONE: Any = ()  # becomes an empty array of the right type
LEVEL_ARRAYS: dict[str, type] = {"level_begin": np.int64, "level_code": np.int32, "level_child": np.int32}


@dataclass(frozen=True, eq=False)
class Surrogates(FlatArrays):
    """The surrogates of all nodes, ordered by node and then by rank; all arrays are read-only.

    A row whose value is missing, or of a level that the node does not list, tries the surrogates of the node
    in turn. The first one whose value is there, and listed, decides.
    """

    node: NDArray[np.int64]
    feature: NDArray[np.int32]
    threshold: Floats  # nan for a nominal test
    integer_threshold: NDArray[np.int64] = NONE
    integer_exact: NDArray[np.uint8] = NONE
    strict: NDArray[np.uint8] = NONE
    reversed: NDArray[np.uint8] = NONE  # x <= threshold goes to child 1 instead of 0
    agreement: Floats = NONE  # nan where it is not known
    adjusted: Floats = NONE
    level_begin: NDArray[np.int64] = NONE
    level_code: NDArray[np.int32] = NONE
    level_child: NDArray[np.int32] = NONE

    def __post_init__(self) -> None:
        count = len(np.atleast_1d(self.node))
        for name, (dtype, otherwise) in ENTRY_ARRAYS.items():
            given = getattr(self, name)
            full = given if len(given) else np.full(count, otherwise, dtype=dtype)
            object.__setattr__(self, name, read_only(full, dtype))
        if not len(self.level_begin):
            object.__setattr__(self, "level_begin", np.zeros(count + 1))
        for name, dtype in LEVEL_ARRAYS.items():
            object.__setattr__(self, name, read_only(getattr(self, name), dtype))

    def __len__(self) -> int:
        return len(self.node)

    def of(self, node: int) -> range:
        """The places of the surrogates of one node, best first."""
        begin, end = np.searchsorted(self.node, [node, node + 1])
        return range(int(begin), int(end))

    def test(self, place: int) -> SplitTest:
        """The test of the surrogate at one place."""
        listed = slice(self.level_begin[place], self.level_begin[place + 1])
        bits = int(self.integer_threshold[place]) if self.integer_exact[place] else None
        return SplitTest(
            int(self.feature[place]),
            exact_number(float(self.threshold[place]), bits),
            bool(self.strict[place]),
            bool(self.reversed[place]),
            levels_by_child(self.level_code[listed], self.level_child[listed], 2),
        )

    def renumbered(self, number: NDArray[np.int64], stays: NDArray[np.bool_]) -> Surrogates | None:
        """The surrogates of the nodes that stay, under the new numbers of these."""
        keep = stays[self.node]
        if not keep.any():
            return None
        entries = {name: getattr(self, name)[keep] for name in ENTRY_ARRAYS}
        begin, listed = select(self.level_begin, keep, keep)
        return Surrogates(
            **entries | {"node": number[entries["node"]]},
            level_begin=begin,
            level_code=self.level_code[listed],
            level_child=self.level_child[listed],
        )
