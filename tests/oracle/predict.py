"""Walking one row down the arrays of a tree."""

from collections.abc import Sequence

from tests.oracle.reading import Arrays, read_split, read_surrogates
from tests.oracle.route import SHARED, STOPS
from tests.oracle.splits import Value


def child_of(tree: Arrays, node: int, row: Sequence[Value]) -> int:
    """The number of the child that the row goes to; STOPS and SHARED as the tree has them."""
    split = read_split(tree, node)
    child = split.known_child(row[split.feature])
    stand_ins = read_surrogates(tree, node) if child is None else []
    for surrogate in stand_ins:
        child = surrogate.child(row[surrogate.split.feature])
        if child is not None:
            return child
    assert split.missing is not None
    return split.missing if child is None else child


def ends_of(tree: Arrays, row: Sequence[Value]) -> dict[int, float]:
    """Where a row ends, and with which share; None is a missing value."""
    ends: dict[int, float] = {}
    walk = [(0, 1.0)]
    for node, share in walk:  # the loop goes on over what it appends
        first, n = int(tree["first_child"][node]), int(tree["n_children"][node])
        child = child_of(tree, node, row) if n else STOPS
        if child == STOPS:
            ends[node] = share
        elif child == SHARED:
            walk += [(k, share * float(tree["share"][k])) for k in range(first, first + n)]
        else:
            walk.append((first + child, share))
    return ends


def leaf_of(tree: Arrays, row: Sequence[Value]) -> int:
    """The number of the node where the row ends, of several the one of the greatest share."""
    ends = ends_of(tree, row)
    return max(ends, key=lambda node: ends[node])
