"""The best split of one column at one node of a tree with linear leaves, searched alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from ...data.common.errors import ParameterError
from ...tree.leaf_models import NUMBER
from ...tree.tree import Tree
from ..grow import as_tree, settings
from ..problem import Problem
from .fit import standard
from .lasso import lasso
from .options import LASSO, read_options
from .prepare import FEWEST_ROWS, Grown, Prepared, prepare
from .ridge import Penalty, shrunk, solve, squared_error, sums_of_nodes


@dataclass(frozen=True)
class ColumnSplits:
    """The rows of a fit, and the coefficients of all nodes of its tree."""

    problem: Problem
    prepared: Prepared
    penalty: Penalty
    unit: float  # what a squared error of the targets counts
    coefficients: Floats  # (nodes, design columns, targets)

    @classmethod
    def of(cls, problem: Problem, tree: Tree, alpha: float | None) -> ColumnSplits:
        """Fit the models of the nodes again, from the training rows."""
        options = read_options(problem.params["leaf_options"])
        if options.m5 is not None or options.columns != "all" or options.max_columns is not None:
            raise ParameterError(
                "next_best_splits needs leaf_options without columns, max_columns and m5: with them, which "
                "terms a leaf has depends on the split. Use explain.",
                "leaf_options",
            )
        y = np.asarray(problem.target.y, dtype=np.float64)
        mean, scale = standard(y, problem.weights)
        prepared, penalty, m = (
            prepare(problem, options, (y - mean) / scale),
            Penalty(alpha or 0.0),
            y.shape[1],
        )
        grown = Grown(tree, tree.apply(problem.columns, problem.n_threads))
        one_fold = np.zeros(len(y), dtype=np.int64)
        grams = sums_of_nodes(grown, prepared, one_fold, m, problem.n_threads).grams[:, 0]
        coefficients = (lasso if options.penalty == LASSO else shrunk)(grams, tree, penalty, m)
        return cls(problem, prepared, penalty, float(np.mean(scale**2)) / m, coefficients)

    def stump(self, node: int, rows: Ints, j: int, column: _core.Columns, kind: Any) -> Tree | None:
        """The best split of column j for the rows of a node, as a tree of one test; None if there is none."""
        problem, terms = self.problem, self.prepared.terms
        target, values = problem.target, np.ascontiguousarray(terms.values[rows])
        growth = settings(problem.params | {"max_depth": 1, "max_leaf_nodes": None}, target, 1)
        growth.min_weight_leaf = max(growth.min_weight_leaf, FEWEST_ROWS * self.prepared.row_weight)
        own = np.flatnonzero((terms.feature == j) & (terms.level == NUMBER))
        how = _core.LinearSettings()
        how.n_targets = values.shape[1] - 1 - len(terms)
        how.row_weight, how.user_unit = self.prepared.row_weight, self.unit
        place = np.array([own[0] + 1 if len(own) else 0], dtype=np.int32)
        weight = np.ascontiguousarray(self.prepared.weight[rows])
        found = as_tree(
            _core.grow_linear(column, values, weight, place, how, growth),
            column,
            replace(target, growth_weight=None),
            None,
            (kind,),
        )
        if found.is_leaf[0]:
            return None
        gain = self.gain(node, rows, found.apply(column) == 1)
        return replace(found, gain=np.array([gain, 0.0, 0.0]))

    def gain(self, node: int, rows: Ints, left: Mask) -> float:
        """By how much less the models of both sides lose than that of the node, as the tree counts it."""
        weight, values = self.prepared.weight[rows], self.prepared.terms.values[rows]
        grams = [(values[part].T * weight[part]) @ values[part] for part in (left, ~left)]
        above = self.coefficients[node]
        lost = float(squared_error(grams[0] + grams[1], above))
        lost -= sum(float(squared_error(gram, self._solved(gram, above))) for gram in grams)
        return max(lost, 0.0) * self.unit * self.prepared.row_weight

    def _solved(self, gram: Floats, above: Floats) -> Floats:
        size, m = above.shape
        if self.prepared.options.penalty == LASSO:
            return np.asarray(lasso(gram[None], None, self.penalty, m)[0])
        return solve(gram, above, self.penalty.ridge(size), np.ones(size, dtype=bool))
