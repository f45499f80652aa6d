"""Which nodes are shown where not all fit: those with the most rows. The others are collapsed."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from ...tree.walks import sum_below

Ints = NDArray[np.int64]


def most_rows_first(
    tree: Tree,
    room: int | None,
    max_depth: int | None,
    branches: Callable[[int], list[int]],
    cost: Callable[[int, list[int]], int],
) -> dict[int, list[int]]:
    """The inner nodes that are expanded, each with its `branches`, while what they `cost` fits the room.

    A node is expanded before those with fewer rows. What does not fit is skipped.
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


class Line(NamedTuple):
    """One line of a drawing, before it has a form."""

    level: int  # 0: the root
    last: bool  # no line of the same parent follows
    node: int  # whose branch it is; of a collapsed subtree, its root
    condition: str
    kind: str  # "branch", "missing" (of the node above) or "collapsed"


def expanded(words: TreeText, max_lines: int | None, max_depth: int | None) -> set[int]:
    """The inner nodes whose branches are shown, so that there are at most so many lines."""
    tree = words.tree
    inner = ~tree.is_leaf

    def lines(node: int, children: list[int]) -> int:
        return len(children) + int(inner[children].sum()) + bool(tree.missing_child[node] < 0) - 1

    first = 1 + int(inner[0])  # the root, and what is collapsed under it
    room = None if max_lines is None else max_lines - first
    return set(most_rows_first(tree, room, max_depth, lambda node: list(words.children(node)), lines))


def lines_of(words: TreeText, shown: set[int], shows_missing: bool) -> list[Line]:
    """The lines of the nodes that are shown, from the top down.

    `shows_missing`: every test says where missing values go, also where the number of rows would tell.
    """
    found: list[Line] = []
    stack = [Line(0, True, 0, "all rows", "branch")]
    while stack:
        line = stack.pop()
        found.append(line)
        if line.kind != "branch" or words.is_leaf(line.node):
            continue
        if line.node not in shown:
            found.append(Line(line.level + 1, True, line.node, "", "collapsed"))
            continue
        stack += reversed(_below(words, line, shows_missing))
    return found


def _below(words: TreeText, line: Line, shows_missing: bool) -> list[Line]:
    node, level = line.node, line.level + 1
    conditions, missing = words.branches(node), words.missing_line(node, words.short_number)
    if shows_missing and words.follows_rule(node):
        conditions[int(words.tree.missing_child[node])] += " or missing"
    children = words.children(node)
    found = [
        Line(level, not missing and child == children[-1], child, condition, "branch")
        for child, condition in zip(children, conditions, strict=True)
    ]
    if missing:
        found.append(Line(level, True, node, f"{words.feature(node)} is missing: {missing}", "missing"))
    return found


def sizes(tree: Tree) -> tuple[Ints, Ints]:
    """How many nodes are below every node, and how many levels."""
    below = sum_below(tree, np.ones(tree.node_count, dtype=np.int64)) - 1
    deepest, parent = tree.depth.tolist(), tree.parent.tolist()  # a loop over an array is ten times slower
    for node in range(tree.node_count - 1, 0, -1):
        deepest[parent[node]] = max(deepest[parent[node]], deepest[node])
    return below, np.asarray(deepest) - tree.depth
