"""The rows of a table as Cubist sees them, and the linear model of some of them.

A model begins with all columns that it may have. Rows that it misses by more than five times its mean
absolute error are left out. Then the column that moves the prediction least is dropped, again and again; of
all these models that of the least error * (n + v) / (n - v) is kept, where v counts its parameters; v is at
most n / 2, or 2.
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
        while free and len(free) + 1 >= len(rows):  # the least correlated go first
            shared = np.abs((X[:, free] - X[:, free].mean(axis=0)).T @ (y - y.mean())) / X[:, free].std(
                axis=0
            )
            free.pop(int(shared.argmin()))
        if not free:
            return Linear(float(y.mean()), {})
        squares = _Squares(X[:, free], y)
        off = np.abs(squares.left(list(range(len(free))))[1])
        keep = off <= OUTLIER * off.mean()
        if len(free) + 2 <= keep.sum() < len(keep):
            squares = _Squares(X[keep][:, free], y[keep])
        return squares.shortest(free)


def widened(low: float, high: float, by: float) -> tuple[float, float]:
    """A range widened by a share of itself on both sides, but not beyond 0."""
    more = by * (high - low)
    least = low - more if low < 0 else max(0.0, low - more)
    return least, high + more if high > 0 else min(0.0, high + more)


class _Squares:
    """Least squares in any of some columns, from columns of mean 0 and length 1."""

    def __init__(self, X: Floats, y: Floats) -> None:
        self.mean, self.middle = X.mean(axis=0), float(y.mean())
        centred = X - self.mean
        self.moves = np.abs(centred).mean(axis=0)
        length = np.sqrt((centred**2).sum(axis=0))
        self.length = np.where(length > 0, length, 1.0)
        self.Z, self.rest = centred / self.length, y - self.middle
        self.gram, self.shared = self.Z.T @ self.Z, self.Z.T @ self.rest

    def left(self, places: list[int]) -> tuple[Floats, Floats]:
        """The coefficients of some columns, and what they leave of y."""
        if not places:
            return np.empty(0), self.rest
        solved = np.linalg.lstsq(self.gram[np.ix_(places, places)], self.shared[places], rcond=SAME)[0]
        return solved / self.length[places], self.rest - self.Z[:, places] @ solved

    def shortest(self, names: list[int]) -> Linear:
        """Of the models that arise as columns are dropped that of the least error."""
        n, places = len(self.rest), list(range(len(names)))
        best, found = np.inf, Linear(self.middle, {})
        while True:
            sizes, rest = self.left(places)
            v = len(places) + 1
            error = float(np.abs(rest).mean()) * (n + v) / (n - v)
            if error <= best and v <= max(2, n // 2):
                best = error
                terms = dict(zip((names[k] for k in places), sizes.tolist(), strict=True))
                found = Linear(self.middle - float(self.mean[places] @ sizes), terms)
            if not places:
                return found
            places.pop(int((np.abs(sizes) * self.moves[places]).argmin()))
