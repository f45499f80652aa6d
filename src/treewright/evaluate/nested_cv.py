"""An honest score: the whole procedure, tuning and pruning included, judged on rows that it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common import tables
from ..data.common.progress import Progress, reporter
from ..learn.folds import Fold, folds_of
from .procedure import Data, check_procedure, predicts_classes, run

Floats = NDArray[np.float64]

_COLUMNS = (
    ("fold", "d"),
    ("rows_grown_on", ",d"),
    ("rows_scored", ",d"),
    ("score", ".4f"),
    ("score_where_grown", ".4f"),
)


@dataclass(frozen=True, eq=False)
class NestedCVScore:
    """The score of a procedure by nested cross-validation.

    `interval` is Student's, over the folds, with the variance of Nadeau and Bengio (2003): the folds share
    most of the rows that their models grow on, so that of their mean is not s²/k but (1/k + test/train) s².
    """

    score: float  # the mean over the folds
    interval: tuple[float, float]
    values: Floats  # the score of each fold
    naive: Floats  # the score of each fold's model on the rows that it was made from: too good
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
            f"{self.n_rows:,} rows, {len(self.folds)} outer folds. In each, {_range(train)} rows made the "
            "model, with all that it chooses (tuning and pruning see only these), and the other "
            f"{_range(test)} scored it. Every row scored {often} time{'' if often == '1' else 's'}, always a "
            "model made without it."
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per fold, of which any library makes a frame; `folds` has the row numbers."""
        return [
            {
                "fold": k,
                "rows_grown_on": len(fold.train),
                "rows_scored": len(fold.test),
                "score": float(self.values[k]),
                "score_where_grown": float(self.naive[k]),
            }
            for k, fold in enumerate(self.folds)
        ]

    def __float__(self) -> float:
        return self.score

    def __str__(self) -> str:
        low, high = self.interval
        head = (
            f"{self.metric}: {self.score:.4f}, {100 * self.confidence:g} % interval {low:.4f} to {high:.4f}"
        )
        return "\n".join([head, *tables.as_text(self.to_dicts(), _COLUMNS), self.rows])

    def __repr__(self) -> str:
        return f"<NestedCVScore>\n{self}"

    def _repr_html_(self) -> str:
        return f"<p>{self.metric}: {self.score:.4f}</p>{tables.as_html(self.to_dicts(), _COLUMNS)}"


def nested_cv_score(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    scoring: Any = None,
    confidence: float = 0.95,
    groups: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> NestedCVScore:
    """Estimate how good a whole procedure is, by nested cross-validation.

    Every outer fold runs the procedure from the start on its own rows: whatever it tunes, prunes or selects,
    it does without the rows that score it.

    Parameters
    ----------
    estimator : an estimator of scikit-learn's kind, what `tune` returned, or a function
        Estimators that choose by themselves (ccp_alpha="cv", GridSearchCV) choose anew in every fold, and so
        does what `tune` returned. A function takes X and y and returns a fitted model.
    cv : int, splitter of scikit-learn, or pairs (train rows, test rows)
        The outer folds.
    scoring : name or function of scikit-learn's kind, optional
        None: the model's own `score`: the share of right classes, or R².
    confidence : float
        Of the interval.
    groups : one entry per row, optional
        Rows of a group stay together, also where the procedure itself divides rows.
    """
    check_procedure(estimator)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be a float in (0, 1). Got {confidence!r}.")
    say = reporter(progress)
    data = Data(X, y, groups, sample_weight)
    classes = predicts_classes(estimator, y)
    folds = folds_of(cv, X, y, groups, classes)
    values, naive = [], []
    for number, fold in enumerate(folds):
        say(number, len(folds), "outer folds")
        made_from, unseen = data.rows(fold.train), data.rows(fold.test)
        model = run(estimator, made_from)
        values.append(_score(model, unseen, scoring))
        naive.append(_score(model, made_from, scoring))
    say(len(folds), len(folds), "outer folds")
    bounds = (0.0, 1.0) if scoring is None and classes else (-np.inf, np.inf)
    interval = corrected_interval(values, folds, confidence)
    return NestedCVScore(
        score=float(np.mean(values)),
        interval=(max(interval[0], bounds[0]), min(interval[1], bounds[1])),
        values=np.array(values),
        naive=np.array(naive),
        folds=tuple(folds),
        confidence=confidence,
        n_rows=data.n_rows,
        metric=_metric(scoring, classes),
    )


def corrected_interval(
    values: Sequence[float], folds: Sequence[Fold], confidence: float
) -> tuple[float, float]:
    """Student's interval of the mean over folds, with the variance of Nadeau and Bengio; NaN for one fold."""
    from scipy.stats import t

    k = len(values)
    if k < 2:
        return np.nan, np.nan
    ratio = np.mean([len(fold.test) / len(fold.train) for fold in folds])
    spread = np.sqrt((1 / k + ratio) * np.var(values, ddof=1))
    reach = float(t.ppf((1 + confidence) / 2, k - 1) * spread)
    middle = float(np.mean(values))
    return middle - reach, middle + reach


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
