"""The rows of a problem as pruning sees them while it is fitted; branches can be grown again from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...tree.tree import Tree
from ..folds import take
from ..grow import as_tree, settings
from ..growth_rules import empty_leaves
from .rows import Rows


def rows_of_problem(problem: Any, X: Any, only: Ints | None = None, weights: Floats | None = None) -> Rows:
    """All rows of a problem, or `only` some of them, with the weights, costs and rules that it grows with.

    `weights` are those of all rows, if they are not to be the problem's own.
    """
    target, params = problem.target, problem.params
    some = slice(None) if only is None else only
    y, given = target.y[some], problem.weights if weights is None else weights
    return Rows(
        X if only is None else take(X, only),
        y,
        np.ones(len(y)) if given is None else given[some],
        problem.types,
        params["criterion"],
        None if target.growth_weight is None else target.growth_weight[y[:, 0]],
        empty_leaves(params),
        growth_costs=None if target.growth_weight is None else target.costs,
        branches=lambda: ProblemBranches(problem, only),
        n_threads=problem.n_threads,
    )


class ProblemBranches:
    """Branches that are grown from rows of a problem, or of `only` some of them.

    Thresholds that are recorded values are values of all these rows, not only of the rows of a branch.
    """

    def __init__(self, problem: Any, only: Ints | None = None) -> None:
        recorded = problem.params["thresholds"] == "recorded"
        self.problem, target = problem, problem.target
        params = problem.params | ({"thresholds": "midpoint"} if recorded else {})
        growth = settings(params, target, problem.columns.n_columns)
        weights = [] if target.growth_weight is None else target.growth_weight.tolist()
        rows = [] if only is None else only.tolist()
        self.core = _core.BranchGrower(problem.columns, target.core, growth, weights, rows, recorded)

    @property
    def sizes(self) -> Ints:
        """The nodes of every tree that was grown."""
        return self.core.sizes()

    def tree(self, number: int) -> Tree:
        """One of the trees that were grown."""
        problem = self.problem
        names = None if problem.names is None else tuple(map(str, problem.names))
        return as_tree(self.core.grown(number), problem.columns, problem.target, names, problem.types)
