"""Branches that are grown anew: their thresholds are values of the whole table, not only of their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...tree.tree import Tree
from .rows import Floats, Ints, Rows


def regrowing(problem: Any, rows: Rows) -> Callable[[Ints, Floats], Tree]:
    """How branches are grown anew while a problem is fitted on these rows."""
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
    asks = ~tree.is_leaf & ~tree.is_nominal & (tree.integer_exact == 0 if len(tree.integer_exact) else True)
    threshold = tree.threshold.copy()
    for feature in np.unique(tree.feature[asks]).tolist():
        if feature not in values:
            values[feature] = rows.numbers(feature)
        here = np.flatnonzero(asks & (tree.feature == feature) & np.isfinite(tree.threshold))
        place = np.searchsorted(values[feature], threshold[here], side="right")
        threshold[here[place > 0]] = values[feature][place[place > 0] - 1]
    return replace(tree, threshold=threshold)
