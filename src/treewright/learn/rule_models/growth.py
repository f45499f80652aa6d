"""The model tree of Cubist, as the core grows it: which branches stay, and what its leaves predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from ..pruning.cost_complexity import steps
from .data import Data, Linear

WORTH = 0.995  # of the error of a smaller tree: a larger one must err less


@dataclass(frozen=True)
class Cut:
    """x <= threshold, or a set of levels."""

    column: int
    threshold: float = np.nan
    levels: frozenset[int] | None = None

    def holds(self, x: Floats) -> Mask:
        """For which values."""
        if self.levels is None:
            return np.asarray(x <= self.threshold)
        return np.isin(x, sorted(self.levels))


class ModelTree:
    """The grown tree. Every node has rows, a linear model and the sum of its absolute errors."""

    def __init__(self, data: Data, n_threads: int = 1) -> None:
        self.data = data
        self.grown: dict[str, Any] = _core.grow_cubist(
            np.ascontiguousarray(data.X), data.y, data.weight, data.n_levels.astype(np.int32), n_threads
        )
        first = self.grown["first_child"]
        self.inner = np.flatnonzero(first >= 0)
        self.parent = np.full(len(first), -1)
        for side in (0, 1):
            self.parent[first[self.inner] + side] = self.inner

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
        left = self.grown["level_code"][of][self.grown["level_child"][of] == 0]
        return Cut(column, levels=frozenset(left.tolist()))

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
        """The leaves of the pruned tree, from left to right; at most so many.

        The branch that lowers the error least per parameter is cut first. Of the trees that arise, a smaller
        one is taken if its error * (n + v) / (n - v) is at most 0.5 % above that of the larger one; v counts
        the parameters of all leaves, and some for each test.
        """
        grown, n = self.grown, float(self.data.weight.sum())
        size = np.diff(grown["term_begin"]) + 1.0
        error, test_size = grown["error"], grown["test_size"]
        n_children = self._without_worse(error)
        alphas, stops = _core.weakest_link(grown["first_child"], n_children, error, size, test_size)
        leaf_from = np.where(n_children == 0, 0.0, stops)
        gone = np.full(len(stops), np.inf)  # from where on a node above is a leaf
        for top in self.inner:
            first = grown["first_child"][top]
            gone[first : first + 2] = min(gone[top], leaf_from[top])
        leafy, inner = leaf_from < gone, self.inner
        of = leaf_from[leafy], gone[leafy]
        v = steps(alphas, *of, size[leafy])
        v += steps(alphas, np.zeros(len(inner)), np.minimum(leaf_from, gone)[inner], test_size[inner])
        with np.errstate(divide="ignore", invalid="ignore"):
            adjusted = np.where(v < n, steps(alphas, *of, error[leafy]) * (n + v) / (n - v), np.inf)
        best = 0
        for place in range(1, len(alphas)):
            if WORTH * adjusted[place] <= adjusted[best]:
                best = place
        found = set(np.flatnonzero((leaf_from <= alphas[best]) & (alphas[best] < gone)).tolist())
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

    def _without_worse(self, error: Floats) -> NDArray[np.int32]:
        """How many children a node has, once branches are cut that err as much as their top."""
        found, least = self.grown["n_children"].copy(), error.copy()
        for top in self.inner[::-1]:
            first = self.grown["first_child"][top]
            below = least[first] + least[first + 1]
            if below < error[top]:
                least[top] = below
            else:
                found[top] = 0
        return np.asarray(found, dtype=np.int32)

    def smoothed(self, leaf: int) -> Linear:
        """The model of a leaf, mixed with those above it in the shares that make the least variance."""
        data, rows, found = self.data, self.rows(leaf), self.model(leaf)
        y = data.y[rows]
        for node in self.above(leaf):
            model = self.model(node)
            own = y - data.predict(rows, found)
            other = y - np.clip(data.predict(rows, model), *data.bounds(self.rows(node)))
            apart = other - own
            apart = apart - data.mean(apart, rows)
            least = data.mean(apart**2, rows)
            if least > 1e-12 * data.y_spread**2:
                share = data.mean(apart * (other - data.mean(other, rows)), rows) / least
                found = found.mixed(model, share) if 0 <= share <= 1 else found
        return found
