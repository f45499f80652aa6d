"""The order in which the nodes of a tree were split: the loop of the core, with splits that are known."""

from __future__ import annotations

import heapq
from typing import Any

from ...tree.tree import Tree
from .cuts import scores

IN_WORDS = {
    "depth": "depth first: the first branch of a node before the second",
    "breadth": "breadth first: level by level",
    "best": "best first: the leaf of the greatest gain",
}


def order_of(params: dict[str, Any]) -> str:
    """The name of the order: "depth", "breadth" or "best"."""
    return str(params["growth"] or ("depth" if params["max_leaf_nodes"] is None else "best"))


def growth_order(tree: Tree, order: str) -> list[int]:
    """The inner nodes of a tree in the order in which they were split.

    Best first compares gains in 2^-40 of the impurity of the root. Of equal leaves the one that was made
    first is split first.
    """
    mass = float(tree.impurity[0] * tree.weighted_n_node_samples[0])
    priority = scores(tree.gain, mass)
    made = 1
    found: list[int] = []
    frontier: list[tuple[int, int, int]] = []  # priority, when it was made, node

    def push(node: int, number: int) -> None:
        if tree.n_children[node]:
            key = {"best": -int(priority[node]), "breadth": 0, "depth": -int(tree.depth[node])}[order]
            heapq.heappush(frontier, (key, number, node))

    push(0, 0)
    while frontier:
        node = heapq.heappop(frontier)[2]
        found.append(node)
        first = int(tree.first_child[node])
        for k in range(int(tree.n_children[node])):
            push(first + k, made + k)
        made += int(tree.n_children[node])
    return found
