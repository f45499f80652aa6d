"""Scores of predictions that a model made for rows it has not seen, beside those of a trivial guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..deciding.auc import area
from ..judging.folds import Fold
from ..judging.honest import corrected_interval
from ..losses import class_table, picked

Array = NDArray[Any]
Floats = NDArray[np.float64]

FEW_ROWS = 20_000  # that are drawn as they are

BETTER = {"accuracy": 1, "AUC": 1, "log loss": -1, "cost": -1, "R²": 1, "mean absolute error": -1}


@dataclass(frozen=True)
class Score:
    """One figure: its value, an interval, and what the trivial guess reaches."""

    metric: str
    value: float
    low: float
    high: float
    baseline: float

    def to_dict(self) -> dict[str, Any]:
        """The same by name; what is not known is None."""
        return {
            key: None if isinstance(value, float) and np.isnan(value) else value
            for key, value in asdict(self).items()
        }

    @property
    def helps(self) -> bool:
        """Whether it is better than the trivial guess, beyond the interval."""
        sign = BETTER[self.metric]
        edge = self.low if sign > 0 else self.high
        return bool(sign * (edge - self.baseline) > 0)


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model says of rows, and the truth: codes and probabilities of classes, or numbers."""

    y: Array
    said: Array  # codes, or numbers
    shares: Floats | None  # (rows, classes)
    weight: Floats | None
    positive: int | None = None  # the place of the class that is ranked first, of two
    costs: Floats | None = None

    def figures(self) -> dict[str, float]:
        """All figures that suit."""
        if self.shares is None:
            return _of_numbers(self.y, self.said, self.weight)
        w = np.ones(len(self.y)) if self.weight is None else self.weight
        right = (self.said == self.y).astype(np.float64)
        found = {"accuracy": float(np.average(right, weights=w))}
        every, y = np.arange(len(self.y)), self.y[:, None]
        losses = class_table("log_loss", self.shares[:, None, :], self.said[:, None])
        found["log loss"] = float(np.average(picked(losses, every, y), weights=w))
        if self.positive is not None:
            is_positive = self.y == self.positive
            both = w[is_positive].sum() > 0 and w[~is_positive].sum() > 0
            score = self.shares[:, self.positive]
            ranked = area(score, w * ~is_positive, w * is_positive).auc if both else np.nan
            found["AUC"] = ranked
        if self.costs is not None:
            found["cost"] = float(np.average(self.costs[self.y, self.said], weights=w))
        return found


def _of_numbers(y: Array, said: Array, weight: Floats | None) -> dict[str, float]:
    off = said - y
    around = y - np.average(y, weights=weight)
    total = float(np.average(around**2, weights=weight))
    squared = float(np.average(off**2, weights=weight))
    return {
        "R²": 1 - squared / total if total > 0 else np.nan,
        "mean absolute error": float(np.average(np.abs(off), weights=weight)),
    }


def trivial(y: Array, weight: Floats | None, classes: int, costs: Floats | None = None) -> tuple[Any, Any]:
    """What to guess without looking: the cheapest class and the shares of all, or the mean."""
    if not classes:
        return float(np.average(y, weights=weight)), None
    shares = np.bincount(y, weight, classes) / (len(y) if weight is None else weight.sum())
    return int(shares.argmax() if costs is None else (shares @ costs).argmin()), shares


def over_folds(
    figures: Sequence[dict[str, float]], guesses: Sequence[dict[str, float]], folds: Sequence[Fold]
) -> list[Score]:
    """The mean of each figure over the folds, with an interval."""
    found = []
    for metric in figures[0]:
        values = [part[metric] for part in figures]
        low, high = corrected_interval(values, folds, 0.95)
        guess = float(np.mean([part[metric] for part in guesses]))
        found.append(Score(metric, float(np.mean(values)), *_within(metric, low, high), guess))
    return found


def on_rows(answers: Answers, guess: Answers) -> list[Score]:
    """The figures on one set of rows; intervals by drawing the rows again, with a fixed seed.

    Of many rows part is drawn a few times, and the spread scaled to all of them.
    """
    rng, n = np.random.default_rng(0), len(answers.y)
    size, times = min(n, FEW_ROWS), 200 if n <= FEW_ROWS else 50
    drawn = [_taken(answers, rng.integers(0, n, size)).figures() for _ in range(times)]
    found, trivially = [], guess.figures()
    for metric, value in answers.figures().items():
        values = np.array([part[metric] for part in drawn])
        if np.isnan(values).all():  # such as a ranking of rows of one class
            low = high = np.nan
        elif size == n:
            low, high = map(float, np.nanquantile(values, [0.025, 0.975]))
        else:
            reach = 1.96 * float(np.nanstd(values)) * np.sqrt(size / n)
            low, high = value - reach, value + reach
        found.append(Score(metric, value, *_within(metric, low, high), trivially[metric]))
    return found


def _within(metric: str, low: float, high: float) -> tuple[float, float]:
    least = 0.0 if metric != "R²" else -np.inf
    most = 1.0 if metric in {"accuracy", "AUC", "R²"} else np.inf
    return max(low, least), min(high, most)


def _taken(answers: Answers, rows: Array) -> Answers:
    some = [None if part is None else part[rows] for part in (answers.shares, answers.weight)]
    return Answers(answers.y[rows], answers.said[rows], some[0], some[1], answers.positive, answers.costs)
