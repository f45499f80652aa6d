"""Where the rows of a node go: by the test, and without a value by the rule for missing values."""

from dataclasses import dataclass, field
from fractions import Fraction

from tests.oracle.growth import Growth
from tests.oracle.search import Node, Scored, missing_rows
from tests.oracle.surrogates import Surrogate, heavier, surrogates_of
from tests.oracle.table import Rows, Table

STOPS, SHARED = -1, -2


@dataclass
class Routed:
    """The rows of each child with their shares, and what the tree must record about missing values."""

    rows: list[Rows]
    shares: list[dict[int, Fraction]]
    missing_child: int
    surrogates: list[Surrogate] = field(default_factory=list)
    child_shares: list[Fraction] = field(default_factory=list)  # of a row with a missing value


def fullest(sides: tuple[Rows, ...]) -> int:
    """The child of most rows, the last of equals."""
    return max(range(len(sides)), key=lambda child: (len(sides[child]), child))


def missing_child(table: Table, growth: Growth, node: Node, best: Scored) -> int:
    """The child of a missing value (after surrogates): as learned, or where none was seen, the fullest."""
    if growth.missing == "fractional":
        return SHARED
    if growth.missing == "surrogate":
        return heavier(table.shared(node.shares), best.sides)
    seen = missing_rows(table, node, best.split.feature)
    return best.split.missing if seen and best.split.missing is not None else fullest(best.sides)


def known_shares(table: Table, node: Node, best: Scored) -> list[Fraction]:
    """Of each child, its part of the weight that was counted."""
    table = table.shared(node.shares)
    weights = [table.weight(side) for side in best.sides]
    return [w / sum(weights) for w in weights]


def route(table: Table, growth: Growth, node: Node, best: Scored) -> Routed:
    """Send every row of the node on; the counted rows are where the search counted them."""
    rows = [list(side) for side in best.sides]
    shares = [{r: node.shares[r] for r in side if r in node.shares} for side in rows]
    routed = Routed(rows, shares, missing_child(table, growth, node, best))
    routed.child_shares = known_shares(table, node, best)
    if growth.missing == "surrogate":
        routed.surrogates = surrogates_of(table, node, best)
    for r in missing_rows(table, node, best.split.feature) if growth.counts_known_only else ():
        if growth.missing == "fractional":
            for child, share in enumerate(routed.child_shares):
                rows[child].append(r)
                shares[child][r] = node.shares.get(r, Fraction(1)) * share
            continue
        stand_ins = (s.child(table.columns[s.split.feature][r]) for s in routed.surrogates)
        rows[next((child for child in stand_ins if child is not None), routed.missing_child)].append(r)
    return routed
