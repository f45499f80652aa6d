"""The complexity of a node as rpart has it: from the leaves up, looking no further than the children.

The complexity of a node is what each leaf of its branch is worth. If a child's own complexity is lower, the
child would be cut first, so it counts as a leaf and the complexity is computed again; the child of least
complexity goes first. The weakest link of the whole branch is not looked for, which is why rpart's
sequence may differ from the textbook's.
"""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree

EQUAL = 1e-10  # relative: complexities that only rounding tells apart are equal


def complexities(tree: Tree, risk: Floats) -> Floats:
    """The cp at which every inner node is cut, as a share of the risk of the root; infinite for leaves.

    No node outlives its parent: it has at most its parent's complexity.
    """
    first, count = tree.first_child.tolist(), tree.n_children.tolist()
    node, branch = risk.tolist(), risk.tolist()
    spared = [0] * tree.node_count  # leaves of the branch less one
    found = [np.inf] * tree.node_count
    for t in range(tree.node_count - 1, -1, -1):
        if count[t]:
            children = sorted(range(first[t], first[t] + count[t]), key=lambda c: found[c])
            found[t], branch[t], spared[t] = _worth(t, children, (node, branch, spared, found))
    root = node[0] if node[0] > 0 else 1.0
    capped = np.where(tree.is_leaf, np.inf, tree.over_ancestors(np.minimum, np.array(found)))
    return np.asarray(np.maximum(capped / root, 0.0))


def _worth(
    t: int, children: list[int], lists: tuple[list[float], list[float], list[int], list[float]]
) -> tuple[float, float, int]:
    """The complexity of one node, the risk of its branch and its leaves less one, weak children first cut."""
    node, branch, spared, found = lists
    below = sum(branch[c] for c in children)
    leaves = sum(spared[c] for c in children) + len(children) - 1
    for c in children:
        if not (node[t] - below) / leaves > found[c] * (1 + EQUAL):  # a leaf's is infinite: it cannot be cut
            break
        below, leaves = below + node[c] - branch[c], leaves - spared[c]
    return (node[t] - below) / leaves, below, leaves
