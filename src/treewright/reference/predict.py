"""Walking one row down the arrays of a tree."""

from collections.abc import Mapping, Sequence
from typing import Any

from treewright.reference.splits import Value


def leaf_of(tree: Mapping[str, Any], row: Sequence[Value]) -> int:
    """The number of the leaf that the row reaches; None is a missing value."""
    node = 0
    while tree["n_children"][node]:
        x = row[tree["feature"][node]]
        if x is None:
            child = tree["missing_child"][node]
        elif len(tree["integer_exact"]) and tree["integer_exact"][node]:
            child = x > int(tree["integer_threshold"][node])
        else:
            child = x > float(tree["threshold"][node])
        node = int(tree["first_child"][node]) + int(child)
    return node
