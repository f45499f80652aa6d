"""Cross-validation of a table in parts: rows are counted by leaf and class, part by part, and never kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...data.parts import TableDescription
from ...tree.tree import Tree
from ...tree.walks import sum_below
from ..cross_validation.choose import Chosen, choose_among, measure_of
from ..cross_validation.loss_sums import EvaluationRows, Passing
from ..cross_validation.pruning_curve import FoldTrees
from .folds import Division, RowFolds
from .grow import Engine
from .leaf_counts import LeafCounts
from .weights import ByClass

NO_ROWS: Any = ()


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


class CountingEngine(Engine, Protocol):
    """An engine that can leave out the rows of a fold, and count the rows at the nodes of trees."""

    def start(self, fold: int | None, folds: RowFolds) -> None:
        """Put all rows into the root, without those that a fold leaves out."""

    def count_leaves(
        self, trees: Sequence[Tree], folds: RowFolds, ends: tuple[float, float]
    ) -> list[LeafCounts]:
        """As `Share.count_leaves`, over all parts."""


def cross_validate(
    engine: CountingEngine, grow: Callable[[], Tree], description: TableDescription, params: dict[str, Any]
) -> Chosen:
    """Choose alpha and the strength of smoothing. `grow` grows the tree of the rows that the engine has."""
    folds = Division(description, int(params["cv"])).folds
    trees = []
    for fold in (None, *range(folds.n)):
        engine.start(fold, folds)
        trees.append(grow())
    counts = engine.count_leaves(trees, folds, (description.low, description.high))
    by_class = ByClass.of(description, params)
    known: Any = None
    classes = description.classes
    fold_trees = CountedFoldTrees(known, (), trees, [], None, counts, classes, by_class.product)
    loss = measure_of(params, None, classes is not None, by_class.costs)
    return choose_among(fold_trees, trees[0], params, loss, classes is not None)
