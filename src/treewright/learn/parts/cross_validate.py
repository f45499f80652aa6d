"""Cross-validation of a table in parts: rows are counted by leaf and class, part by part, and never kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...data.parts import TableDescription
from ...tree.tree import Tree
from ...tree.walks import class_weights, sum_below
from ..cross_validation.choose import Chosen, choose_among, measure_of
from ..cross_validation.loss_sums import EvaluationRows, Passing
from ..cross_validation.pruning_curve import FoldTrees
from .coded import CodedPart
from .folds import folds_of_rows
from .weights import class_factors

NO_ROWS: Any = ()


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


@dataclass(frozen=True)
class EvaluationCounts(EvaluationRows):
    """Rows that a tree is evaluated on, of which only counts are known."""

    counts: Any = None

    @property
    def totals(self) -> tuple[float, float]:
        """The sum of the weights, and of their squares."""
        return self.counts.w, self.counts.ww

    @property
    def in_one_leaf(self) -> bool:
        """Whether every row reaches one leaf: always, in parts."""
        return True

    @cached_property
    def by_class(self) -> Passing:
        """The weights of the classes in every node."""
        ended = self.counts.ended
        return Passing(np.array([sum_below(self.tree, part) for part in ended]), ended)

    @cached_property
    def powers(self) -> tuple[Passing, float, float]:
        """Sums of powers of y, moved and scaled; and both numbers."""
        return self.by_class, self.counts.middle, self.counts.scale

    @cached_property
    def stops_inside(self) -> bool:
        """Whether rows stop at inner nodes."""
        return bool(self.counts.ended[0][~self.tree.is_leaf].any())


@dataclass(frozen=True)
class CountedFoldTrees(FoldTrees):
    """A tree of all rows and those of the folds, with the counts of the rows that each is evaluated on."""

    counts: list[LeafCounts] = field(default_factory=list)
    labels: Any = None
    factors: Any = None

    def rows(self) -> list[Ints]:
        """No rows: they are counted."""
        return [np.empty(0, np.int64)] * len(self.trees)

    @property
    def classes(self) -> Array:
        """The labels."""
        return np.asarray(self.labels)

    @property
    def class_factors(self) -> Floats:
        """What the weights of rows of each class were multiplied with."""
        return np.ones(len(self.labels)) if self.factors is None else np.asarray(self.factors)

    @cached_property
    def times(self) -> float:
        """How often a row is held out."""
        return 1.0

    @cached_property
    def evaluation_rows(self) -> list[EvaluationRows]:
        """What is known of the rows of each tree."""
        pairs = zip(self.trees, self.counts, strict=True)
        return [EvaluationCounts(tree, NO_ROWS, np.empty(0), np.empty(0), counts) for tree, counts in pairs]


def cross_validate(
    grow: Callable[[int | None], Tree],
    parts: Sequence[CodedPart],
    description: TableDescription,
    params: dict[str, Any],
    release: Callable[[int], None],
) -> Chosen:
    """Choose alpha and the strength of smoothing.

    `grow(fold)` is the tree without the rows of a fold; None is that of all rows. `release(number)` is called
    when a part was read.
    """
    n_folds = int(params["cv"])
    trees = [grow(None), *(grow(fold) for fold in range(n_folds))]
    counts = [LeafCounts(tree, description.low, description.high) for tree in trees]
    first = 0
    for number, part in enumerate(parts):
        fold = folds_of_rows(first, part.n_rows, n_folds)
        first += part.n_rows
        columns, y = part.columns(), part.y[:, 0]
        w = np.ones(part.n_rows) if part.weights is None else part.weights
        for k, found in enumerate(counts):
            node, held_out = found.tree.apply(columns), slice(None) if k == 0 else fold == k - 1
            found.add(node[held_out], y[held_out], w[held_out])
        release(number)
    factors = class_factors(description, params.get("class_weight"))
    known: Any = None
    classes = description.classes
    fold_trees = CountedFoldTrees(known, (), trees, [], None, counts, classes, factors)
    loss = measure_of(params, None, classes is not None, None)
    return choose_among(fold_trees, trees[0], params, loss, classes is not None)
