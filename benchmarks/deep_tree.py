"""A large and deep tree, for the tests and the benchmark of exports."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from treewright.tree.tree import Tree, tree_from_dict


def deep_tree(leaves: int = 5000, depth: int = 40, columns: int = 8, seed: int = 0) -> Tree:
    """A random tree of this many leaves, some of them at this depth."""
    rng = random.Random(seed)
    root: dict[str, Any] = {}
    to_split = [(root, 0)]
    for step in range(leaves - 1):  # first one path down to the last level
        node, level = to_split.pop(-1 if step < depth else rng.randrange(len(to_split)))
        below: list[dict[str, Any]] = [{}, {}]
        node |= {"feature": rng.randrange(columns), "threshold": rng.gauss(0, 1)}
        node |= {"left": below[0], "right": below[1], "missing": rng.choice(["left", "right"])}
        to_split += [(each, level + 1) for each in below if level + 1 < depth]
    for k, node in enumerate(_all(root)):
        share = (k % 97 + 1) / 98
        node |= {"value": [share, 1 - share]}
    return tree_from_dict(root, n_features=columns, classes=["no", "yes"])


def _all(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    to_do = [root]
    while to_do:
        node = to_do.pop()
        yield node
        to_do += [node[side] for side in ("left", "right") if side in node]
