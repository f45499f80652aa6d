"""Rows for the methods that need some: a table with its target, coded as one tree has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ...data.classes import codes_of
from ...data.columns import as_columns
from ...data.common.array_types import Array, Floats, Ints
from ...data.common.random_state import random_state_of
from ...data.priors import cost_weights
from ...data.target import check_weights
from ...tree.tree import Tree


@dataclass(frozen=True)
class Rows:
    """A table, its target and its weights. `rows_for` makes one."""

    X: Any
    y: Array  # (rows, outputs): numbers, or the places of the labels among the tree's classes
    weight: Floats
    types: Any = None  # as `column_types` of the tree
    criterion: str | None = None  # what the impurity of nodes is, where they are counted anew
    factor: Floats | None = None  # per row: what costs multiply its weight with while growing
    empty: str = (
        "shares"  # a leaf without rows predicts as its parent, its class, nothing, or as before ("kept")
    )
    branches: Callable[[], Any] | None = None  # makes the `Branches` that are grown from some of them
    divisor: Floats | None = None  # per row: what divides its weight before branches are grown
    growth_costs: Floats | None = None  # with which it was grown; those of a decision are `tree.costs`
    n_threads: int = 1

    def __len__(self) -> int:
        return len(self.y)

    def criterion_for(self, tree: Tree) -> str:
        """The criterion, by default that of an estimator."""
        return self.criterion or ("squared_error" if tree.classes is None else "gini")

    @cached_property
    def growth_factor(self) -> Floats:
        """What each row's weight is multiplied with where shares are measured."""
        if self.divisor is not None:
            return 1.0 / self.divisor
        return np.ones(len(self)) if self.factor is None else self.factor

    @cached_property
    def columns(self) -> _core.Columns:
        """All rows as the core reads them."""
        return as_columns(self.X, self.types)


def rows_for(tree: Tree, X: Any, y: Any, sample_weight: Any = None, criterion: str | None = None) -> Rows:
    """Rows to prune a tree with; y holds labels that the tree knows, or numbers.

    Weights are those that count: times the weights of the classes, if the tree was grown with such.
    """
    target = np.asarray(y)
    target = target.reshape(len(target), -1)
    if target.shape[1] != tree.n_outputs:
        raise ValueError(f"y must have {tree.n_outputs} columns, one per output. Got {target.shape[1]}.")
    shape = getattr(X, "shape", None)
    n_rows = len(X) if shape is None else shape[0]
    if len(target) != n_rows:
        raise ValueError(f"y must have one entry per row of X. Got {len(target)} entries for {n_rows} rows.")
    weight = check_weights(sample_weight, n_rows)
    coded = target.astype(np.float64) if tree.classes is None else _codes(tree, target)
    weight = np.ones(n_rows) if weight is None else weight
    factor = None if tree.costs is None else cost_weights(tree.costs, coded[:, 0], weight)[coded[:, 0]]
    return Rows(X, coded, weight, tree.column_types, criterion, factor, growth_costs=tree.costs)


def _codes(tree: Tree, labels: Array) -> Ints:
    """The place of every label among the classes of its output."""
    classes = tree.classes if isinstance(tree.classes, tuple) else (tree.classes,)
    return np.stack([codes_of(labels[:, k], np.asarray(known)) for k, known in enumerate(classes)], axis=1)


class Parts(NamedTuple):
    """Which rows a tree is grown on and which it is pruned with, in ascending order; none is in both."""

    grow: Ints
    prune: Ints


def held_out(y: Any, fraction: float = 1 / 3, random_state: Any = 0, *, by_class: bool = True) -> Parts:
    """Put a fraction of the rows aside to prune with; with `by_class`, of every class its share."""
    labels = np.asarray(y).reshape(len(y), -1)
    n_rows = len(labels)
    if n_rows < 2:
        raise ValueError(f"To hold rows out, there must be at least two. Got {n_rows}.")
    if not 0 < fraction < 1:
        raise ValueError(f"fraction must be above 0 and below 1. Got {fraction!r}.")
    shuffled = random_state_of(random_state).permutation(n_rows)
    if by_class:
        codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in labels.T])
        together = np.lexsort((*codes[shuffled].T,))  # stable, so each class stays shuffled
        shuffled = shuffled[together]
    share = min(max(fraction, 1 / n_rows), 1 - 1 / n_rows)  # no side may be empty
    # Each row adds its share of a held-out row; whoever completes one is held out.
    whole = np.floor(np.arange(1, n_rows + 1) * share + 0.5)
    chosen = shuffled[np.diff(whole, prepend=0.0) > 0]
    return Parts(np.setdiff1d(np.arange(n_rows), chosen), np.sort(chosen))
