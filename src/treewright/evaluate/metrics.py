"""Metrics of predictions with confidence intervals, beside those of constant predictions (the baseline).

`fit`, `compare`, the report page and the command all score by these. Nothing here needs scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..learn.costs import CostsAndPrevalence
from ..learn.losses import class_table, picked
from .intervals import effective, mean_interval, share_interval
from .roc.auc import area, auc_interval, variance
from .roc.auc import effective as sizes_of

Array = NDArray[Any]
Floats = NDArray[np.float64]
Interval = tuple[float, float]

CONFIDENCE = 0.95
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
    """A metric: its value, its confidence interval, and what the baseline reaches; NaN is not known."""

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
        """Whether it is better than the baseline, beyond the interval."""
        sign = BETTER[self.metric]
        edge = self.low if sign > 0 else self.high
        return bool(sign * (edge - self.baseline) > 0)

    @property
    def harms(self) -> bool:
        """Whether it is worse than the baseline, beyond the interval."""
        sign = BETTER[self.metric]
        edge = self.high if sign > 0 else self.low
        return bool(sign * (edge - self.baseline) < 0)


def verdict(scores: Sequence[Score]) -> str:
    """Whether a model is better than the baseline, beyond the intervals, and on which metrics."""
    better = [score.metric for score in scores if score.helps]
    worse = [score.metric for score in scores if score.harms]
    others = [score.metric for score in scores if score.metric not in {*better, *worse}]
    if not better and not worse:
        return "No clear gain over the baseline."
    parts = [
        ("Beats the baseline on", better),
        ("WORSE on" if better else "WORSE than the baseline on", worse),
    ]
    parts.append(("no clear gain in", others))
    return "; ".join(f"{how} {', '.join(metrics)}" for how, metrics in parts if metrics) + "."


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its interval, which are computed when they are wanted."""

    value: float
    ends: Callable[[], tuple[Any, ...]] = lambda: UNKNOWN

    @property
    def interval(self) -> Interval:
        """The ends of the interval."""
        low, high = self.ends()
        return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model predicts for rows, and the truth: codes and probabilities of classes, or numbers."""

    y: Array  # codes, -1 for a class that the model does not know; or numbers
    predicted: Array  # codes, -1 for no prediction; or numbers
    probabilities: Floats | None  # (rows, classes); None for numbers
    weight: Floats | None = None
    positive: int | None = None  # the place of the class that is ranked first, of two
    costs_and_prevalence: CostsAndPrevalence | None = None

    def estimates(self) -> dict[str, Estimate]:
        """All metrics that suit, by name."""
        weight = np.ones(len(self.y)) if self.weight is None else self.weight / self.weight.max()
        return self._of_numbers(weight) if self.probabilities is None else self._of_classes(weight)

    def values(self) -> dict[str, float]:
        """The metrics without their intervals."""
        return {metric: found.value for metric, found in self.estimates().items()}

    def scores(self, baseline: Baseline) -> list[Score]:
        """The metrics that are defined for these rows, beside those of the baseline."""
        base = baseline.values(self)
        return [
            Score(metric, found.value, *within(metric, *found.interval), base[metric])
            for metric, found in self.estimates().items()
            if not np.isnan(found.value)
        ]

    def _of_classes(self, weight: Floats) -> dict[str, Estimate]:
        """No prediction counts as wrong, and so does any prediction for a class that the model does not know.

        The other metrics leave such a class out, and there is no cost of no prediction.
        """
        known = self.y >= 0
        found = {"accuracy": _share((self.y == self.predicted) & known, weight)}
        if self.probabilities is None or not known.any():
            return found
        y, predicted, w = self.y[known], self.predicted[known], weight[known]
        probabilities = self.probabilities[known]
        for metric, loss in (("log loss", "log_loss"), ("Brier score", "brier")):
            table = class_table(loss, probabilities[:, None, :], predicted[:, None])
            found[metric] = _mean(picked(table, np.arange(len(y)), y[:, None]), w)
        if self.costs_and_prevalence is not None:
            found["cost"] = (
                _cost(self.costs_and_prevalence, y, predicted, w)
                if (predicted >= 0).all()
                else Estimate(np.nan)
            )
        if self.positive is not None:
            found["AUC"] = _ranking(probabilities[:, self.positive], y == self.positive, w)
        return found

    def _of_numbers(self, weight: Floats) -> dict[str, Estimate]:
        off = self.predicted - self.y
        squared = _mean(off**2, weight)
        around = self.y - np.average(self.y, weights=weight)
        spread = float(np.average(around**2, weights=weight))

        def explained(part: float) -> float:
            return 1 - part / spread if spread > 0 else np.nan

        def ends_of_root() -> Interval:
            low, high = squared.interval
            return float(np.sqrt(max(low, 0.0))), float(np.sqrt(high))

        return {
            "R²": Estimate(explained(squared.value), lambda: tuple(map(explained, squared.interval[::-1]))),
            "root mean squared error": Estimate(float(np.sqrt(squared.value)), ends_of_root),
            "mean absolute error": _mean(np.abs(off), weight),
        }


@dataclass(frozen=True, eq=False)
class Baseline:
    """The best constant prediction for each metric, from the training rows.

    Accuracy: the most frequent class. Cost: the cheapest class. Log loss and Brier score: the proportions of
    the classes, whose AUC is 0.5. R² and root mean squared error: the mean. Mean absolute error: the median.
    """

    proportions: Floats | None = None  # of the classes
    mean: float = np.nan
    median: float = np.nan

    @classmethod
    def of(cls, y: Array, weight: Floats | None, n_classes: int) -> Baseline:
        """The baseline of some rows: codes of so many classes, or with n_classes=0 numbers."""
        if n_classes:
            return cls(np.bincount(y, weight, n_classes) / (len(y) if weight is None else weight.sum()))
        order = np.argsort(y, kind="stable")
        total = np.cumsum(np.ones(len(y)) if weight is None else weight[order])
        below, above = (np.searchsorted(total, total[-1] / 2, side) for side in ("left", "right"))
        middle = y[order[below]], y[order[min(above, len(y) - 1)]]
        return cls(None, float(np.average(y, weights=weight)), float(middle[0] + (middle[1] - middle[0]) / 2))

    def values(self, model: Predictions) -> dict[str, float]:
        """The metrics of the constant predictions, for the rows of a model's predictions."""
        n = len(model.y)
        if self.proportions is None:
            median = self.mean if np.isnan(self.median) else self.median
            name = "mean absolute error"
            other = replace(model, predicted=np.full(n, median)).values()[name]
            return replace(model, predicted=np.full(n, self.mean)).values() | {name: other}
        constant = replace(model, probabilities=np.tile(self.proportions, (n, 1)))
        found = replace(constant, predicted=np.full(n, int(self.proportions.argmax()))).values()
        if model.costs_and_prevalence is not None and "cost" in found:
            costs, prevalence = model.costs_and_prevalence
            cheapest = int(((self.proportions if prevalence is None else prevalence) @ costs).argmin())
            found["cost"] = replace(constant, predicted=np.full(n, cheapest)).values()["cost"]
        return found


