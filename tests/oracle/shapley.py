"""Shapley values by their definition: the mean gain of a column over all sets of others, each set tried."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from tests.oracle.predict import child_of
from tests.oracle.reading import Arrays
from tests.oracle.route import SHARED, STOPS
from tests.oracle.splits import Value

Row = Sequence[Value]
Known = frozenset[int]


def shapley_values(n_columns: int, worth: Callable[[Known], float]) -> list[float]:
    """The values of the columns, where worth(known) is what is predicted if these columns are known."""
    worths = {
        frozenset(known): worth(frozenset(known))
        for size in range(n_columns + 1)
        for known in combinations(range(n_columns), size)
    }
    found = [0.0] * n_columns
    for known, before in worths.items():
        weight = Fraction(
            factorial(len(known)) * factorial(max(n_columns - len(known) - 1, 0)), factorial(n_columns)
        )
        for column in set(range(n_columns)) - known:
            found[column] += float(weight) * (worths[known | {column}] - before)
    return found


def children_reached(tree: Arrays, node: int, row: Row) -> dict[int, float]:
    """The share of a row that a node sends to each child; the child STOPS is the node itself."""
    first, n = int(tree["first_child"][node]), int(tree["n_children"][node])
    child = child_of(tree, node, row)
    if child == SHARED:
        return {k: float(tree["share"][first + k]) for k in range(n)}
    return {child: 1.0}


def by_weight(tree: Arrays, node: int) -> dict[int, float]:
    """The share of the training weight that a node hands to each child, or keeps."""
    first, n = int(tree["first_child"][node]), int(tree["n_children"][node])
    weight = [float(tree["weighted_n_node_samples"][k]) for k in [node, *range(first, first + n)]]
    handed = {k: weight[k + 1] for k in range(n)}
    if int(tree["missing_child"][node]) == STOPS:
        handed[STOPS] = max(weight[0] - sum(weight[1:]), 0.0)
    total = sum(handed.values())
    if total <= 0:
        return dict.fromkeys(range(n), 1 / n)
    return {child: part / total for child, part in handed.items()}


def predicted(tree: Arrays, value: Sequence[float], send: Callable[[int], dict[int, float]]) -> float:
    """The mean of the values of the ends, where send(node) has the share that goes to each child."""
    total, walk = 0.0, [(0, 1.0)]
    for node, share in walk:  # the loop goes on over what it appends
        if not tree["n_children"][node]:
            total += share * value[node]
            continue
        for child, part in send(node).items():
            if child == STOPS:
                total += share * part * value[node]
            elif part > 0:
                walk.append((int(tree["first_child"][node]) + child, share * part))
    return total


def path_dependent(tree: Arrays, value: Sequence[float], row: Row) -> list[float]:
    """A column that is not known: the row goes down all branches by their training weight."""

    def worth(known: Known) -> float:
        def send(node: int) -> dict[int, float]:
            return (
                children_reached(tree, node, row) if tree["feature"][node] in known else by_weight(tree, node)
            )

        return predicted(tree, value, send)

    return shapley_values(len(row), worth)


def interventional(tree: Arrays, value: Sequence[float], row: Row, background: Sequence[Row]) -> list[float]:
    """A column that is not known: the row goes where a background row goes; the mean over all of these."""

    def worth(known: Known) -> float:
        def prediction_of(other: Row) -> float:
            return predicted(
                tree,
                value,
                lambda node: children_reached(tree, node, row if tree["feature"][node] in known else other),
            )

        return sum(map(prediction_of, background)) / len(background)

    return shapley_values(len(row), worth)
