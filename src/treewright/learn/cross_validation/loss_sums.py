"""Sums over the rows that a tree is evaluated on: their loss at each place of the grid of alphas.

Where every row reaches one leaf and its loss is that of a class or of a squared distance, rows are counted
once per node, and each node adds what its rows lose while it is a leaf. Otherwise every row climbs its path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Floats
from ...tree.tree import LeavesReached, Tree
from ...tree.walks import class_weights, sum_below, sum_children
from ..losses import class_table
from .row_losses import Spans, steps

_BY_CLASS = ("error", "log_loss", "brier", "cost")
NONE_REACHED = LeavesReached(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


class Sums(NamedTuple):
    """Over rows of weight w and loss e: what mean and standard error are made of; three of them per alpha."""

    we: Floats
    wwe: Floats
    wwee: Floats
    w: Any
    ww: Any

    def mean(self) -> Floats:
        """The mean loss at each alpha; NaN where nothing weighs anything."""
        return np.asarray(self.we / self.w if self.w > 0 else np.full(len(self.we), np.nan))

    def standard_error(self) -> Floats:
        """The root of the sum of (w (e - mean))**2, over the sum of w."""
        mean = self.mean()
        squares = self.wwee - 2 * mean * self.wwe + mean**2 * self.ww
        return np.asarray(np.sqrt(np.maximum(squares, 0)) / self.w)


class Passing(NamedTuple):
    """What passes every node, and what stops there: (2, nodes, parts), by weight and by squared weight."""

    passes: Floats
    stops: Floats


@dataclass(frozen=True)
class EvaluationRows:
    """The rows that a tree is evaluated on: the leaves they reach, their truth and their weights."""

    tree: Tree
    reached: LeavesReached
    y: Array  # (rows, outputs)
    weight: Floats

    def sums(self, tree: Tree, spans: Spans, loss: str, size: int) -> Sums:
        """The sums at `size` places. `tree` is the one they were sent down, maybe with other predictions."""
        simple = self.in_one_leaf
        if simple and loss in _BY_CLASS:
            found = _over(spans, self.tree, self._by_class(tree, loss), size)
        elif simple and loss == "squared":
            found = _over(spans, self.tree, self._squared(tree), size)
        else:
            found = self._by_row(tree, spans, loss, size)
        return Sums(found[0], found[1], found[2], *self.totals)

    @property
    def totals(self) -> tuple[float, float]:
        """The sum of the weights, and of their squares."""
        return self.weight.sum(), (self.weight**2).sum()

    @property
    def in_one_leaf(self) -> bool:
        """Whether every row reaches one leaf, with one target."""
        return self.y.shape[1] == 1 and not self.tree.shares_rows

    # -- by node

    @cached_property
    def by_class(self) -> Passing:
        """The weights of the classes in every node."""
        tree, (row, node, share) = self.tree, self.reached
        ended = [class_weights(tree, node, self.y[row, 0], w) for w in _powers(self.weight[row] * share)]
        return _passing(tree, ended)

    @cached_property
    def powers(self) -> tuple[Passing, float, float]:
        """Sums of powers of y, moved and scaled to -1..1 so that no power overflows; and both numbers."""
        tree, y = self.tree, self.y[:, 0]
        middle = float(tree.value[0, 0, 0])
        spread = max(float(np.abs(part - middle).max(initial=0.0)) for part in (y, tree.value[:, 0, 0]))
        scale = max(spread, 1e-300)
        z = ((y - middle) / scale)[self.reached.row]
        ended = [
            np.stack([np.bincount(self.reached.node, w * z**k, tree.node_count) for k in range(5)], axis=1)
            for w in _powers(self.weight[self.reached.row])
        ]
        return _passing(tree, ended), middle, scale

    def _by_class(self, tree: Tree, loss: str) -> tuple[Floats, Floats]:
        e = class_table(loss, tree.prediction, tree.label, tree.costs)[:, 0]
        squared = e * e
        return self._both(
            lambda w, ww: np.stack([_along(w, e), _along(ww, e), _along(ww, squared)]), self.by_class
        )

    def _both(self, sums: Callable[[Floats, Floats], Floats], of: Passing) -> tuple[Floats, Floats]:
        """Sums of what passes, and of what stops: the latter only where rows stop at inner nodes."""
        passes = sums(*of.passes)
        return passes, sums(*of.stops) if self.stops_inside else np.zeros_like(passes)

    @cached_property
    def stops_inside(self) -> bool:
        """Whether rows stop at inner nodes."""
        return bool((~self.tree.is_leaf)[self.reached.node].any())

    def _squared(self, tree: Tree) -> tuple[Floats, Floats]:
        """The sum of (p - z)**2 and of its square, expanded in powers of z."""
        powers, middle, scale = self.powers
        p = (tree.prediction[:, 0, 0] - middle) / scale
        second = np.stack([p * p, -2 * p, np.ones_like(p)], axis=1)
        fourth = np.stack([p**4, -4 * p**3, 6 * p * p, -4 * p, np.ones_like(p)], axis=1)

        def sums(w: Floats, ww: Floats) -> Floats:
            parts = _along(w[:, :3], second), _along(ww[:, :3], second), _along(ww, fourth) * scale**2
            return np.maximum(np.stack(parts) * scale**2, 0.0)

        return self._both(sums, powers)

    # -- by row

    def _by_row(self, tree: Tree, spans: Spans, loss: str, size: int) -> Floats:
        """A row's loss is a step function: steps are added where they begin and taken off where they end."""
        change, w = np.zeros((3, size + 1)), self.weight
        for row, begin, end, e in steps(tree, self.reached, spans, self.y, loss):
            for place, part in enumerate((w[row] * e, w[row] ** 2 * e, w[row] ** 2 * e * e)):
                np.add.at(change[place], begin, part)
                np.subtract.at(change[place], end, part)
        return np.cumsum(change, axis=1)[:, :size]


