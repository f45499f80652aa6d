"""One column at one node, searched alone: a tree of one test on the rows of the node, as in the fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.schema import NOTHING
from ...data.typed import as_at_fit
from ...data.values import Column
from ...learn.fitted_tree import as_model
from ...tree.condition_text import MOST_LEVELS
from ...tree.tree_text import TreeText, tree_text
from ..described_model import without_old_names
from ..path import split_text
from .stored import NextBestSplit, NodeSplits
from .training_rows import fit_weights, training_rows

if TYPE_CHECKING:
    from ...data.values import Read
    from ...learn.leaf_models.column_splits import ColumnSplits
    from ...tree.tree import Tree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ONE_TEST = {
    "max_depth": 1,
    "max_leaf_nodes": None,
    "max_features": None,
    "splitter": "best",
    "min_impurity_decrease": 0.0,
    "growth": None,
    "oblique": None,
}


@dataclass(frozen=True)
class SplitSearch:
    """A table and its target, and which rows are in each node with which share of them."""

    words: TreeText
    columns: list[Column]
    target: Any  # of the whole table: counts and shares of rows are those of the fit
    weights: Floats  # in the fit
    params: dict[str, Any]
    begin: Ints  # node i has the entries begin[i]:begin[i + 1] of the next two
    row: Ints
    share: Floats
    linear: ColumnSplits | None = None  # of a tree with linear leaves
    signs: tuple[int, ...] = ()  # of the columns under monotonic_cst

    def params_of(self, j: int | None) -> dict[str, Any]:
        """The parameters of a tree of this column, or of columns without a constraint."""
        constraint = [self.signs[j]] if self.signs and j is not None and self.signs[j] else None
        return self.params | {"monotonic_cst": constraint}

    def bounds_at(self, node: int) -> tuple[float, float] | None:
        """What constraints leave to the values below a node."""
        tree = self.words.tree
        return (float(tree.lower[node]), float(tree.upper[node])) if self.signs else None

    def splits(self, node: int, k: int | None) -> NodeSplits:
        """The split of a node, and the k best of the other columns."""
        chosen, words = int(self.words.tree.feature[node]), self.words
        others = (j for j in range(len(self.columns)) if j != chosen)
        found = [split for j in others if (split := self.best(node, j)) is not None]
        best = sorted(found, key=lambda split: -split.gain)[:k]  # equals stay in the order of the columns
        gain = float(words.tree.gain[node])
        return NodeSplits(node, words.feature(node), _text(words, node), gain, tuple(best))

    def best(self, node: int, j: int) -> NextBestSplit | None:
        """The best split of one column at a node; None if there is none."""
        stump = self.stump(node, j)
        if stump is None:
            return None
        words = self.of_one_column(stump, j)
        return NextBestSplit(node, self.words.features[j], _text(words, 0), float(stump.gain[0]))

    def rows_at(self, node: int) -> tuple[Ints, Floats]:
        """The rows of a node, ascending, and the share of each that is there."""
        here = slice(self.begin[node], self.begin[node + 1])
        return self.row[here], self.share[here]

    def stump(self, node: int, j: int) -> Tree | None:
        """The best split of one column at a node as a tree of one test; None if there is none."""
        from ...data.columns import from_columns
        from ...learn.grow import grow_folds

        rows, share = self.rows_at(node)
        one = self.columns[j].take(rows)
        if self.linear is not None:
            return self.linear.stump(node, rows, j, from_columns([one], len(rows)), one.type)
        target = replace(self.target, core=self.target_of(rows, self.weights[rows] * share))
        data = from_columns([one], len(rows))
        params, names = self.params_of(j), [self.words.features[j]]
        found = grow_folds(data, target, params, names, (one.type,), bounds=self.bounds_at(node))[0]
        return None if found.is_leaf[0] else found

    def of_one_column(self, stump: Tree, j: int) -> TreeText:
        """A tree of one column in the words of the model: with its unit, and 0 and 1 as such."""
        units = {0: self.words.units[j]} if j in self.words.units else {}
        zero_one = frozenset({0} if j in self.words.zero_one else ())
        return replace(tree_text(stump, [self.words.features[j]]), units=units, zero_one=zero_one)

    def target_of(self, rows: Ints, weights: Floats) -> Any:
        """The target of some rows, with other weights."""
        from ... import _core

        y = np.ascontiguousarray(self.target.y[rows])
        if self.target.classes:
            return _core.Target.classes(y, list(self.target.n_classes), weights)
        return _core.Target.numbers(y, weights)


def _text(words: TreeText, node: int) -> str:
    return split_text(words, node, MOST_LEVELS)


def split_search(
    model: Any, X: Any, y: Any, sample_weight: Any, words: TreeText | None = None
) -> SplitSearch:
    """Read the training rows of a model, and check that they are those."""
    from ...learn.problem import read_problem

    fitted = as_model(model)
    tree, table = model.tree_, fitted.read(X)
    problem = read_problem(without_old_names(model), fitted.select(X), y, sample_weight).unpruned
    weights = fit_weights(model, problem)
    begin, row, share = training_rows(model, problem, table.core, weights)
    params = model.get_params(deep=False) | ONE_TEST
    params["growth_rules"] = {**(params["growth_rules"] or {}), "column_costs": None}  # of one column
    columns = [with_levels(*pair) for pair in zip(table.given, table.columns, strict=True)]
    words = fitted.words() if words is None else words
    linear = None
    if tree.leaf_models is not None:
        from ...learn.leaf_models.column_splits import ColumnSplits

        linear = ColumnSplits.of(problem, tree, getattr(model, "leaf_alpha_", None))
    given = problem.params["monotonic_cst"]
    signs = () if given is None or not any(given) else tuple(int(sign) for sign in given)
    return SplitSearch(words, columns, problem.target, weights, params, begin, row, share, linear, signs)


def with_levels(given: Read, column: Column) -> Column:
    """A column as in the fit: of columns that the tree does not use, a model file has no levels."""
    if column.type != NOTHING or given.is_empty():
        return column
    return as_at_fit(given, True if isinstance(given, Column) else None)
