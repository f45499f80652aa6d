"""The simplest tree with models whose cross-validated loss is nearly the least."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ..alpha_rule import standard_errors
from .ridge import pruned

STEPS = 40  # of halving the interval of the charge


class NodeLosses(NamedTuple):
    """The loss of every node on held-out rows, and what each split costs beside it."""

    tree: Tree
    risk: Floats
    charge: float

    def of(self, cut: Mask) -> float:
        """The loss of the tree in which these nodes become leaves."""
        leaves = np.unique(predicting(self.tree, cut)[self.tree.is_leaf])
        return float(self.risk[leaves].sum()) + self.charge * (len(leaves) - 1)

    def simplest(self, cut: Mask, slack: float) -> Mask:
        """The nodes that become leaves in the smallest tree that loses at most `slack` more than `cut`.

        Trees of a rising charge per split are compared: each is a part of the one before.
        """
        most, low, high = self.of(cut) + slack, self.charge, float(self.risk[0]) + self.charge
        root = np.arange(self.tree.node_count) == 0
        if self.of(root) <= most:
            return np.asarray(root & ~self.tree.is_leaf)
        for _ in range(STEPS):
            middle = (low + high) / 2
            other = pruned(self.tree, self.risk, middle)[0]
            low, high, cut = (middle, high, other) if self.of(other) <= most else (low, middle, cut)
        return cut


def allowed_errors(params: dict[str, Any]) -> float:
    """How many standard errors above the least loss `ccp_alpha` allows."""
    rule = params["ccp_alpha"]
    return standard_errors(rule) if isinstance(rule, str) else 0.0


def error_of_sum(weight: Floats, losses: Floats) -> float:
    """The standard error of the sum of the rows' losses."""
    mean = np.average(losses, weights=weight)
    return float(np.sqrt(((weight * (losses - mean)) ** 2).sum()))


def predicting(tree: Tree, cut: Mask) -> Ints:
    """For every node the one that predicts its rows where these become leaves: itself, or one above it."""
    found = np.arange(tree.node_count)
    for node in range(1, tree.node_count):  # parents come before their children
        above = found[tree.parent[node]]
        if above != tree.parent[node] or cut[above]:
            found[node] = above
    return found
