"""Where the nodes of a drawn tree stand: the tidy layout of Reingold and Tilford (1981).

Subtrees are pushed together until their outlines are one unit apart, and a parent stands midway above its
children. Each merge walks only the levels that both subtrees have, so the whole is linear in the nodes, and
nothing recurses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.integer[Any]]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Outline:
    """One side of a subtree: x of its outermost node per level, deepest first, all moved by `shift`."""

    def __init__(self) -> None:
        self.levels: list[float] = []
        self.shift = 0.0

    def at(self, depth: int) -> float:
        """x at so many levels below the subtree's top."""
        return self.levels[-1 - depth] + self.shift

    def put(self, depth: int, x: float) -> None:
        """Set x at so many levels below the top."""
        self.levels[-1 - depth] = x - self.shift

    def crown(self, x: float) -> None:
        """Add a new top level."""
        self.levels.append(x - self.shift)


def layout(first_child: Ints, n_children: Ints) -> tuple[Floats, Ints]:
    """x and level of every node, from 0; siblings are adjacent and come after their parent."""
    size = len(first_child)
    moved = np.zeros(size)  # a child's x relative to its parent
    outlines: dict[int, tuple[Outline, Outline]] = {}
    for node in range(size - 1, -1, -1):
        children = range(int(first_child[node]), int(first_child[node] + n_children[node]))
        outlines[node] = _join(children, outlines, moved) if n_children[node] else (Outline(), Outline())
        for side in outlines[node]:
            side.crown(0.0)
    x, level = np.zeros(size), np.zeros(size, dtype=np.int64)
    for parent in np.flatnonzero(n_children):
        below = slice(first_child[parent], first_child[parent] + n_children[parent])
        x[below], level[below] = x[parent] + moved[below], level[parent] + 1
    return x - x.min(), level


def _join(
    children: range, outlines: dict[int, tuple[Outline, Outline]], moved: Floats
) -> tuple[Outline, Outline]:
    """Set the subtrees side by side and return the outline of all, with x = 0 midway."""
    left, right = outlines.pop(children[0])
    for child in children[1:]:
        near, far = outlines.pop(child)
        shared = min(len(right.levels), len(near.levels))
        shift = max(right.at(depth) - near.at(depth) for depth in range(shared)) + 1.0
        moved[child] = shift
        near.shift += shift
        far.shift += shift
        left, right = _lower(left, near, shared), _lower(far, right, shared)
    middle = moved[children[-1]] / 2
    moved[children.start : children.stop] -= middle
    left.shift -= middle
    right.shift -= middle
    return left, right


def _lower(upper: Outline, other: Outline, shared: int) -> Outline:
    """The outline that follows `upper` as deep as it goes and `other` below that."""
    if len(other.levels) <= len(upper.levels):
        return upper
    for depth in range(shared):
        other.put(depth, upper.at(depth))
    return other
