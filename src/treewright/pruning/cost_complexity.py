"""Minimal cost-complexity pruning (Breiman et al. 1984, chapter 3).

The risk of a node is its share of the weight times its impurity. A branch of risk R(T) under a node of risk
R(t) is worth its leaves while alpha < (R(t) - R(T)) / (leaves - 1). The weakest branch is cut first,
equal ones together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..tree import Tree

Floats = NDArray[np.float64]


class Path(NamedTuple):
    """The alphas at which the tree shrinks, from 0 up, and the risk of what is left at each."""

    ccp_alphas: Floats
    impurities: Floats


def prune(tree: Tree, ccp_alpha: float) -> Tree:
    """Cut every branch whose alpha is at most `ccp_alpha`; 0 leaves the tree alone."""
    if ccp_alpha == 0 or tree.node_count == 1:
        return tree
    _, stops = _weakest_link(tree, _risk(tree))
    return tree.collapse(stops <= ccp_alpha)


def pruning_path(tree: Tree) -> Path:
    """Every alpha at which the tree changes, and the risk of the tree from there on.

    A node is a leaf of the pruned tree from its own alpha (0 for a leaf) until the first of its ancestors is
    cut. So each risk enters the sum once and leaves it once.
    """
    risk = _risk(tree)
    alphas, stops = _weakest_link(tree, risk)
    enters = np.where(tree.is_leaf, 0.0, stops)
    leaves = np.full(tree.node_count, np.inf)
    leaves[1:] = tree.over_ancestors(np.minimum, stops)[tree.parent[1:]]
    once = enters < leaves
    change = np.zeros(len(alphas) + 1)
    np.add.at(change, np.searchsorted(alphas, enters[once]), risk[once])
    np.add.at(change, np.searchsorted(alphas, leaves[once]), -risk[once])
    impurities = np.maximum.accumulate(np.cumsum(change[:-1]))
    if len(alphas) > 1:
        impurities[-1] = risk[0]
    return Path(alphas, np.minimum(impurities, risk[0]))


def _risk(tree: Tree) -> Floats:
    """What each node would add to the risk of the tree if it were a leaf."""
    root = tree.weighted_n_node_samples[0]
    return np.asarray(tree.weighted_n_node_samples * tree.impurity / (root if root > 0 else 1.0))


def _weakest_link(tree: Tree, risk: Floats) -> tuple[Floats, Floats]:
    alphas, stops = _core.weakest_link(tree.first_child, tree.n_children, risk)
    return np.maximum(alphas, 0.0), np.maximum(stops, 0.0)