@dataclass(frozen=True)
class CountedRows(EvaluationRows):
    """The training rows of a tree of classes, each of weight 1: their tree has counted them."""

    @classmethod
    def of(cls, tree: Tree) -> CountedRows:
        """What the tree knows."""
        return cls(tree, NONE_REACHED, np.empty((0, 1), np.int64), np.empty(0))

    @property
    def totals(self) -> tuple[float, float]:
        """The number of rows, twice."""
        n_rows = float(self.tree.n_node_samples[0])
        return n_rows, n_rows

    @cached_property
    def by_class(self) -> Passing:
        """How many rows of each class pass every node, and stop there."""
        tree = self.tree
        passes = np.rint(tree.value[:, 0] * tree.weighted_n_node_samples[:, None])
        stops = passes - sum_children(tree, passes)
        return Passing(np.array([passes, passes]), np.array([stops, stops]))

    @cached_property
    def stops_inside(self) -> bool:
        """Whether rows stop at inner nodes."""
        return bool(self.by_class.stops[0][~self.tree.is_leaf].any())


def _powers(weight: Floats) -> list[Floats]:
    """The weights and their squares; once where both are 1."""
    return [weight] if (weight == 1).all() else [weight, weight * weight]


def _passing(tree: Tree, ended: list[Array]) -> Passing:
    """Of what ends at every node, by weight and by squared weight, or by one that is both."""
    passes = [sum_below(tree, part) for part in ended]
    return Passing(np.array([passes[0], passes[-1]]), np.array([ended[0], ended[-1]]))


def _along(one: Floats, other: Floats) -> Floats:
    """The sum of products in every row; of few columns, for which `sum` is slow."""
    return np.asarray(np.einsum("nk,nk->n", one, other))


def _over(spans: Spans, tree: Tree, lost: tuple[Floats, Floats], size: int) -> Floats:
    """Add up what nodes lose while they are leaves: all rows that pass; before that, those that stop."""
    passes, stops = lost
    inner = ~tree.is_leaf
    change = np.zeros((3, size + 1))
    stretches = [(spans.begin, spans.end, passes)]
    if stops.any():
        until = np.where(inner, np.minimum(spans.begin, spans.end), 0)
        stretches.append((np.zeros_like(spans.begin), until, stops))
    for begin, end, parts in stretches:
        there = np.flatnonzero(begin < end)
        for k in range(3):
            part = parts[k][there]
            change[k] += np.bincount(begin[there], part, size + 1)
            change[k] -= np.bincount(end[there], part, size + 1)
    return np.cumsum(change, axis=1)[:, :size]
