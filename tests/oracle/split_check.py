"""Whether a split may be the one that a node must take.

Sets of levels may tie, searches of many levels may be heuristic, and the core's scores are rounded floats: so
a split is not compared with one result, but refused where another one must have been preferred.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.choice import column_ratio, gain_ratio
from tests.oracle.growth import Growth
from tests.oracle.search import GRID, Node, Scored, column_splits, round_half_up
from tests.oracle.splits import Split
from tests.oracle.table import Table

EVERY_SUBSET = 12  # up to so many levels all sets may be tried
LOOSE = Fraction(2**40, 10**6)  # what scores of shared rows or corrected gains may be off by


@dataclass(frozen=True)
class Candidate:
    """A feasible split and its rank among equals."""

    scored: Scored
    rank: tuple[int, bool, int]  # feature, missing against the rest, place where places count


def close(a: Fraction, b: Fraction, loose: bool) -> bool:
    """Whether a rounding error may decide: a unit apart, and one within 1e-3 of the middle between units."""
    if loose:
        return abs(a - b) <= LOOSE
    halves = (abs(x % 1 - Fraction(1, 2)) for x in (a, b))
    error = Fraction(1, 1000) * max(1, round(a / 2**40))
    return abs(round_half_up(a) - round_half_up(b)) <= 1 and min(halves) < error


class SplitCheck:
    """All feasible splits of one node, and what the core must make of them."""

    def __init__(self, table: Table, growth: Growth, node: Node) -> None:
        self.table, self.growth, self.node = table, growth, node
        self.loose = growth.missing == "fractional"
        self.columns = [self.candidates(feature) for feature in range(len(table.columns))]

    def candidates(self, feature: int) -> list[Candidate]:
        """The feasible splits of a column; the sets of its levels have no order."""
        unordered = feature in self.table.nominal and self.growth.nominal_splits == "subset"
        return [
            Candidate(s, (feature, s.split.missing_alone, 0 if unordered else place))
            for place, s in enumerate(column_splits(self.table, self.growth, self.node, feature))
        ]

    def find(self, split: Split, sides: Sequence[Sequence[int]]) -> Candidate | None:
        """The candidate with these levels, or a threshold at this cut, and these rows in its children."""
        for candidate in self.columns[split.feature]:
            same = candidate.scored.split.levels == split.levels
            if same and [list(side) for side in candidate.scored.sides] == [list(side) for side in sides]:
                return candidate
        return None

    def firm(self, candidate: Candidate) -> bool:
        """Whether its children are large enough beyond the rounding of shares."""
        table, growth = self.table.shared(self.node.shares), self.growth
        least = max(growth.min_samples_leaf, growth.min_weight_leaf) + GRID if self.loose else 0
        return not self.loose or all(table.weight(side) > least for side in candidate.scored.sides)

    def n_levels(self, feature: int) -> int:
        """How many levels the node's rows have."""
        return len({self.table.columns[feature][r] for r in self.node.rows} - {None})

    def proven(self, feature: int) -> bool:
        """Whether the best split of the column must be found."""
        if feature not in self.table.nominal or self.growth.nominal_splits != "subset":
            return True
        m, growth, table = self.n_levels(feature), self.growth, self.table
        if m <= 2:
            return True
        limits = growth.min_samples_leaf > 1 or growth.min_weight_leaf > 0 or self.loose
        if limits or growth.criterion == "absolute_error":
            return False
        if m <= EVERY_SUBSET:
            return True
        if len(table.outputs) > 1 or growth.criterion == "poisson":  # where a mean of 0 forbids some sets
            return False
        return growth.criterion == "squared_error" or len({table.outputs[0][r] for r in self.node.rows}) <= 3

    def demanded(self, feature: int, exact: bool = False) -> list[Candidate]:
        """What a search of the column must have seen: everything, or every level against the rest."""
        firm = [c for c in self.columns[feature] if self.firm(c)]
        if exact or self.proven(feature):
            return firm
        singles = (1, self.n_levels(feature) - 1)
        return [c for c in firm if c.rank[1] or len(c.scored.split.levels[0]) in singles]

    @staticmethod
    def outranks(a: Candidate, b: Candidate, keys: tuple[Fraction, Fraction], loose: bool) -> bool:
        """Whether a must be preferred to b, beyond rounding."""
        first, second = (-round_half_up(key) for key in keys)
        return (first, a.rank) < (second, b.rank) and not close(*keys, loose)

    def better_in_column(self, found: Candidate, heuristic: bool) -> Candidate | None:
        """A split of the same column that the node should have taken instead."""
        ours = found.scored.ratio
        for other in self.demanded(found.rank[0], exact=not heuristic):
            if self.outranks(other, found, (other.scored.ratio, ours), self.loose):
                return other
        return None

    def best_of(self, feature: int) -> list[Candidate]:
        """The best splits of a column, of which the core has one."""
        seen = self.demanded(feature)
        top = max((c.scored.ratio for c in seen), default=Fraction(0))
        score = round_half_up(top)
        return [c for c in seen if c.scored.score == score or close(c.scored.ratio, top, self.loose)]

    def surely_found(self) -> Scored | None:
        """Of what a search must have seen, the best that gains least: a node with it is no leaf."""
        best = [c.scored for f in range(len(self.columns)) for c in self.best_of(f)]
        if not best:
            return None
        if self.growth.criterion != "gain_ratio" and not self.growth.level_correction:
            top = max(s.ratio for s in best)
            best = [s for s in best if s.ratio == top or close(s.ratio, top, self.loose)]
        return min(best, key=lambda s: s.gain)

    def better_column(self, found: Candidate) -> Candidate | None:
        """A split of another column that the node should have taken instead."""
        if self.growth.criterion == "gain_ratio":
            return self.better_ratio(found)
        ours, loose = self.by_column(found), self.loose or self.growth.level_correction
        for feature in range(len(self.columns)):
            if feature == found.rank[0]:
                continue
            for other in sorted(self.best_of(feature), key=self.by_column)[:1]:  # the core may have the worst
                if self.outranks(other, found, (self.by_column(other), ours), loose):
                    return other
        return None

    def by_column(self, candidate: Candidate) -> Fraction:
        """By what the best splits of columns are compared."""
        return column_ratio(self.table, self.growth, self.node, candidate.scored)

    def by_ratio(self, candidate: Candidate) -> Fraction:
        """The gain ratio."""
        return gain_ratio(self.table, self.node, candidate.scored)

    def better_ratio(self, found: Candidate) -> Candidate | None:
        """The same by gain ratio, among the columns whose gain is at least the average."""
        firm = all(self.firm(c) for column in self.columns for c in column)
        if not firm or not all(self.proven(f) for f in self.table.nominal):
            return None  # nothing is known of the average
        tied = {f: best for f in range(len(self.columns)) if (best := self.best_of(f))}
        scores = {f: max(round_half_up(self.by_column(c)) for c in best) for f, best in tied.items()}
        rounding = len(scores) * (int(LOOSE) if self.loose or self.growth.level_correction else 1)
        above = {f: score * len(scores) - sum(scores.values()) for f, score in scores.items()}
        if above.get(found.rank[0], 0) < -rounding:  # a split at the very limit is not among them
            return max((c for best in tied.values() for c in best), key=lambda c: c.scored.score)
        ours = self.by_ratio(found)
        for feature, best in tied.items():
            if feature == found.rank[0] or 0 != above[feature] < rounding:
                continue
            other = min(best, key=self.by_ratio)
            if self.outranks(other, found, (self.by_ratio(other), ours), self.loose):
                return other
        return None
