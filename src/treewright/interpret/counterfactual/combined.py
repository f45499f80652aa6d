"""The nearest change where tests combine columns: a small linear programme per path.

The distance is a sum of |change| / scale, and a path requires that columns and weighted sums of columns lie
between bounds. So the least change of the columns that sums link is the solution of a linear programme, with
whole numbers where a column has them. It is solved anew whenever a path is narrowed, so that the best-first
search stays exact. Where changed columns are counted, it is solved for each set of columns that may change.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...tree.combinations import Terms, combined
from ...tree.value_sets import FIRST, LAST, NumberRange, ValueSet, meet
from .changes import CANNOT, STAYS, ChangeCost, NumberChange, ValueChange
from .numbers import Number
from .search import CandidatePath, NearestSearch

MARGINS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)  # inside a bound, of its size: the solver is exact to about 1e-7
DIGITS = range(1, 16)


@dataclass
class CombinedSearch(NearestSearch):
    """The search for one row in a tree whose tests combine columns.

    A missing value of a column that a test combines stays missing, and so does the sum.
    """

    programmes: dict[Any, tuple[Programme, dict[int, Number] | None]] = field(default_factory=dict)

    def _narrowed(self, path: CandidatePath, column: int, to: ValueSet) -> CandidatePath | None:
        terms = self.sets.tree.terms(column)
        if not terms:
            narrowed = super()._narrowed(path, column, to)
            return None if narrowed is None else self._linked(narrowed)
        if any(self._change(each).start is None for each, _ in terms):
            return path if to.missing else None
        values = meet(path.values.get(column) or NumberRange(column), to)
        if values.takes_no_value:
            return None
        return self._linked(path._replace(values=path.values | {column: values}))

    def _change(self, column: int) -> NumberChange:
        change: ValueChange = self.changes[column]
        assert isinstance(change, NumberChange)
        return change

    def _linked(self, path: CandidatePath) -> CandidatePath | None:
        """The path with what the least change costs in the columns that its sums link."""
        sums = {j: values for j, values in path.values.items() if self.sets.tree.terms(j)}
        if not sums:
            return path
        point = self.solved(path)[1]
        if point is None:
            return None
        costs = dict(path.change_costs)
        for j, value in point.items():
            change = self._change(j)
            costs[j] = STAYS if value == change.start else ChangeCost(change.distance(value), 1)
        return None if CANNOT in costs.values() else path._replace(change_costs=costs)

    def solved(self, path: CandidatePath) -> tuple[Programme, dict[int, Number] | None]:
        """The programme of the columns that the sums of a path link, and its solution if there is one."""
        tree = self.sets.tree
        sums = [(tree.terms(j), values) for j, values in path.values.items() if tree.terms(j)]
        linked = sorted({column for terms, _ in sums for column, _ in terms})
        others = sum(cost.changed for j, cost in path.change_costs.items() if j not in linked)
        most = None if self.max_changes is None else self.max_changes - others
        own = ((j, path.values[j]) for j in sorted(path.values) if j in linked or tree.terms(j))
        key = (most, *own)
        if key not in self.programmes:
            programme = Programme(
                {j: self._change(j) for j in linked},
                {j: path.values.get(j) or self._change(j).allowed for j in linked},
                [(terms, values) for terms, values in sums if isinstance(values, NumberRange)],
            )
            self.programmes[key] = programme, programme.nearest(most, self.fewest)
        return self.programmes[key]


@dataclass(frozen=True)
class Programme:
    """The columns that may change, the range of each, and the range of each weighted sum."""

    changes: Mapping[int, NumberChange]
    ranges: Mapping[int, ValueSet]
    sums: list[tuple[Terms, NumberRange]]

    def nearest(self, most: int | None, fewest: bool) -> dict[int, Number] | None:
        """The point of least cost, of at most so many changes, or first of the fewest changes."""
        best: dict[int, Number] | None = None
        for free in self._sets(most, fewest):
            found = self._solved(free)
            if found is not None and (best is None or self.cost(found) < self.cost(best)):
                best = found
            if best is not None and fewest and len(free) > sum(map(self._is_changed, best, best.values())):
                return best
        return best

    def _sets(self, most: int | None, fewest: bool) -> Iterator[tuple[int, ...]]:
        columns = tuple(self.changes)
        if not fewest and (most is None or most >= len(columns)):
            yield columns
            return
        for size in range(min(len(columns), len(columns) if most is None else max(most, 0)) + 1):
            yield from combinations(columns, size)

    def _is_changed(self, column: int, value: Number) -> bool:
        return value != self.changes[column].start

    def cost(self, point: Mapping[int, Number]) -> float:
        """What the changes to a point cost."""
        changed = ((j, value) for j, value in point.items() if self._is_changed(j, value))
        return sum(self.changes[j].distance(value) for j, value in changed)

    def holds(self, point: Mapping[int, Number]) -> bool:
        """Whether a point is in all ranges, by the sums that the tree adds up."""
        for j, values in self.ranges.items():
            assert isinstance(values, NumberRange)
            if not values.low < (point[j], 0.5) < values.high:
                return False
        for terms, values in self.sums:
            total = float(combined(terms, {j: float(point[j]) for j, _ in terms}))
            if math.isnan(total) or not values.low < (total, 0.5) < values.high:
                return False
        return True

    def _solved(self, free: tuple[int, ...]) -> dict[int, Number] | None:
        start = {j: change.start for j, change in self.changes.items() if change.start is not None}
        if self.holds(start):
            return start
        ends = {j: self._ends(j, j in free) for j in self.changes}
        if not free or None in ends.values() or not all(map(math.isfinite, start.values())):
            return None
        for margin in MARGINS:
            found = self._minimum({j: each for j, each in ends.items() if each is not None}, margin)
            if found is None:
                return None
            if self.holds(found):
                return found
        return None

    def _ends(self, column: int, is_free: bool) -> tuple[float, float] | None:
        change, values = self.changes[column], self.ranges[column]
        assert isinstance(values, NumberRange)
        start = change.start
        assert start is not None
        if not is_free:
            return (start, start) if values.low < (start, 0.5) < values.high else None
        return change.numbers.within(values.low, values.high)

    def _minimum(self, ends: Mapping[int, tuple[float, float]], margin: float) -> dict[int, Number] | None:
        """The least sum of costs; variables are steps up and down of each column, in its scale."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        columns = list(self.changes)
        unit = np.array([1.0 if self.changes[j].numbers.whole else self.changes[j].scale for j in columns])
        start = np.array([float(self.changes[j].start or 0.0) for j in columns])
        cost = np.array([self._unit_cost(j) for j in columns]) * unit
        low = (np.array([float(ends[j][0]) for j in columns]) - start) / unit
        high = (np.array([float(ends[j][1]) for j in columns]) - start) / unit
        rows, least, most = self._bounds(columns, start, unit, margin)
        both = np.concatenate([rows, -rows], axis=1)
        whole = np.tile([float(self.changes[j].numbers.whole) for j in columns], 2)
        bounds = Bounds(
            np.concatenate([np.maximum(low, 0), np.maximum(-high, 0)]),
            np.concatenate([np.maximum(high, 0), np.maximum(-low, 0)]),
        )
        found = milp(
            np.tile(cost, 2),
            integrality=whole,
            bounds=bounds,
            constraints=LinearConstraint(both, least, most),
        )
        if not found.success:
            return None
        steps = found.x[: len(columns)] - found.x[len(columns) :]
        point: dict[int, Number] = {}
        for j, step, scale, (first, last) in zip(
            columns, steps, unit, (ends[j] for j in columns), strict=True
        ):
            change = self.changes[j]
            own: Number = change.start if change.start is not None else 0.0
            if abs(step) > 1e-12:
                moved = own + step * scale
                own = round(moved) if change.numbers.whole else change.numbers.nearest(moved)
                own = min(max(own, first), last)
            point[j] = own
        return point

    def _unit_cost(self, column: int) -> float:
        change = self.changes[column]
        return change.weight if change.flat else change.weight / change.scale

    def _bounds(
        self, columns: list[int], start: Floats, unit: Floats, margin: float
    ) -> tuple[Floats, Floats, Floats]:
        """The sums as rows of a matrix, each scaled to a largest coefficient of 1, and their bounds."""
        rows = np.zeros((len(self.sums), len(columns)))
        least, most = np.full(len(rows), -np.inf), np.full(len(rows), np.inf)
        for k, (terms, values) in enumerate(self.sums):
            for j, coefficient in terms:
                rows[k, columns.index(j)] = coefficient
            at = float(rows[k] @ start)
            size = float(np.abs(rows[k] * unit).max())
            if values.low != FIRST:
                least[k] = (float(values.low[0]) - at) / size + margin
            if values.high != LAST:
                most[k] = (float(values.high[0]) - at) / size - margin
            rows[k] *= unit / size
        return rows, least, most

    def readable(self, exact_point: dict[int, Number]) -> dict[int, Number]:
        """The same point in few digits, as far as it stays in its ranges and hardly costs more."""
        point = dict(exact_point)
        for j in list(point):
            change = self.changes[j]
            if not self._is_changed(j, point[j]) or change.numbers.whole:
                continue
            exact = float(point[j])
            for digits in DIGITS:
                near = [change.numbers.nearest(x) for x in _rounded(exact, digits)]
                fits = [x for x in near if abs(x - exact) <= change.slack and self.holds(point | {j: x})]
                if fits:
                    point[j] = min(fits, key=lambda x: (change.distance(x), x))
                    break
        return point


def _rounded(x: float, digits: int) -> list[float]:
    """The two numbers of so many digits around a number."""
    if x == 0:
        return [0.0]
    power = math.floor(math.log10(abs(x))) - digits + 1
    low = math.floor(x / 10.0**power)
    return [float(f"{each}e{power}") for each in (low, low + 1)]


def linked_values(path: CandidatePath, search: NearestSearch) -> dict[int, Number]:
    """The new values of the columns that the sums of a path, or the equation of its leaf, link."""
    if path.point is not None:
        return dict(path.point)
    if not isinstance(search, CombinedSearch) or not any(map(search.sets.tree.terms, path.values)):
        return {}
    programme, point = search.solved(path)
    return {} if point is None else programme.readable(point)
