"""What a node decides: which of its splits are feasible, and which is best."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from treewright.reference.splits import Split, candidates
from treewright.reference.table import Rows, Table


@dataclass(frozen=True)
class Growth:
    """The settings of the core that decide a tree, with the core's names and defaults (-1: no limit)."""

    criterion: str
    max_depth: int = -1
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int = -1
    min_impurity_decrease: float = 0.0
    order: str = "depth"
    monotonic: Sequence[int] = ()

    def sign(self, feature: int) -> int:
        """1 where values must rise with the feature, -1 where they must fall, else 0."""
        return self.monotonic[feature] if self.monotonic else 0


@dataclass(frozen=True)
class Scored:
    """A split of a node, its two sides, and what it gains."""

    split: Split
    sides: tuple[Rows, Rows]
    gain: Fraction  # φ(T) - φ(L) - φ(R)
    ratio: Fraction  # 2^40 gain / φ(T)

    @property
    def score(self) -> int:
        """The ratio, rounded: what splits are compared by."""
        return round_half_up(self.ratio)


@dataclass(eq=False)
class Node:
    """Rows on their way; the path is 0 for each left and 1 for each right, its length is the depth."""

    rows: Rows
    path: tuple[int, ...] = ()
    bounds: tuple[float, float] = (-math.inf, math.inf)  # of monotone constraints
    born: int = 0
    best: Scored | None = None
    children: list["Node"] = field(default_factory=list)


def round_half_up(x: Fraction) -> int:
    """The nearest whole number, upwards from the middle."""
    return math.floor(x + Fraction(1, 2))


def feasible(table: Table, growth: Growth, node: Node, split: Split, sides: tuple[Rows, Rows]) -> bool:
    """Whether both children may exist, and stand in the order that a monotone constraint asks for."""
    if any(len(side) < growth.min_samples_leaf for side in sides):
        return False
    if any(table.weight(side) < growth.min_weight_leaf for side in sides):
        return False
    if growth.criterion == "poisson" and 0 in [sum(y[r] for r in s) for y in table.outputs for s in sides]:
        return False  # a mean of 0 has no logarithm
    sign, (lower, upper) = growth.sign(split.feature), node.bounds
    if sign == 0:
        return True
    values = [table.constrained(growth.criterion, side) for side in sides]
    return values == sorted(values)[::sign] and all(lower <= v <= upper for v in values)


def feasible_splits(table: Table, growth: Growth, node: Node) -> Iterator[Scored]:
    """Every feasible split of an impure node, in the order that breaks ties."""
    total = table.phi(growth.criterion, node.rows)
    for split in candidates([[column[r] for r in node.rows] for column in table.columns]):
        sides: tuple[Rows, Rows] = ([], [])
        for r in node.rows:
            sides[0 if split.goes_left(table.columns[split.feature][r]) else 1].append(r)
        if feasible(table, growth, node, split, sides):
            gain = total - table.phi(growth.criterion, sides[0]) - table.phi(growth.criterion, sides[1])
            yield Scored(split, sides, gain, 2**40 * gain / total)


def best_split(table: Table, growth: Growth, node: Node) -> Scored | None:
    """The feasible split of the highest score, the first of equals; None where the node stays a leaf."""
    if len(node.path) == growth.max_depth or table.pure(node.rows):
        return None
    if len(node.rows) < max(growth.min_samples_split, 2 * growth.min_samples_leaf):
        return None
    if table.weight(node.rows) < 2 * growth.min_weight_leaf:
        return None
    splits = feasible_splits(table, growth, node)
    best = max(splits, key=lambda s: s.score, default=None)  # max keeps the first of equals
    least = Fraction(growth.min_impurity_decrease) - Fraction(2) ** -52
    return best if best and best.gain / (sum(table.weights) * table.unit) >= least else None
