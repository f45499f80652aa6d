"""The nearest change of a row that leads to what is wanted, by trying every change that could be it.

The nearest point of a box has in every column either the row's own value or one at an edge of the box, and
edges are thresholds. So it is enough to try, in every column, the own value and the values on both sides of
all thresholds, and every level.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tests.oracle.predict import ends_of
from tests.oracle.reading import Arrays, read_split, read_surrogates
from tests.oracle.splits import Split, Value


class Candidate(NamedTuple):
    """A value that a cell may have, and what that costs; 0 for its own."""

    value: Value
    cost: float


def tests_of(tree: Arrays) -> list[Split]:
    """The tests of all nodes and surrogates."""
    inner = [node for node in range(len(tree["n_children"])) if tree["n_children"][node]]
    found = [read_split(tree, node) for node in inner]
    return found + [extra.split for node in inner for extra in read_surrogates(tree, node)]


def edges(tree: Arrays, column: int, *, whole: bool) -> set[Value]:
    """The float64 (or whole) numbers right at, below and above every threshold of a column."""
    found: set[Value] = set()
    for test in tests_of(tree):
        if test.feature != column or test.levels or not math.isfinite(test.threshold):
            continue
        t = test.threshold
        if whole:
            found |= {math.floor(t) - 1, math.floor(t), math.ceil(t), math.floor(t) + 1, math.ceil(t) - 1}
        else:
            found |= {float(t), math.nextafter(t, -math.inf), math.nextafter(t, math.inf)}
    return found


def nearest_change(
    tree: Arrays,
    cells: Sequence[Iterable[Candidate]],
    wanted: Callable[[dict[int, float]], bool],
    max_changes: int | None = None,
) -> tuple[float, list[Value]] | None:
    """The least cost of a row made of these candidates whose ends are wanted, and the row."""
    rows: list[tuple[float, int, list[Value]]] = [(0.0, 0, [])]
    for candidates in cells:
        own, *others = sorted(candidates, key=lambda each: each.cost)
        assert own.cost == 0
        grown = [(cost, changes, [*row, own.value]) for cost, changes, row in rows]
        for cost, changes, row in rows:
            if max_changes is None or changes < max_changes:
                grown += [(cost + each.cost, changes + 1, [*row, each.value]) for each in others]
        rows = grown
    for cost, _, row in sorted(rows, key=lambda each: each[0]):
        if wanted(ends_of(tree, row)):
            return cost, row
    return None
