"""Search for the best depth, leaf size, criterion, pruning and smoothing on shared folds.

Per criterion and leaf size one tree of all rows and one per fold are grown, as deep as any setting needs. A
tree of less depth is its top, and all alphas of cost-complexity pruning are evaluated along one path per
row, so nothing is grown for them; nor for smoothing, which only changes what the nodes predict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from ..data.common.progress import Progress, reporter
from ..data.common.result import Result
from ..learn.cross_validation.choose import strengths_of
from ..learn.cross_validation.pruning_curve import RULES, FoldTrees, cv_curves, grow_fold_trees
from ..learn.folds import Fold, folds_of
from ..learn.grow import features_of
from ..learn.losses import check_loss
from ..learn.params import CLASSIFICATION, PARAMETERS, REGRESSION
from ..learn.problem import Problem, must_be_ours, read_problem
from ..learn.smoothing import smoothed

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, None)
LEAF_SIZES = (1, 2, 5, 10, 20, 50)
CRITERIA = {CLASSIFICATION: ("gini", "entropy"), REGRESSION: ("squared_error",)}
SEARCHED = ("criterion", "min_samples_leaf", "max_depth", "ccp_alpha", "smoothing", "smoothing_strength")

_COLUMNS = (
    ("criterion", ""),
    ("min_samples_leaf", "g"),
    ("max_depth", "d"),
    ("ccp_alpha", ".4g"),
    ("smoothing", ""),
    ("smoothing_strength", "g"),
    ("leaves", ",d"),
    ("cv_loss", ".4f"),
    ("cv_se", ".4f"),
)


@dataclass(frozen=True, eq=False, repr=False)
class TuneResult(Result):
    """What `tune` found. Printing it shows the ten best settings."""

    model: Any  # fitted on all rows with the best parameters
    tried: tuple[dict[str, Any], ...]  # every setting with its leaves and its cross-validated loss
    best: dict[str, Any]  # the chosen one of these
    loss: str
    folds: tuple[Fold, ...]
    _repeat: Callable[..., TuneResult] = field(repr=False)

    def again(self, X: Any, y: Any, **rows: Any) -> TuneResult:
        """The same search on other rows, as nested cross-validation needs it; `rows` as for `tune`."""
        return self._repeat(X, y, **rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per setting, the best first."""
        return sorted(map(dict, self.tried), key=lambda row: (row["cv_loss"], row["leaves"]))

    def _rows(self) -> list[dict[str, Any]]:
        return self.to_dicts()[:10]

    def _smooths(self) -> bool:
        return any(row["smoothing"] is not None for row in self.tried)

    def _columns(self) -> Sequence[tuple[str, str]]:
        return [column for column in _COLUMNS if self._smooths() or not column[0].startswith("smoothing")]

    def _headline(self) -> str:
        names = SEARCHED if self._smooths() else SEARCHED[:-2]
        chosen = ", ".join(f"{name}={self.best[name]!r}" for name in names)
        loss = f"{self.best['cv_loss']:.4f} ± {self.best['cv_se']:.4f}, {self.best['leaves']:,} leaves"
        tried = f"{len(self.tried):,} settings tried on {len(self.folds)} folds; the best by {self.loss}:"
        return f"Chosen: {chosen} ({loss}).\n{tried}"


