"""An operating point: what happens if the line is drawn there, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...learn.costs import extra_costs
from .curve import TOO_GOOD, Roc, rows_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """One point of a ROC curve, and what it means at a prevalence and with costs."""

    curve: Roc
    place: int  # of the point among those of the curve
    wish: str  # what was asked for, in words
    prevalence: float  # of the positive class where the model will be used
    costs: Floats  # true class by predicted class, in the order of `classes`
    by_cost: bool = False  # whether costs chose it, and no other wish

    @property
    def classes(self) -> NDArray[Any]:
        """Both labels, in the order of the model."""
        return self.curve.classes

    @property
    def positive(self) -> Any:
        """The label that is called."""
        return self.curve.positive

    @property
    def source(self) -> str:
        """The rows that it was judged with: "training", "held out" or "out of fold"."""
        return self.curve.source

    @property
    def threshold(self) -> float:
        """Rows are called positive where their probability is above this, which lies between two scores.

        It is below 0 if rows without any share of the positive class are to be called too.
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
        """The share of the positives that are called."""
        return float(self.curve.tpr[self.place])

    @property
    def fpr(self) -> float:
        """The share of the negatives that are called."""
        return float(self.curve.fpr[self.place])

    @property
    def selected(self) -> float:
        """The share of all cases that are called, at this prevalence."""
        return self.prevalence * self.recall + (1 - self.prevalence) * self.fpr

    @property
    def precision(self) -> float:
        """The share of the calls that are right, at this prevalence; NaN if nobody is called."""
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

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        names = ("threshold", "recall", "precision", "fpr", "selected", "prevalence", "cost", "source")
        return {"positive": self.positive} | {name: getattr(self, name) for name in names}

    def plot(self, ax: Any = None) -> Any:
        """Draw the ROC curve with this point and lines of equal cost; returns the axes."""
        from .plots import plot_roc

        return plot_roc(self.curve, ax, point=self)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """What was asked for, what to do, what comes of it, and by which rows that is known."""
        costs = [self._costs()] if self.by_cost else []
        return [self.wish, self._rule(), self._rates(), self._cases(), *costs, self._judged()]

    def __repr__(self) -> str:
        return (
            f"<OperatingPoint: {self.positive!r} above {self.threshold:.4g}, recall {self.recall:.4g}, "
            f"precision {self.precision:.4g}, {self.source}>"
        )

    def _rule(self) -> str:
        if self.place == 0:
            return f"So call nobody {self.positive!r}."
        if self.place == len(self.curve.fp) - 1:
            return f"So call everybody {self.positive!r}."
        return f"So call a case {self.positive!r} where its probability is above {self.threshold:.4g}."

    def _rates(self) -> str:
        if self.place == 0:
            return "All of its cases are then missed."
        return (
            f"This finds {percent(self.recall)} of its cases (recall); {percent(self.precision)} of the "
            f"calls are right (precision), and {percent(self.fpr)} of the others are called by mistake."
        )

    def _cases(self) -> str:
        found, missed, wrong = self.recall, 1 - self.recall, self.fpr
        ill, well = 1000 * self.prevalence, 1000 * (1 - self.prevalence)
        return (
            f"Of 1,000 cases {counted(ill)} are {self.positive!r}: {counted(ill * found)} found, "
            f"{counted(ill * missed)} missed; of the {counted(well)} others {counted(well * wrong)} are "
            "called."
        )

    def _costs(self) -> str:
        nobody, everybody = self._cost(0, 0), self._cost(1, 1)
        return (
            f"Expected cost per case: {self.cost:.4g} (calling nobody {nobody:.4g}, "
            f"everybody {everybody:.4g})."
        )

    def _judged(self) -> str:
        if self.source == "training":
            return f"Warning: {TOO_GOOD[0].lower()}{TOO_GOOD[1:]}"
        return f"Judged by {counted(float(self.curve.fp[-1] + self.curve.tp[-1]))} {rows_of(self.source)}."


def percent(share: float) -> str:
    """A share as a percentage, three digits."""
    return f"{100 * share:.3g} %"


def counted(number: float) -> str:
    """A number of cases: whole, or two digits if it is small and not whole."""
    return f"{number:,.0f}" if number >= 10 or abs(number - round(number)) < 1e-9 else f"{number:.2g}"
