"""Which nodes a budget of leaves must have split, in which order of growth."""

from tests.oracle.grow import priority
from tests.oracle.growth import Growth
from tests.oracle.search import Node
from tests.oracle.table import Table


def almost_tied(growth: Growth, priorities: list[tuple[int, ...]]) -> bool:
    """Whether rounding may have changed which node comes next."""
    gains = sorted(t[0] for t in priorities) if growth.order == "best" else []
    return len(gains) > 1 and 0 < gains[1] - gains[0] <= 1


def budget_fault(table: Table, growth: Growth, root: Node) -> str | None:
    """Grow again from the splits that the tree has, or could have had where it stops; None: it is right.

    A leaf that could be split has a `best` and no children. A split with too many branches for what is left
    is not made, and others come first.
    """
    whole = table.phi(growth.criterion, root.rows)
    frontier, n_leaves, n_born = [root] if root.best else [], 1, 1
    while frontier:
        priorities = [priority(growth, node, whole) for node in frontier]
        if almost_tied(growth, priorities):
            return None
        node = frontier.pop(priorities.index(min(priorities)))
        assert node.best is not None
        spent = n_leaves + len(node.best.sides) - 1 > growth.max_leaf_nodes
        if spent != (not node.children):
            verb = "must not" if spent else "must"
            return f"the node {node.path} {verb} be split: there are {n_leaves} leaves when it comes"
        for child in node.children:
            child.born, n_born = n_born, n_born + 1
        frontier += [child for child in node.children if child.best]
        n_leaves += max(len(node.children) - 1, 0)
    return None
