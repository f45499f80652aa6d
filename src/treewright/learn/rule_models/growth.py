"""The model tree of Cubist, as the core grows it, and what its leaves predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from .data import Data, Linear
from .pruning import pruned_leaves


@dataclass(frozen=True)
class Cut:
    """x <= threshold, or a set of levels.

    A level that no row of the node has is on neither side.
    """

    column: int
    threshold: float = np.nan
    levels: frozenset[int] | None = None
    other_levels: frozenset[int] | None = None

    def on(self, side: bool, x: Floats) -> Mask:
        """Which values are on a side: those for which it holds, or the others."""
        levels = self.levels if side else self.other_levels
        if levels is None:
            return np.asarray((x <= self.threshold) == side)
        return np.isin(x, sorted(levels))


class ModelTree:
    """The grown tree. Every node has rows and a linear model; as a leaf it would predict by `finals`."""

    def __init__(self, data: Data, n_threads: int = 1) -> None:
        self.data = data
        rows = np.ascontiguousarray(data.X), data.y, data.weight, data.n_levels.astype(np.int32)
        self.grown: dict[str, Any] = _core.grow_cubist(*rows, np.array(data.bounds), n_threads)
        first = self.grown["first_child"]
        self.inner = np.flatnonzero(first >= 0)
        self.parent = np.full(len(first), -1)
        for side in (0, 1):
            self.parent[first[self.inner] + side] = self.inner
        nodes = range(len(first))
        self.models = [self.model(node) for node in nodes]
        self.finals = [data.rounded(self.rows(node), self.smoothed(node)) for node in nodes]
        self.error = np.array([data.off(self.rows(node), self.finals[node]) for node in nodes])

    def rows(self, node: int) -> Ints:
        """The rows of a node."""
        grown = self.grown
        return np.asarray(grown["rows"][grown["row_begin"][node] : grown["row_end"][node]])

    def model(self, node: int) -> Linear:
        """The model of a node."""
        of = slice(*self.grown["term_begin"][node : node + 2])
        terms = zip(
            self.grown["term_column"][of].tolist(), self.grown["coefficient"][of].tolist(), strict=True
        )
        return Linear(float(self.grown["intercept"][node]), dict(terms))

    def cut(self, node: int) -> Cut:
        """The test of an inner node."""
        column = int(self.grown["feature"][node])
        if not self.data.n_levels[column]:
            return Cut(column, float(self.grown["threshold"][node]))
        of = slice(*self.grown["level_begin"][node : node + 2])
        left = frozenset(self.grown["level_code"][of][self.grown["level_child"][of] == 0].tolist())
        here = frozenset(self.data.X[self.rows(node), column].astype(int).tolist())
        return Cut(column, levels=left & here, other_levels=here - left)

    def above(self, node: int) -> Iterator[int]:
        """The nodes above a node, the nearest first."""
        while (node := int(self.parent[node])) >= 0:
            yield node

    def conditions(self, leaf: int) -> list[tuple[Cut, bool]]:
        """The tests above a node from the top, and whether they hold."""
        path = [leaf, *self.above(leaf)]
        sides = [(top, below == self.grown["first_child"][top]) for below, top in pairwise(path)]
        return list(dict.fromkeys((self.cut(top), bool(left)) for top, left in reversed(sides)))

    def leaves(self, most: int) -> list[int]:
        """The leaves of the pruned tree, from left to right; at most so many."""
        grown, error = self.grown, self.error
        found = pruned_leaves(grown, error, float(self.data.weight.sum()))
        while len(found) > most:  # the two leaves that help least become one
            tops = {int(self.parent[leaf]) for leaf in found} - {-1}
            pairs = {top: int(grown["first_child"][top]) for top in tops}
            ends = [
                (error[top] - error[k] - error[k + 1], top) for top, k in pairs.items() if {k, k + 1} <= found
            ]
            least = min(ends)[1]
            found -= {pairs[least], pairs[least] + 1}
            found.add(least)
        return sorted(found, key=lambda leaf: int(grown["row_begin"][leaf]))

    def smoothed(self, leaf: int) -> Linear:
        """The model of a leaf, mixed with those above it in the shares that make the least variance."""
        data, rows, found = self.data, self.rows(leaf), self.models[leaf]
        y = data.y[rows]
        for node in self.above(leaf):
            model = self.models[node]
            own, other = (y - np.clip(data.predict(rows, each), *data.bounds) for each in (found, model))
            apart = other - own
            apart = apart - data.mean(apart, rows)
            least = data.mean(apart**2, rows)
            if least > 1e-12 * data.y_spread**2:
                share = data.mean(apart * (other - data.mean(other, rows)), rows) / least
                found = found.mixed(model, share) if 0 <= share <= 1 else found
        return found
