"""Whether two tests of a node are as good as each other to the program that chose between them.

REPTree shuffles the rows first, and lets the rounding of sums in that order decide between tests that gain
the same.
"""

import numpy as np

from treewright.data.columns import known_columns
from treewright.data.table import each_column

CLOSE = {"reptree": 1e-9}


def tied(case, tree, ours, theirs):
    """Whether our test of a node scores as the recorded one does, on the rows that came there."""
    if case.program not in CLOSE:
        return False
    rows = rows_at(case, theirs)
    tested = [one.test(node) for one, node in ((tree, ours), (case.tree, theirs)) if one.n_children[node]]
    if len(tested) < 2:
        return False
    found = [SCORES[case.program](case, test, *rows) for test in tested]
    return bool(abs(found[0] - found[1]) <= CLOSE[case.program] * max(1.0, *map(abs, found)))


def rows_at(case, node):
    """The rows that come to a node of the recorded tree in growing: columns, target and weights."""
    rows = case.rows_of()
    weight = rows.weight.copy()
    if "grow_rows" in (case.extra or {}):
        weight[np.setdiff1d(np.arange(len(weight)), case.extra["grow_rows"])] = 0.0
    below = np.zeros(case.tree.node_count)
    below[descendants(case.tree, node)] = 1.0
    weight *= case.tree.shares(rows.columns) @ below
    here = weight > 0
    columns = [each.values[here] for each in known_columns(each_column(rows.X), rows.types)]
    return columns, rows.y[here, 0], weight[here]


def descendants(tree, node):
    found = [node]
    for at in found:
        found += range(int(tree.first_child[at]), int(tree.first_child[at]) + int(tree.n_children[at]))
    return found


def branches(test, x):
    """The branch of every value, -1 where it is missing, and their number."""
    if not test.levels:
        right = x >= test.threshold if test.strict else x > test.threshold
        return np.where(np.isnan(x), -1, right).astype(int), 2
    place = {level: k for k, group in enumerate(test.levels) for level in group}
    return np.array([place.get(level, -1) for level in x.tolist()], dtype=int), len(test.levels)


def bits(counts):
    """Weight times entropy, of each row of a table."""
    counts = np.atleast_2d(counts)
    total = counts.sum(axis=1)
    inner = np.where(counts > 0, counts * np.log2(np.where(counts > 0, counts, 1)), 0.0).sum(axis=1)
    return np.where(total > 0, total * np.log2(np.where(total > 0, total, 1)), 0.0) - inner


def reptree(case, test, columns, y, weight):
    """What is gained per row, where rows without the value are spread over the branches by their shares."""
    side, n = branches(test, columns[test.feature])
    share = np.bincount(side[side >= 0], weight[side >= 0], n)
    parts = np.where(side[:, None] < 0, share / share.sum(), side[:, None] == np.arange(n)) * weight[:, None]
    if case.classes is None:
        return (spread(y, weight) - sum(spread(y, part) for part in parts.T)) / spread(y, weight)
    table = np.stack([np.bincount(y, part, len(case.classes)) for part in parts.T])
    return (bits(table.sum(axis=0))[0] - bits(table).sum()) / weight.sum()


def spread(y, weight):
    """The sum of squares around the mean."""
    return float((weight * (y - np.average(y, weights=weight)) ** 2).sum()) if weight.sum() > 0 else 0.0


SCORES = {"reptree": reptree}
