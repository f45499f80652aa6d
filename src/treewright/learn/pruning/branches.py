"""Joining branches: leaves below a test of levels that decide the same become one, for the levels of all.

Levels that cannot come to a node, since a test above sends them elsewhere, leave the last branch of its test.
If that has no rows, they get one of their own, which no row takes. No decision changes, only how sure it is
said to be.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ...tree.tree import Tree
from .global_pruning import EMPTY
from .rebuild import gather

JOINED = ("none", "empty", "filled", "all", "possible")


def join_branches(tree: Tree, which: str) -> Tree:
    """The tree with fewer branches, at the place of the first of those that were joined; nothing is counted.

    With "all" a leaf without rows joins others of its class, with "filled" only others without rows; with
    "empty" these alone are joined. With "possible" none are joined, and levels that cannot come have no
    branch.
    """
    if which == "none" or not tree.is_nominal.any():
        return tree
    joiner = _Joiner(tree, which)
    order = [0]
    for node in order:
        order += joiner.children(node)
    numbers = np.array(order, dtype=np.int64)
    return gather(joiner.tree(), numbers, numbers, ~tree.is_leaf[numbers])


class _Joiner:
    """Which children every node keeps, and which child each of its levels goes to then."""

    def __init__(self, tree: Tree, which: str) -> None:
        self.old, self.empty_too, self.empty_only = tree, which == "all", which == "empty"
        self.joins = which != "possible"
        self.first, self.n_children = tree.first_child.tolist(), tree.n_children.tolist()
        self.leaf, self.feature = tree.is_leaf.tolist(), tree.feature.tolist()
        self.label = [tuple(row) for row in tree.label.tolist()]
        self.empty = (tree.weighted_n_node_samples < EMPTY).tolist()
        # What has changed: counts of children, shares, and levels with their children, by node.
        self.count, self.share = tree.n_children.copy(), tree.share.copy()
        self.missing, self.lists = tree.missing_child.copy(), dict[int, list[tuple[int, int]]]()
        self.may_come: dict[int, dict[int, set[int]]] = {0: {}}  # levels, by node and column

    def children(self, node: int) -> list[int]:
        """The old numbers of the children that stay, in their new order; call it from the root down."""
        old = list(range(self.first[node], self.first[node] + self.n_children[node]))
        if not self.old.is_nominal[node]:
            self.may_come |= dict.fromkeys(old, self.may_come[node])
            return old
        levels, impossible = self._levels(node)
        if not self.joins or not self.empty[old[-1]]:
            levels, impossible = [pair for pair in levels if pair[0] not in impossible], set()
        groups = self._groups(node, {child for code, child in levels if code not in impossible})
        new = {child: k for k, group in enumerate(groups) for child in group}
        self.lists[node] = [
            (code, len(groups) if code in impossible else new[child]) for code, child in levels
        ]
        self.count[node] = len(groups) + bool(impossible)
        if self.missing[node] >= 0:
            self.missing[node] = new[int(self.missing[node])]
        for k, group in enumerate(groups):
            here = {code for code, child in self.lists[node] if child == k}
            self.may_come[old[group[0]]] = self.may_come[node] | {self.feature[node]: here}
            if len(self.share):
                self.share[old[group[0]]] = sum(float(self.old.share[old[child]]) for child in group)
        self.may_come.setdefault(old[-1], {})
        return [old[group[0]] for group in groups] + ([old[-1]] if impossible else [])

    def _levels(self, node: int) -> tuple[list[tuple[int, int]], set[int]]:
        """The levels of a test with the child of each, and those of the last one that cannot come."""
        here = slice(*self.old.level_begin[node : node + 2])
        pairs = [*zip(self.old.level_code[here].tolist(), self.old.level_child[here].tolist(), strict=True)]
        known, last = self.may_come[node].get(self.feature[node]), self.n_children[node] - 1
        if known is None:
            return pairs, set()
        return pairs, {code for code, child in pairs if child == last and code not in known}

    def _groups(self, node: int, listed: set[int]) -> list[list[int]]:
        """The children that stay, and which of them become one. A test needs two branches."""
        first, missing = self.first[node], int(self.missing[node])
        everyone = range(self.n_children[node])
        stays = [k for k in everyone if k in listed or k == missing or not self.leaf[first + k]]
        if len(stays) < 2:
            stays = list(everyone)
        if not self.joins:
            return [[child] for child in stays]
        found: dict[Any, list[int]] = {}
        for child in stays:
            at = first + child
            apart = self.empty[at] and not self.empty_too
            joins = self.leaf[at] and child in listed  # not one for missing values alone
            joins = joins and (self.empty[at] or not self.empty_only)
            found.setdefault((apart, self.label[at]) if joins else child, []).append(child)
        if len(found) == len(stays) or len(found) < 2:
            return [[child] for child in stays]
        return [*found.values()]

    def tree(self) -> Tree:
        """The old nodes with their new tests; those that went are still there, but no child of any."""
        arrays: dict[str, Any] = {field.name: getattr(self.old, field.name) for field in fields(Tree)}
        listed = [self.lists.get(node, []) for node in range(self.old.node_count)]
        pairs = np.array([pair for levels in listed for pair in levels], dtype=np.int64).reshape(-1, 2)
        arrays |= {"n_children": self.count, "share": self.share, "missing_child": self.missing}
        arrays["level_begin"] = np.concatenate([[0], np.cumsum([len(levels) for levels in listed])])
        arrays |= {"level_code": pairs[:, 0], "level_child": pairs[:, 1]}
        return Tree.grown(**arrays)
