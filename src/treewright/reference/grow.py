"""Growing: open nodes take turns, the best split of each makes two more."""

from fractions import Fraction
from typing import Any

from treewright.reference.search import Growth, Node, best_split, round_half_up
from treewright.reference.table import Table
from treewright.reference.tree import arrays


def child_bounds(table: Table, growth: Growth, node: Node) -> tuple[tuple[float, float], ...]:
    """A constrained split puts the middle of its two values between the children."""
    assert node.best is not None
    sign = growth.sign(node.best.split.feature)
    if sign == 0:
        return node.bounds, node.bounds
    left, right = (table.constrained(growth.criterion, side) for side in node.best.sides)
    middle = left / 2 + right / 2
    return ((node.bounds[0], middle), (middle, node.bounds[1]))[::sign]


def turn(growth: Growth, node: Node, whole: Fraction) -> tuple[Any, ...]:
    """Of the open nodes, the one of the smallest turn is split next."""
    if growth.order == "depth":
        return node.path  # a node, then its left, then its right
    if growth.order == "breadth":
        return len(node.path), node.path
    assert node.best is not None
    return -round_half_up(2**40 * node.best.gain / whole), node.born  # rounded, so that ties are ties


def grow(table: Table, growth: Growth) -> dict[str, Any]:
    """Return the core's arrays, and the nodes behind them; rows of weight 0 take no part."""
    root = Node([r for r, w in enumerate(table.weights) if w > 0])
    whole = table.phi(growth.criterion, root.rows)
    root.best = best_split(table, growth, root)
    frontier, n_leaves, n_born = [root] if root.best else [], 1, 1
    while frontier and n_leaves != growth.max_leaf_nodes:
        node = min(frontier, key=lambda node: turn(growth, node, whole))
        frontier.remove(node)
        assert node.best is not None
        for side, bounds in enumerate(child_bounds(table, growth, node)):
            child = Node(node.best.sides[side], (*node.path, side), bounds, n_born)
            child.best = best_split(table, growth, child)
            node.children.append(child)
            frontier += [child] if child.best else []
            n_born += 1
        n_leaves += 1
    return arrays(table, growth, root)
