"""The best pruned tree of every size (Bohanec & Bratko 1994; Almuallim 1996), by dynamic programming.

G_t[k] is the least risk of the branch below t with k leaves: R(t) for one, else the best way to share k out
among the children. Children are joined one after another, in time of the smaller table times the longer one,
so that all of it takes O(leaves * budget). The trees of cost-complexity pruning are corners of this curve.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints
from ...data.common.errors import ParameterError
from ...tree.tree import Tree
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild
from .risk import node_risk, stopped_risk

SLACK = 1e-12  # of the risk of the root: what only rounding tells apart is equal


class Curve(NamedTuple):
    """The least risk with exactly 1, 2, ... leaves, infinite where no pruned tree has so many; and how."""

    risks: Floats  # shares of the weight of all rows
    best: list[Floats]  # G of every node
    joined: list[list[Floats]]  # per inner node: the tables of its first child, its first two, and so on

    def at_most(self, n_leaves: int) -> int:
        """The fewest leaves that do as well as any number up to this one."""
        allowed = self.risks[:n_leaves]
        return int(np.flatnonzero(allowed <= allowed.min() + SLACK * max(self.risks[0], 0.0))[0]) + 1


def leaf_budget(tree: Tree, *, n_leaves: int = 8, risk: str = "impurity") -> Pruned:
    """The pruned tree of least risk with at most this many leaves, and of equals the smallest."""
    found = budget_curve(tree, risk, n_leaves)
    size = found.at_most(n_leaves)
    decision = decision_for(tree, found, size)
    return Pruned(rebuild(tree, decision), decision, {"n_leaves": size, "risks": found.risks})


def budget_curve(tree: Tree, risk: str = "impurity", n_leaves: int | None = None) -> Curve:
    """The least risk for every number of leaves, up to `n_leaves` if given; `decision_for` has the trees."""
    if n_leaves is not None and n_leaves < 1:
        raise ParameterError(f"n_leaves must be at least 1. Got {n_leaves}.", "n_leaves")
    weight = tree.weighted_n_node_samples[0]
    scale = weight if weight > 0 else 1.0
    node, stopped = node_risk(tree, risk) / scale, stopped_risk(tree, risk) / scale
    most = tree.n_leaves if n_leaves is None else min(n_leaves, tree.n_leaves)
    best: list[Floats] = [node[:0]] * tree.node_count
    joined: list[list[Floats]] = [[] for _ in range(tree.node_count)]
    for t in range(tree.node_count - 1, -1, -1):
        best[t] = node[t : t + 1]
        if tree.n_children[t]:
            first = int(tree.first_child[t])
            joined[t] = _join_all(best[first : first + int(tree.n_children[t])], most)
            best[t] = np.concatenate([node[t : t + 1], joined[t][-1][1:] + stopped[t]])
    return Curve(best[0], best, joined)


def decision_for(tree: Tree, curve: Curve, n_leaves: int) -> Ints:
    """What to do with every node for the best tree of exactly this many leaves."""
    if not 1 <= n_leaves <= len(curve.risks) or not np.isfinite(curve.risks[n_leaves - 1]):
        sizes = np.flatnonzero(np.isfinite(curve.risks)) + 1
        raise ParameterError(
            f"n_leaves must be one that some pruned tree has: {sizes}. Got {n_leaves}.", "n_leaves"
        )
    decision, size = np.full(tree.node_count, KEEP), np.zeros(tree.node_count, dtype=np.int64)
    size[0] = n_leaves
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        if size[t] == 1:
            decision[t] = COLLAPSE
        elif size[t] > 1:
            _share_out(tree, curve, t, size)
    return decision


def _share_out(tree: Tree, curve: Curve, t: int, size: Ints) -> None:
    """Give each child of a node its number of leaves: the last one first, as they were joined."""
    first, left = int(tree.first_child[t]), int(size[t])
    for k in range(int(tree.n_children[t]) - 1, 0, -1):
        before, child = curve.joined[t][k - 1], curve.best[first + k]
        low, high = max(1, left - len(before)), min(len(child), left - 1)
        risks = before[left - high - 1 : left - low][::-1] + child[low - 1 : high]
        size[first + k] = low + int(risks.argmin())
        left -= int(size[first + k])
    size[first] = left


def _join_all(tables: list[Floats], most: int) -> list[Floats]:
    """The tables of the first child, of the first two, and so on; place k has the risk with k + 1 leaves."""
    found = [tables[0]]
    for table in tables[1:]:
        found.append(_join(found[-1], table, most))
    return found


def _join(one: Floats, other: Floats, most: int) -> Floats:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    found = np.full(min(len(one) + len(other), most), np.inf)
    for k in range(min(len(short), most - 1)):  # k + 1 leaves from the short one, the rest from the long
        end = min(len(found), k + 1 + len(long))
        np.minimum(found[k + 1 : end], short[k] + long[: end - k - 1], out=found[k + 1 : end])
    return found
