"""Pessimistic pruning, as C4.5 does it (Quinlan 1993, chapter 4): no rows are held out.

The errors of a leaf on the training rows are too few; instead of them stands what may be expected at
confidence `CF`. From the leaves up, a node becomes a leaf if that makes no more errors than its branch, or
gives its place to its largest child if that makes no more: raising. The rows of the other children then go
down the raised branch, which is pruned once more.

C5.0 does more, each by an option: it grows raised branches anew, counts small siblings as one, then prunes
the tree as a whole, and joins branches that say the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...data.common.array_types import Ints, Mask
from ...tree.tree import Tree
from ...tree.walks import sum_below
from .bottom_up import cut_if_no_worse
from .bounds import expected_errors
from .branches import join_branches
from .global_pruning import within_error
from .pessimism import REGROWN, UNCHANGED, Pessimism
from .raising import SLACK, ErrorOptions, raised, regrown
from .rebuild import COLLAPSE, KEEP, Pruned, in_order, rebuild, takers
from .refit import refit
from .risk import must_have_classes, node_risk, stopped_risk
from .rows import Rows

NO_BETTER = 1e-3  # errors: a branch that saves less than this on its own rows saves nothing


def pessimistic(tree: Tree, rows: Rows | None = None, **options: Any) -> Pruned:
    """Prune by the errors to expect. Raising needs the training rows.

    With `collapse`, branches that make no fewer errors than a leaf on their own rows are cut beforehand.
    """
    how = Pessimism(**options)
    how.check(tree, rows)
    evaluated, by = how.evaluated(tree, rows)
    found, order = _from_leaves(evaluated, by, how.scaled(by))
    if how.within > 0:
        found = _as_a_whole(found, order, by, how)
    made = found.tree if evaluated is tree else replace(found.tree, costs=tree.costs)
    if (
        by is not rows and rows is not None
    ):  # what rows weighed more is not to count twice, beside their costs
        made = refit(made, replace(rows, factor=None, empty="kept"))
    joined = join_branches(made, how.join)
    changed = joined is not made and how.join != "possible"
    if rows is not None and (by is not rows or changed or how.raising == REGROWN):
        joined = refit(joined, rows if by is rows else replace(rows, factor=None))
    return found._replace(tree=joined)


def _from_leaves(tree: Tree, rows: Rows | None, how: Pessimism) -> tuple[Pruned, Ints]:
    """The tree after all nodes are decided, children first; and the number of each node before."""
    decision = np.full(tree.node_count, KEEP)
    if how.collapse:
        decision[useless(tree)] = COLLAPSE
    if how.raising in (REGROWN, UNCHANGED) and rows is not None:
        found = regrown(tree, rows, decision, how.error_options, how.raising == REGROWN)
        # A leaf without rows has the class of the node that it was grown from, until leaves are joined.
        counted = refit(found.tree, replace(rows, empty="kept"))
        return Pruned(counted, found.decision, found.report), found.order
    if how.raising and rows is not None:
        pruned, order, place, decision = raised(tree, rows, decision, how.error_options)
    else:
        decision = _from_below(tree, decision, how.error_options)
        pruned = rebuild(tree, decision)
        order = place = in_order(tree, 0, decision, takers(tree, decision))[0]
    moved = order != place
    if rows is not None and moved.any():
        pruned = refit(pruned, rows, only=pruned.over_ancestors(np.logical_or, moved))
    return Pruned(pruned, decision, {"raised": int(moved.sum())}), order


def _as_a_whole(found: Pruned, order: Ints, rows: Rows | None, how: Pessimism) -> Pruned:
    cut = within_error(found.tree, rows, how.within, how.dropped)
    decision = found.decision.copy()
    decision[[node for node in order[cut] if node < len(decision)]] = COLLAPSE
    return Pruned(found.tree.collapse(cut), decision, found.report | {"cut_as_a_whole": int(cut.sum())})


def collapse(tree: Tree) -> Pruned:
    """Cut every branch that makes no fewer errors on the training rows than its node would as a leaf.

    Nothing else is cut. C4.5 and J48 do this even where they do not prune.
    """
    must_have_classes(tree, "Collapsing")
    decision = np.where(useless(tree), COLLAPSE, KEEP)
    return Pruned(rebuild(tree, decision), decision, {})


def useless(tree: Tree) -> Mask:
    """Inner nodes whose branch makes no fewer errors than they would as a leaf, on the rows of growing."""
    errors = node_risk(tree, "error")
    branch = sum_below(tree, np.where(tree.is_leaf, errors, stopped_risk(tree, "error")))
    return np.asarray(~tree.is_leaf & (branch >= errors - NO_BETTER))


def _from_below(tree: Tree, decision: Ints, error_options: ErrorOptions) -> Ints:
    """Without raising: a node is cut if as a leaf it is expected to make no more errors than its branch."""
    weight = tree.weighted_n_node_samples
    leaf = expected_errors(weight, node_risk(tree, "error"), error_options.CF, error_options.bound)
    ended = np.where(tree.is_leaf, leaf, stopped_risk(tree, "error"))
    return cut_if_no_worse(tree, leaf, ended, SLACK, decision == COLLAPSE)[0]
