"""Final splits whose branches predict alike: a reader needs only the node above them."""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree

Z = 1.959964  # of a 95 % interval


def merged(tree: Tree) -> Tree:
    """The tree with every final split merged whose leaves predict the same class with like probabilities.

    Probabilities are alike where the Wilson intervals of the leaves, each by its own rows, have a value in
    common. Leaves of numbers and of several outputs stay as they are.
    """
    if tree.max_n_classes < 2 or tree.n_outputs > 1 or not tree.n_node_samples.any():
        return tree
    label = tree.label[:, 0]
    low, high = _wilson(tree.prediction[np.arange(tree.node_count), 0, label], tree.weighted_n_node_samples)
    ends, same = tree.is_leaf.copy(), label.tolist()
    for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():  # from the bottom up
        begin = int(tree.first_child[node])
        end = begin + int(tree.n_children[node])
        one_class = same[begin:end].count(same[begin]) == end - begin
        if one_class and ends[begin:end].all() and low[begin:end].max() <= high[begin:end].min():
            ends[node] = True
    cut = ends & ~tree.is_leaf
    return tree.collapse(cut) if cut.any() else tree


def _wilson(p: Floats, n: Floats) -> tuple[Floats, Floats]:
    n = np.maximum(n, 1e-9)
    middle, reach = p + Z * Z / (2 * n), Z * np.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return (middle - reach) / (1 + Z * Z / n), (middle + reach) / (1 + Z * Z / n)
