"""How good answers are: figures with intervals, beside those of a trivial guess.

`fit`, `compare` and `score` all judge by these. Nothing here needs scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..learn.costs import Stakes
from ..learn.losses import class_table, picked
from .intervals import effective, mean_interval, share_interval
from .roc.auc import area, auc_interval, variance
from .roc.auc import effective as sizes_of

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ends = tuple[float, float]

LEVEL = 0.95
UNKNOWN = (np.nan, np.nan)
# Whether more or less is better.
BETTER = {
    "accuracy": 1,
    "log loss": -1,
    "Brier score": -1,
    "cost": -1,
    "AUC": 1,
    "R²": 1,
    "root mean squared error": -1,
    "mean absolute error": -1,
}


@dataclass(frozen=True)
class Score:
    """One figure: its value, an interval, and what the trivial guess reaches; NaN is not known."""

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

    @property
    def harms(self) -> bool:
        """Whether it is worse than the trivial guess, beyond the interval."""
        sign = BETTER[self.metric]
        edge = self.high if sign > 0 else self.low
        return bool(sign * (edge - self.baseline) < 0)


def verdict(scores: Sequence[Score]) -> str:
    """Whether a model is better than the trivial guess, beyond the intervals, and in what."""
    better = [score.metric for score in scores if score.helps]
    worse = [score.metric for score in scores if score.harms]
    others = [score.metric for score in scores if score.metric not in {*better, *worse}]
    if not better and not worse:
        return "NOT surely better than guessing."
    ways = [("Better than guessing by", better), ("WORSE by" if better else "WORSE than guessing by", worse)]
    ways.append(("not surely by" if better else "not surely better by", others))
    return "; ".join(f"{how} {', '.join(by)}" for how, by in ways if by) + "."


class Figure(NamedTuple):
    """A value and the ends of its interval."""

    value: float
    ends: Ends = UNKNOWN


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model says of rows, and the truth: codes and probabilities of classes, or numbers."""

    y: Array  # codes, -1 for a class that the model does not know; or numbers
    said: Array  # codes, -1 for no answer; or numbers
    shares: Floats | None  # (rows, classes); None for numbers
    weight: Floats | None = None
    positive: int | None = None  # the place of the class that is ranked first, of two
    stakes: Stakes | None = None

    def figures(self) -> dict[str, Figure]:
        """All figures that suit, by name."""
        weight = np.ones(len(self.y)) if self.weight is None else self.weight / self.weight.max()
        return self._of_numbers(weight) if self.shares is None else self._of_classes(weight)

    def values(self) -> dict[str, float]:
        """The figures without their intervals."""
        return {metric: figure.value for metric, figure in self.figures().items()}

    def scores(self, guess: Answers) -> list[Score]:
        """The figures that can be told, beside those of a guess for the same rows."""
        trivially = guess.values()
        return [
            Score(metric, value, *within(metric, *ends), trivially[metric])
            for metric, (value, ends) in self.figures().items()
            if not np.isnan(value)
        ]

    def _of_classes(self, weight: Floats) -> dict[str, Figure]:
        """No answer is wrong, and so is any answer to a class that the model does not know.

        No other figure can judge such a class, and no cost that there is no answer.
        """
        some = self.y >= 0
        found = {"accuracy": _share((self.y == self.said) & some, weight)}
        if self.shares is None or not some.any():
            return found
        y, said, shares, w = self.y[some], self.said[some], self.shares[some], weight[some]
        for metric, loss in (("log loss", "log_loss"), ("Brier score", "brier")):
            table = class_table(loss, shares[:, None, :], said[:, None])
            found[metric] = _mean(picked(table, np.arange(len(y)), y[:, None]), w)
        if self.stakes is not None:
            found["cost"] = _cost(self.stakes, y, said, w) if (said >= 0).all() else Figure(np.nan)
        if self.positive is not None:
            found["AUC"] = _ranking(shares[:, self.positive], y == self.positive, w)
        return found

    def _of_numbers(self, weight: Floats) -> dict[str, Figure]:
        off = self.said - self.y
        squared = _mean(off**2, weight)
        around = self.y - np.average(self.y, weights=weight)
        spread = float(np.average(around**2, weights=weight))
        low, high = squared.ends
        explained = [1 - part / spread if spread > 0 else np.nan for part in (squared.value, high, low)]
        return {
            "R²": Figure(explained[0], (explained[1], explained[2])),
            "root mean squared error": Figure(
                float(np.sqrt(squared.value)), (float(np.sqrt(max(low, 0.0))), float(np.sqrt(high)))
            ),
            "mean absolute error": _mean(np.abs(off), weight),
        }


def within(metric: str, low: float, high: float) -> Ends:
    """The ends of an interval, no further than the figure can go."""
    least = 0.0 if metric != "R²" else -np.inf
    most = 1.0 if metric in {"accuracy", "AUC", "R²"} else np.inf
    return (low if np.isnan(low) else max(low, least)), (high if np.isnan(high) else min(high, most))


# -- one figure each


def _share(right: Array, w: Floats) -> Figure:
    share = min(float(np.average(right, weights=w)), 1.0)
    n = float(effective(w.sum(), (w * w).sum()))
    low, high = share_interval(share * n, n, LEVEL)
    return Figure(share, (float(low), float(high)))


def _mean(each: Floats, w: Floats) -> Figure:
    mean, spread, n = _moments(each, w)
    low, high = mean_interval(mean, spread, n, LEVEL)
    return Figure(mean, (float(low), float(high)))


def _moments(each: Floats, w: Floats) -> tuple[float, float, float]:
    """The mean, the mean squared distance to it, and how many rows of equal weight tell as much."""
    if not w.any():
        return np.nan, np.nan, np.nan
    mean = float(np.average(each, weights=w))
    spread = float(np.average((each - mean) ** 2, weights=w))
    return mean, spread, float(effective(w.sum(), (w * w).sum()))


def _cost(stakes: Stakes, y: Array, said: Array, w: Floats) -> Figure:
    """The expected cost of a case; at a prevalence each class counts by it, not by its rows."""
    each, shares = stakes.costs[y, said], stakes.prevalence
    if shares is None:
        return _mean(each, w)
    classes = [_moments(each, w * (y == label)) for label in range(len(shares))]
    means, spreads, rows = np.array(classes).T
    mean, free = float(shares @ means), np.where(rows > 1, rows - 1, np.nan)
    added = shares**2 * spreads / free  # the variance of the mean of each class
    if not added.any():  # every class always costs the same
        return Figure(mean, (mean, mean))
    total = added.sum()
    degrees = total**2 / (added**2 / free).sum()  # Welch's
    low, high = mean_interval(mean, total * degrees, degrees + 1, LEVEL)
    return Figure(mean, (float(low), float(high)))


def _ranking(score: Floats, is_positive: Array, w: Floats) -> Figure:
    both = np.stack([w * ~is_positive, w * is_positive], axis=1)
    if not (both.sum(axis=0) > 0).all():
        return Figure(np.nan)
    made = area(score, both[:, 0], both[:, 1])
    squares, added = both**2, np.stack([made.of_negative, made.of_positive], axis=1)
    sizes = sizes_of(both, squares)
    return Figure(made.auc, auc_interval(made.auc, variance(added, squares, sizes), sizes, LEVEL))
