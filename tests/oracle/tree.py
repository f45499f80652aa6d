"""Writing nodes down as the core does: parallel arrays, numbered by level, siblings side by side."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracle.criteria import CLASSIFICATION
from tests.oracle.growth import Growth
from tests.oracle.route import Routed
from tests.oracle.search import Node, missing_rows
from tests.oracle.splits import Split
from tests.oracle.table import Table
from treewright.tree.invariants import FOUND_BY


def value(table: Table, growth: Growth, node: Node) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The value of every output, padded to the most classes, within the bounds of monotone constraints."""
    found = np.zeros((len(table.outputs), max(table.n_classes)))
    for k, v in enumerate(table.shared(node.shares).value(growth.criterion, node.rows)):
        found[k, : len(v)] = v
    if growth.monotonic:
        found[0, -1] = np.clip(found[0, -1], *node.bounds)
        if growth.criterion in CLASSIFICATION:
            found[0, 0] = 1 - found[0, -1]  # shares add up to 1
    return found


def impurity(table: Table, growth: Growth, node: Node) -> float:
    """The impurity per unit of weight."""
    table = table.shared(node.shares)
    return float(table.phi(growth.criterion, node.rows) / table.weight(node.rows))


def thresholds(splits: Sequence[Split | None]) -> dict[str, list[Any]]:
    """The arrays of thresholds; those of whole numbers only where a float64 would not do."""
    found = [s.threshold if s else math.nan for s in splits]
    exact = [isinstance(t, int) for t in found]
    return {
        "threshold": [float(t) for t in found],
        "integer_exact": exact if any(exact) else [],
        "integer_threshold": [t if isinstance(t, int) else 0 for t in found] if any(exact) else [],
    }


def level_lists(splits: Sequence[Split | None]) -> dict[str, list[Any]]:
    """The levels that each test lists, by code, and the child of each."""
    listed = [
        sorted((level, child) for child, group in enumerate(s.levels) for level in group) if s else []
        for s in splits
    ]
    begin = [sum(map(len, listed[:i])) for i in range(len(listed) + 1)]
    flat = [pair for pairs in listed for pair in pairs]
    return {
        "level_begin": begin if flat else [],
        "level_code": [level for level, _ in flat],
        "level_child": [child for _, child in flat],
    }


def surrogate_arrays(routes: Sequence[Routed | None]) -> dict[str, Any] | None:
    """One entry per surrogate, ordered by node and then by rank; None where there is none."""
    found = [(i, s) for i, routed in enumerate(routes) if routed for s in routed.surrogates]
    splits = [s.split for _, s in found]
    columns: dict[str, list[Any]] = {
        "node": [i for i, _ in found],
        "feature": [split.feature for split in splits],
        "strict": [],
        "reversed": [s.reversed for _, s in found],
        "agreement": [float(s.agreement) for _, s in found],
        "adjusted": [float(s.adjusted) for _, s in found],
        **thresholds(splits),
        **level_lists(splits),
    }
    return {name: np.array(column) for name, column in columns.items()} if found else None


def how(table: Table, growth: Growth, split: Split | None) -> int:
    """How the oracle found the split: it tries everything."""
    if split is None or split.feature not in table.nominal:
        return 0
    return FOUND_BY.index("every subset" if growth.nominal_splits == "subset" else "every level")


def child_shares(nodes: Sequence[Node], routes: Sequence[Routed | None]) -> list[float]:
    """Of every node its share of its parent's rows with a missing value."""
    found = {id(nodes[0]): 1.0}
    for node, routed in zip(nodes, routes, strict=True):
        for child, share in zip(node.children, routed.child_shares if routed else (), strict=True):
            found[id(child)] = float(share)
    return [found[id(node)] for node in nodes]


def arrays(table: Table, growth: Growth, root: Node, by_node: dict[int, Routed]) -> dict[str, Any]:
    """Return the arrays under the core's names; `nodes` holds what they were made of."""
    nodes = [root]
    for node in nodes:
        nodes += node.children  # the loop goes on over what it appends
    number = {id(node): i for i, node in enumerate(nodes)}
    routes = [by_node.get(id(node)) for node in nodes]
    best = [node.best if node.children else None for node in nodes]
    splits = [s.split if s else None for s in best]
    weights = [table.shared(node.shares).weight(node.rows) for node in nodes]
    tree: dict[str, list[Any]] = {
        "first_child": [number[id(node.children[0])] if node.children else -1 for node in nodes],
        "n_children": [len(node.children) for node in nodes],
        "feature": [s.feature if s else -1 for s in splits],
        **thresholds(splits),
        **level_lists(splits),
        "missing_child": [routed.missing_child if routed else 0 for routed in routes],
        "missing_seen": [
            bool(s and missing_rows(table, node, s.feature)) for node, s in zip(nodes, splits, strict=True)
        ],
        "share": child_shares(nodes, routes),
        "found_by": [how(table, growth, s) for s in splits],
        "heuristic": [False] * len(nodes),
        "n_node_samples": [len(node.rows) for node in nodes],
        "weighted_n_node_samples": [float(w) for w in weights],
        "impurity": [impurity(table, growth, node) for node in nodes],
        "gain": [float(s.gain) if s else 0.0 for s in best],
        "value": [value(table, growth, node) for node in nodes],
        "lower": [node.bounds[0] for node in nodes if growth.monotonic],
        "upper": [node.bounds[1] for node in nodes if growth.monotonic],
    }
    grown = {name: np.array(column) for name, column in tree.items()}
    return grown | {"nodes": nodes, "surrogates": surrogate_arrays(routes)}