def tune(  # noqa: PLR0913
    estimator: Any,
    X: Any,
    y: Any,
    *,
    max_depth: Sequence[int | None] = DEPTHS,
    min_samples_leaf: Sequence[float] = LEAF_SIZES,
    criterion: Sequence[str] | None = None,
    ccp_alpha: str | Sequence[float] = "path",
    smoothing: Sequence[str | None] | None = None,
    smoothing_strength: Sequence[float] | None = None,
    rule: str = "cv",
    loss: str | None = None,
    cv: Any = 5,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> TuneResult:
    """Find good parameters of a tree by cross-validation, and fit it.

    Parameters
    ----------
    estimator : DecisionTreeClassifier, DecisionTreeRegressor or one of the extra trees
        Its other parameters are used as they are. It is not fitted itself.
    X, y : table and target, as for `fit`
    max_depth, min_samples_leaf, criterion : list of values to try
        criterion=None: gini and entropy, or squared_error.
    ccp_alpha : "path" or list of numbers, default="path"
        "path" evaluates every pruned subtree; of each other setting the choices of both rules are listed.
    smoothing, smoothing_strength : list of values to try, optional
        None: the smoothing of the estimator, and strengths that suit each method of smoothing.
    rule : {"cv", "1se"}, default="cv"
        Take the least loss; or the fewest leaves within one standard error of it.
    loss : {"error", "log_loss", "brier", "cost", "squared", "absolute"}, optional
        None: squared; for classes error, or log_loss if several methods of smoothing are tried.
    cv : int, splitter of scikit-learn, or list of pairs (train rows, test rows), default=5
    groups : array with one entry per row, optional
        Rows of a group are never on both sides of a fold.
    time : array with one entry per row, optional
        Every fold trains on the past and tests on later rows.
    sample_weight : array, optional
    progress : bool or function, optional
        True prints the progress on stderr.

    Returns
    -------
    TuneResult
        With `model` (fitted on all rows), `best` and `tried`. The loss of the chosen setting is the least of
        many and so too optimistic; `nested_cv_score(result, X, y)` estimates it on held-out rows.

    Examples
    --------
    >>> result = treewright.tune(treewright.DecisionTreeClassifier(), X, y)  # doctest: +SKIP
    >>> result.model.predict(X)  # doctest: +SKIP
    """
    model = _checked(estimator)
    if rule not in RULES:
        raise ValueError(f"rule must be 'cv' or '1se'. Got {rule!r}.")
    search = _Search(model, max_depth, min_samples_leaf, criterion, ccp_alpha)
    search.smooth(model, smoothing, smoothing_strength)
    problem = read_problem(clone(model), X, y, sample_weight).unpruned
    costs = problem.target.costs
    if loss is None and problem.is_classifier and costs is None and len(search.smoothings) > 1:
        loss = "log_loss"
    measure = check_loss(loss, problem.is_classifier, costs, problem.params["criterion"])
    target = problem.target.y[:, 0] if problem.target.n_outputs == 1 else problem.target.y
    folds = folds_of(cv, X, target, groups, problem.is_classifier, time=time)
    tried = list(search.run(problem, folds, measure, reporter(progress)))
    best = _best(tried, rule)
    fitted = clone(model).set_params(**{name: best[name] for name in SEARCHED})
    fitted.fit(X, y, sample_weight=sample_weight)
    how = {
        "max_depth": max_depth, "min_samples_leaf": min_samples_leaf, "criterion": criterion,
        "ccp_alpha": ccp_alpha, "smoothing": smoothing, "smoothing_strength": smoothing_strength,
        "rule": rule, "loss": loss, "cv": cv,
    }  # fmt: skip

    def repeat(X: Any, y: Any, **rows: Any) -> TuneResult:
        return tune(model, X, y, **how, **rows)

    return TuneResult(fitted, tuple(tried), best, measure, tuple(folds), repeat)


def _checked(estimator: Any) -> Any:
    must_be_ours(estimator)
    if estimator.pruning is not None:
        raise ValueError(
            "tune searches for ccp_alpha, so the estimator must have pruning=None. Got "
            f"{estimator.pruning!r}. To compare pruning methods use compare_pruning."
        )
    return estimator


class _Search:
    """The settings to try, checked, and how they are tried."""

    def __init__(self, model: Any, depths: Any, leaf_sizes: Any, criteria: Any, alphas: Any) -> None:
        kind = CLASSIFICATION if is_classifier(model) else REGRESSION
        self.rules = {parameter.name: parameter for parameter in PARAMETERS[kind]}
        self.depths = self._checked("max_depth", depths)
        self.leaf_sizes = self._checked("min_samples_leaf", leaf_sizes)
        self.criteria = self._checked("criterion", CRITERIA[kind] if criteria is None else criteria)
        self.grid = None if isinstance(alphas, str) and alphas == "path" else self._grid(alphas)
        self.smoothings: list[tuple[str | None, float | None]] = [(None, None)]

    def smooth(self, model: Any, methods: Any, strengths: Any) -> None:
        """The smoothing methods and strengths to try, or the model's own."""
        tried = [model.smoothing] if methods is None else self._checked("smoothing", methods)
        given = None if strengths is None else self._checked("smoothing_strength", strengths)
        if given is not None and not all(isinstance(amount, Real) for amount in given):
            raise ValueError(f"smoothing_strength must be a list of numbers to try. Got {given!r}.")
        self.smoothings = []
        for method in tried:
            how = {"smoothing": method, "smoothing_strength": "cv" if methods else model.smoothing_strength}
            amounts = strengths_of(how) if given is None or method is None else tuple(given)
            self.smoothings += [(method, amount) for amount in amounts] or [(None, None)]

    def _checked(self, name: str, values: Any) -> list[Any]:
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise ValueError(f"{name} must be a list of values to try. Got {values!r}. Write [{values!r}].")
        listed = list(dict.fromkeys(values))
        if not listed:
            raise ValueError(f"{name} must have at least one value to try. Got an empty list.")
        for value in listed:
            self.rules[name].check(value)
        return listed

    def _grid(self, alphas: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        if isinstance(alphas, str):
            raise ValueError(f"ccp_alpha must be 'path' or a list of numbers to try. Got {alphas!r}.")
        return np.array(sorted(self._checked("ccp_alpha", alphas)), dtype=np.float64)

    def run(self, problem: Problem, folds: list[Fold], loss: str, say: Progress) -> Iterator[dict[str, Any]]:
        """Every setting with its leaves and its loss."""
        pairs = list(product(self.criteria, self.leaf_sizes))
        for number, (criterion, leaf_size) in enumerate(pairs):
            say(number, len(pairs), f"growing: {criterion}, at least {leaf_size} rows per leaf")
            setting = {"criterion": criterion, "min_samples_leaf": leaf_size}
            for depth, fold_trees in self._by_depth(problem.changed(**setting), folds):
                yield from self._rows({**setting, "max_depth": depth}, fold_trees, loss)
        say(len(pairs), len(pairs), "done")

    def _by_depth(self, problem: Problem, folds: list[Fold]) -> Iterator[tuple[Any, FoldTrees]]:
        """The trees of every depth: the tops of one, or grown for each where that is not the same."""
        if not is_top_of_deeper(problem.params, problem.columns.n_columns):
            for depth in self.depths:
                yield depth, grow_fold_trees(problem.changed(max_depth=depth), folds)
            return
        deepest = None if None in self.depths else max(self.depths)
        full = grow_fold_trees(problem.changed(max_depth=deepest), folds)
        for depth in self.depths:
            yield depth, full.top(depth)

    def _rows(self, setting: dict[str, Any], fold_trees: FoldTrees, loss: str) -> Iterator[dict[str, Any]]:
        predicting = (
            [smoothed(tree, method, amount or 0) for tree in fold_trees.trees]
            for method, amount in self.smoothings
        )
        curves = cv_curves(fold_trees, loss, predicting, fold_trees.spans(self.grid))
        for (method, amount), curve in zip(self.smoothings, curves, strict=True):
            places = range(len(curve.ccp_alphas)) if self.grid is not None else {*map(curve.place, RULES)}
            for k in sorted(places):
                yield setting | {
                    "ccp_alpha": float(curve.ccp_alphas[k]),
                    "smoothing": method,
                    "smoothing_strength": amount,
                    "leaves": int(curve.n_leaves[k]),
                    "cv_loss": float(curve.mean[k]),
                    "cv_se": float(curve.se[k]),
                }


def is_top_of_deeper(params: dict[str, Any], n_features: int) -> bool:
    """Whether a tree of some depth is the top of the full one: no limit on leaves, and nothing drawn."""
    drawn = params["splitter"] == "random" or features_of(params["max_features"], n_features) < n_features
    return params["max_leaf_nodes"] is None and not drawn


def _best(tried: list[dict[str, Any]], rule: str) -> dict[str, Any]:
    """The setting that a rule takes; of equals the one of fewest leaves, then the first."""
    rounding = 1e-12 * max(abs(row["cv_loss"]) for row in tried)
    least = min(row["cv_loss"] for row in tried)
    best = min((row for row in tried if row["cv_loss"] <= least + rounding), key=lambda row: row["leaves"])
    if rule == "cv":
        return best
    good = (row for row in tried if row["cv_loss"] <= best["cv_loss"] + best["cv_se"] + rounding)
    return min(good, key=lambda row: (row["leaves"], row["cv_loss"]))
