"""A grown tree as a tree of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...data.common.array_types import Ints
from ...data.values import Column
from ...tree.tree import Tree


def with_dissimilarity(tree: Tree, n_targets: int, table: Sequence[Column]) -> Tree:
    """The tree of a regressor with the dissimilarity of its nodes: twice the sum of the variances."""
    factor = 2.0 * n_targets  # a regressor's impurity is the mean over its targets
    types = tuple(column.type for column in table)
    return replace(tree, impurity=factor * tree.impurity, gain=factor * tree.gain, column_types=types)


def leaves_in_order(tree: Tree) -> Ints:
    """The leaves from first to last, as a printed tree has them."""
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        first = int(tree.first_child[node])
        if tree.n_children[node]:
            stack += range(first + int(tree.n_children[node]) - 1, first - 1, -1)
        else:
            found.append(node)
    return np.array(found)


def with_clusters(tree: Tree, leaves: Ints) -> Tree:
    """The tree as a classifier of clusters: every node has the proportions of its clusters."""
    counts = np.zeros((tree.node_count, len(leaves)))
    counts[leaves, np.arange(len(leaves))] = tree.weighted_n_node_samples[leaves]
    for node in range(tree.node_count - 1, 0, -1):  # children come after their parents
        counts[tree.parent[node]] += counts[node]
    shares = counts / counts.sum(axis=1, keepdims=True)
    return replace(
        tree,
        value=shares[:, None, :],
        n_classes=np.array([len(leaves)]),
        classes=np.array([f"cluster {number}" for number in range(len(leaves))]),
        lower=np.empty(0),
        upper=np.empty(0),
    )
