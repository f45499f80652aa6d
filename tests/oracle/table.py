"""The rows that the oracle sees: Python's own numbers, which compare and add exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from tests.oracle.criteria import CRITERIA, Number, leaf_value
from tests.oracle.splits import Value

Rows = list[int]


def exact(x: float) -> Number:
    """A float64 is a rational number; a whole one becomes an int, which is faster."""
    q = Fraction(x)
    return q.numerator if q.denominator == 1 else q


def read_column(values: Any, missing: Any = None, n_levels: int | None = None) -> list[Value]:
    """NaN and what the mask names are missing, and so is a code below 0 of a nominal column."""
    if n_levels is not None:
        return [None if code < 0 else code for code in values.tolist()]
    gone = np.isnan(values) if missing is None else np.isnan(values) | missing
    return [None if g else x for x, g in zip(values.tolist(), gone.tolist(), strict=True)]


@dataclass
class Table:
    """Columns, one list of targets per output, weights, and the number of classes (1 for numbers)."""

    columns: list[list[Value]]
    outputs: list[list[Number]]
    weights: Sequence[Number]  # in units, so that sums are whole; a share of a row has a share of its weight
    unit: Fraction
    n_classes: list[int]
    nominal: frozenset[int] = frozenset()  # the columns that hold codes of levels

    @classmethod
    def of(
        cls, columns: list[Any], y: Any, weights: Any = None, n_classes: list[int] | None = None
    ) -> "Table":
        """Read arrays: columns as (values, missing mask or None), or (codes, None, n_levels) if nominal."""
        w = [Fraction(v) for v in ([1] * len(y) if weights is None else weights.tolist())]
        unit = Fraction(1, lcm(*(v.denominator for v in w)))
        return cls(
            [read_column(*column) for column in columns],
            [[exact(t) for t in output] for output in y.T.tolist()],
            [(v / unit).numerator for v in w],
            unit,
            n_classes or [1] * y.shape[1],
            frozenset(f for f, column in enumerate(columns) if len(column) == 3),
        )

    def shared(self, shares: Mapping[int, Fraction]) -> "Table":
        """The same rows, of which these count only by a share."""
        if not shares:
            return self
        return replace(self, weights=[w * shares.get(r, 1) for r, w in enumerate(self.weights)])

    def weight(self, rows: Rows) -> Fraction:
        """W = Σ w."""
        return sum(self.weights[r] for r in rows) * self.unit

    def pure(self, rows: Rows) -> bool:
        """Whether every output has one value only."""
        return all(len({y[r] for r in rows}) == 1 for y in self.outputs)

    def phi(self, criterion: str, rows: Rows) -> Fraction:
        """φ = W · impurity, and the impurity of several outputs is their mean."""
        w = [self.weights[r] for r in rows]
        impurities = [CRITERIA[criterion]([y[r] for r in rows], w) for y in self.outputs]
        return self.weight(rows) * sum(impurities, Fraction(0)) / len(impurities)

    def value(self, criterion: str, rows: Rows) -> list[list[float]]:
        """What a leaf of these rows predicts, for every output."""
        w = [self.weights[r] for r in rows]
        outputs = zip(self.outputs, self.n_classes, strict=True)
        return [leaf_value(criterion, [y[r] for r in rows], w, n) for y, n in outputs]

    def constrained(self, criterion: str, rows: Rows) -> float:
        """What monotone constraints order, a float64 as it is stored: the value, or P(class 1) of two."""
        return self.value(criterion, rows)[0][-1]
