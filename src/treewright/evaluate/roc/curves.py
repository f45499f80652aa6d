"""ROC curves of a model: one for two classes, one per class or pair for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.result import Result
from ..intervals import check_confidence
from ..segments import Segments, place_of, segments_of
from . import auc as areas
from .curve import TOO_GOOD, Floats, RocCurve, curve_of, rows_of

Side = tuple[int, list[int]]  # the place of the positive class, and those of the negatives

RANKINGS = ("rest", "pairs")
_COLUMNS = (("class", ""), ("against", ""), ("auc", ".4f"), ("low", ".4f"), ("high", ".4f"))


@dataclass(frozen=True, eq=False, repr=False)
class RocCurves(Result):
    """The curves of several classes, each against the rest, or for every pair in both directions.

    `curves["a"]` is that of a class against the rest, `curves["a", "b"]` that of the rows of two classes,
    ranked by the score of the first. `auc` is their mean; for pairs it is Hand and Till's (2001).
    """

    curves: dict[Any, RocCurve]
    multi: str  # "rest" or "pairs"
    auc: float
    interval: tuple[float, float]
    confidence: float
    source: str

    def __getitem__(self, key: Any) -> RocCurve:
        if key in self.curves:
            return self.curves[key]
        raise KeyError(f"A curve must be one of {', '.join(map(repr, self.curves))}. Got {key!r}.")

    def __iter__(self) -> Iterator[RocCurve]:
        return iter(self.curves.values())

    def __len__(self) -> int:
        return len(self.curves)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per curve."""
        return [
            {
                "class": roc.positive,
                "against": roc.negative,
                "auc": roc.auc,
                "low": roc.interval[0],
                "high": roc.interval[1],
            }
            for roc in self
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw all curves; returns the axes."""
        from .plots import draw_several

        return draw_several(self, ax)

    def _columns(self) -> Sequence[tuple[str, str]]:
        return _COLUMNS

    def _headline(self) -> str:
        low, high = self.interval
        which = "every pair of classes" if self.multi == "pairs" else "every class against the rest"
        return (
            f"ROC curves of {which}, {rows_of(self.source)}: mean AUC {self.auc:.4f}, "
            f"{100 * self.confidence:g} % interval {low:.4f} to {high:.4f}."
        )

    def _notes(self) -> Sequence[str]:
        return (TOO_GOOD,) if self.source == "training" else ()


def roc_curve(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    multi: str = "rest",
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
    confidence: float = 0.95,
) -> RocCurve | RocCurves:
    """How well a classifier ranks: its ROC curve by leaves, the convex hull, and the AUC with an interval.

    Parameters
    ----------
    model : fitted classifier with one output
        Of treewright, or any with `predict_proba`, such as an SVM; these need X and y.
    X, y, sample_weight : held-out rows, optional
        None: the out-of-fold rows that were stored at fit, else the training rows, with a warning. Rows of
        weight 0 do not count.
    positive : label, optional
        The class to rank first. None: the second of two, and for more classes all of them.
    multi : {"rest", "pairs"}, default="rest"
        For more than two classes: each against the rest, or every pair.
    cv : int, splitter of scikit-learn, or list of pairs, optional
        X and y are the training rows; each is predicted by a tree that was fitted without it.
    groups, time : arrays with one entry per row, optional
        With `cv`: rows of a group are never on both sides of a fold; every fold trains on the past.
    confidence : float, default=0.95
        Of the interval of the AUC (DeLong's on the logit scale).

    Returns
    -------
    RocCurve for two classes or if `positive` is given, else RocCurves
        With `auc`, `interval`, `fpr`, `tpr` and `thresholds`, and `plot()`.
    """
    rows = {"sample_weight": sample_weight, "cv": cv, "groups": groups, "time": time}
    return roc_of(segments_of(model, X, y, **rows), positive=positive, multi=multi, confidence=confidence)


def roc_of(
    segments: Segments, *, positive: Any = None, multi: str = "rest", confidence: float = 0.95
) -> RocCurve | RocCurves:
    """The same for segments."""
    if multi not in RANKINGS:
        raise ValueError(f"multi must be 'rest' or 'pairs'. Got {multi!r}.")
    check_confidence(confidence)
    every = range(len(segments.classes))
    if positive is not None or len(every) <= 2:
        if multi == "pairs" and len(every) > 2:
            raise ValueError("positive needs multi='rest': one class against all others. Got multi='pairs'.")
        place = place_of(segments.classes, positive)
        return curve_of(segments, place, [k for k in every if k != place], confidence)
    names = segments.classes.tolist()
    if multi == "rest":
        sides: dict[Any, Side] = {names[i]: (i, [k for k in every if k != i]) for i in every}
    else:
        sides = {(names[i], names[j]): (i, [j]) for i in every for j in every if i != j}
    curves = {key: curve_of(segments, *side, confidence) for key, side in sides.items()}
    mean = float(np.mean([curve.auc for curve in curves.values()]))
    spread, sizes = _spread(segments, list(sides.values()))
    one = len(np.unique(segments.score[segments.weight.sum(axis=1) > 0], axis=0)) == 1
    interval = (0.5, 0.5) if one else areas.auc_interval(mean, spread, sizes, confidence)
    return RocCurves(curves, multi, mean, interval, confidence, segments.source)


def _spread(segments: Segments, sides: list[Side]) -> tuple[float, Floats]:
    """The variance of the mean AUC: what a row adds to each curve is summed before it is squared."""
    added = np.zeros_like(segments.weight)
    for positive, negatives in sides:
        weight = segments.weight[:, negatives].sum(axis=1)
        found = areas.area(segments.score[:, positive], weight, segments.weight[:, positive])
        added[:, positive] += found.of_positive / len(sides)
        added[:, negatives] += found.of_negative[:, None] / len(sides)
    sizes = areas.effective(segments.weight, segments.squares)
    fewest = sizes.min()  # against all others, of which most curves have many
    return areas.variance(added, segments.squares, sizes), np.array([fewest, sizes.sum() - fewest])
