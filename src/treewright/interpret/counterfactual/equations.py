"""The nearest change where leaves have equations: a small linear programme per leaf.

A path requires a range of values of each column, and the leaf at its end a range of its score, which is a
weighted sum of columns. Levels are tried one by one; for each choice of them the numbers that change least
solve a linear programme, as for tests that combine columns. A missing number that the path lets stay missing
does so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ...tree.combinations import Terms
from ...tree.leaf_models import IS_MISSING, NUMBER, LeafModels, link_of
from ...tree.tree import Tree
from ...tree.value_sets import FIRST, LAST, Cut, LevelSet, NumberRange, ValueSet
from .changes import STAYS, ChangeCost, LevelChange, NumberChange
from .combined import Programme
from .numbers import Number
from .search import CandidatePath, NearestSearch
from .target_spec import TargetSpec

MOST_CHOICES = 4096  # of levels in one leaf


class Wanted(NamedTuple):
    """The scores that a leaf must reach."""

    output: int
    low: Cut
    high: Cut


def wanted_scores(tree: Tree, spec: TargetSpec) -> Wanted:
    """The range of scores with a wanted prediction: numbers themselves, or the log odds of two classes."""
    if spec.classes is None:
        ends: tuple[Cut, Cut] = (spec.low, int(spec.open_ends)), (spec.high, int(not spec.open_ends))
        return Wanted(spec.output, *(FIRST if end[0] == -math.inf else end for end in ends))
    if link_of(tree) != "logistic" or tree.costs is not None:
        raise ValueError(
            "counterfactual needs two classes without costs where leaves are logistic: one score decides. "
            f"Got {tree.max_n_classes} classes{'' if tree.costs is None else ' and costs'}. Use explain."
        )
    second = 1 in spec.classes
    return Wanted(0, (0.0, 1) if second else FIRST, LAST if second else (0.0, 1))


@dataclass
class EquationSearch(NearestSearch):
    """The search for one row in a tree whose leaves have equations."""

    wanted: Wanted | None = None

    def _going(self, path: CandidatePath, to: tuple[int, ...]) -> CandidatePath | None:
        found = super()._going(path, to)
        return found if found is None or found.open else self._met(found)

    def _met(self, path: CandidatePath) -> CandidatePath | None:
        """The path with the least change by which the equation of its leaf has a wanted score."""
        models, wanted = self.sets.tree.leaf_models, self.wanted
        assert models is not None
        assert wanted is not None
        lower, upper = (float(each[path.end, wanted.output]) for each in (models.lower, models.upper))
        if not (wanted.low < (upper, 0.5) and (lower, 0.5) < wanted.high):
            return None  # predictions are kept within bounds that are not wanted
        low = FIRST if wanted.low < (lower, 0.5) else wanted.low
        high = LAST if (upper, 0.5) < wanted.high else wanted.high
        best: CandidatePath | None = None
        for found in self._solutions(path, models, low, high):
            if best is None or self._key(found) < self._key(best):
                best = found
        return best

    def _solutions(
        self, path: CandidatePath, models: LeafModels, low: Cut, high: Cut
    ) -> Iterator[CandidatePath]:
        """The nearest point for every choice of the levels."""
        assert self.wanted is not None
        equation = Equation.of(models, path.end, self.wanted.output)
        sets = {j: path.values.get(j) or self.changes[j].allowed for j in equation.columns}
        moving = {
            j: change
            for j in equation.columns
            if isinstance(change := self.changes[j], NumberChange) and change.start is not None
        }
        choices = [self._choices(j, sets[j], equation) for j in equation.columns if j not in moving]
        if math.prod(map(len, choices)) > MOST_CHOICES:
            raise ValueError(
                f"counterfactual tries at most {MOST_CHOICES:,} choices of levels in a leaf. Got more. Give "
                "fixed for some of the columns with levels."
            )
        slopes = tuple((j, slope) for j in moving if (slope := equation.slope(j)))
        rest = equation.constant + sum(equation.at(j, 0.0) for j in moving)
        for chosen in product(*choices):
            known = rest + sum(each.effect for each in chosen)
            point = self._moved(moving, sets, slopes, (_shifted(low, known), _shifted(high, known)))
            if point is None:
                continue
            costs = dict(path.change_costs)
            for j, value in point.items():
                change = self.changes[j]
                costs[j] = STAYS if value == change.start else ChangeCost(change.distance(value), 1)
            costs |= {each.column: each.cost for each in chosen}
            point |= {each.column: each.value for each in chosen if each.value is not None}
            yield path._replace(change_costs=costs, point=point)

    def _moved(
        self,
        moving: dict[int, NumberChange],
        sets: dict[int, ValueSet],
        slopes: Terms,
        ends: tuple[Cut, Cut],
    ) -> dict[int, Number] | None:
        low, high = ends
        if not slopes:
            if not low < (0.0, 0.5) < high:
                return None
            return {j: value for j, change in moving.items() if (value := change.pick(sets[j])) is not None}
        inner = [(slopes, NumberRange(-1, low, high))]
        programme = Programme(moving, {j: sets[j] for j in moving}, inner)
        found = programme.nearest(self.max_changes, self.fewest)
        return None if found is None else programme.readable(found)

    def _choices(self, column: int, values: ValueSet, equation: Equation) -> list[Choice]:
        """What a column of levels, or a missing number, may become: the cheapest value of every effect."""
        change, found = self.changes[column], dict[float, Choice]()
        candidates: list[Number | None]
        if isinstance(change, LevelChange):
            assert isinstance(values, LevelSet)
            known = sorted(values.codes, key=lambda code: (code != change.start, _place(code, change.often)))
            candidates = [*known]
        else:
            candidates = [] if values.missing > 0 else [change.pick(values)]
        if change.start is None and values.missing > 0:
            candidates = [None, *candidates]
        for value in candidates:
            effect = equation.at(column, value)
            cost = STAYS if value == change.start else ChangeCost(change.distance(value or 0), 1)
            if effect not in found or cost < found[effect].cost:
                found[effect] = Choice(column, value, effect, cost)
        return list(found.values())


class Choice(NamedTuple):
    """A value of a column that does not move by itself: what it adds to the score, and what it costs."""

    column: int
    value: Number | None
    effect: float
    cost: ChangeCost


@dataclass(frozen=True)
class Equation:
    """The equation of one leaf for one score."""

    constant: float
    terms: dict[int, list[tuple[int, float, float]]]  # by column: level, centre, coefficient

    @classmethod
    def of(cls, models: LeafModels, node: int, output: int) -> Equation:
        """That of a node."""
        terms: dict[int, list[tuple[int, float, float]]] = {}
        for term in models.terms(node):
            own = term.level, term.centre, float(term.coefficient[output])
            terms.setdefault(term.feature, []).append(own)
        return cls(float(models.constant[node, output]), terms)

    @property
    def columns(self) -> list[int]:
        """The columns with terms."""
        return list(self.terms)

    def slope(self, column: int) -> float:
        """The coefficient of a number."""
        return sum(size for level, _, size in self.terms[column] if level == NUMBER)

    def at(self, column: int, value: Number | None) -> float:
        """What the terms of a column add to the score; None: the value is missing."""
        total = 0.0
        for level, centre, size in self.terms[column]:
            if level == NUMBER:
                total += 0.0 if value is None else size * (float(value) - centre)
            else:
                holds = value is None if level == IS_MISSING else value == level
                total += size * (holds - centre)
        return total


def _shifted(cut: Cut, known: float) -> Cut:
    return (cut[0] if math.isinf(cut[0]) else cut[0] - known), cut[1]


def _place(code: int, often: tuple[int, ...]) -> int:
    return often.index(code) if code in often else len(often)
