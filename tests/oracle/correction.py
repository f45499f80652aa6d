"""Many levels win by chance alone: what the gain of a nominal column is worth.

R² is the share of the target's variance that lies between the m levels in n rows. Where nothing is related,
F = R²/(1 - R²) (n - m)/(m - 1) follows an F distribution with d (m - 1) and d (n - m) degrees of freedom.
The gain is multiplied by r / (R² between the children), where r is the R² that would be as surprising for
two levels.
"""

import math
from fractions import Fraction

from tests.oracle.criteria import CLASSIFICATION
from tests.oracle.growth import Growth
from tests.oracle.search import Node, Scored
from tests.oracle.table import Rows, Table


def normal_score(u: float, df1: float, df2: float) -> float:
    """Paulson's approximation: the normal deviate of F = u³."""
    a, b = 2 / (9 * df1), 2 / (9 * df2)
    return ((1 - b) * u - (1 - a)) / math.sqrt(b * u * u + a)


def two_levels_as_surprising(z: float, d: float, n: int) -> float:
    """The R² of two levels with this deviate, by halving: the deviate rises with F."""
    low, high = 0.0, 1.0
    while normal_score(high, d, d * (n - 2)) < z:
        high *= 2
        if high > 1e9:
            return 1.0  # no F is as surprising
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if normal_score(middle, d, d * (n - 2)) < z else (low, middle)
    return low**3 / (low**3 + n - 2)


def explained(table: Table, growth: Growth, node: Node, groups: list[Rows]) -> Fraction:
    """R²: of classes the share of the Gini variance, of numbers the share of the node's φ, between groups."""
    known = [r for group in groups for r in group]
    criterion = "gini" if growth.criterion in CLASSIFICATION else growth.criterion
    between = table.phi(criterion, known) - sum(table.phi(criterion, group) for group in groups)
    whole = table.phi(criterion, known if growth.criterion in CLASSIFICATION else node.rows)
    return between / whole if whole else Fraction(0)


def degrees(table: Table, growth: Growth, rows: Rows) -> int:
    """One for each class but one, or for each number to predict."""
    if growth.criterion not in CLASSIFICATION:
        return len(table.outputs)
    return sum(len({y[r] for r in rows}) - 1 for y in table.outputs)


def factor(table: Table, growth: Growth, node: Node, scored: Scored) -> Fraction:
    """What the gain of this split is multiplied by when columns are compared."""
    split = scored.split
    column = table.columns[split.feature]
    if split.feature not in table.nominal or split.missing_alone:
        return Fraction(1)
    table = table.shared(node.shares)
    known = [r for r in node.rows if column[r] is not None]
    levels = [[r for r in known if column[r] == level] for level in {column[r] for r in known}]
    n, m = len(known), len(levels)
    if m <= 2:
        return Fraction(1)
    children = [[r for r in side if column[r] is not None] for side in scored.sides]
    by_split = explained(table, growth, node, [child for child in children if child])
    if n <= m or by_split <= 0:
        return Fraction(0)  # every row its own level
    by_level = explained(table, growth, node, levels)
    if by_level >= 1:
        return Fraction(1)
    d = degrees(table, growth, known)
    f = float(by_level / (1 - by_level)) * (n - m) / (m - 1)
    z = normal_score(math.cbrt(f), d * (m - 1), d * (n - m))
    return min(Fraction(1), Fraction(two_levels_as_surprising(z, d, n)) / by_split)
