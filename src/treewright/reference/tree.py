"""Writing nodes down as the core does: parallel arrays, numbered by level, siblings side by side."""

import math
from typing import Any

import numpy as np

from treewright.reference.criteria import CLASSIFICATION
from treewright.reference.search import Growth, Node, Scored
from treewright.reference.table import Table


def missing_seen(table: Table, best: Scored) -> bool:
    """Whether the node had missing values in the column that it splits."""
    return any(table.columns[best.split.feature][r] is None for side in best.sides for r in side)


def missing_child(table: Table, best: Scored) -> int:
    """The child of missing values: as learned, or, where none were seen, the one of more rows (or right)."""
    left, right = best.sides
    goes_left = best.split.missing_left if missing_seen(table, best) else len(left) > len(right)
    return 0 if goes_left else 1


def value(table: Table, growth: Growth, node: Node) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The value of every output, padded to the most classes, within the bounds of monotone constraints."""
    found = np.zeros((len(table.outputs), max(table.n_classes)))
    for k, v in enumerate(table.value(growth.criterion, node.rows)):
        found[k, : len(v)] = v
    if growth.monotonic:
        found[0, -1] = np.clip(found[0, -1], *node.bounds)
        if growth.criterion in CLASSIFICATION:
            found[0, 0] = 1 - found[0, -1]  # shares add up to 1
    return found


def arrays(table: Table, growth: Growth, root: Node) -> dict[str, Any]:
    """Return the arrays under the core's names; `nodes` holds what they were made of."""
    nodes = [root]
    for node in nodes:
        nodes += node.children  # the loop goes on over what it appends
    number = {id(node): i for i, node in enumerate(nodes)}
    splits = [node.best if node.children else None for node in nodes]
    thresholds = [s.split.threshold if s else math.nan for s in splits]
    exact = [isinstance(t, int) for t in thresholds]
    tree: dict[str, list[Any]] = {
        "first_child": [number[id(node.children[0])] if node.children else -1 for node in nodes],
        "n_children": [len(node.children) for node in nodes],
        "feature": [s.split.feature if s else -1 for s in splits],
        "threshold": [float(t) for t in thresholds],
        "integer_exact": exact if any(exact) else [],
        "integer_threshold": [t if isinstance(t, int) else 0 for t in thresholds] if any(exact) else [],
        "missing_child": [missing_child(table, s) if s else 0 for s in splits],
        "missing_seen": [missing_seen(table, s) if s else False for s in splits],
        "n_node_samples": [len(node.rows) for node in nodes],
        "weighted_n_node_samples": [float(table.weight(node.rows)) for node in nodes],
        "impurity": [float(table.phi(growth.criterion, n.rows) / table.weight(n.rows)) for n in nodes],
        "gain": [float(s.gain) if s else 0.0 for s in splits],
        "value": [value(table, growth, node) for node in nodes],
        "lower": [node.bounds[0] for node in nodes if growth.monotonic],
        "upper": [node.bounds[1] for node in nodes if growth.monotonic],
    }
    return {name: np.array(column) for name, column in tree.items()} | {"nodes": nodes}
