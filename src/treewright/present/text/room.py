"""Which nodes of a tree are opened where there is no room for all: those with most rows."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from ...tree.tree import Tree


def most_rows_first(
    tree: Tree,
    room: int | None,
    max_depth: int | None,
    branches: Callable[[int], list[int]],
    cost: Callable[[int, list[int]], int],
) -> dict[int, list[int]]:
    """The inner nodes that are opened, each with its `branches`, as long as what they `cost` fits the room.

    A node is opened before those with fewer rows. What does not fit is passed over for what does.
    """
    found: dict[int, list[int]] = {}
    used, waiting = 0, [] if tree.is_leaf[0] else [(0, 0)]
    while waiting:
        _, node = heappop(waiting)
        if max_depth is not None and tree.depth[node] >= max_depth:
            continue
        shown = branches(node)
        more = cost(node, shown)
        if room is not None and used + more > room:
            continue
        used += more
        found[node] = shown
        for child in shown:
            if not tree.is_leaf[child]:
                heappush(waiting, (-int(tree.n_node_samples[child]), child))
    return found
