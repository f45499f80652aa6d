"""An operating point: a threshold and its consequences, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import Result
from ...learn.costs import extra_costs
from .curve import TOO_GOOD, RocCurve, rows_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPoint(Result):
    """One point of a ROC curve, and what it means at a prevalence and with costs."""

    curve: RocCurve
    place: int  # of the point among those of the curve
    criterion: str  # the criterion, in words
    prevalence: float  # of the positive class where the model will be used
    costs: Floats  # true class by predicted class, in the order of `classes`
    by_cost: bool = False  # whether costs chose it, and no other criterion

    @property
    def classes(self) -> NDArray[Any]:
        """Both labels, in the order of the model."""
        return self.curve.classes

    @property
    def positive(self) -> Any:
        """The positive label."""
        return self.curve.positive

    @property
    def source(self) -> str:
        """The rows that it was evaluated with: "training", "held out" or "out of fold"."""
        return self.curve.source

    @property
    def threshold(self) -> float:
        """Rows are predicted positive where their probability is above this, which lies between two scores.

        It is below 0 if rows of probability 0 are to be predicted positive too.
        """
        scores = self.curve.thresholds
        if self.place == 0:
            return float((scores[1] + 1) / 2) if scores[1] < 1 else 1.0
        last = float(scores[self.place])
        below = float(scores[self.place + 1]) if self.place + 1 < len(scores) else 0.0 if last > 0 else -1.0
        middle = below + (last - below) / 2
        return middle if middle < last else below

    @property
    def recall(self) -> float:
        """The share of the positives that are predicted positive."""
        return float(self.curve.tpr[self.place])

    @property
    def fpr(self) -> float:
        """The false positive rate: the share of the negatives that are predicted positive."""
        return float(self.curve.fpr[self.place])

    @property
    def selected(self) -> float:
        """The share of all cases that are predicted positive, at this prevalence."""
        return self.prevalence * self.recall + (1 - self.prevalence) * self.fpr

    @property
    def precision(self) -> float:
        """The share of the positive predictions that are right, at this prevalence; NaN if there are none."""
        return self.prevalence * self.recall / self.selected if self.selected > 0 else np.nan

    @property
    def confusion(self) -> Floats:
        """True class by predicted class, per 1,000 cases at this prevalence, in the order of `classes`."""
        return 1000 * self._shares(self.recall, self.fpr)

    @property
    def cost(self) -> float:
        """The expected cost per case."""
        return self._cost(self.recall, self.fpr)

    @property
    def slope(self) -> float:
        """Of the lines of equal cost in the picture of the curve."""
        at = self.classes.tolist().index(self.positive)
        false_positive, false_negative = extra_costs(self.costs, at)
        rise = false_negative * self.prevalence
        return false_positive * (1 - self.prevalence) / rise if rise > 0 else np.inf

    def _shares(self, tpr: float, fpr: float) -> Floats:
        at = self.classes.tolist().index(self.positive)
        order = [1 - at, at]  # the negative class first
        rows = np.array([[1 - fpr, fpr], [1 - tpr, tpr]])
        return np.asarray((rows * [[1 - self.prevalence], [self.prevalence]])[np.ix_(order, order)])

    def _cost(self, tpr: float, fpr: float) -> float:
        return float((self._shares(tpr, fpr) * self.costs).sum())

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary with the numbers by name."""
        names = ("threshold", "recall", "precision", "fpr", "selected", "prevalence", "cost", "source")
        return [{"positive": self.positive} | {name: getattr(self, name) for name in names}]

    def plot(self, ax: Any = None) -> Any:
        """Draw the ROC curve with this point and lines of equal cost; returns the axes."""
        return self.curve.plot(ax, point=self)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """The criterion, the threshold, what follows from it, and the rows it was found on."""
        costs = [self._costs()] if self.by_cost else []
        return [self.criterion, self._rule(), self._rates(), self._cases(), *costs, self._evaluated()]

    def _rule(self) -> str:
        if self.place == 0:
            return f"So predict {self.positive!r} for no case."
        if self.place == len(self.curve.fp) - 1:
            return f"So predict {self.positive!r} for every case."
        return f"So predict {self.positive!r} where its probability is above {self.threshold:.4g}."

    def _rates(self) -> str:
        if self.place == 0:
            return "All of its cases are then missed."
        return (
            f"This finds {percent(self.recall)} of its cases (recall); {percent(self.precision)} of the "
            f"positive predictions are right (precision); false positive rate {percent(self.fpr)}."
        )

    def _cases(self) -> str:
        found, missed, wrong = self.recall, 1 - self.recall, self.fpr
        ill, well = 1000 * self.prevalence, 1000 * (1 - self.prevalence)
        return (
            f"Of 1,000 cases {counted(ill)} are {self.positive!r}: {counted(ill * found)} found, "
            f"{counted(ill * missed)} missed; of the {counted(well)} others {counted(well * wrong)} are "
            "false positives."
        )

    def _costs(self) -> str:
        nobody, everybody = self._cost(0, 0), self._cost(1, 1)
        return (
            f"Expected cost per case: {self.cost:.4g} (predicting nobody positive {nobody:.4g}, "
            f"everybody {everybody:.4g})."
        )

    def _evaluated(self) -> str:
        if self.source == "training":
            return f"Warning: {TOO_GOOD[0].lower()}{TOO_GOOD[1:]}"
        return f"Evaluated on {counted(float(self.curve.fp[-1] + self.curve.tp[-1]))} {rows_of(self.source)}."


def percent(share: float) -> str:
    """A share as a percentage, three digits."""
    return f"{100 * share:.3g} %"


def counted(number: float) -> str:
    """A number of cases: whole, or two digits if it is small and not whole."""
    return f"{number:,.0f}" if number >= 10 or abs(number - round(number)) < 1e-9 else f"{number:.2g}"
