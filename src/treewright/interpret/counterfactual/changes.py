"""What one value of a row may become, and what that costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from ...tree.value_sets import FIRST, LAST, Cut, LevelSet, NumberRange, ValueSet
from .numbers import Number, Numbers

FREE, FIXED, RISING, FALLING = "free", "fixed", "rising", "falling"
NEVER = math.inf


class ChangeCost(NamedTuple):
    """What the least change into a set costs; NEVER: there is none."""

    cost: float
    changed: int  # 0 or 1


STAYS, CANNOT = ChangeCost(0.0, 0), ChangeCost(NEVER, 0)


@dataclass(frozen=True)
class NumberChange:
    """A value of numbers, ranks or times."""

    feature: int
    start: Number | None  # None: missing
    numbers: Numbers
    scale: float  # this much costs 1
    weight: float
    rule: str = FREE
    flat: bool = False  # every change costs 1
    slack: float = 0.0  # so much further is allowed for the sake of fewer digits
    typical: float | None = None  # what a missing value becomes, if nothing else is given
    known: dict[tuple[Cut, Cut], tuple[Number, Number] | None] = field(default_factory=dict)

    @cached_property
    def allowed(self) -> NumberRange:
        """All that the value may be. A value never becomes missing; a missing one has no up and down."""
        x = self.start
        if x is None:
            return NumberRange(self.feature, *((FIRST, LAST) if self.rule == FREE else (LAST, FIRST)), 1.0)
        low: Cut = (x, 0) if self.rule in (FIXED, RISING) else FIRST
        high: Cut = (x, 1) if self.rule in (FIXED, FALLING) else LAST
        return NumberRange(self.feature, low, high)

    def _ends(self, to: ValueSet) -> tuple[Number, Number] | None:
        """The first and the last number in a set; None if there is none."""
        assert isinstance(to, NumberRange)
        key = to.low, to.high
        if key not in self.known:
            self.known[key] = self.numbers.within(*key)
        return self.known[key]

    def _stays(self, to: ValueSet) -> bool:
        assert isinstance(to, NumberRange)
        return to.missing > 0 if self.start is None else to.low < (self.start, 0.5) < to.high

    def change_cost(self, to: ValueSet) -> ChangeCost:
        """The least that a change into a set costs."""
        if self._stays(to):
            return STAYS
        ends = self._ends(to)
        if ends is None or ends[0] == math.inf or ends[1] == -math.inf:
            return CANNOT  # nothing becomes infinite
        return ChangeCost(
            self.distance(ends[0] if self.start is None or self.start < ends[0] else ends[1]), 1
        )

    def distance(self, to: Number) -> float:
        """What a change to this number costs."""
        if self.start is None or self.flat or math.isinf(self.start):
            return self.weight
        away = abs(to - self.start)
        return NEVER if math.isinf(away) else self.weight * (away / self.scale)

    def pick(self, to: ValueSet) -> Number | None:
        """The value to take: the row's own, or one near the nearest end that reads well."""
        ends = None if self._stays(to) else self._ends(to)
        if ends is None:
            return self.start
        if self.start is not None:
            return self._inwards(*ends, upwards=self.start < ends[0])
        middle = 0 if self.typical is None else self.typical
        if not ends[0] <= middle <= ends[1]:
            return self._inwards(*ends, upwards=middle < ends[0])
        return round(middle) if self.numbers.whole else self.numbers.nearest(middle)

    def _inwards(self, low: Number, high: Number, upwards: bool) -> Number:
        reach = int(self.slack) if self.numbers.whole else self.slack
        if upwards:
            return self.numbers.readable(low, min(high, low + reach), True)
        return self.numbers.readable(high, max(low, high - reach), False)


@dataclass(frozen=True)
class LevelChange:
    """A value of levels without an order."""

    feature: int
    start: int | None  # None: missing, or a level that the tree does not know
    n_levels: int
    weight: float
    rule: str = FREE
    often: tuple[int, ...] = ()  # the codes, the commonest first

    @cached_property
    def allowed(self) -> LevelSet:
        """All that the value may be."""
        own = () if self.start is None else (self.start,)
        codes = frozenset(range(self.n_levels) if self.rule == FREE else own)
        return LevelSet(self.feature, self.n_levels, codes, float(self.start is None))

    def _stays(self, to: LevelSet) -> bool:
        return to.missing > 0 if self.start is None else self.start in to.codes

    def change_cost(self, to: ValueSet) -> ChangeCost:
        """The least that a change into a set costs."""
        assert isinstance(to, LevelSet)
        if self._stays(to):
            return STAYS
        return ChangeCost(self.weight, 1) if to.codes else CANNOT

    def distance(self, to: Number) -> float:
        """What a change to this level costs."""
        del to
        return self.weight

    def pick(self, to: ValueSet) -> Number | None:
        """The row's own level, or the commonest that suits."""
        assert isinstance(to, LevelSet)
        if self._stays(to):
            return self.start
        return next((code for code in self.often if code in to.codes), min(to.codes))


ValueChange: TypeAlias = NumberChange | LevelChange
