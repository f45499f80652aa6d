"""Merging: siblings that are all leaves and decide the same become one leaf, again and again.

No decision changes, only how sure it is said to be; but a row that is shared out among leaves is judged by their
mean, which may change.
"""

from __future__ import annotations

import numpy as np

from ..tree import Tree
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild


def merge(tree: Tree) -> Pruned:
    """Cut what makes no difference: the same class, or for numbers the same value, in all leaves below a node."""
    says = tree.value[:, :, 0] if tree.classes is None else tree.label
    same = np.zeros(tree.node_count, dtype=bool)
    same[1:] = (says[1:] == says[tree.parent[1:]]).all(axis=1)  # a row that stops at the parent says it too
    cut, first, count = tree.is_leaf.copy(), tree.first_child.tolist(), tree.n_children.tolist()
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        children = slice(first[t], first[t] + count[t])
        cut[t] = cut[children].all() and same[children].all()
    decision = np.where(cut & ~tree.is_leaf, COLLAPSE, KEEP)
    return Pruned(rebuild(tree, decision), decision, {})
