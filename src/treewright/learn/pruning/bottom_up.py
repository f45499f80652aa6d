"""The common walk of pruning methods: from the leaves up, cut each branch that is no better than a leaf."""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from .rebuild import COLLAPSE, KEEP

Cuts = list[tuple[int, float]]  # the nodes that were cut, children first, and what each cut changed


def cut_if_no_worse(
    tree: Tree, as_leaf: Floats, ended: Floats, slack: float, cut: Mask | None = None
) -> tuple[Ints, float, Cuts]:
    """What is decided for every node, what the pruned tree costs, and the cuts in their order.

    A node is cut if as a leaf it costs at most `slack` more than its branch, which is pruned already; or if
    `cut` marks it. `ended` is the cost of the rows that end at each node: of a leaf all its cost, of an inner
    node that of rows that stop there.
    """
    best, leaf, parent = ended.tolist(), as_leaf.tolist(), tree.parent.tolist()
    inner, marked = (~tree.is_leaf).tolist(), [False] * tree.node_count if cut is None else cut.tolist()
    decision, cuts = np.full(tree.node_count, KEEP), []
    for node in range(tree.node_count - 1, -1, -1):
        if inner[node] and (marked[node] or leaf[node] <= best[node] + slack):
            cuts.append((node, leaf[node] - best[node]))
            decision[node], best[node] = COLLAPSE, leaf[node]
        if node:
            best[parent[node]] += best[node]
    return decision, best[0], cuts
