"""A large and deep tree, for the tests and the benchmark of exports."""

import random

from treewright.tree.tree import tree_from_dict


def deep_tree(leaves=5000, depth=40, columns=8, seed=0):
    """A random tree of this many leaves, some of them at this depth."""
    rng = random.Random(seed)
    root = {}
    to_split = [(root, 0)]
    for step in range(leaves - 1):  # first one path down to the last level
        node, level = to_split.pop(-1 if step < depth else rng.randrange(len(to_split)))
        left, right = {}, {}
        node |= {
            "feature": rng.randrange(columns),
            "threshold": rng.gauss(0, 1),
            "left": left,
            "right": right,
        }
        node["missing"] = rng.choice(["left", "right"])
        to_split += [(below, level + 1) for below in (left, right) if level + 1 < depth]
    for k, node in enumerate(_all(root)):
        share = (k % 97 + 1) / 98
        node |= {"value": [share, 1 - share]}
    return tree_from_dict(root, n_features=columns, classes=["no", "yes"])


def _all(root):
    to_do = [root]
    while to_do:
        node = to_do.pop()
        yield node
        to_do += [node[side] for side in ("left", "right") if side in node]
