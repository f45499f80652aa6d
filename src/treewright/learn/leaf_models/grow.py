"""Grow a tree for linear leaves: take the node of greatest gain, split it, model its children."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints
from .search import Block, Found, Limits, best_split

MOST_LEAVES = 400  # before pruning, where the user sets no limit


@dataclass
class Node:
    """A node while the tree grows."""

    rows: Ints
    depth: int
    model: Any = None  # what `Modeller.node` made
    split: Found | None = None
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Table:
    """What all nodes share: the design, columns as numbers, weights."""

    design: Floats  # (rows, 1 + terms)
    raw: list[Floats]
    nominal: list[bool]
    own: Ints  # per column, its column of the design
    weight: Floats


@dataclass(frozen=True)
class GrowthLimits:
    """When to stop."""

    max_depth: int
    max_leaves: int
    min_split: int
    least_gain: float
    sides: Limits


Modeller = Callable[[Ints, Any], tuple[Any, Floats]]  # rows and the parent's model to a model and residuals


def grow(table: Table, model: Modeller, limits: GrowthLimits, search: Ints) -> list[Node]:
    """All nodes in the order in which they were made; node 0 is the root.

    `search` are the columns of the design that are fitted on both sides of a cut while cuts are compared.
    """
    nodes: list[Node] = []
    waiting: list[tuple[float, int]] = []

    def add(rows: Ints, depth: int, above: Any) -> int:
        node = Node(rows, depth)
        node.model, residual = model(rows, above)
        nodes.append(node)
        if depth < limits.max_depth and len(rows) >= limits.min_split:
            node.split = best_split(block_of(table, rows, residual), limits.sides, search)
            if node.split is not None and node.split.gain > limits.least_gain:
                heapq.heappush(waiting, (-node.split.gain, len(nodes) - 1))
            else:
                node.split = None
        return len(nodes) - 1

    add(np.flatnonzero(table.weight > 0), 0, None)
    n_leaves = 1
    while waiting and n_leaves < limits.max_leaves:
        node = nodes[heapq.heappop(waiting)[1]]
        assert node.split is not None
        sides = node.rows[node.split.left], node.rows[~node.split.left]
        node.children = [add(rows, node.depth + 1, node.model) for rows in sides]
        n_leaves += 1
    return nodes


def block_of(table: Table, rows: Ints, residual: Floats) -> Block:
    """The rows of a node with what its model leaves of the targets."""
    values = np.concatenate([table.design[rows], residual], axis=1)
    raw = [x[rows] for x in table.raw]
    return Block(values, table.weight[rows], residual.shape[1], raw, table.nominal, table.own)


def breadth_first(nodes: list[Node], cut: set[int] = frozenset()) -> list[int]:  # type: ignore[assignment]
    """The numbers of the nodes level by level; below those in `cut` there is nothing."""
    order = [0]
    for node in order:
        if node not in cut:
            order += nodes[node].children
    return order
