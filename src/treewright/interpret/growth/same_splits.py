"""Which splits of a tree another tree has too: the same column, below the same splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...tree.tree import Tree
from .cuts import Floats, Ints, Mask


class SameSplits(NamedTuple):
    """For every other tree (first axis) and node (second)."""

    same: Mask  # whether it has the split of the node
    cuts: Floats  # its threshold there
    moved: Floats  # of groups of levels: the proportion of rows whose level goes to another branch


def compared(tree: Tree, others: list[Tree], rows: Mapping[int, Ints]) -> SameSplits:
    """Look for the splits of a tree in others.

    `rows`: for every node that tests groups of levels, how many of its rows have each level.
    """
    shape = (len(others), tree.node_count)
    found = SameSplits(np.zeros(shape, dtype=bool), np.full(shape, np.nan), np.full(shape, np.nan))
    branches = {node: _branches(tree, node) for node in np.flatnonzero(~tree.is_leaf).tolist()}
    for k, other in enumerate(others):
        there = {0: 0}  # a node of the tree and its place in the other one
        for node, mine in branches.items():  # parents come before their children
            place = there.get(node)
            if place is None or not _same_column(tree, node, other, place):
                continue
            theirs = _branches(other, place)
            if mine is None and theirs is None:
                if not _same_kind(tree, node, other, place):
                    continue
                pairs = [(i, i) for i in range(int(tree.n_children[node]))]
                found.cuts[k, node] = other.threshold[place]
            elif mine is None or theirs is None or _groups(mine) != _groups(theirs):
                continue
            else:
                pairs, found.moved[k, node] = _matched(mine, theirs, rows[node])
            found.same[k, node] = True
            first, first_there = int(tree.first_child[node]), int(other.first_child[place])
            there.update((first + i, first_there + j) for i, j in pairs)
    return found


def _same_column(tree: Tree, node: int, other: Tree, place: int) -> bool:
    mine, theirs = int(tree.feature[node]), int(other.feature[place])
    if mine < tree.n_features or theirs < tree.n_features:
        return mine == theirs and theirs >= 0
    return set(tree.test(node).columns) == set(other.test(place).columns)  # sums of columns


def _same_kind(tree: Tree, node: int, other: Tree, place: int) -> bool:
    """Whether both compare with a threshold, or both see if the value is missing."""
    alike = bool(np.isinf(tree.threshold[node]) == np.isinf(other.threshold[place]))
    return alike and tree.n_children[node] == other.n_children[place]


def _branches(tree: Tree, node: int) -> dict[int, int] | None:
    """The branch of every level that a test lists; None for a threshold."""
    test = tree.test(node)
    if not test.is_nominal:
        return None
    return {code: branch for branch, codes in enumerate(test.levels) for code in codes}


def _groups(branches: dict[int, int]) -> bool:
    """Whether levels go to different branches; else the test is "is it missing?"."""
    return len({*branches.values()}) > 1


def _matched(mine: dict[int, int], theirs: dict[int, int], rows: Ints) -> tuple[list[tuple[int, int]], float]:
    """The pairs of branches that share the most rows, and the proportion of rows outside of them.

    A sample may lack a level: only those that both trees list count.
    """
    from scipy.optimize import linear_sum_assignment

    shared = np.zeros((1 + max(mine.values()), 1 + max(theirs.values())))
    for level in mine.keys() & theirs.keys():
        shared[mine[level], theirs[level]] += rows[level] if level < len(rows) else 0
    pairs = [pair for pair in zip(*linear_sum_assignment(shared, maximize=True), strict=True) if shared[pair]]
    total = shared.sum()
    moved = 1 - sum(shared[pair] for pair in pairs) / total if total else np.nan
    return [(int(i), int(j)) for i, j in pairs], float(moved)
