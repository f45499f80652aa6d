"""Which nodes a drawing shows: those with the most rows, as in the text for a terminal.

There the limit is lines of text; here it is final cards, side by side. Of a node with very many branches only
those with the most rows are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...tree.tree import Tree
from ...tree.walks import sum_below
from ..text.collapse import most_rows_first
from .layout import Ints

MOST_BRANCHES = 12  # of one node, the place of "more" included, where not all branches are shown


@dataclass(frozen=True)
class Places:
    """What is drawn, level by level: siblings side by side, after their parent."""

    node: Ints  # its number in the tree; of a place that stands for further branches, that of its parent
    parent: Ints  # a place; -1 for the first
    first_child: Ints
    n_children: Ints
    branch: Ints  # which child of its parent it is; -1: it stands for further branches
    hidden: Ints  # nodes that are not drawn, below this node or behind this place

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def is_more(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which places stand for further branches."""
        found = self.branch < 0
        found[0] = False
        return found


def drawn_places(tree: Tree, max_leaves: int | None, max_depth: int | None) -> Places:
    """Expand the nodes with most rows first, while their branches fit."""
    widest = None if max_leaves is None else min(MOST_BRANCHES, max(max_leaves, 2))
    room = None if max_leaves is None else max_leaves - 1  # the root alone is one end

    def more_ends(node: int, shown: list[int]) -> int:
        return len(shown) - 1 + (len(shown) < int(tree.n_children[node]))

    opened = most_rows_first(tree, room, max_depth, lambda node: _shown(tree, node, widest), more_ends)
    return _places(tree, opened)


def _shown(tree: Tree, node: int, widest: int | None) -> list[int]:
    """The children of a node to show, in order: all, or the heaviest and that of missing values."""
    count, first = int(tree.n_children[node]), int(tree.first_child[node])
    if widest is None or count <= widest:
        return list(range(first, first + count))
    rows = tree.n_node_samples[first : first + count].astype(np.float64)
    if tree.missing_child[node] >= 0:
        rows[tree.missing_child[node]] = np.inf
    return sorted((first + np.argsort(-rows, kind="stable")[: widest - 1]).tolist())


def _places(tree: Tree, opened: dict[int, list[int]]) -> Places:
    below = sum_below(tree, np.ones(tree.node_count, dtype=np.int64))
    node, parent, branch, hidden, first, count = [0], [-1], [-1], [0], [-1], [0]
    for at, here in enumerate(node):  # which grows meanwhile
        if branch[at] < 0 < at:  # further branches
            continue
        shown = opened.get(here)
        if shown is None:
            hidden[at] = int(below[here]) - 1
            continue
        children = [(child, child - int(tree.first_child[here]), 0) for child in shown]
        if len(shown) < tree.n_children[here]:
            rest = int(below[here]) - 1 - int(sum(below[child] for child, _, _ in children))
            children.append((here, -1, rest))
        first[at], count[at] = len(node), len(children)
        for child, k, rest in children:
            node.append(child)
            parent.append(at)
            branch.append(k)
            hidden.append(rest)
            first.append(-1)
            count.append(0)
    arrays = (np.array(part, dtype=np.int64) for part in (node, parent, first, count, branch, hidden))
    return Places(*arrays)
