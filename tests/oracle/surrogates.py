"""Surrogates: splits of other columns that send rows where the primary split sends them.

Definitions as in CART and rpart: over the rows whose primary value and whose own value are both known, with
the weights of the rows themselves, whatever priors and costs make of them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tests.oracle.search import Node, Scored
from tests.oracle.splits import Split, Value, between
from tests.oracle.table import Rows, Table

MOST = 5
LEAST_ROWS = 2  # on each side
LEAST_ADJUSTED = Fraction(1, 10**10)


@dataclass(frozen=True)
class Surrogate:
    """A split by another column, and how much of the weight it sends the primary's way."""

    split: Split
    reversed: bool  # x <= threshold goes to child 1
    agreement: Fraction  # its share of the weight whose primary value is known
    adjusted: Fraction  # 0: no better than always the heavier side; 1: perfect

    def child(self, x: Value) -> int | None:
        """The child of one value, None where it says nothing."""
        child = self.split.known_child(x)
        return child if child is None or not self.reversed else 1 - child


def heavier(table: Table, sides: tuple[Rows, ...]) -> int:
    """The heaviest child by the rows whose value is known, the first of equals."""
    weights = [table.weight(side) for side in sides]
    return weights.index(max(weights))


def candidate_tests(
    table: Table, feature: int, sides: tuple[Rows, ...], rows: Rows
) -> Iterator[tuple[Split, bool]]:
    """Every test of the column that may stand in, in the order that breaks ties; nominal columns have one.

    A cut lies above a value of a row that has a side, halfway to the next value of any row of the node.
    """
    column = table.columns[feature]
    values = sorted({x for side in sides for r in side if (x := column[r]) is not None})
    if feature not in table.nominal:
        for a, _ in pairwise(values):
            cut = between(a, min(x for r in rows if (x := column[r]) is not None and x > a))
            yield Split(feature, cut), False
            yield Split(feature, cut), True
        return
    groups: tuple[list[int], list[int]] = ([], [])
    for level in values:
        left, right = (table.weight([r for r in side if column[r] == level]) for side in sides)
        child = heavier(table, sides) if left == right else int(right > left)
        groups[child].append(int(level))
    yield Split(feature, math.nan, None, (tuple(groups[0]), tuple(groups[1]))), False


def best_of_column(table: Table, feature: int, sides: tuple[Rows, ...], rows: Rows) -> Surrogate | None:
    """The test of one column that agrees most, the first of equals; None where none is of use."""
    whole = table.weight([r for side in sides for r in side])
    majority = table.weight(sides[heavier(table, sides)]) / whole
    best: Surrogate | None = None
    for split, backwards in candidate_tests(table, feature, sides, rows):
        way = Surrogate(split, backwards, Fraction(0), Fraction(0))
        sent: list[list[Rows]] = [[[], []], [[], []]]  # by the primary's child and this one's
        for primary, side in enumerate(sides):
            for r in side:
                child = way.child(table.columns[feature][r])
                if child is not None:
                    sent[primary][child].append(r)
        if min(len(sent[0][child]) + len(sent[1][child]) for child in (0, 1)) < LEAST_ROWS:
            continue
        agreement = table.weight(sent[0][0] + sent[1][1]) / whole
        adjusted = (agreement - majority) / (1 - majority)
        if adjusted > LEAST_ADJUSTED and (best is None or agreement > best.agreement):
            best = Surrogate(split, backwards, agreement, adjusted)
    return best


def surrogates_of(table: Table, node: Node, best: Scored) -> list[Surrogate]:
    """The stand-ins of a binary split, from the best agreement to the worst, then by column."""
    if best.split.n_children != 2:
        return []
    table = table.shared(node.shares)
    others = (f for f in range(len(table.columns)) if f != best.split.feature)
    found = [s for f in others if (s := best_of_column(table, f, best.sides, node.rows)) is not None]
    return sorted(found, key=lambda s: -s.agreement)[:MOST]
