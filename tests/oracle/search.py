"""The splits of a node: which are feasible, and what they gain."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain

from tests.oracle.criteria import Number
from tests.oracle.growth import Growth
from tests.oracle.splits import Split, column_candidates
from tests.oracle.table import Rows, Table


@dataclass(frozen=True)
class Scored:
    """A split of a node, the rows of each child that were counted, and what it gains."""

    split: Split
    sides: tuple[Rows, ...]
    gain: Fraction  # φ(counted) - Σ φ(sides)
    ratio: Fraction  # 2^40 gain / φ(node)

    @property
    def score(self) -> int:
        """The ratio, rounded: what splits are compared by."""
        return round_half_up(self.ratio)


@dataclass(eq=False)
class Node:
    """Rows on their way; the path has the number of the child at each step, its length is the depth."""

    rows: Rows
    path: tuple[int, ...] = ()
    bounds: tuple[float, float] = (-math.inf, math.inf)  # of monotone constraints
    born: int = 0
    shares: dict[int, Fraction] = field(default_factory=dict)  # of rows that also went elsewhere
    best: Scored | None = None
    children: list["Node"] = field(default_factory=list)


def round_half_up(x: Fraction) -> int:
    """The nearest whole number, upwards from the middle."""
    return math.floor(x + Fraction(1, 2))


GRID = Fraction(1, 10**9)  # the core rounds the weight of a share of a row by less


def size(table: Table, growth: Growth, rows: Rows) -> Number:
    """What min_samples_* measure: rows; or, where rows are shared out, their weight, for once generously."""
    return table.weight(rows) + GRID if growth.missing == "fractional" else len(rows)


def may_be_child(table: Table, growth: Growth, rows: Rows) -> bool:
    """Whether these rows are enough for a node of their own."""
    if size(table, growth, rows) < growth.min_samples_leaf or table.weight(rows) < growth.min_weight_leaf:
        return False
    zero = growth.criterion == "poisson" and 0 in [sum(y[r] for r in rows) for y in table.outputs]
    return not zero  # a mean of 0 has no logarithm


def feasible(table: Table, growth: Growth, node: Node, split: Split, sides: tuple[Rows, ...]) -> bool:
    """Whether all children may exist, and stand in the order that a monotone constraint requires."""
    if not all(may_be_child(table, growth, side) for side in sides):
        return False
    sign, (lower, upper) = growth.sign(split.feature), node.bounds
    if sign == 0:
        return True
    values = [table.constrained(growth.criterion, side) for side in sides[:2]]
    return values == sorted(values)[::sign] and all(lower <= v <= upper for v in values)


def missing_rows(table: Table, node: Node, feature: int) -> Rows:
    """The rows of the node whose value of this column is missing."""
    return [r for r in node.rows if table.columns[feature][r] is None]


def missing_part(table: Table, growth: Growth, node: Node, feature: int) -> str:
    """What missing rows do in the search: "tried" with each child, a child of their "own", or nothing."""
    gone = missing_rows(table, node, feature)
    if not gone or growth.counts_known_only:
        return ""
    own = growth.missing == "branch" and may_be_child(table, growth, gone)
    return "own" if own else "tried"


def sides_of(table: Table, node: Node, split: Split) -> tuple[Rows, ...]:
    """The counted rows of each child; rows with a missing value count where the split names their child."""
    sides: tuple[Rows, ...] = tuple([] for _ in range(split.n_children))
    for r in node.rows:
        child = split.known_child(table.columns[split.feature][r])
        child = split.missing if child is None else child
        if child is not None:
            sides[child].append(r)
    return sides


def column_splits(table: Table, growth: Growth, node: Node, feature: int) -> Iterator[Scored]:
    """Every feasible split of an impure node by one column, in the order that breaks ties."""
    table = table.shared(node.shares)
    total = table.phi(growth.criterion, node.rows)
    missing = missing_part(table, growth, node, feature)
    values = [table.columns[feature][r] for r in node.rows]
    counted: Fraction | None = None  # φ of the rows that count, which are the same for every split
    kind = growth.nominal_splits if feature in table.nominal else ""
    for split in column_candidates(feature, values, missing, kind):
        sides = sides_of(table, node, split)
        if feasible(table, growth, node, split, sides):
            if counted is None:
                counted = table.phi(growth.criterion, list(chain(*sides)))
            gain = counted - sum(table.phi(growth.criterion, side) for side in sides)
            yield Scored(split, sides, gain, 2**40 * gain / total)


def feasible_splits(table: Table, growth: Growth, node: Node) -> Iterator[Scored]:
    """Every feasible split of an impure node, in the order that breaks ties."""
    for feature in range(len(table.columns)):
        yield from column_splits(table, growth, node, feature)


def stays_leaf(table: Table, growth: Growth, node: Node) -> bool:
    """Whether the node may not be split, whatever its columns hold."""
    table = table.shared(node.shares)
    if len(node.path) == growth.max_depth or table.pure(node.rows):
        return True
    if size(table, growth, node.rows) < max(growth.min_samples_split, 2 * growth.min_samples_leaf):
        return True
    return table.weight(node.rows) < 2 * growth.min_weight_leaf
