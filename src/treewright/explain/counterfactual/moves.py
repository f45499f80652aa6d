"""What one cell of a row may become, and what that costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ...tree.split_test import SplitTest
from .numbers import Number, Numbers

FREE, FIXED, RISING, FALLING = "free", "fixed", "rising", "falling"
NEVER = math.inf


class Span(NamedTuple):
    """The numbers from `low` to `high`, none if low > high; `gap`: it may stay missing."""

    low: Number
    high: Number
    gap: bool

    def both(self, other: Span) -> Span:
        """What is in both."""
        return Span(max(self.low, other.low), min(self.high, other.high), self.gap and other.gap)


class Chosen(NamedTuple):
    """Some levels, as codes; `gap`: it may stay missing, or of a level that the tree does not know."""

    codes: frozenset[int]
    gap: bool

    def both(self, other: Chosen) -> Chosen:
        """What is in both."""
        return Chosen(self.codes & other.codes, self.gap and other.gap)


Cell: TypeAlias = Span | Chosen
ONLY_GAP = Span(1, 0, True)


class Price(NamedTuple):
    """What the least change into a set costs; NEVER: there is none."""

    cost: float
    changed: int  # 0 or 1


STAYS, CANNOT = Price(0.0, 0), Price(NEVER, 0)


@dataclass(frozen=True)
class NumberMove:
    """A cell of numbers, ranks or times."""

    start: Number | None  # None: missing
    numbers: Numbers
    scale: float  # this much costs 1
    weight: float
    rule: str = FREE
    flat: bool = False  # every change costs 1
    slack: float = 0.0  # so much further is allowed for the sake of fewer digits
    typical: float | None = None  # what a missing value becomes, if nothing else is said

    def everything(self) -> Span:
        """All that the cell may be. A value never becomes missing; an unknown one has no up and down."""
        low, high, x = self.numbers.low, self.numbers.high, self.start
        if x is None:
            return Span(low, high, True) if self.rule == FREE else ONLY_GAP
        if self.rule == FIXED:
            return Span(x, x, False)
        return Span(x if self.rule == RISING else low, x if self.rule == FALLING else high, False)

    def price(self, to: Cell) -> Price:
        """The least that a change into a set costs."""
        assert isinstance(to, Span)
        x = self.start
        if to.gap if x is None else to.low <= x <= to.high:
            return STAYS
        if not to.low <= to.high or to.low == math.inf or to.high == -math.inf:
            return CANNOT  # nothing becomes infinite
        return Price(self.distance(to.low if x is None or x < to.low else to.high), 1)

    def distance(self, to: Number) -> float:
        """What a change to this number costs."""
        if self.start is None or self.flat or math.isinf(self.start):
            return self.weight
        away = abs(to - self.start)
        return NEVER if math.isinf(away) else self.weight * (away / self.scale)

    def pick(self, to: Cell) -> Number | None:
        """The value to take: the row's own, or one near the nearest end that reads well."""
        assert isinstance(to, Span)
        x = self.start
        if x is None and to.gap:
            return None
        if x is None:
            return self._from_nothing(to)
        if to.low <= x <= to.high:
            return x
        return self._inwards(to, upwards=x < to.low)

    def _inwards(self, to: Span, upwards: bool) -> Number:
        reach = int(self.slack) if self.numbers.whole else self.slack
        if upwards:
            return self.numbers.readable(to.low, min(to.high, to.low + reach), True)
        return self.numbers.readable(to.high, max(to.low, to.high - reach), False)

    def _from_nothing(self, to: Span) -> Number:
        """The typical value if it suits, else what is nearest to it."""
        middle = 0 if self.typical is None else self.typical
        if not to.low <= middle <= to.high:
            return self._inwards(to, upwards=middle < to.low)
        return round(middle) if self.numbers.whole else self.numbers.nearest(middle)

    def sides(self, question: SplitTest) -> list[Cell]:
        """What the cell must be to go to each child, by its value."""
        left, right = self.numbers.split(question.threshold, question.strict)
        both: list[Cell] = [Span(*left, False), Span(*right, False)]
        return both[::-1] if question.reversed else both

    def silent(self, question: SplitTest) -> Cell:
        """What it must be for the question to have no answer."""
        del question
        return ONLY_GAP


@dataclass(frozen=True)
class LevelMove:
    """A cell of levels without an order."""

    start: int | None  # None: missing, or of a level that the tree does not know
    n_levels: int
    weight: float
    rule: str = FREE
    often: tuple[int, ...] = ()  # the codes, the commonest first

    @property
    def all_codes(self) -> frozenset[int]:
        """Every level."""
        return frozenset(range(self.n_levels))

    def everything(self) -> Chosen:
        """All that the cell may be."""
        gap = self.start is None
        if self.rule == FREE:
            return Chosen(self.all_codes, gap)
        return Chosen(frozenset() if self.start is None else frozenset({self.start}), gap)

    def price(self, to: Cell) -> Price:
        """The least that a change into a set costs."""
        assert isinstance(to, Chosen)
        if to.gap if self.start is None else self.start in to.codes:
            return STAYS
        return Price(self.weight, 1) if to.codes else CANNOT

    def distance(self, to: Number) -> float:
        """What a change to this level costs."""
        del to
        return self.weight

    def pick(self, to: Cell) -> Number | None:
        """The row's own level, or the commonest that suits."""
        assert isinstance(to, Chosen)
        if to.gap if self.start is None else self.start in to.codes:
            return self.start
        return next((code for code in self.often if code in to.codes), min(to.codes))

    def sides(self, question: SplitTest) -> list[Cell]:
        """What the cell must be to go to each child, by its value."""
        return [Chosen(frozenset(codes), False) for codes in question.levels]

    def silent(self, question: SplitTest) -> Cell:
        """What it must be for the question to have no answer."""
        listed = frozenset().union(*question.levels)
        return Chosen(self.all_codes - listed, True)


Move: TypeAlias = NumberMove | LevelMove
