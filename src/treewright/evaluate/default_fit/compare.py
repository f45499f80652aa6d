"""The tree of `fit` beside other models, on the same folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from ...data.common.plural import counted
from ...data.common.progress import Progress, reporter
from ...data.common.result import Result
from ...learn.folds import Fold
from ..fold_means import over_folds
from ..metrics import Baseline
from ..procedure import Data, run
from .dataset import read_dataset
from .encoding import encoder
from .procedure import Procedure
from .scoring import outer_folds

Array = NDArray[Any]

MOST_ROWS = 20_000  # nearest neighbours and forests take long beyond that
OURS, OUR_BEST = "treewright", "treewright, best"  # the simplest tree nearly as accurate, and the best
BASELINE = "baseline"
READABLE = 30  # leaves that people still read
SHOWN = ("log loss", "accuracy", "AUC", "R²", "mean absolute error")  # what a table has room for


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Models beside each other, the best first."""

    rows: tuple[dict[str, Any], ...]
    metric: str
    n_rows: int
    n_folds: int
    notes: tuple[str, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per model."""
        return [dict(row) for row in self.rows]

    def _columns(self) -> Sequence[tuple[str, str]]:
        metrics = [key for key in self.rows[0] if key not in {"model", "leaves", "seconds", "low", "high"}]
        first = [("model", ""), (self.metric, ".4f"), ("low", ".4f"), ("high", ".4f")]
        rest = [(key, ".4f") for key in metrics if key != self.metric]
        return [*first, *rest, ("leaves", ",.0f"), ("seconds", ".2f")]

    @property
    def verdict(self) -> str:
        """How far the tree is behind the best model, and how large it is."""
        ours = next(row for row in self.rows if row["model"] == OURS)
        others = [row for row in self.rows if row["model"] != OUR_BEST or row["leaves"] > ours["leaves"]]
        best, leaves = others[0], counted(round(ours["leaves"] or 0), "leaf")
        if best is ours:
            small = ours["leaves"] <= READABLE
            size = "which people can read" if small else "too many to read at once: try max_leaf_nodes=20"
            return f"No model here is better than the tree. It has {leaves}, {size}."
        gap = abs(best[self.metric] - ours[self.metric])
        inside = ours["low"] <= best[self.metric] <= ours["high"]
        clear = "within the confidence interval of the tree" if inside else "outside the tree's interval"
        ahead = f"is ahead of the tree ({leaves}) by {gap:.4f} in {self.metric}"
        size = f" ({counted(round(best['leaves']), 'leaf')})" if best["model"] == OUR_BEST else ""
        return f"The best, {best['model']}{size}, {ahead}, {clear}."

    def _headline(self) -> str:
        return f"{self.n_rows:,} rows, {self.n_folds} folds, the same for all; the best first."

    def _notes(self) -> Sequence[str]:
        return (self.verdict, *self.notes)


def compare(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    models: Mapping[str, Any] | None = None,
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

    By default the others are scikit-learn's linear or logistic regression, nearest neighbours, a random
    forest and gradient boosting with their default parameters; columns are one-hot encoded, filled and scaled
    as each of them needs. The baseline of constant predictions is always among them. Of more than 20,000 rows
    as many are drawn.

    Parameters
    ----------
    table, target : as for `treewright.fit`
    models : dict of name to estimator, optional
        Models of your own in place of the default ones. Each is cloned and fitted on the table as it is:
        where a model cannot read a column, give a Pipeline that encodes it.
    task, exclude, positive, sample_weight, groups, time, cv : as for `treewright.fit`
        Models whose `fit` takes no sample_weight are trained without weights.
    random_state : int, default=0
        Seed of the random forest, of gradient boosting, and of the rows that are drawn.
    progress : bool or function, optional
    **params
        Parameters of the tree, such as max_depth=4.

    Returns
    -------
    Comparison
        `rows` has per model its metrics, the confidence interval of the first, leaves and seconds per fit;
        `verdict` says how far the tree is behind the best.
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
    fits = _fits(procedure, models, random_state)
    say, found = reporter(progress), []
    for number, (name, make) in enumerate(fits.items()):
        say(number, len(fits), name)
        found.append(_row(name, make, folds, procedure))
    say(len(fits), len(fits), "done")
    metric = "log loss" if dataset.is_classification else "R²"
    sign = 1 if metric == "log loss" else -1
    ordered = sorted(found, key=lambda row: sign * row[metric])
    return Comparison(tuple(ordered), metric, len(rows), len(folds), notes)


Fit = Callable[[Fold], tuple[Any, Data]]  # a model fitted on the training rows, and the test rows it reads


def _row(name: str, make: Fit | None, folds: list[Fold], procedure: Procedure) -> dict[str, Any]:
    """One model: its metrics over the folds, the leaves of its tree, and the seconds of a fit."""
    values, bases, leaves, start = [], [], [], perf_counter()
    for fold in folds:
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
    main = next(
        each for each in scores if each.metric == ("R²" if not len(procedure.classes) else "log loss")
    )
    row: dict[str, Any] = {"model": name}
    row |= {score.metric: score.value for score in scores if score.metric in SHOWN}
    size = None if np.isnan(leaves[0]) else float(np.mean(leaves))
    return row | {"low": main.low, "high": main.high, "leaves": size, "seconds": seconds}


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


def _fits(procedure: Procedure, models: Mapping[str, Any] | None, random_state: int) -> dict[str, Fit | None]:
    data = procedure.dataset.data

    fitted: dict[int, Any] = {}  # by fold: one fit gives both trees

    def ours(fold: Fold) -> tuple[Any, Data]:
        fitted[id(fold)] = procedure.fitted(fold.train)
        return fitted[id(fold)], data.rows(fold.test)

    def our_best(fold: Fold) -> tuple[Any, Data]:
        model = fitted[id(fold)]
        return getattr(model, "best_", model), data.rows(fold.test)

    def own(model: Any) -> Fit:
        def make(fold: Fold) -> tuple[Any, Data]:
            return run(model, _weighted(model, data.rows(fold.train))), data.rows(fold.test)

        return make

    def usual(pipeline: Callable[[], Any]) -> Fit:
        def make(fold: Fold) -> tuple[Any, Data]:
            model, part = pipeline(), data.rows(fold.train)
            weighted = {}
            if part.sample_weight is not None and has_fit_parameter(model[-1], "sample_weight"):
                weighted = {f"{model.steps[-1][0]}__sample_weight": part.sample_weight}
            model.fit(matrix[fold.train], part.y, **weighted)
            if "n_jobs" in model[-1].get_params():  # threads of a forest add up its trees in any order
                model[-1].set_params(n_jobs=1)
            test = data.rows(fold.test)
            return model, Data(matrix[fold.test], test.y, None, test.sample_weight)

        return make

    if models is not None:
        others = {name: own(_checked(name, model)) for name, model in models.items()}
    else:
        matrix, pipelines = encoder(procedure.dataset, random_state)
        others = {name: usual(pipeline) for name, pipeline in pipelines.items()}
    return {OURS: ours, OUR_BEST: our_best} | others | {BASELINE: None}


def _checked(name: str, model: Any) -> Any:
    if name in {OURS, OUR_BEST, BASELINE}:
        raise ValueError(f"A name in models must not be {name!r}, which is always among them.")
    if not hasattr(model, "fit") or isinstance(model, type):
        raise ValueError(f"models must hold estimators by name. Got {model!r} for {name!r}.")
    return clone(model)


def _weighted(model: Any, data: Data) -> Data:
    """The rows, without weights if the model takes none."""
    if data.sample_weight is None or has_fit_parameter(model, "sample_weight"):
        return data
    return Data(data.X, data.y, data.groups, None, data.time)
