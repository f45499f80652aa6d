"""The conditions of tests in SQL: which rows go to which child of a node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ....tree.combinations import Terms
from ....tree.split_test import SplitTest
from ..c_row import whole_cut
from ..form import Form, FormColumn
from ..rows import is_natural
from ..tables import is_strict
from .dialects import Dialect

TRUE, FALSE = "1 = 1", "1 = 0"
MOST = 1.7976931348623157e308


class Branches(NamedTuple):
    """A node as `CASE head WHEN condition THEN child ... ELSE other`; -1 is the node itself."""

    head: str
    when: list[tuple[str, int]]
    other: int


@dataclass(frozen=True)
class Conditions:
    """The tests of one tree in one dialect; `t` is the table."""

    form: Form
    dialect: Dialect

    def of_node(self, node: int) -> Branches:
        """Where a node sends rows."""
        test, missing = self.form.tests[node], self.form.missing[node]
        assert test is not None
        sides = self.sides(test)
        if self.form.surrogates[node]:
            return self._with_surrogates(node, sides)
        when = [(condition, child) for child, condition in enumerate(sides) if child != missing]
        if missing not in (-1, 2) and len(sides) == 2:
            when = when[:1]
        return Branches("", [pair for pair in when if pair[0] != FALSE] or [(FALSE, 0)], missing)

    def _with_surrogates(self, node: int, sides: list[str]) -> Branches:
        """The main test and its surrogates, one after the other, choose a child."""
        missing = self.form.missing[node]
        parts = [f"WHEN {condition} THEN {child}" for child, condition in enumerate(sides)]
        for other in self.form.surrogates[node]:
            both = self.sides(other)
            both = both[::-1] if other.reversed else both
            parts += [f"WHEN {condition} THEN {child}" for child, condition in enumerate(both)]
        pick = f"CASE {' '.join(parts)} ELSE {missing} END"
        if missing >= 0:
            return Branches(pick, [("0", 0)], 1)
        return Branches(pick, [("0", 0), ("1", 1)], -1)

    def sides(self, test: SplitTest) -> list[str]:
        """For each child the condition that a value is there and goes to that child."""
        if test.terms:
            return self._numbers(self.sum(test.terms), test)
        column = self.form.columns[test.feature]
        name = self.column(test.feature)
        if test.is_nominal:
            return [self.within(test.feature, codes) for codes in test.levels]
        if column.kind == "ordered":
            left = [
                k
                for k in range(len(column.levels))
                if (k < test.threshold if test.strict else k <= test.threshold)
            ]
            right = [k for k in range(len(column.levels)) if k not in left]
            return [self.within(test.feature, left), self.within(test.feature, right)]
        if column.whole:
            return self._whole(name, column, test)
        return self._numbers(self.number(test.feature), test)

    def column(self, place: int) -> str:
        """A column of the table."""
        return f"t.{self.dialect.quoted(self.form.columns[place].name)}"

    def number(self, place: int) -> str:
        """A column as a double, or as a whole number."""
        column = self.form.columns[place]
        if column.kind == "ordered":
            text = self.comparable(place)
            codes = " ".join(f"WHEN {self.level(column, k)} THEN {k}.0e0" for k in range(len(column.levels)))
            return f"(CASE {text} {codes} END)"
        if column.kind == "boolean":
            return f"CAST({self.column(place)} AS {self.dialect.integer})"
        return self.dialect.cast(self.column(place))

    def comparable(self, place: int) -> str:
        """A column with levels, as it is compared with them."""
        column, name = self.form.columns[place], self.column(place)
        if column.is_text:
            return self.dialect.text.format(name)
        if any(isinstance(level, bool) for level in column.levels):
            return f"CAST({name} AS {self.dialect.integer})"
        return name

    def level(self, column: FormColumn, code: int) -> str:
        """A level, as its column is compared with it."""
        level = column.levels[code]
        if isinstance(level, str):
            return self.dialect.string(level, compared=True)
        return str(int(level)) if isinstance(level, bool) else self.dialect.literal(level)

    def within(self, place: int, codes: Sequence[int]) -> str:
        """The condition that a column has one of these levels."""
        column = self.form.columns[place]
        listed = ", ".join(self.level(column, code) for code in codes)
        return f"{self.comparable(place)} IN ({listed})" if listed else FALSE

    def sum(self, terms: Terms) -> str:
        """A weighted sum of columns, added in this order."""
        parts = []
        for place, weight in terms:
            x = self.number(place)
            x = self.dialect.cast(x) if self.form.columns[place].kind == "boolean" else x
            parts.append(f"{self.dialect.number(weight)} * {x}")
        return f"({' + '.join(parts)})"

    def _numbers(self, x: str, test: SplitTest) -> list[str]:
        """x <= threshold, and x > threshold; where NaN is the greatest number it must not count."""
        cut, strict = float(test.threshold), is_strict(test)
        below, above = ("<", ">=") if strict else ("<=", ">")
        if cut == math.inf:  # databases have no common word for infinity
            cut, below, above = MOST, *(("<=", ">") if strict else ("", ""))
        elif cut == -math.inf:
            cut, below, above = -MOST, "<", ">="
        least = f" AND {x} < {self.dialect.nan}" if self.dialect.nan else ""
        if not below:  # every number goes left
            return [f"{x} < {self.dialect.nan}" if self.dialect.nan else f"{x} {self._any()}", FALSE]
        shown = self.dialect.number(cut)
        return [f"{x} {below} {shown}", f"{x} {above} {shown}{least}"]

    def _any(self) -> str:
        return "IS NOT NULL"

    def _whole(self, name: str, column: FormColumn, test: SplitTest) -> list[str]:
        """A threshold of whole numbers, or of a time."""
        natural = is_natural(self.form, test.feature)
        cut, strict = whole_cut(test, natural)
        low, high = (0, 2**64 - 1) if natural else (-(2**63), 2**63 - 1)
        shown: str | None = str(cut)
        if column.kind == "datetime" and self.dialect.name != "sqlite":
            shown = self.dialect.moment(cut, column.utc)
        if (cut == low and strict) or (shown is None and cut < 0):
            return [FALSE, f"{name} IS NOT NULL"]
        if cut == high or shown is None:
            return [f"{name} IS NOT NULL", FALSE]
        below, above = ("<", ">=") if strict else ("<=", ">")
        return [f"{name} {below} {shown}", f"{name} {above} {shown}"]
