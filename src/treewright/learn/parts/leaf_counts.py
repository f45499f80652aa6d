"""Rows that reached the nodes of a tree, of which only sums are kept: they add over parts."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...tree.tree import Tree
from ...tree.walks import class_weights


class LeafCounts:
    """Sums over rows at the nodes of a tree: the weights by class, or times powers of a target of numbers."""

    def __init__(self, tree: Tree, low: float, high: float) -> None:
        self.tree = tree
        self.middle = float(tree.value[0, 0, 0])
        values = tree.value[:, 0, 0]
        ends = (low, high, float(values.min()), float(values.max()))
        self.scale = max(*(abs(end - self.middle) for end in ends), 1e-300)
        self.ended: Any = 0.0  # (2, nodes, parts): by weight and by squared weight
        self.w = self.ww = 0.0

    def add(self, node: Ints, y: Array, w: Floats) -> None:
        """Add rows that end at these nodes."""
        self.w, self.ww = self.w + w.sum(), self.ww + (w * w).sum()
        self.ended = self.ended + np.array([self._sums(node, y, each) for each in (w, w * w)])

    def _sums(self, node: Ints, y: Array, w: Floats) -> Floats:
        if y.dtype.kind == "i":
            return class_weights(self.tree, node, y, w)
        z = (y - self.middle) / self.scale
        return np.stack([np.bincount(node, w * z**k, self.tree.node_count) for k in range(5)], axis=1)

    def __add__(self, other: LeafCounts) -> LeafCounts:
        both = copy(self)
        both.w, both.ww, both.ended = self.w + other.w, self.ww + other.ww, self.ended + other.ended
        return both


def sums_of(shares: Sequence[list[LeafCounts]]) -> list[LeafCounts]:
    """The counts of each tree, added over shares."""
    return [reduce(add, each) for each in zip(*shares, strict=True)]
