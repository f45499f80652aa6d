"""Merging: siblings that are all leaves and decide the same become one leaf, again and again.

No decision changes, only how sure it is said to be; but a row that is shared out among leaves is predicted by
their mean, which may change.
"""

from __future__ import annotations

import numpy as np

from ...tree.tree import Tree
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild


def merge(tree: Tree) -> Pruned:
    """Cut what makes no difference: all leaves below a node have its class, or for numbers its value."""
    same = np.zeros(tree.node_count, dtype=bool)  # as the parent, which will be the leaf
    above = tree.parent[1:]
    if tree.classes is None:  # the mean of equal numbers may differ from them by a rounding error
        value = tree.value[:, :, 0]
        same[1:] = np.isclose(value[1:], value[above], rtol=1e-12, atol=0).all(axis=1)
    else:
        same[1:] = (tree.label[1:] == tree.label[above]).all(axis=1)
    cut, first, count = tree.is_leaf.copy(), tree.first_child.tolist(), tree.n_children.tolist()
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        children = slice(first[t], first[t] + count[t])
        cut[t] = cut[children].all() and same[children].all()
    decision = np.where(cut & ~tree.is_leaf, COLLAPSE, KEEP)
    return Pruned(rebuild(tree, decision), decision, {})
