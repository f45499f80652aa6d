"""Reduced-error pruning (Quinlan 1987): cut what does not help on held-out rows.

The optimal form goes up from the leaves and keeps, of all pruned trees, the smallest of least held-out loss.
The greedy form takes away, again and again, the branch whose removal lowers the held-out loss most, and stops
when none lowers it; so it keeps branches that neither help nor harm.
"""

from __future__ import annotations

import heapq
from itertools import accumulate

import numpy as np

from ...data.common.array_types import Ints, Mask
from ...tree.tree import Tree
from .bottom_up import cut_if_no_worse
from .losses import Losses, losses
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild
from .refit import backfitted
from .rows import Rows

FORMS = ("optimal", "greedy")
SLACK = 1e-12  # of the whole loss: what only rounding tells apart is equal


def reduced_error(
    tree: Tree, rows: Rows, *, form: str = "optimal", loss: str | None = None, backfit: bool = False
) -> Pruned:
    """Prune with held-out rows.

    With `backfit` the pruned tree learns from these rows too: its nodes count them, its tests stay (REPTree).
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {FORMS}. Got {form!r}.")
    found = losses(tree, rows, loss)
    decision, steps = optimal(tree, found) if form == "optimal" else greedy(tree, found)
    pruned = rebuild(tree, decision)
    before = float(found.ended.sum())
    report = {
        "rows": int(np.count_nonzero(rows.weight)),
        "weight": float(rows.weight.sum()),
        "loss_before": before,
        "loss_after": steps[-1][1] if steps else before,
        "steps": steps,
    }
    return Pruned(backfitted(pruned, rows) if backfit else pruned, decision, report)


Steps = list[tuple[int, float]]  # the node that was cut, and the held-out loss from then on


def optimal(tree: Tree, found: Losses) -> tuple[Ints, Steps]:
    """From the leaves up: a node is cut if as a leaf it loses no more than its branch, pruned already.

    A node that no held-out row reaches is cut, since nothing speaks for its branch.
    """
    slack = SLACK * max(float(found.leaf[0]), 1e-300)
    decision, _, cuts = cut_if_no_worse(tree, found.leaf, found.ended, slack)
    totals = accumulate((change for _, change in cuts), initial=sum(found.ended.tolist()))
    return decision, list(zip((node for node, _ in cuts), list(totals)[1:], strict=True))


def greedy(tree: Tree, found: Losses) -> tuple[Ints, Steps]:
    """The branch whose removal lowers the loss most goes first; of equal ones that nearest to the root."""
    branch, leaf, parent = found.branch(tree).tolist(), found.leaf.tolist(), tree.parent.tolist()
    decision, gone = np.full(tree.node_count, KEEP), tree.is_leaf.copy()
    total, slack, steps = branch[0], SLACK * max(leaf[0], 1e-300), []
    waiting = [(leaf[node] - branch[node], node) for node in np.flatnonzero(~gone).tolist()]
    heapq.heapify(waiting)
    while waiting:
        change, node = heapq.heappop(waiting)
        if gone[node] or change != leaf[node] - branch[node]:
            continue  # cut with a branch above it, or in the heap again under what it gains now
        if change >= -slack:
            break
        decision[node], total = COLLAPSE, total + change
        steps.append((node, total))
        _mark_below(tree, node, gone)
        while node >= 0:
            branch[node] += change
            if not gone[node]:
                heapq.heappush(waiting, (leaf[node] - branch[node], node))
            node = parent[node]
    return decision, steps


def _mark_below(tree: Tree, node: int, gone: Mask) -> None:
    """Mark a node and everything below it that is not marked yet."""
    waiting = [node]
    for at in waiting:
        gone[at] = True
        first = int(tree.first_child[at])
        children = range(first, first + int(tree.n_children[at]))
        waiting += [child for child in children if not gone[child]]
