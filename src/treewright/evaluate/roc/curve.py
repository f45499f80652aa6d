"""A ROC curve by segments: the rows that share one score move it by one straight line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import Result
from . import auc as areas
from . import hull as hulls

if TYPE_CHECKING:
    from ..segments import Segments
    from .point import OperatingPoint

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

REST = "the rest"
TOO_GOOD = (
    "These are the training rows, so all of this is too good to be true; give X and y of other rows, or cv=5 "
    "with those of the fit."
)


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Result):
    """How well the scores rank one class above others.

    Point 0 selects nobody; each next one also selects the rows of the next lower score. Rows are selected
    where their score is at least the threshold of the point.
    """

    thresholds: Floats  # falling, the first is infinity
    fp: Floats  # weight of the negatives selected
    tp: Floats  # weight of the positives selected
    auc: float
    interval: tuple[float, float]  # of the AUC
    confidence: float  # of the interval
    positive: Any  # the label
    negative: Any  # the other label, or "the rest"
    classes: NDArray[Any]  # both of them, in the order of the model; "the rest" comes first
    source: str  # "training", "held out" or "out of fold"

    @property
    def fpr(self) -> Floats:
        """The share of the negatives selected: the false positive rate."""
        return np.asarray(self.fp / self.fp[-1])

    @property
    def tpr(self) -> Floats:
        """The share of the positives selected: the true positive rate, or recall."""
        return np.asarray(self.tp / self.tp[-1])

    @property
    def coverage(self) -> tuple[Floats, Floats]:
        """Counts instead of rates: negatives and positives selected."""
        return self.fp, self.tp

    @cached_property
    def hull(self) -> Ints:
        """The places of the points on the upper convex hull; for some costs, one of them is the best."""
        return hulls.upper_hull(np.diff(self.fp), np.diff(self.tp))

    @property
    def hull_auc(self) -> float:
        """The area under the hull: that of the best order of the groups of segments it joins."""
        x, y = self.fpr[self.hull], self.tpr[self.hull]
        return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)

    def tangent(self, slope: float) -> int:
        """The place of the hull's point that a line of this slope (of rates) touches; the first of several.

        With costs and a prevalence, slope = cost of a false positive (1 - prevalence) / (cost of a false
        negative × prevalence) gives the point of least expected cost.
        """
        if not slope >= 0:
            raise ValueError(f"slope must be a number from 0 to infinity. Got {slope!r}.")
        return hulls.tangent(self.fpr, self.tpr, self.hull, slope)

    def operating_point(self, **criteria: Any) -> OperatingPoint:
        """The point to work at: by costs and/or prevalence, recall, precision or capacity.

        `treewright.operating_point` says what they mean.
        """
        from .operating_point import point_on

        return point_on(self, **criteria)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per point."""
        arrays = (self.thresholds, self.fp, self.tp, self.fpr, self.tpr)
        on_hull = np.isin(np.arange(len(self.fp)), self.hull)
        names = ("threshold", "fp", "tp", "fpr", "tpr", "on_hull")
        rows = zip(*(array.tolist() for array in (*arrays, on_hull)), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def plot(
        self,
        ax: Any = None,
        *,
        costs: Any = None,
        prevalence: float | None = None,
        point: OperatingPoint | None = None,
    ) -> Any:
        """Draw curve, convex hull and AUC; returns the axes.

        With costs and/or a prevalence, or with the `point` that `operating_point` found by them, lines of
        equal cost are drawn, one of them through the point where it touches the hull.
        """
        from .plots import draw_roc

        if costs is not None or prevalence is not None:
            point = self.operating_point(costs=costs, prevalence=prevalence)
        return draw_roc(self, ax, point)

    def plot_coverage(self, ax: Any = None, *, point: OperatingPoint | None = None) -> Any:
        """Draw counts instead of rates, with lines of equal accuracy; returns the axes.

        A line is steeper than those where the next rows selected are more often right than wrong.
        """
        from .plots import draw_coverage

        return draw_coverage(self, ax, point)

    @property
    def name(self) -> str:
        """Which class against which, in words."""
        return f"{self.positive!r} against {self.negative if self.negative == REST else repr(self.negative)}"

    def __str__(self) -> str:
        low, high = self.interval
        count = len(self.fp) - 1
        text = (
            f"ROC curve of {self.name}, {rows_of(self.source)}: AUC {self.auc:.4f}, "
            f"{100 * self.confidence:g} % interval {low:.4f} to {high:.4f}. The rows have {count:,} "
            f"score{'s' * (count != 1)}; the convex hull, with {len(self.hull):,} points, has an area of "
            f"{self.hull_auc:.4f}."
        )
        return f"{text} {TOO_GOOD}" if self.source == "training" else text

    def _headline(self) -> str:
        return str(self)

    def _rows(self) -> list[dict[str, Any]]:
        return [row for row in self.to_dicts() if row["on_hull"]]


def rows_of(source: str) -> str:
    """The rows of a source, in words."""
    return "training rows" if source == "training" else f"{source.replace(' ', '-')} rows"


def curve_of(segments: Segments, positive: int, negatives: list[int], confidence: float = 0.95) -> RocCurve:
    """The curve of one class against others, ranked by the score of that class; no other row counts."""
    weight = np.column_stack([segments.weight[:, negatives].sum(axis=1), segments.weight[:, positive]])
    squares = np.column_stack([segments.squares[:, negatives].sum(axis=1), segments.squares[:, positive]])
    here = weight.sum(axis=1) > 0
    score, weight, squares = segments.score[here, positive], weight[here], squares[here]
    must_have_both(segments, positive, negatives)
    levels, at = np.unique(-score, return_inverse=True)
    fp, tp = (np.concatenate([[0.0], np.cumsum(np.bincount(at, weights=part))]) for part in weight.T)
    found = areas.area(score, *weight.T)
    sizes = areas.effective(weight, squares)
    spread = areas.variance(np.column_stack([found.of_negative, found.of_positive]), squares, sizes)
    one = len(levels) == 1  # which ranks nothing, whatever the rows
    names, labels = segments.classes.tolist(), segments.classes[np.sort([positive, *negatives[:1]])]
    if len(negatives) > 1:
        labels = np.array([REST, names[positive]], dtype=object)
    return RocCurve(
        thresholds=np.concatenate([[np.inf], -levels]),
        fp=fp,
        tp=tp,
        auc=found.auc,
        interval=(0.5, 0.5) if one else areas.auc_interval(found.auc, spread, sizes, confidence),
        confidence=confidence,
        positive=names[positive],
        negative=names[negatives[0]] if len(negatives) == 1 else REST,
        classes=labels,
        source=segments.source,
    )


def must_have_both(segments: Segments, positive: int, negatives: list[int]) -> None:
    """Reject rows of which none is positive, or none negative."""
    total, names = segments.weight.sum(axis=0), segments.classes.tolist()
    if total[positive] > 0 and total[negatives].sum() > 0:
        return
    seen = [name for name, weight in zip(names, total.tolist(), strict=True) if weight > 0]
    lacking = repr(names[positive]) if not total[positive] > 0 else f"a class other than {names[positive]!r}"
    raise ValueError(
        f"A ROC curve needs rows of both sides, with a weight above 0. Got none of {lacking}; the rows have "
        f"{', '.join(map(repr, seen)) or 'no weight at all'}."
    )
