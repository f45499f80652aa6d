"""The rows of a table as Cubist sees them, and what linear models predict for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...data.common.array_types import Floats, Ints

NEGLIGIBLE = 0.01  # of the standard deviation of y: a term that moves the prediction by less is dropped
MOST_STEPS = 100  # towards a mean error of 0


@dataclass(frozen=True)
class Linear:
    """intercept + coefficients of some columns."""

    intercept: float
    terms: dict[int, float]

    @property
    def size(self) -> int:
        """How many parameters it has."""
        return len(self.terms) + 1

    def mixed(self, other: Linear, share: float) -> Linear:
        """share * this + (1 - share) * other."""
        names = sorted({*self.terms, *other.terms})
        terms = {j: share * self.terms.get(j, 0.0) + (1 - share) * other.terms.get(j, 0.0) for j in names}
        return Linear(share * self.intercept + (1 - share) * other.intercept, terms)


@dataclass(frozen=True)
class Data:
    """All rows. Missing values are the mean or the most frequent level."""

    X: Floats
    y: Floats  # what the models are fitted to
    truth: Floats  # the target: the same, but for later members of a committee
    weight: Floats  # of mean 1
    n_levels: Ints  # of every column; 0: numbers
    spread: Floats  # the standard deviation of the known values of every column
    unbiased: bool
    extrapolation: float  # of the range of y that a prediction may lie beyond it
    decimals: int  # of y

    @cached_property
    def y_spread(self) -> float:
        """The standard deviation of the target, for all members of a committee."""
        return spread_of(self.truth, self.weight)

    def mean(self, values: Floats, rows: Ints | slice = slice(None)) -> float:
        """The mean of values of some rows."""
        weight = self.weight[rows]
        return float(weight @ values / weight.sum())

    def predict(self, rows: Ints | slice, model: Linear) -> Floats:
        """What a model predicts for rows."""
        found = np.full(len(self.y[rows]), model.intercept)
        for j, size in model.terms.items():
            found += size * self.X[rows, j]
        return found

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Between which numbers a model may predict: not beyond 0 if no row is."""
        return widened(float(self.truth.min()), float(self.truth.max()), self.extrapolation)

    def rounded(self, rows: Ints, model: Linear) -> Linear:
        """The model without terms of no weight, with three digits, or so, of the others.

        The median of what these leave is the intercept. Values are in single precision: it
        often lies in the middle of two decimals, and the last bits decide.
        """
        terms = {}
        for j, size in model.terms.items():
            if abs(size) * self.spread[j] < NEGLIGIBLE * self.y_spread:
                continue
            digits = 2 - int(np.floor(np.log10(self.y_spread / self.spread[j])))
            if found := _round(size, digits):
                terms[j] = found
        terms = dict(sorted(terms.items(), key=lambda each: -abs(each[1]) * self.spread[each[0]]))
        rest = _single(self.y[rows])
        for j, size in terms.items():
            rest -= size * _single(self.X[rows, j])
        return Linear(_round(_median(rest, self.weight[rows]), self.decimals + 1), terms)

    def without_bias(self, rows: Ints, model: Linear) -> Linear:
        """The model moved by its mean error until that is below half of the last digit of the intercept.

        Predictions are kept within the bounds of the rule, so one step may not do.
        """
        y, found, intercept = self.truth[rows], self.predict(rows, model), model.intercept
        bounds = widened(float(y.min()), float(y.max()), self.extrapolation)
        for _ in range(MOST_STEPS):
            bias = self.mean(y - np.clip(found, *bounds), rows)
            if abs(bias) < 0.5 * 10.0 ** -(self.decimals + 1):
                break
            found, intercept = found + bias, intercept + bias
        return Linear(_round(intercept, self.decimals + 1), model.terms)

    def off(self, rows: Ints, model: Linear) -> float:
        """The sum of absolute errors, predictions being kept within bounds."""
        found = np.clip(self.predict(rows, model), *self.bounds)
        return float(self.weight[rows] @ np.abs(self.y[rows] - found))

    def error(self, rows: Ints, model: Linear, size: int) -> float:
        """The mean absolute error, with a charge for parameters."""
        found = np.clip(self.predict(rows, model), *self.bounds)
        n, off = len(rows), self.mean(np.abs(self.truth[rows] - found), rows)
        return off * (n + size) / (n - size) if n > size else float("inf")


def _single(values: Floats) -> Floats:
    with np.errstate(over="ignore"):
        found = values.astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(found), found, values)


def _median(values: Floats, weight: Floats) -> float:
    """The upper one of two."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weight[order])
    return float(values[order[min(np.searchsorted(below, below[-1] / 2, side="right"), len(order) - 1)]])


def _round(value: float, digits: int) -> float:
    return float(round(np.copysign(np.floor(abs(value) * 10.0**digits + 0.5), value)) / 10.0**digits)


def spread_of(values: Floats, weight: Floats) -> float:
    """The standard deviation, of an estimate from few rows."""
    n = len(values)
    if n < 2:
        return 0.0
    off = values - np.average(values, weights=weight)
    return float(np.sqrt(np.average(off**2, weights=weight) * n / (n - 1)))


def widened(low: float, high: float, by: float) -> tuple[float, float]:
    """A range widened by a share of itself on both sides, but not beyond 0."""
    more = by * (high - low)
    least = low - more if low < 0 else max(0.0, low - more)
    return least, high + more if high > 0 else min(0.0, high + more)
