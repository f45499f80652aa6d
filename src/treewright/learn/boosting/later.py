"""What the second and later trials of boosting are grown on, and how they differ from the first."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree
from ..classic_columns import on_rows
from ..problem import Problem
from ..pruning.global_pruning import EMPTY
from .trials import LEAVES

LATER = {"regrown": "unchanged", "filled": "empty"}  # options of pruning: raising and join


def later_problem(problem: Problem, weights: Floats, first: Any) -> Problem:
    """The problem of the second and later trials: other weights, and a tree of about the size of the first.

    Rows of weight 0 are left out. Raised branches are not grown anew, and only empty leaves are joined.
    """
    rules = dict(problem.params["growth_rules"] or {})
    n_leaves = leaves_of(first.tree_, problem.params["nominal_splits"] == "multiway")
    rules["leaves_per_weight"] = LEAVES * n_leaves / problem.target.n_rows
    options = dict(problem.params["pruning_options"] or {})
    options |= {name: LATER[options[name]] for name in ("raising", "join") if options.get(name) in LATER}
    if "within" in options:
        options["dropped"] = float((weights <= 0).sum())
    changed = problem.changed(growth_rules=rules, pruning_options=options or None)
    return on_rows(changed, np.flatnonzero(weights > 0), weights)


def leaves_of(tree: Tree, by_level: bool) -> int:
    """How many leaves with rows a tree has; `by_level`: a leaf of several levels counts for each."""
    weight = tree.weighted_n_node_samples
    mean = float(weight[0]) / max(int(tree.n_node_samples[0]), 1)  # of a row
    filled = tree.is_leaf & (weight > EMPTY * mean)
    if not by_level or not tree.is_nominal.any():
        return int(filled.sum())
    owner = np.repeat(np.arange(tree.node_count), np.diff(tree.level_begin))
    levels = np.bincount(tree.first_child[owner] + tree.level_child, minlength=tree.node_count)
    return int(np.maximum(levels, 1)[filled].sum())
