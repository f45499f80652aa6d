"""The rows of a problem as pruning sees them while it is fitted; branches can be grown again from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints
from ...tree.tree import Tree
from ..folds import take
from ..growth_rules import empty_leaves
from .rows import Rows


def rows_of_problem(problem: Any, X: Any, only: Ints | None = None, weights: Floats | None = None) -> Rows:
    """All rows of a problem, or `only` some of them, with the weights, costs and rules that it grows with.

    `weights` are those of all rows, if they are not to be the problem's own.
    """
    target, params = problem.target, problem.params
    some = slice(None) if only is None else only
    y, given = target.y[some], problem.weights if weights is None else weights
    rows = Rows(
        X if only is None else take(X, only),
        y,
        np.ones(len(y)) if given is None else given[some],
        problem.types,
        params["criterion"],
        None if target.growth_weight is None else target.growth_weight[y[:, 0]],
        empty_leaves(params),
        growth_costs=None if target.growth_weight is None else target.costs,
    )
    grow = regrowing(problem, rows)
    return replace(rows, grow=grow if only is None else lambda row, weight: grow(only[row], weight))


def regrowing(problem: Any, rows: Rows) -> Callable[[Ints, Floats], Tree]:
    """How branches are grown again: recorded thresholds are values of the whole table, not of their rows."""
    if problem.params["thresholds"] != "recorded":
        grown: Callable[[Ints, Floats], Tree] = problem.grow_on
        return grown
    between = problem.changed(thresholds="midpoint")
    values: dict[int, Floats] = {}

    def grow(row: Ints, weight: Floats) -> Tree:
        return _recorded(between.grow_on(row, weight), rows, values)

    return grow


def _recorded(tree: Tree, rows: Rows, values: dict[int, Floats]) -> Tree:
    """The tree whose thresholds are the greatest values of the table that are not above them."""
    has_threshold = (
        ~tree.is_leaf & ~tree.is_nominal & (tree.integer_exact == 0 if len(tree.integer_exact) else True)
    )
    threshold = tree.threshold.copy()
    for feature in np.unique(tree.feature[has_threshold]).tolist():
        if feature not in values:
            values[feature] = rows.numbers(feature)
        here = np.flatnonzero(has_threshold & (tree.feature == feature) & np.isfinite(tree.threshold))
        place = np.searchsorted(values[feature], threshold[here], side="right")
        threshold[here[place > 0]] = values[feature][place[place > 0] - 1]
    return replace(tree, threshold=threshold)
