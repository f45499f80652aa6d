"""Training and held-out loss over the number of training rows: would more rows help?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.allowed import is_whole
from ..data.common.progress import Progress, reporter
from ..data.common.result import Result
from ..learn.folds import Fold, Rows, ranks_of_times
from ..learn.losses import check_loss
from .procedure import (
    Data,
    check_procedure,
    classes_of,
    mean_loss,
    predicts_classes,
    run,
    setting_of,
    warn_once,
)  # fmt: skip

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SIZES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
_COLUMNS = (("rows", ",d"), ("training_loss", ".4f"), ("test_loss", ".4f"), ("test_se", ".4f"))


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(Result):
    """The loss of a procedure over the number of its training rows."""

    loss: str
    sizes: Ints
    training: Floats  # the mean loss on the training rows
    test: Floats  # the mean loss on the held-out rows of the folds
    se: Floats  # the spread of the test losses over folds, by the root of their number
    by_fold: Floats  # (folds, sizes) of the test loss
    folds: tuple[Fold, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per size."""
        arrays = (self.sizes, self.training, self.test, self.se)
        names = [key for key, _ in _COLUMNS]
        return [dict(zip(names, row, strict=True)) for row in zip(*(a.tolist() for a in arrays), strict=True)]

    def plot(self, ax: Any = None) -> Any:
        """Draw both losses over the number of rows; returns the axes."""
        from .learning_curve_plot import plot_learning

        return plot_learning(self, ax)

    def _columns(self) -> Sequence[tuple[str, str]]:
        return _COLUMNS

    def _headline(self) -> str:
        return f"{self.loss} over the number of training rows, {len(self.folds)} folds"


def learning_curve(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[float] = SIZES,
    loss: str | None = None,
    cv: Any = 5,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> LearningCurve:
    """Fit a procedure on growing parts of the data, and compute its loss on training and held-out rows.

    Parameters
    ----------
    estimator : an estimator of scikit-learn's kind, what `tune` or `fit` returned, or a function
        As for `nested_cv_score`: it is run from the start each time, with all that it chooses.
    X, y : table and target
    sizes : list of float or int
        Shares of the training rows of a fold (floats in (0, 1]), or numbers of rows (ints). The smaller part
        is always within the larger one, and classes keep their proportions. With `time` the smaller parts are
        the latest of the training rows.
    loss : {"error", "log_loss", "brier", "cost", "squared", "absolute"}, optional
        None: error, or cost where the estimator has costs; squared for numbers.
    cv, groups, time, sample_weight, progress : as for `nested_cv_score`

    Returns
    -------
    LearningCurve
        `sizes` with the losses `training` and `test`; `plot()` draws them.
    """
    check_procedure(estimator)
    say = reporter(progress)
    classes = predicts_classes(estimator, y)
    costs, criterion = (setting_of(estimator, name) for name in ("costs", "criterion"))
    measure = check_loss(loss, classes, costs, criterion)
    labels = classes_of(estimator, y) if classes else None
    data = Data(X, y, groups, sample_weight, time)
    folds = data.folds(cv, classes)
    times = None if time is None else ranks_of_times(time)
    counts = _counts(sizes, min(len(fold.train) for fold in folds))
    losses = np.empty((2, len(folds), len(counts)))
    with warn_once():
        for k, fold in enumerate(folds):
            order = spread_out(np.asarray(y)[fold.train] if classes else None, len(fold.train), seed=k)
            if times is not None:
                order = np.argsort(-times[fold.train], kind="stable")
            for s, count in enumerate(counts):
                say(k * len(counts) + s, len(folds) * len(counts), f"fold {k}, {count} rows")
                train = data.rows(np.sort(fold.train[order[:count]]))
                model = run(estimator, train)
                for part, where in enumerate((train, data.rows(fold.test))):
                    losses[part, k, s] = mean_loss(model, where, measure, labels, costs)
    say(1, 1, "done")
    spread = losses[1].std(axis=0, ddof=1) if len(folds) > 1 else np.full(len(counts), np.nan)
    se = spread / np.sqrt(len(folds))
    training, test = losses.mean(axis=1)
    return LearningCurve(measure, counts, training, test, se, losses[1], tuple(folds))


def spread_out(labels: NDArray[Any] | None, n_rows: int, seed: int) -> Rows:
    """A shuffled order of which every beginning has about the proportions of the classes of all."""
    shuffled = np.random.default_rng(seed).permutation(n_rows)
    if labels is None or labels.ndim > 1:
        return shuffled
    codes = np.unique(labels, return_inverse=True)[1][shuffled]
    by_class = np.argsort(codes, kind="stable")
    counts = np.bincount(codes)
    rank = np.arange(n_rows) - np.repeat(np.cumsum(counts) - counts, counts)
    when = (rank + 0.5) / np.repeat(counts, counts)
    return np.asarray(shuffled[by_class[np.argsort(when, kind="stable")]])


def _counts(sizes: Sequence[float], most: int) -> Ints:
    """Numbers of rows, rising; a share that leaves less than two rows leaves two."""
    found = set()
    for size in sizes:
        share = isinstance(size, float) and 0 < size <= 1
        if not share and not (is_whole(size) and 2 <= size <= most):
            raise ValueError(
                f"sizes must be ints from 2 to {most}, the rows that a fold does not hold out, or floats in "
                f"(0, 1]. Got {size!r}."
            )
        found.add(max(2, round(size * most)) if share else int(size))
    return np.array(sorted(found), dtype=np.int64)
