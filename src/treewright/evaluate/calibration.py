"""Can the probabilities be believed: what was predicted beside what came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common import tables
from ..data.common.allowed import is_whole
from ..learn.losses import class_table
from .intervals import check_level, effective, share_interval
from .segments import Segments, place_of, segments_of

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MANY, FEW = 30, 10  # answers of which each is told, and groups that are told otherwise

WHERE = {
    "training": "the rows that the tree grew on, which makes it look too good",
    "held out": "held-out rows",
    "out of fold": "out-of-fold answers",
}


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """Predicted and observed shares, from the lowest to the highest prediction."""

    predicted: Floats
    observed: Floats  # the share that came true
    low: Floats  # the interval of that share
    high: Floats
    weight: Floats  # of the rows
    label: Array | None  # whose share it is, if that differs: the class that was given the largest
    positive: Any  # whose share it is, if it is always the same class
    brier: float  # two classes: the mean of (p - y)²; more: the sum of that over the classes
    log_loss: float  # the mean of -ln of the share of the true class, which counts as 2**-52 at least
    ece: float  # expected calibration error: the weighted mean of |observed - predicted| over the table
    source: str  # "training", "held out" or "out of fold"
    bins: int | None
    level: float

    def __len__(self) -> int:
        return len(self.predicted)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per answer, or per group of answers, of which any library makes a frame."""
        arrays = {key: getattr(self, key) for key in ("predicted", "observed", "low", "high", "weight")}
        if self.label is not None:
            arrays = {"class": self.label} | arrays
        rows = zip(*(part.tolist() for part in arrays.values()), strict=True)
        return [dict(zip(arrays, row, strict=True)) for row in rows]

    def to_frame(self) -> Any:
        """The same as a DataFrame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.to_dicts())

    def plot(self, ax: Any = None) -> Any:
        """Draw what came true over what was predicted; returns the axes."""
        from .calibration_plot import plot_reliability

        return plot_reliability(self, ax)

    @property
    def subject(self) -> str:
        """Whose share it is, in words."""
        return "the predicted class" if self.positive is None else f"class {self.positive}"

    @property
    def summary(self) -> str:
        """What was found, in words."""
        return (
            f"Share of {self.subject}, by {WHERE[self.source]}. Brier score {self.brier:.4f}, log loss "
            f"{self.log_loss:.4f}, expected calibration error {self.ece:.4f}."
        )

    def _columns(self) -> list[tuple[str, str]]:
        share = [(key, ".3f") for key in ("predicted", "observed", "low", "high")]
        return ([("class", "")] if self.label is not None else []) + [*share, ("weight", ",.6g")]

    def __str__(self) -> str:
        return "\n".join([self.summary, *tables.as_text(self.to_dicts(), self._columns())])

    def __repr__(self) -> str:
        return f"<CalibrationCurve>\n{self}"

    def _repr_html_(self) -> str:
        return f"<p>{self.summary}</p>{tables.as_html(self.to_dicts(), self._columns())}"


def calibration_curve(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    bins: int | None = None,
    level: float = 0.95,
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
) -> CalibrationCurve:
    """Compare the shares that a classifier predicts with those that come true.

    Parameters
    ----------
    model : a fitted classifier of treewright with one output
    X, y : rows, optional
        Without `cv` rows that the tree was not grown on; with `cv` those that it was grown on, and trees are
        grown anew on the folds. Without X, the held-out rows of the folds by which the model chose its
        pruning or smoothing; else the rows that it grew on, with a warning.
    positive : label, optional
        Whose share is compared. None: `classes_[1]` of two classes; of more, the class that was given the
        largest share, whichever it is.
    bins : int, optional
        Groups of about equal weight. None: a row of the table for every distinct answer, or ten groups if
        there are more than 30, as of the trees of several folds. The calibration error is that of the table:
        small groups raise it by chance alone.
    level : float
        How often the interval (Jeffreys) covers the true share.
    """
    check_level(level)
    if bins is not None and not (is_whole(bins) and bins >= 1):
        raise ValueError(f"bins must be an int of at least 1 or None. Got {bins!r}.")
    segments = segments_of(model, X, y, sample_weight=sample_weight, cv=cv, groups=groups)
    return reliability_of(segments, positive, bins, float(level))


def reliability_of(
    segments: Segments, positive: Any = None, bins: int | None = None, level: float = 0.95
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
        group = np.argsort(np.lexsort((top, score[every, top])))  # two answers are two, also if equally sure
        label = segments.classes[top][np.argsort(group)]
    parts = (score[every, top] * total, right, total, squares)
    predicted, right, heavy, squares = (_sums(group, part) for part in parts)
    observed, n = np.minimum(right / heavy, 1.0), effective(heavy, squares)
    low, high = share_interval(observed * n, n, level)
    gap = np.abs(right - predicted).sum() / heavy.sum()
    losses = {name: _loss(name, segments) for name in ("brier", "log_loss")}
    if len(segments.classes) == 2:
        losses["brier"] /= 2  # as is usual: of one class, since the other says the same
    return CalibrationCurve(
        predicted=predicted / heavy, observed=observed, low=low, high=high, weight=heavy, label=label,
        positive=None if subject is None else segments.classes[subject], ece=float(gap), **losses,
        source=segments.source, bins=bins, level=level,
    )  # fmt: skip


def _subject(classes: Array, positive: Any) -> int | None:
    """The place of the class whose share is compared; None: the one with the largest share."""
    if len(classes) < 2:
        raise ValueError(
            f"CalibrationCurve needs at least two classes. Got a model that knows only {classes.tolist()}."
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
    shares = segments.score[:, None, :]
    table = class_table(name, shares, np.zeros((len(shares), 1), dtype=np.int64))[:, 0]
    return float((table * segments.weight).sum() / segments.weight.sum())
