"""Pessimistic pruning, as C4.5 does it (Quinlan 1993, chapter 4): no rows are held out.

The errors of a leaf on the rows it was grown on are too few; instead of them stands what may be expected at
confidence `CF`. From the leaves up, a node becomes a leaf if that makes no more errors than its branch, or
gives its place to its largest child if that makes no more: raising. The rows of the other children then go
down the raised branch, which is pruned once more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tree import Tree
from ..walks import sum_below
from .bounds import BOUNDS, expected_errors
from .raising import SLACK, Raiser, Ways
from .rebuild import COLLAPSE, KEEP, Pruned, in_order, rebuild, takers
from .refit import refit
from .risk import must_have_classes, node_risk, stopped_risk
from .rows import Rows

Ints = NDArray[np.int64]

NO_BETTER = 1e-3  # errors: a branch that saves less than this on its own rows saves nothing


def pessimistic(
    tree: Tree,
    rows: Rows | None = None,
    *,
    CF: float = 0.25,
    raising: bool = True,
    bound: str = "exact",
    collapse: bool = True,
) -> Pruned:
    """Prune by the errors to expect. Raising needs the rows that the tree was grown on.

    With `collapse`, branches that make no fewer errors than a leaf on their own rows are cut beforehand.
    """
    _check(tree, rows, raising, bound)
    decision = np.full(tree.node_count, KEEP)
    if collapse:
        decision[useless(tree)] = COLLAPSE
    ways = Ways(CF, bound)
    if not raising or rows is None:
        decision = _from_below(tree, decision, ways)
        return Pruned(rebuild(tree, decision), decision, {"raised": 0})
    decision = Raiser(tree, rows, decision, ways).decide()
    pruned = rebuild(tree, decision)
    order, place = in_order(tree, 0, decision, takers(tree, decision))
    raised = order != place
    if raised.any():
        pruned = refit(pruned, rows, only=pruned.over_ancestors(np.logical_or, raised))
    return Pruned(pruned, decision, {"raised": int(raised.sum())})


def _check(tree: Tree, rows: Rows | None, raising: bool, bound: str) -> None:
    must_have_classes(tree, "Pessimistic pruning")
    if bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}. Got {bound!r}.")
    if raising and rows is None:
        raise ValueError(
            "raising=True needs the rows that the tree was grown on. Got none. Give X and y, or set "
            "raising=False."
        )
    if raising and len(tree.lower):
        raise ValueError(
            "raising=True needs a tree without monotone constraints, since rows that move change the values. "
            "Got one with bounds. Set raising=False."
        )


def useless(tree: Tree) -> NDArray[np.bool_]:
    """Inner nodes whose branch makes no fewer errors than they would as a leaf, on the rows of growing."""
    errors = node_risk(tree, "error")
    branch = sum_below(tree, np.where(tree.is_leaf, errors, stopped_risk(tree, "error")))
    return np.asarray(~tree.is_leaf & (branch >= errors - NO_BETTER))


def _from_below(tree: Tree, decision: Ints, ways: Ways) -> Ints:
    """Without raising: a node is cut if as a leaf it is expected to make no more errors than its branch."""
    weight = tree.weighted_n_node_samples
    leaf = expected_errors(weight, node_risk(tree, "error"), ways.CF, ways.bound)
    branch = np.where(tree.is_leaf, leaf, stopped_risk(tree, "error")).tolist()
    expected, cut, parent = leaf.tolist(), (decision == COLLAPSE).tolist(), tree.parent.tolist()
    inner = (~tree.is_leaf).tolist()
    for node in range(tree.node_count - 1, -1, -1):
        if inner[node] and (cut[node] or expected[node] <= branch[node] + SLACK):
            cut[node], branch[node] = True, expected[node]
        if node:
            branch[parent[node]] += branch[node]
    return np.where(cut, COLLAPSE, KEEP)
