"""Growing: open nodes are split in order of priority, the best split of each makes its children."""

from fractions import Fraction
from typing import Any

from tests.oracle.choice import best_split
from tests.oracle.growth import Growth
from tests.oracle.route import Routed, route
from tests.oracle.search import Node, round_half_up
from tests.oracle.table import Table
from tests.oracle.tree import arrays


def child_bounds(table: Table, growth: Growth, node: Node, routed: Routed) -> list[tuple[float, float]]:
    """A constrained split puts the middle of the values of its two children between them."""
    assert node.best is not None
    sign, n = growth.sign(node.best.split.feature), len(node.best.sides)
    if sign == 0:
        return [node.bounds] * n
    lower, upper = node.bounds
    values = [table.constrained(growth.criterion, rows) for rows in routed.rows[:2]]
    left, right = (min(max(value, lower), upper) for value in values)
    middle = left / 2 + right / 2
    between = ((node.bounds[0], middle), (middle, node.bounds[1]))[::sign]
    return [*between, *[node.bounds] * (n - 2)]


def priority(growth: Growth, node: Node, whole: Fraction) -> tuple[Any, ...]:
    """Of the open nodes, the one of the smallest priority number is split next."""
    if growth.order == "depth":
        return node.path  # a node, then its first child with all below, then the next
    if growth.order == "breadth":
        return len(node.path), node.path
    assert node.best is not None
    return -round_half_up(2**40 * node.best.gain / whole), node.born  # rounded, so that ties are ties


def root_of(table: Table) -> Node:
    """Rows of weight 0 take no part."""
    return Node([r for r, w in enumerate(table.weights) if w > 0])


def make_children(table: Table, growth: Growth, node: Node, n_born: int) -> Routed:
    """Divide the rows of a node by its best split, and number the children in the order of their birth."""
    assert node.best is not None
    routed = route(table, growth, node, node.best)
    for k, bounds in enumerate(child_bounds(table, growth, node, routed)):
        child = Node(routed.rows[k], (*node.path, k), bounds, n_born + k, routed.shares[k])
        node.children.append(child)
    return routed


def grow(table: Table, growth: Growth) -> dict[str, Any]:
    """Return the core's arrays, and the nodes behind them."""
    root = root_of(table)
    whole = table.phi(growth.criterion, root.rows)
    root.best = best_split(table, growth, root)
    frontier, n_leaves, n_born = [root] if root.best else [], 1, 1
    routes: dict[int, Routed] = {}
    while frontier:
        node = min(frontier, key=lambda node: priority(growth, node, whole))
        frontier.remove(node)
        assert node.best is not None
        if 0 < growth.max_leaf_nodes < n_leaves + len(node.best.sides) - 1:
            continue  # too many branches: it stays a leaf
        routes[id(node)] = make_children(table, growth, node, n_born)
        for child in node.children:
            child.best = best_split(table, growth, child)
            frontier += [child] if child.best else []
        n_leaves += len(node.children) - 1
        n_born += len(node.children)
    return arrays(table, growth, root, routes)
