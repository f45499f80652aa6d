"""Which nodes of a tree are shown where there is no room for all: those with most rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree.tree import Tree
from ...tree.walks import sum_below
from ...tree.words import Words
from .room import most_rows_first

Ints = NDArray[np.int64]


class Line(NamedTuple):
    """One line of a drawing, before it has a form."""

    level: int  # 0: the root
    last: bool  # no line of the same parent follows
    node: int  # whose branch it is; of a fold, the node that it hides the inside of
    condition: str
    kind: str  # "branch", "missing" (of the node above) or "fold"


def opened(words: Words, max_lines: int | None, max_depth: int | None) -> set[int]:
    """The inner nodes whose branches are shown, so that there are at most so many lines."""
    tree = words.tree
    inner = ~tree.is_leaf

    def lines(node: int, children: list[int]) -> int:
        return len(children) + int(inner[children].sum()) + bool(tree.missing_child[node] < 0) - 1

    first = 1 + int(inner[0])  # the root, and what is folded under it
    room = None if max_lines is None else max_lines - first
    return set(most_rows_first(tree, room, max_depth, lambda node: list(words.children(node)), lines))


def lines_of(words: Words, shown: set[int], says_missing: bool) -> list[Line]:
    """The lines of the nodes that are shown, from the top down.

    `says_missing`: every test says where missing values go, also where the number of rows would tell.
    """
    found: list[Line] = []
    stack = [Line(0, True, 0, "all rows", "branch")]
    while stack:
        line = stack.pop()
        found.append(line)
        if line.kind != "branch" or words.is_leaf(line.node):
            continue
        if line.node not in shown:
            found.append(Line(line.level + 1, True, line.node, "", "fold"))
            continue
        stack += reversed(_below(words, line, says_missing))
    return found


def _below(words: Words, line: Line, says_missing: bool) -> list[Line]:
    node, level = line.node, line.level + 1
    conditions, missing = words.branches(node), words.missing_line(node, words.short)
    if says_missing and words.follows_rule(node):
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
    deepest = tree.depth.copy()
    begin = np.searchsorted(tree.depth, np.arange(tree.max_depth + 2))
    for level in range(tree.max_depth, 0, -1):
        here = slice(begin[level], begin[level + 1])
        np.maximum.at(deepest, tree.parent[here], deepest[here])
    return below, deepest - tree.depth
