"""Which splits of a tree another tree has too: the same column, below the same splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tree.tree import Tree
from .cuts import Floats, Mask


def compared(tree: Tree, others: list[Tree]) -> tuple[Mask, Floats]:
    """For every other tree and node, whether it has the split of the node, and then its threshold."""
    same = np.zeros((len(others), tree.node_count), dtype=bool)
    cuts = np.full((len(others), tree.node_count), np.nan)
    levels = {node: _levels(tree, node) for node in np.flatnonzero(~tree.is_leaf).tolist()}
    for k, other in enumerate(others):
        there = {0: 0}  # a node of the tree and its place in the other one
        for node, listed in levels.items():  # parents come before their children
            place = there.get(node)
            if place is None or not _same(tree, node, listed, other, place):
                continue
            same[k, node], cuts[k, node] = True, other.threshold[place]
            first, first_there = int(tree.first_child[node]), int(other.first_child[place])
            there.update((first + i, first_there + i) for i in range(int(tree.n_children[node])))
    return same, cuts


def _same(tree: Tree, node: int, levels: Any, other: Tree, place: int) -> bool:
    if tree.n_children[node] != other.n_children[place]:
        return False
    mine, theirs = int(tree.feature[node]), int(other.feature[place])
    if mine >= tree.n_features or theirs >= other.n_features:  # sums of columns: the same columns
        if (mine >= tree.n_features) != (theirs >= other.n_features):
            return False
        return set(tree.test(node).columns) == set(other.test(place).columns)
    if mine != theirs:
        return False
    if levels is None:
        return bool(np.isinf(tree.threshold[node]) == np.isinf(other.threshold[place]))
    found = _levels(other, place)
    if found is None:
        return False
    # a sample may lack a level: only those that both know are compared
    common = levels.keys() & found.keys()
    return all(levels[level] == found[level] for level in common)


def _levels(tree: Tree, node: int) -> dict[int, int] | None:
    """The branch of every level that a test lists; None for a threshold."""
    test = tree.test(node)
    if not test.is_nominal:
        return None
    return {code: branch for branch, codes in enumerate(test.levels) for code in codes}
