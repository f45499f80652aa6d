"""Calibration: predicted probabilities beside the observed proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.allowed import is_whole
from ..data.common.result import Result
from ..learn.losses import class_table
from .intervals import check_confidence, effective, share_interval
from .segments import Segments, place_of, segments_of

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MANY, FEW = 30, 10  # distinct predictions up to which each has a row, and the bins for more

WHERE = {
    "training": "training rows, which make it look too good",
    "held out": "held-out rows",
    "out of fold": "out-of-fold rows",
}


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCurve(Result):
    """Predicted probabilities and observed proportions, from the lowest to the highest prediction."""

    predicted: Floats
    observed: Floats  # the proportion of the class
    low: Floats  # the interval of that proportion
    high: Floats
    weight: Floats  # of the rows
    label: Array | None  # the class of each row, if that differs: the most probable one
    positive: Any  # the class, if it is always the same
    brier: float  # scikit-learn's brier_score_loss: two classes: the mean of (p - y)²; more: summed over them
    log_loss: float  # the mean of -ln of the probability of the true class, at least 2**-52
    ece: float  # expected calibration error: the weighted mean of |observed - predicted| over the table
    source: str  # "training", "held out" or "out of fold"
    bins: int | None
    confidence: float

    def __len__(self) -> int:
        return len(self.predicted)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per distinct prediction, or per bin."""
        arrays = {key: getattr(self, key) for key in ("predicted", "observed", "low", "high", "weight")}
        if self.label is not None:
            arrays = {"class": self.label} | arrays
        rows = zip(*(part.tolist() for part in arrays.values()), strict=True)
        return [dict(zip(arrays, row, strict=True)) for row in rows]

    def plot(self, ax: Any = None) -> Any:
        """Draw the observed proportion over the predicted probability; returns the axes."""
        from .calibration_plot import draw_calibration

        return draw_calibration(self, ax)

    @property
    def subject(self) -> str:
        """The class, in words."""
        return "the predicted class" if self.positive is None else f"class {self.positive}"

    @property
    def summary(self) -> str:
        """The result in words."""
        return (
            f"Calibration of {self.subject}, by {WHERE[self.source]}. Brier score {self.brier:.4f}, log loss "
            f"{self.log_loss:.4f}, expected calibration error {self.ece:.4f}."
        )

    def _columns(self) -> Sequence[tuple[str, str]]:
        values = [(key, ".3f") for key in ("predicted", "observed", "low", "high")]
        return ([("class", "")] if self.label is not None else []) + [*values, ("weight", ",.6g")]

    def _headline(self) -> str:
        return self.summary


def calibration_curve(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    bins: int | None = None,
    confidence: float = 0.95,
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
) -> CalibrationCurve:
    """Compare the probabilities that a classifier predicts with the observed proportions.

    Parameters
    ----------
    model : fitted classifier with one output
        Of treewright, or any with `predict_proba`, such as an SVM; these need X and y.
    X, y : rows, optional
        Without `cv` held-out rows; with `cv` the training rows, and trees are grown anew on the folds.
        Without X, the held-out rows of the folds by which the model chose its pruning or smoothing; else the
        training rows, with a warning.
    positive : label, optional
        The class whose probability is compared. None: `classes_[1]` of two classes; of more, the most
        probable class of each row.
    bins : int, optional
        Bins of about equal weight. None: a row for every distinct prediction, or ten bins if there are more
        than 30. The calibration error depends on them: small bins raise it by chance alone.
    confidence : float, default=0.95
        Of the intervals (Jeffreys).
    sample_weight, cv, groups, time : as for `treewright.roc_curve`

    Returns
    -------
    CalibrationCurve
        With `predicted`, `observed`, `low`, `high`, `brier`, `log_loss`, `ece`, and `plot()`.
    """
    check_confidence(confidence)
    if bins is not None and not (is_whole(bins) and bins >= 1):
        raise ValueError(f"bins must be an int of at least 1 or None. Got {bins!r}.")
    rows = {"sample_weight": sample_weight, "cv": cv, "groups": groups, "time": time}
    return calibration_of(segments_of(model, X, y, **rows), positive, bins, float(confidence))


def calibration_of(
    segments: Segments, positive: Any = None, bins: int | None = None, confidence: float = 0.95
) -> CalibrationCurve:
    """The same from segments."""
    if bins is None and len(segments.score) > MANY:
        bins = FEW
    subject = _subject(segments.classes, positive)
    score, weight = segments.score, segments.weight
    total = weight.sum(axis=1)
    every = np.arange(len(score))
    top = score.argmax(axis=1) if subject is None else np.full(len(score), subject)
    right, squares = weight[every, top], segments.squares.sum(axis=1)
    group, label = _groups(score[every, top], total, bins), None
    if bins is None and subject is None:
        group = np.argsort(np.lexsort((top, score[every, top])))  # of two classes, also if equally probable
        label = segments.classes[top][np.argsort(group)]
    parts = (score[every, top] * total, right, total, squares)
    predicted, right, heavy, squares = (_sums(group, part) for part in parts)
    observed, n = np.minimum(right / heavy, 1.0), effective(heavy, squares)
    low, high = share_interval(observed * n, n, confidence)
    gap = np.abs(right - predicted).sum() / heavy.sum()
    losses = {name: _loss(name, segments) for name in ("brier", "log_loss")}
    return CalibrationCurve(
        predicted=predicted / heavy, observed=observed, low=low, high=high, weight=heavy, label=label,
        positive=None if subject is None else segments.classes[subject], ece=float(gap), **losses,
        source=segments.source, bins=bins, confidence=confidence,
    )  # fmt: skip


def _subject(classes: Array, positive: Any) -> int | None:
    """The place of the class that is compared; None: the most probable one."""
    if len(classes) < 2:
        raise ValueError(
            f"A calibration curve needs at least two classes. Got a model that knows only {classes.tolist()}."
        )
    if positive is None:
        return 1 if len(classes) == 2 else None
    return place_of(classes, positive)


def _groups(predicted: Floats, weight: Floats, bins: int | None) -> Ints:
    """The group of every segment, from 0 on in the order of the predictions, none of them empty."""
    if bins is None:
        return np.unique(predicted, return_inverse=True)[1].reshape(-1)
    order = np.argsort(predicted, kind="stable")
    heavy = weight[order]
    middle = (np.cumsum(heavy) - heavy / 2) / heavy.sum()
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.minimum((bins * middle).astype(np.int64), bins - 1)
    return np.unique(found, return_inverse=True)[1].reshape(-1)


def _sums(group: Ints, part: Floats) -> Floats:
    return np.bincount(group, part).astype(np.float64)


def _loss(name: str, segments: Segments) -> float:
    """The mean loss of all rows."""
    probabilities = segments.score[:, None, :]
    table = class_table(name, probabilities, np.zeros((len(probabilities), 1), dtype=np.int64))[:, 0]
    return float((table * segments.weight).sum() / segments.weight.sum())
