"""The best depth, leaf size, criterion, pruning and smoothing, found on shared folds.

Per criterion and leaf size one tree of all rows and one per fold are grown, each as deep as any setting asks
for. A tree of less depth is its top, and all alphas of cost-complexity pruning are judged along one path per
row, so nothing is grown for them; nor for smoothing, which only changes what the nodes say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from ..data.common import tables
from ..data.common.progress import Progress, reporter
from ..data.target import are_classes
from ..learn.cross_validation.choose import strengths_of
from ..learn.cross_validation.pruning_curve import RULES, Judged, cv_curves, grow_and_judge
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


@dataclass(frozen=True, eq=False)
class Tuned:
    """What `tune` found. `model, tried = tune(X, y)` works too."""

    model: Any  # fitted on all rows with the best parameters
    tried: tuple[dict[str, Any], ...]  # every setting with its leaves and its cross-validated loss
    best: dict[str, Any]  # the chosen one of these
    loss: str
    folds: tuple[Fold, ...]
    _repeat: Callable[..., Tuned] = field(repr=False)

    def again(self, X: Any, y: Any, **rows: Any) -> Tuned:
        """The same search on other rows, as nested cross-validation needs it; `rows` as for `tune`."""
        return self._repeat(X, y, **rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per setting, of which any library makes a frame."""
        return [dict(row) for row in self.tried]

    def _smooths(self) -> bool:
        return any(row["smoothing"] is not None for row in self.tried)

    def _columns(self) -> list[tuple[str, str]]:
        return [column for column in _COLUMNS if self._smooths() or not column[0].startswith("smoothing")]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.model, self.tried))

    def __str__(self) -> str:
        said = SEARCHED if self._smooths() else SEARCHED[:-2]
        chosen = ", ".join(f"{name}={self.best[name]!r}" for name in said)
        shown = sorted(self.tried, key=lambda row: (row["cv_loss"], row["leaves"]))[:10]
        head = f"{len(self.tried):,} settings tried on {len(self.folds)} folds; the best by {self.loss}:"
        loss = f"{self.best['cv_loss']:.4f} ± {self.best['cv_se']:.4f}, {self.best['leaves']:,} leaves"
        return "\n".join([f"Chosen: {chosen} ({loss}).", head, *tables.as_text(shown, self._columns())])

    def __repr__(self) -> str:
        return f"<Tuned: {len(self.tried)} settings>\n{self}"

    def _repr_html_(self) -> str:
        shown = sorted(self.tried, key=lambda row: (row["cv_loss"], row["leaves"]))[:10]
        return tables.as_html(shown, self._columns())


