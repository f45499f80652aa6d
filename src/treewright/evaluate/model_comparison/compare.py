"""The tree of `fit` beside other models, on the same folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from ...data.common.progress import Progress, reporter
from ...learn.folds import Fold
from ..default_fit.dataset import read_dataset
from ..default_fit.procedure import Procedure
from ..default_fit.scoring import outer_folds
from ..fold_means import corrected_interval, over_folds
from ..metrics import BETTER, CONFIDENCE, Baseline
from ..procedure import Data
from .candidates import Candidate, candidates, fitted_candidate
from .models import About
from .prepare import coded_table
from .result import BASELINE, OUR_BEST, OURS, Comparison

Array = NDArray[Any]
Floats = NDArray[np.float64]

MOST_ROWS = 20_000  # nearest neighbours and forests take long beyond that
SHOWN = ("log loss", "accuracy", "AUC", "R²", "mean absolute error")  # what a table has room for


def compare(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    models: Any = None,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    time: Any = None,
    cv: Any = None,
    random_state: int = 0,
    progress: bool | Progress | None = None,
    **params: Any,
) -> Comparison:
    """Compare the tree of `treewright.fit` with other models on the same folds.

    By default the others are scikit-learn's ridge or logistic regression, nearest neighbours, a random
    forest and gradient boosting. Inside every fold, levels are one-hot encoded, missing values filled in and
    numbers scaled as each of them needs. The baseline of constant predictions is always among them. Of more
    than 20,000 rows as many are drawn.

    Parameters
    ----------
    table, target : as for `treewright.fit`
    models : list of names and estimators, dict of label to name or estimator, name or estimator, optional
        The names are

        - for numbers "least squares", "ridge", "lasso" and "elastic net" (penalty by cross-validation);
        - for classes "logistic" (C = 1), "polynomial logistic" (with squares and products of the numbers),
          "perceptron" (with calibrated probabilities) and "naive bayes";
        - for both "svm" (with an RBF kernel; for classes calibrated; slow on many rows), "knn" (15
          neighbours), "forest" (200 trees), "boosting" and "model tree" (linear or logistic leaves);
        - "all" alone for all of these.

        Estimators are cloned. A Pipeline and the trees of treewright read the table as it is; for other
        estimators the columns are prepared as for the named models.
    task, exclude, positive, sample_weight, groups, time, cv : as for `treewright.fit`
        Models whose `fit` takes no sample_weight are trained without weights.
    random_state : int, default=0
        Seed of what is random in the named models, and of the rows that are drawn.
    progress : bool or function, optional
    **params
        Parameters of the tree, such as max_depth=4.

    Returns
    -------
    Comparison
        `rows` has per model its metrics, the confidence interval of the first, leaves and seconds per fit;
        `verdict` says how far the tree is behind the best, `advice` which model to favour and why.

    Examples
    --------
    >>> import treewright
    >>> iris = treewright.load_example("iris")
    >>> treewright.compare(iris, "species", models=["logistic", "naive bayes", "svm"])  # doctest: +SKIP
    """
    beside = {"sample_weight": sample_weight, "groups": groups, "time": time}
    dataset = read_dataset(table, target, task=task, exclude=exclude, positive=positive, **beside)
    procedure = Procedure(dataset, params if cv is None else {"cv": cv, **params}, {})
    rows, notes = np.arange(dataset.n_rows), dataset.notes
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(random_state).choice(rows, MOST_ROWS, replace=False))
        notes = (*notes, f"{MOST_ROWS:,} of {dataset.n_rows:,} rows were drawn.")
    folds, why_not = outer_folds(dataset, cv, rows)
    if why_not:
        raise ValueError(f"Models cannot be compared: {why_not}. Got {counted(len(rows), 'row')}.")
    others = candidates(models, About(dataset.task, dataset.n_rows, random_state))
    if any(each.prepared for each in others):
        coded_table(dataset.data.X)  # rejects what cannot be prepared before anything is fitted
    fits = _fits(procedure, others)
    say, scored = reporter(progress), {}
    for number, (name, make) in enumerate(fits.items()):
        work = _Work(name, say, number * len(folds), len(fits) * len(folds))
        scored[name] = _scored(work, make, folds, procedure)
    say(len(fits) * len(folds), len(fits) * len(folds), "done")
    metric = "log loss" if dataset.is_classification else "R²"
    sign = BETTER[metric]
    ordered = sorted(scored.values(), key=lambda each: -sign * each.row[metric])
    behind = {
        each.row["model"]: corrected_interval(sign * (ordered[0].by_fold - each.by_fold), folds, CONFIDENCE)
        for each in ordered
    }
    families = {each.label: each.family for each in others}
    found = tuple(each.row for each in ordered)
    return Comparison(found, metric, len(rows), len(folds), notes, families, behind)


Fit = Callable[[Fold], tuple[Any, Data]]  # a model fitted on the training rows, and the test rows it reads


class _Work(NamedTuple):
    """A model to fit once per fold, and how its progress is reported."""

    name: str
    say: Progress
    done: int
    total: int


class _Scored(NamedTuple):
    """A row of the comparison, and the first metric in each fold."""

    row: dict[str, Any]
    by_fold: Floats


def _scored(work: _Work, make: Fit | None, folds: list[Fold], procedure: Procedure) -> _Scored:
    """One model: its metrics over the folds, the leaves of its tree, and the seconds of a fit."""
    values, bases, leaves, start = [], [], [], perf_counter()
    for number, fold in enumerate(folds):
        work.say(work.done + number, work.total, f"{work.name}: fold {number + 1} of {len(folds)}")
        base: Baseline = procedure.baseline(fold.train)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts, and of models that did not converge
            model, test = (None, procedure.dataset.data.rows(fold.test)) if make is None else make(fold)
            predicted = procedure.predictions_for(
                _Constant(base, procedure) if model is None else model, test
            )
        bases.append(base.values(predicted))
        values.append(bases[-1] if model is None else predicted.values())
        count = getattr(model, "get_n_leaves", None)
        leaves.append(np.nan if count is None else count())
    seconds = (perf_counter() - start) / len(folds)
    scores = over_folds(values, bases, folds)
    metric = "log loss" if len(procedure.classes) else "R²"
    main = next(each for each in scores if each.metric == metric)
    row: dict[str, Any] = {"model": work.name}
    row |= {score.metric: score.value for score in scores if score.metric in SHOWN}
    size = None if np.isnan(leaves[0]) else float(np.mean(leaves))
    row |= {"low": main.low, "high": main.high, "leaves": size, "seconds": seconds}
    return _Scored(row, np.array([each[metric] for each in values]))


class _Constant:
    """A model of constant predictions, as `Procedure.predictions_for` needs one."""

    def __init__(self, base: Baseline, procedure: Procedure) -> None:
        self.base, self.classes_ = base, procedure.classes

    def predict(self, X: Any) -> Array:
        n = X.shape[0]
        if self.base.proportions is None:
            return np.full(n, self.base.mean)
        return np.repeat(self.classes_[[self.base.proportions.argmax()]], n)

    def predict_proba(self, X: Any) -> Array:
        assert self.base.proportions is not None
        return np.tile(self.base.proportions, (X.shape[0], 1))


def _fits(procedure: Procedure, others: Sequence[Candidate]) -> dict[str, Fit | None]:
    data, classifier = procedure.dataset.data, procedure.dataset.is_classification
    fitted: dict[int, Any] = {}  # by fold: one fit gives both trees

    def ours(fold: Fold) -> tuple[Any, Data]:
        fitted[id(fold)] = procedure.fitted(fold.train)
        return fitted[id(fold)], data.rows(fold.test)

    def our_best(fold: Fold) -> tuple[Any, Data]:
        model = fitted[id(fold)]
        return getattr(model, "best_", model), data.rows(fold.test)

    def other(candidate: Candidate) -> Fit:
        def make(fold: Fold) -> tuple[Any, Data]:
            try:
                model = fitted_candidate(candidate.model, data.rows(fold.train), classifier)
            except Exception as error:
                raise ValueError(
                    f"The model {candidate.label!r} could not be fitted: {error}. Leave it out of models, or "
                    "change the table."
                ) from error
            return model, data.rows(fold.test)

        return make

    return {OURS: ours, OUR_BEST: our_best} | {each.label: other(each) for each in others} | {BASELINE: None}
