"""Training and honest error over the amount of data: would more rows help?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common import tables
from ..data.common.allowed import is_whole
from ..data.common.progress import Progress, reporter
from ..learn.folds import Fold, Rows, folds_of
from ..learn.losses import check_loss
from .procedure import Data, check_procedure, classes_of, mean_loss, predicts_classes, run, setting_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SIZES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
_COLUMNS = (("rows", ",d"), ("training_loss", ".4f"), ("honest_loss", ".4f"), ("honest_se", ".4f"))


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """The loss of a procedure over the number of rows it was made from."""

    loss: str
    sizes: Ints
    training: Floats  # the mean loss on these rows
    honest: Floats  # the mean loss on the rows of the fold that were held out
    se: Floats  # the spread of the honest losses over folds, by the root of their number
    by_fold: Floats  # (folds, sizes) of the honest loss
    folds: tuple[Fold, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per size, of which any library makes a frame."""
        arrays = (self.sizes, self.training, self.honest, self.se)
        names = [key for key, _ in _COLUMNS]
        return [dict(zip(names, row, strict=True)) for row in zip(*(a.tolist() for a in arrays), strict=True)]

    def plot(self, ax: Any = None) -> Any:
        """Draw both losses over the number of rows; returns the axes."""
        from .learning_curve_plot import plot_learning

        return plot_learning(self, ax)

    def __str__(self) -> str:
        head = f"{self.loss} over the number of rows, {len(self.folds)} folds"
        return "\n".join([head, *tables.as_text(self.to_dicts(), _COLUMNS)])

    def __repr__(self) -> str:
        return f"<LearningCurve>\n{self}"

    def _repr_html_(self) -> str:
        return tables.as_html(self.to_dicts(), _COLUMNS)


def learning_curve(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[float] = SIZES,
    loss: str | None = None,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> LearningCurve:
    """Run a procedure on growing parts of the data, and judge it where it grew and on held-out rows.

    Parameters
    ----------
    estimator : an estimator of scikit-learn's kind, what `tune` returned, or a function
        As for `nested_cv_score`: it is run from the start each time, with all that it chooses.
    sizes : shares of the rows of a fold that are not held out (floats), or numbers of rows (ints)
        The smaller part is always within the larger one, and classes keep their shares.
    loss : "error", "log_loss", "brier", "cost", "squared" or "absolute", optional
    cv, groups : as for `nested_cv_score`
    """
    check_procedure(estimator)
    say = reporter(progress)
    classes = predicts_classes(estimator, y)
    costs, criterion = (setting_of(estimator, name) for name in ("costs", "criterion"))
    measure = check_loss(loss, classes, costs, criterion)
    labels = classes_of(y) if classes else None
    data = Data(X, y, groups, sample_weight)
    folds = folds_of(cv, X, y, groups, classes)
    counts = _counts(sizes, min(len(fold.train) for fold in folds))
    losses = np.empty((2, len(folds), len(counts)))
    for k, fold in enumerate(folds):
        order = spread_out(np.asarray(y)[fold.train] if classes else None, len(fold.train), seed=k)
        for s, count in enumerate(counts):
            say(k * len(counts) + s, len(folds) * len(counts), f"fold {k}, {count} rows")
            made_from = data.rows(np.sort(fold.train[order[:count]]))
            model = run(estimator, made_from)
            for part, where in enumerate((made_from, data.rows(fold.test))):
                losses[part, k, s] = mean_loss(model, where, measure, labels, costs)
    say(1, 1, "done")
    spread = losses[1].std(axis=0, ddof=1) if len(folds) > 1 else np.full(len(counts), np.nan)
    se = spread / np.sqrt(len(folds))
    training, honest = losses.mean(axis=1)
    return LearningCurve(measure, counts, training, honest, se, losses[1], tuple(folds))


def spread_out(labels: NDArray[Any] | None, n_rows: int, seed: int) -> Rows:
    """A shuffled order of which every beginning has the classes in about the shares of all."""
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
