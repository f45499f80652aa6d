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
    for t in np.flatnonzero(tree.n_children)[::-1].tolist():
        children = sorted(range(first[t], first[t] + count[t]), key=found.__getitem__)  # weak ones first
        below, leaves = 0.0, count[t] - 1
        for c in children:
            below, leaves = below + branch[c], leaves + spared[c]
        for c in children:
            if not (node[t] - below) / leaves > found[c] * (1 + EQUAL):  # of a leaf infinite: it stays
                break
            below, leaves = below + node[c] - branch[c], leaves - spared[c]
        found[t], branch[t], spared[t] = (node[t] - below) / leaves, below, leaves
    root = node[0] if node[0] > 0 else 1.0
    capped = np.where(tree.is_leaf, np.inf, tree.over_ancestors(np.minimum, np.array(found)))
    return np.asarray(np.maximum(capped / root, 0.0))
