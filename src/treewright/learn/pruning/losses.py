"""The loss of rows at every node on their path: the loss of a tree on data that it has not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree
from ...tree.walks import climb, sum_below
from ..losses import check_loss, model_losses, node_losses
from .rows import Rows
from .tallies import arrivals


class Losses(NamedTuple):
    """Per node: the loss of all rows that pass it, as if it were a leaf; of those that end there; weights."""

    leaf: Floats
    ended: Floats
    weight: Floats

    def branch(self, tree: Tree) -> Floats:
        """The loss of the branch below every node as it stands."""
        return sum_below(tree, self.ended)


def losses(tree: Tree, rows: Rows, loss: str | None = None) -> Losses:
    """The loss of rows at every node: each counts at all nodes on its path, with its share of weight."""
    known = check_loss(loss, tree.classes is not None, tree.costs, rows.criterion)
    by_model = None if tree.leaf_models is None else model_losses(tree, known, rows.columns)
    by_node = node_losses(tree, known)
    at = arrivals(tree, rows.columns, rows.weight, n_threads=rows.n_threads)
    leaf, ended = np.zeros(tree.node_count), np.zeros(tree.node_count)
    for step, (going, node) in enumerate(climb(tree.parent, at.node)):
        row = at.row[going]
        lost = by_node(node, rows.y[row]) if by_model is None else by_model(row, node, rows.y[row])
        found = np.bincount(node, at.weight[going] * lost, tree.node_count)
        leaf += found
        ended += found if step == 0 else 0.0
    weight = np.bincount(at.node, weights=at.weight, minlength=tree.node_count)
    return Losses(leaf, ended, sum_below(tree, weight))
