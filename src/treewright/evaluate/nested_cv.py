"""Nested cross-validation: the score of a whole procedure, tuning and pruning included, on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.progress import Progress, reporter
from ..data.common.result import Result
from ..learn.folds import Fold
from .fold_means import corrected_interval
from .intervals import check_confidence
from .procedure import Data, check_procedure, predicts_classes, run, warn_once

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class NestedCVScore(Result):
    """The score of a procedure by nested cross-validation.

    `interval` is Student's, over the folds, with the variance of Nadeau and Bengio (2003): the training parts
    of the folds overlap, so the variance of the mean is not s²/k but (1/k + test/train) s².
    """

    score: float  # the mean over the folds
    interval: tuple[float, float]
    values: Floats  # the score of each fold
    training: Floats  # the score of each fold's model on its training rows: too good
    folds: tuple[Fold, ...]
    confidence: float
    n_rows: int
    metric: str

    @property
    def rows(self) -> str:
        """Which rows were used for what, in words."""
        times = np.zeros(self.n_rows, dtype=np.int64)
        for fold in self.folds:
            times[fold.test] += 1
        train, test = (sorted({len(part) for part in parts}) for parts in zip(*self.folds, strict=True))
        often = _range(sorted({int(n) for n in times}))
        return (
            f"{self.n_rows:,} rows, {len(self.folds)} outer folds. In each, a model was fitted on "
            f"{_range(train)} rows, tuning and pruning included, and scored on {_range(test)} other rows. "
            f"Every row was held out {often} time{'' if often == '1' else 's'}."
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per fold; `folds` has the row numbers."""
        return [
            {
                "fold": k,
                "train_rows": len(fold.train),
                "test_rows": len(fold.test),
                "score": float(self.values[k]),
                "training_score": float(self.training[k]),
            }
            for k, fold in enumerate(self.folds)
        ]

    def __float__(self) -> float:
        return self.score

    def _columns(self) -> Sequence[tuple[str, str]]:
        scores = [(name, ".4f") for name in ("score", "training_score")]
        return [("fold", "d"), ("train_rows", ",d"), ("test_rows", ",d"), *scores]

    def _headline(self) -> str:
        low, high = self.interval
        return (
            f"{self.metric}: {self.score:.4f}, {100 * self.confidence:g} % interval {low:.4f} to {high:.4f}"
        )

    def _notes(self) -> Sequence[str]:
        return (self.rows,)


def nested_cv_score(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    scoring: Any = None,
    confidence: float = 0.95,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> NestedCVScore:
    """Estimate how good a whole procedure is, by nested cross-validation.

    Every outer fold runs the procedure from the start on its own training rows: whatever it tunes, prunes or
    selects, it does without the rows that score it.

    Parameters
    ----------
    estimator : an estimator of scikit-learn's kind, what `tune` or `fit` returned, or a function
        Estimators that choose by themselves (ccp_alpha="cv", GridSearchCV) choose anew in every fold, and so
        does what `tune` or `fit` returned. A function takes X and y and returns a fitted model.
    X, y : table and target
    cv : int, splitter of scikit-learn, or list of pairs (train rows, test rows), default=5
        The outer folds.
    scoring : str or function of scikit-learn's kind, optional
        None: the model's own `score`: accuracy, or R².
    confidence : float, default=0.95
        Of the interval.
    groups : array with one entry per row, optional
        Rows of a group are never on both sides of a fold, inner or outer.
    time : array with one entry per row, optional
        Every fold trains on the past and tests on later rows, inner and outer.
    sample_weight : array, optional
    progress : bool or function, optional

    Returns
    -------
    NestedCVScore
        With `score`, `interval`, and `values` of the folds.
    """
    check_procedure(estimator)
    check_confidence(confidence)
    say = reporter(progress)
    data = Data(X, y, groups, sample_weight, time)
    classes = predicts_classes(estimator, y)
    folds = data.folds(cv, classes)
    values, training = [], []
    with warn_once():
        for number, fold in enumerate(folds):
            say(number, len(folds), "outer folds")
            train, test = data.rows(fold.train), data.rows(fold.test)
            model = run(estimator, train)
            values.append(_score(model, test, scoring))
            training.append(_score(model, train, scoring))
    say(len(folds), len(folds), "outer folds")
    bounds = (0.0, 1.0) if scoring is None and classes else (-np.inf, np.inf)
    interval = corrected_interval(values, folds, confidence)
    return NestedCVScore(
        score=float(np.mean(values)),
        interval=(max(interval[0], bounds[0]), min(interval[1], bounds[1])),
        values=np.array(values),
        training=np.array(training),
        folds=tuple(folds),
        confidence=confidence,
        n_rows=data.n_rows,
        metric=_metric(scoring, classes),
    )


def _score(model: Any, data: Data, scoring: Any) -> float:
    from sklearn.metrics import check_scoring

    extra = {} if data.sample_weight is None else {"sample_weight": data.sample_weight}
    return float(check_scoring(model, scoring=scoring)(model, data.X, data.y, **extra))


def _metric(scoring: Any, classes: bool) -> str:
    if scoring is None:
        return "accuracy" if classes else "R²"
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")


def _range(numbers: list[int]) -> str:
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
