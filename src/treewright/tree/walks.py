"""Sums and climbs over a tree that others share. Nodes are numbered breadth-first, so nothing recurses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..data.common.array_types import Array, Floats, Ints

if TYPE_CHECKING:
    from .arrays import TreeArrays as Tree


def sum_below(tree: Tree, start: Array) -> Array:
    """Add up `start`, one entry per node, over every node and all nodes below it."""
    flat = np.ascontiguousarray(start.reshape(tree.node_count, -1), dtype=np.float64)
    return np.asarray(_core.sum_below(tree.parent, flat).reshape(start.shape), dtype=start.dtype)


def class_weights(tree: Tree, node: Ints, code: Ints, weight: Floats) -> Floats:
    """The weight of every class in every node, of rows that are at these nodes: (nodes, classes)."""
    size = tree.max_n_classes
    found = np.bincount(node * size + code, weight, tree.node_count * size)
    return np.asarray(found, dtype=np.float64).reshape(-1, size)


def sum_above(tree: Tree, start: Array, share: Floats | None = None) -> Array:
    """Add up `start`, one entry per node, over every node and all nodes above it; that of the root is 0.

    With `share` a node counts only this share of the sum above it.
    """
    if tree.max_depth > tree.node_count // 64:
        if share is None:
            return tree.over_ancestors(np.add, start)
        pairs = np.stack(np.broadcast_arrays(start, share), axis=1)
        return np.asarray(tree.over_ancestors(_joined, pairs)[:, 0])
    found, begin = start.copy(), np.searchsorted(tree.depth, np.arange(tree.max_depth + 2))
    for level in range(1, tree.max_depth + 1):
        here = slice(begin[level], begin[level + 1])
        above = found[tree.parent[here]]
        found[here] += above if share is None else share[here] * above
    return found


def _joined(lower: Array, upper: Array) -> Array:
    """Two parts of a path as one: its sum, and the share of what is above it."""
    (start, share), (more, rest) = (np.moveaxis(part, 1, 0) for part in (lower, upper))
    return np.stack([start + share * more, share * rest], axis=1)


def sum_children(tree: Tree, values: Array) -> Array:
    """Add up `values`, one entry per node, over the children of every node; 0 for a leaf."""
    found = np.zeros_like(values)
    np.add.at(found, tree.parent[1:], values[1:])
    return found


def climb(up: Ints, node: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Go up from these nodes, all at once, until `up` is -1: which still climb, and where they are."""
    going, at = np.arange(len(node), dtype=np.int64), node
    while len(at):
        yield going, at
        above = up[at]
        going, at = going[above >= 0], above[above >= 0]


def rows_behind(tree: Tree) -> Floats:
    """The weight that every node speaks for: its own, or where no row came that of the node above."""
    weight = tree.weighted_n_node_samples
    empty = np.flatnonzero(weight <= 0)
    if not len(empty):
        return weight
    found = weight.copy()
    for node in empty[empty > 0].tolist():  # a parent comes before its children
        found[node] = found[tree.parent[node]]
    return found


def tested_columns(tree: Tree) -> list[int]:
    """The columns that some test uses, of a node or of a surrogate."""
    found = {column for node in np.flatnonzero(~tree.is_leaf).tolist() for column in columns_of(tree, node)}
    return sorted(found | (set() if tree.surrogates is None else set(tree.surrogates.feature.tolist())))


def columns_of(tree: Tree, node: int) -> tuple[int, ...]:
    """The columns that the test of an inner node reads."""
    feature = int(tree.feature[node])
    if tree.combinations is None or feature < tree.n_features:
        return (feature,)
    return tuple(column for column, _ in tree.combinations.terms(feature - tree.n_features))


def used_columns(tree: Tree) -> list[int]:
    """The columns that predictions depend on: those of tests, and of the terms of linear leaves."""
    models = tree.leaf_models
    return sorted({*tested_columns(tree), *(() if models is None else models.used)})


def gain_by_column(tree: Tree, gain: Floats | None = None) -> Floats:
    """The gains of the tests of every column, summed up; what a test combines has equal parts of its gain."""
    inner = np.flatnonzero(~tree.is_leaf)
    gains = (tree.gain if gain is None else gain)[inner]
    n_sums = 0 if tree.combinations is None else len(tree.combinations)
    found = np.bincount(tree.feature[inner], weights=gains, minlength=tree.n_features + n_sums)
    if tree.combinations is not None:
        begin = tree.combinations.begin
        size = np.diff(begin)
        part = np.repeat(found[tree.n_features :] / size, size)
        np.add.at(found, tree.combinations.column, part)
    return np.asarray(found[: tree.n_features], dtype=np.float64)