def within(metric: str, low: float, high: float) -> Interval:
    """The ends of an interval, no further than the metric can go."""
    least = 0.0 if metric != "R²" else -np.inf
    most = 1.0 if metric in {"accuracy", "AUC", "R²"} else np.inf
    return (low if np.isnan(low) else max(low, least)), (high if np.isnan(high) else min(high, most))


# -- one metric each


def _share(right: Array, w: Floats) -> Estimate:
    share = min(float(np.average(right, weights=w)), 1.0)
    n = float(effective(w.sum(), (w * w).sum()))
    return Estimate(share, lambda: share_interval(share * n, n, CONFIDENCE))


def _mean(each: Floats, w: Floats) -> Estimate:
    mean, spread, n = _moments(each, w)
    return Estimate(mean, lambda: mean_interval(mean, spread, n, CONFIDENCE))


def _moments(each: Floats, w: Floats) -> tuple[float, float, float]:
    """The mean, the mean squared distance to it, and the effective number of rows."""
    if not w.any():
        return np.nan, np.nan, np.nan
    mean = float(np.average(each, weights=w))
    spread = float(np.average((each - mean) ** 2, weights=w))
    return mean, spread, float(effective(w.sum(), (w * w).sum()))


def _cost(given: CostsAndPrevalence, y: Array, predicted: Array, w: Floats) -> Estimate:
    """The expected cost of a case; at a prevalence each class counts by it, not by its rows."""
    each, prevalence = given.costs[y, predicted], given.prevalence
    if prevalence is None:
        return _mean(each, w)
    classes = [_moments(each, w * (y == label)) for label in range(len(prevalence))]
    means, spreads, rows = np.array(classes).T
    mean, free = float(prevalence @ means), np.where(rows > 1, rows - 1, np.nan)
    added = prevalence**2 * spreads / free  # the variance of the mean of each class
    if not added.any():  # every class always costs the same
        return Estimate(mean, lambda: (mean, mean))
    total = added.sum()
    degrees = total**2 / (added**2 / free).sum()  # Welch's
    return Estimate(mean, lambda: mean_interval(mean, total * degrees, degrees + 1, CONFIDENCE))


def _ranking(score: Floats, is_positive: Array, w: Floats) -> Estimate:
    both = np.stack([w * ~is_positive, w * is_positive], axis=1)
    if not (both.sum(axis=0) > 0).all():
        return Estimate(np.nan)
    made = area(score, both[:, 0], both[:, 1])

    def ends() -> tuple[float, float]:
        squares, added = both**2, np.stack([made.of_negative, made.of_positive], axis=1)
        sizes = sizes_of(both, squares)
        return auc_interval(made.auc, variance(added, squares, sizes), sizes, CONFIDENCE)

    return Estimate(made.auc, ends)
