"""Minimal cost-complexity pruning (Breiman et al. 1984, chapter 3).

A branch of risk R(T) under a node of risk R(t) is worth its leaves while
alpha < (R(t) - R(T)) / (leaves - 1). The weakest branch is cut first, equal ones together. Risks and alphas
are shares of the weight of all rows, so that with risk="impurity" an alpha is scikit-learn's `ccp_alpha`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from ...tree.flat_arrays import read_only
from ...tree.tree import Tree
from ...tree.walks import sum_below, sum_children
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild
from .risk import node_risk, stopped_risk
from .rpart_rule import complexities


class Path(NamedTuple):
    """The alphas at which the tree shrinks, from 0 up, and the risk of what is left at each."""

    ccp_alphas: Floats
    impurities: Floats


class Sequence(NamedTuple):
    """The nested trees: the alphas at which the tree shrinks, and what is left from each of them on."""

    alphas: Floats  # rising from 0
    n_leaves: Ints
    risks: Floats
    # Per node: the alpha from which it is a leaf; infinite if it always was, or only goes with one above it.
    stop_alpha: Floats


def prune(tree: Tree, ccp_alpha: float) -> Tree:
    """Cut every branch whose alpha is at most `ccp_alpha`; 0 leaves the tree alone."""
    if ccp_alpha == 0 or tree.node_count == 1:
        return tree
    return cost_complexity(tree, alpha=ccp_alpha).tree


def pruning_path(tree: Tree) -> Path:
    """Every alpha at which the tree changes, and the risk of the tree from there on."""
    found = sequence(tree)
    return Path(found.alphas, found.risks)


def cost_complexity(
    tree: Tree, *, alpha: float = 0.0, risk: str = "impurity", rule: str = "weakest_link"
) -> Pruned:
    """Cut every branch whose alpha is at most this one; 0 cuts only what gains nothing."""
    stops = stop_alphas(tree, risk, rule)[1]
    decision = np.where(stops <= alpha, COLLAPSE, KEEP)
    return Pruned(rebuild(tree, decision), decision, {"alpha": alpha})


def sequence(tree: Tree, risk: str = "impurity", rule: str = "weakest_link") -> Sequence:
    """All trees that some alpha leaves, from the largest to the root alone.

    `rule` "rpart" has another order where weak branches lie below strong ones, and its alphas are rpart's cp:
    shares of the risk of the root.
    """
    alphas, stops = stop_alphas(tree, risk, rule)
    node, stopped = _risks(tree, risk, rule)
    return Sequence(alphas, *_along(tree, alphas, stops, node, stopped), stops)


def stop_alphas(tree: Tree, risk: str = "impurity", rule: str = "weakest_link") -> tuple[Floats, Floats]:
    """The alphas at which the tree shrinks, and per node the alpha from which it is cut; inf for leaves."""
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(map(repr, RULES))}. Got {rule!r}.")
    kept = vars(tree).setdefault("_stop_alphas", {})  # a tree never changes
    if (risk, rule) not in kept:
        kept[risk, rule] = tuple(read_only(part, np.float64) for part in _stop_alphas(tree, risk, rule))
    found: tuple[Floats, Floats] = kept[risk, rule]
    return found


def _stop_alphas(tree: Tree, risk: str, rule: str) -> tuple[Floats, Floats]:
    node, stopped = _risks(tree, risk, rule)
    if rule == "rpart":
        return _together(complexities(tree, node), 1.0)
    return _weakest_link(tree, node - sum_below(tree, stopped) if stopped.any() else node)


def _risks(tree: Tree, risk: str, rule: str) -> tuple[Floats, Floats]:
    """The risk of every node if it were a leaf, and of the rows that stop there, as shares of all weight."""
    weight = tree.weighted_n_node_samples[0]
    unit = weight if weight > 0 else 1.0
    if rule == "rpart":  # to rpart a row that stops is no loss of the branch
        return node_risk(tree, risk) / unit, np.zeros(tree.node_count)
    return node_risk(tree, risk) / unit, stopped_risk(tree, risk) / unit


RULES = ("weakest_link", "rpart")


def _along(tree: Tree, alphas: Floats, stops: Floats, risk: Floats, stopped: Floats) -> tuple[Ints, Floats]:
    """The leaves and the risk of the tree from each alpha on.

    A node is a leaf of the pruned tree from its own alpha (0 for a leaf) until the first of its ancestors is
    cut, and an inner node until then. So each risk enters the sum once and leaves it once.
    """
    leaf = tree.is_leaf
    above = np.full(tree.node_count, np.inf)
    above[1:] = tree.over_ancestors(np.minimum, stops)[tree.parent[1:]]
    becomes = np.where(leaf, 0.0, stops)
    as_leaf, as_inner = becomes < above, ~leaf & (stopped > 0)
    until = np.minimum(becomes, above)
    risks = steps(alphas, becomes[as_leaf], above[as_leaf], risk[as_leaf])
    risks += steps(alphas, np.zeros(as_inner.sum()), until[as_inner], stopped[as_inner])
    leaves = steps(alphas, becomes[as_leaf], above[as_leaf], np.ones(as_leaf.sum()))
    risks = np.maximum.accumulate(risks)
    if len(alphas) > 1:
        risks[-1] = risk[0]
    return np.rint(leaves).astype(np.int64), np.minimum(risks, risk[0])


def steps(alphas: Floats, begin: Floats, end: Floats, amount: Floats) -> Floats:
    """At each alpha the sum of the amounts that have begun by then and not ended."""
    change = np.zeros(len(alphas) + 1)
    np.add.at(change, np.searchsorted(alphas, begin), amount)
    np.add.at(change, np.searchsorted(alphas, end), -amount)
    return np.asarray(np.cumsum(change[:-1]))


def _weakest_link(tree: Tree, risk: Floats) -> tuple[Floats, Floats]:
    scale = float(np.abs(risk).max())
    worse = _worse_than_its_top(tree, risk, 1e-12 * scale)
    if not worse.any():
        return _together(_core.weakest_link(tree.first_child, tree.n_children, risk), scale)
    left = tree.collapse(worse)
    stays = ~tree.over_ancestors(np.logical_or, worse)[np.maximum(tree.parent, 0)]
    stays[0] = True
    found = _core.weakest_link(left.first_child, left.n_children, risk[stays])
    stops = np.where(tree.is_leaf, np.inf, 0.0)
    stops[stays & ~worse] = found[~worse[stays]]
    return _together(stops, scale)


def _together(stops: Floats, scale: float) -> tuple[Floats, Floats]:
    """The alphas in order, from 0 up, and those of the nodes; what only rounding tells apart is one alpha.

    Sums of risks are rounded in units of the greatest, `scale`.
    """
    finite, found = np.isfinite(stops), np.full(len(stops), np.inf)
    values, place = np.unique(np.append(0.0, np.maximum(stops[finite], 0.0)), return_inverse=True)
    begins = np.diff(values, prepend=-np.inf) > 1e-13 * scale + 1e-12 * values
    last = values[np.append(begins[1:], True)]
    last[0] = 0.0
    found[finite] = last[(np.cumsum(begins) - 1)[place[1:]]]
    return last, found


def _worse_than_its_top(tree: Tree, risk: Floats, slack: float) -> Mask:
    """Branches of more risk than their top, however pruned: no alpha keeps them.

    There are none where the risk is what the tree was grown by; but a tree grown with costs may err more
    often for a split.
    """
    if (sum_children(tree, risk) <= risk + slack).all():
        return np.zeros(tree.node_count, dtype=bool)
    best, parent = np.where(tree.is_leaf, risk, 0.0).tolist(), tree.parent.tolist()
    top, inner, worse = risk.tolist(), (~tree.is_leaf).tolist(), [False] * tree.node_count
    for node in range(tree.node_count - 1, -1, -1):
        if inner[node] and top[node] < best[node] - slack:
            best[node], worse[node] = top[node], True
        if node:
            best[parent[node]] += best[node]
    return np.array(worse)
