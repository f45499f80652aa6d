"""The rows of a table as Cubist sees them, and the linear model of some of them.

A model begins with all columns that it may have. Rows that it misses by more than five times its mean
absolute error are left out. Then the column that moves the prediction least is dropped, again and again; of
all these models that of the least error * (n + v) / (n - v) is kept, where v counts its parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask

OUTLIER = 5.0  # mean absolute errors
NEGLIGIBLE = 0.01  # of the standard deviation of y: a term that moves the prediction by less is dropped
SAME = 1e-10  # of a column's length: what other columns leave of it counts as nothing


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
        if share >= 1:
            return self
        names = sorted({*self.terms, *other.terms})
        terms = {j: share * self.terms.get(j, 0.0) + (1 - share) * other.terms.get(j, 0.0) for j in names}
        return Linear(share * self.intercept + (1 - share) * other.intercept, terms)


@dataclass(frozen=True)
class Data:
    """All rows. Missing values are the mean or the most frequent level."""

    X: Floats
    y: Floats
    is_number: Mask  # of every column; the others have levels
    unbiased: bool
    extrapolation: float  # of the range of y that a prediction may lie beyond it
    decimals: int  # of y

    @cached_property
    def spread(self) -> Floats:
        """The standard deviation of every column."""
        return np.asarray(self.X.std(axis=0, ddof=1)) if len(self.y) > 1 else np.zeros(self.X.shape[1])

    @cached_property
    def y_spread(self) -> float:
        """The standard deviation of y."""
        return float(self.y.std(ddof=1)) if len(self.y) > 1 else 0.0

    @cached_property
    def known(self) -> list[Floats]:
        """The different values of every column: a threshold is one of them."""
        return [np.unique(column) for column in self.X.T]

    def predict(self, rows: Ints, model: Linear) -> Floats:
        """What a model predicts for rows."""
        found = np.full(len(rows), model.intercept)
        for j, size in model.terms.items():
            found += size * self.X[rows, j]
        return found

    def bounds(self, rows: Ints) -> tuple[float, float]:
        """Between which numbers a model of these rows may predict: not beyond 0 if no row is."""
        return widened(float(self.y[rows].min()), float(self.y[rows].max()), self.extrapolation)

    def centred(self, rows: Ints, model: Linear, unbiased: bool = False) -> Linear:
        """The model with the median, or the mean, of what it leaves as its intercept."""
        rest = self.y[rows] - self.predict(rows, Linear(0.0, model.terms))
        middle = rest.mean() if unbiased else np.partition(rest, len(rest) // 2)[len(rest) // 2]
        return Linear(float(middle), model.terms)

    def rounded(self, rows: Ints, model: Linear, unbiased: bool = False) -> Linear:
        """The model without terms of no weight, with three digits, or so, of the others."""
        terms = {}
        for j, size in model.terms.items():
            if abs(size) * self.spread[j] < NEGLIGIBLE * self.y_spread:
                continue
            digits = 2 - int(np.floor(np.log10(self.y_spread / self.spread[j])))
            if found := round(size, digits):
                terms[j] = found
        terms = dict(sorted(terms.items(), key=lambda each: -abs(each[1]) * self.spread[each[0]]))
        made = self.centred(rows, Linear(0.0, terms), unbiased)
        return Linear(round(made.intercept, self.decimals + 1), terms)

    def fit(self, rows: Ints, columns: Iterable[int]) -> Linear:
        """The linear model of these rows in some of these columns; see the top of the file."""
        X, y = self.X[rows], self.y[rows]
        free = [j for j in sorted(columns) if self.is_number[j] and np.ptp(X[:, j]) > 0]
        while len(free) + 1 >= len(rows):  # the least correlated go first
            shared = np.abs((X[:, free] - X[:, free].mean(axis=0)).T @ (y - y.mean())) / X[:, free].std(axis=0)
            free.pop(int(shared.argmin()))
        if not free:
            return Linear(float(y.mean()), {})
        X = X[:, free]
        off = np.abs(_left(X, y, list(range(len(free))))[1])
        keep = off <= OUTLIER * off.mean()
        if len(free) + 2 <= keep.sum() < len(keep):
            X, y = X[keep], y[keep]
        return _shortest(X, y, free)


def widened(low: float, high: float, by: float) -> tuple[float, float]:
    """A range widened by a share of itself on both sides, but not beyond 0."""
    more = by * (high - low)
    return (low - more if low < 0 else max(0.0, low - more)), (high + more if high > 0 else min(0.0, high + more))


def _left(X: Floats, y: Floats, places: list[int]) -> tuple[Floats, Floats]:
    """Least squares in some columns: the coefficients, and what they leave of y."""
    rest = y - y.mean()
    if not places:
        return np.empty(0), rest
    Z = X[:, places] - X[:, places].mean(axis=0)
    length = np.sqrt((Z**2).sum(axis=0))
    Z /= np.where(length > 0, length, 1.0)
    solved = np.linalg.lstsq(Z.T @ Z, Z.T @ rest, rcond=SAME)[0]
    return solved / np.where(length > 0, length, 1.0), rest - Z @ solved


def _shortest(X: Floats, y: Floats, names: list[int]) -> Linear:
    n, moves = len(y), np.abs(X - X.mean(axis=0)).mean(axis=0)
    places, best, found = list(range(len(names))), np.inf, Linear(float(y.mean()), {})
    while True:
        sizes, rest = _left(X, y, places)
        v = len(places) + 1
        error = float(np.abs(rest).mean()) * (n + v) / (n - v)
        if error <= best:
            best = error
            intercept = float(y.mean() - X[:, places].mean(axis=0) @ sizes) if places else float(y.mean())
            found = Linear(intercept, dict(zip((names[k] for k in places), sizes.tolist(), strict=True)))
        if not places:
            return found
        places.pop(int((np.abs(sizes) * moves[places]).argmin()))