def tune(  # noqa: PLR0913
    X: Any,
    y: Any,
    estimator: Any = None,
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
    sample_weight: Any = None,
    progress: bool | Progress | None = None,
) -> Tuned:
    """Find good parameters of a tree by cross-validation, and fit it.

    Parameters
    ----------
    X, y : table and target, as for `fit`
    estimator : one of treewright's trees, optional
        Its other parameters are kept. None: a classifier if y is text, booleans, or whole numbers of at most
        20 values, else a regressor.
    max_depth, min_samples_leaf, criterion : the values to try
        criterion=None: gini and entropy, or squared_error.
    ccp_alpha : "path" or a list of numbers
        "path" judges every pruned subtree; of each other setting the choices of both rules are listed.
    smoothing, smoothing_strength : the values to try
        None: the smoothing of the estimator, and strengths that suit each way to smooth.
    rule : "cv" or "1se"
        Take the least loss; or the fewest leaves within one standard error of it.
    loss : "error", "log_loss", "brier", "cost", "squared" or "absolute", optional
        None: squared; for classes error, or log_loss if several ways to smooth are tried.
    cv : int, splitter of scikit-learn, or pairs (train rows, test rows)
    groups : one entry per row, optional
        Rows of a group are never divided between growing and judging.
    progress : bool or function
        True says on stderr how far it is.

    The loss of the chosen setting is the least of many and so too optimistic; `nested_cv_score` has one
    that is not.
    """
    model = _estimator(estimator, y)
    if rule not in RULES:
        raise ValueError(f"rule must be 'cv' or '1se'. Got {rule!r}.")
    search = _Search(model, max_depth, min_samples_leaf, criterion, ccp_alpha)
    search.smooth(model, smoothing, smoothing_strength)
    problem = read_problem(clone(model), X, y, sample_weight).unpruned
    costs = problem.target.costs
    if loss is None and problem.is_classifier and costs is None and len(search.smoothings) > 1:
        loss = "log_loss"
    measure = check_loss(loss, problem.is_classifier, costs, problem.params["criterion"])
    answers = problem.target.y[:, 0] if problem.target.n_outputs == 1 else problem.target.y
    folds = folds_of(cv, X, answers, groups, problem.is_classifier)
    tried = list(search.run(problem, folds, measure, reporter(progress)))
    best = _best(tried, rule)
    fitted = clone(model).set_params(**{name: best[name] for name in SEARCHED})
    fitted.fit(X, y, sample_weight=sample_weight)

    def repeat(X: Any, y: Any, groups: Any = None, sample_weight: Any = None) -> Tuned:
        return tune(
            X, y, model, max_depth=max_depth, min_samples_leaf=min_samples_leaf, criterion=criterion,
            ccp_alpha=ccp_alpha, smoothing=smoothing, smoothing_strength=smoothing_strength, rule=rule,
            loss=loss, cv=cv, groups=groups, sample_weight=sample_weight,
        )  # fmt: skip

    return Tuned(fitted, tuple(tried), best, measure, tuple(folds), repeat)


def _estimator(estimator: Any, y: Any) -> Any:
    if estimator is not None:
        must_be_ours(estimator)
        return estimator
    from ..learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

    return DecisionTreeClassifier() if are_classes(np.asarray(y)) else DecisionTreeRegressor()


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

    def smooth(self, model: Any, ways: Any, strengths: Any) -> None:
        """Say how to smooth: ways and how much, or as the model would."""
        tried = [model.smoothing] if ways is None else self._checked("smoothing", ways)
        given = None if strengths is None else self._checked("smoothing_strength", strengths)
        if given is not None and not all(isinstance(amount, Real) for amount in given):
            raise ValueError(f"smoothing_strength must be a list of numbers to try. Got {given!r}.")
        self.smoothings = []
        for way in tried:
            how = {"smoothing": way, "smoothing_strength": "cv" if ways else model.smoothing_strength}
            amounts = strengths_of(how) if given is None or way is None else tuple(given)
            self.smoothings += [(way, amount) for amount in amounts] or [(None, None)]

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
            for depth, judged in self._by_depth(problem.changed(**setting), folds):
                yield from self._rows({**setting, "max_depth": depth}, judged, loss)
        say(len(pairs), len(pairs), "done")

    def _by_depth(self, problem: Problem, folds: list[Fold]) -> Iterator[tuple[Any, Judged]]:
        """The trees of every depth: the tops of one, or grown for each where that is not the same."""
        if not is_top_of_deeper(problem.params, problem.columns.n_columns):
            for depth in self.depths:
                yield depth, grow_and_judge(problem.changed(max_depth=depth), folds)
            return
        deepest = None if None in self.depths else max(self.depths)
        full = grow_and_judge(problem.changed(max_depth=deepest), folds)
        for depth in self.depths:
            yield depth, full.top(depth)

    def _rows(self, setting: dict[str, Any], judged: Judged, loss: str) -> Iterator[dict[str, Any]]:
        answers = (
            [smoothed(tree, way, amount or 0) for tree in judged.trees] for way, amount in self.smoothings
        )
        curves = cv_curves(judged, loss, answers, judged.spans(self.grid))
        for (way, amount), curve in zip(self.smoothings, curves, strict=True):
            places = range(len(curve.ccp_alphas)) if self.grid is not None else {*map(curve.place, RULES)}
            for k in sorted(places):
                yield setting | {
                    "ccp_alpha": float(curve.ccp_alphas[k]),
                    "smoothing": way,
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
