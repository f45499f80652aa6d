"""Grow a tree for linear leaves: take the node of greatest gain, split it, model its children."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints
from .search import Found, Limits, Table, best_split

LEAST_GAIN = 8.0  # of a split, in squared errors of a row
MOST_LEAVES = 256  # before pruning, where the user sets no limit


@dataclass
class Node:
    """A node while the tree grows."""

    rows: Ints
    depth: int
    model: Any = None  # what the `Modeller` made
    split: Found | None = None
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class GrowthLimits:
    """When to stop."""

    max_depth: int
    max_leaves: int
    min_split: int
    least_gain: float
    sides: Limits


# From the rows of a node, their design and the model above to a model, and what it leaves of the targets.
Modeller = Callable[[Ints, Floats, Any], tuple[Any, Floats]]


def grow(table: Table, model: Modeller, limits: GrowthLimits, search: Ints) -> list[Node]:
    """All nodes in the order in which they were made; node 0 is the root.

    `search` are the columns of the design that are fitted on both sides of a cut while cuts are compared.
    """
    nodes: list[Node] = []
    waiting: list[tuple[float, int]] = []

    def add(rows: Ints, depth: int, above: Any) -> int:
        node = Node(rows, depth)
        design = table.design[rows]
        node.model, residual = model(rows, design, above)
        nodes.append(node)
        if depth < limits.max_depth and len(rows) >= limits.min_split:
            values = np.concatenate([design, residual], axis=1)
            node.split = best_split(table, rows, values, limits.sides, search)
            noise = float((table.weight[rows, None] * residual**2).sum()) / len(rows)
            if node.split is not None and node.split.gain > max(limits.least_gain, LEAST_GAIN * noise):
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


def send_down(nodes: list[Node], table: Table) -> None:
    """Give every node the rows of a whole table that reach it, where it was grown on some of them."""
    nodes[0].rows = np.flatnonzero(table.weight > 0)
    for node in nodes:
        if not node.children:
            continue
        split = node.split
        assert split is not None
        x = table.raw[split.feature][node.rows]
        unknown = np.isnan(x)
        if split.levels is None:
            with np.errstate(invalid="ignore"):
                left = x <= split.threshold
        else:
            left = np.isin(x, split.levels[0])
            unknown |= ~left & ~np.isin(x, split.levels[1])
        if unknown.any():
            sizes = [len(nodes[child].rows) for child in node.children]
            to_left = sizes[0] > sizes[1] if split.missing_left is None else split.missing_left
            left = np.where(unknown, to_left, left)
            if split.missing_left is None and np.isnan(x).any():
                node.split = split._replace(missing_left=to_left)
        for child, rows in zip(node.children, (node.rows[left], node.rows[~left]), strict=True):
            nodes[child].rows = rows


def breadth_first(nodes: list[Node], cut: Collection[int] = ()) -> list[int]:
    """The numbers of the nodes level by level; below those in `cut` there is nothing."""
    order = [0]
    for node in order:
        if node not in cut:
            order += nodes[node].children
    return order
