"""A table, its target and the parameters of a tree: all that is needed to grow it again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import check_is_fitted

from .. import _core
from ..data.columns import columns_at_predict
from ..data.common.threads import threads
from ..data.schema import ColumnType
from ..data.target import ByClass, Target, class_target, number_target, row_weights, ruled_weights
from ..tree.tree import Tree
from .folds import Fold
from .grow import grow_folds, rows_of
from .weightless import weightless_rows, with_weightless

Floats = NDArray[np.float64]

UNPRUNED = {
    "ccp_alpha": 0.0,
    "pruning": None,
    "pruning_options": None,
    "smoothing": None,
    "smoothing_strength": None,
}


@dataclass(frozen=True)
class Problem:
    """What a fit has once X and y are read. `params` are those of the estimator, already checked."""

    columns: _core.Columns
    target: Target
    params: dict[str, Any]
    names: Any = None
    types: tuple[ColumnType, ...] | None = None
    weights: Floats | None = None  # of the rows when they judge; see `row_weights`
    sample_weight: Any = None  # of the rows themselves, whatever their class
    weightless: NDArray[np.int64] | None = None  # rows that count though they weigh nothing

    @property
    def is_classifier(self) -> bool:
        """Whether classes are predicted."""
        return bool(self.target.classes)

    @property
    def n_threads(self) -> int:
        """The threads to use."""
        return threads(self.params["n_jobs"])

    def changed(self, **params: Any) -> Problem:
        """The same table with other parameters."""
        return replace(self, params=self.params | params)

    def grow(self, folds: Sequence[Fold] = (), whole: NDArray[np.int64] | None = None) -> list[Tree]:
        """The tree of all rows (or of `whole`), and one for each fold; none is pruned."""
        for number, fold in enumerate(folds):
            if self.weights is not None and not self.weights[fold.train].any():
                raise ValueError(
                    f"Every fold must grow on a row with a weight above 0. Got fold {number} without one. "
                    "Use fewer folds, or leave out rows of weight 0."
                )
        trains = [whole, *(fold.train for fold in folds)]
        few = {} if self.weightless is None else {"min_samples_split": 2}  # all are counted afterwards
        grown = grow_folds(self.columns, self.target, self.params | few, self.names, self.types, trains)
        if self.weightless is not None:
            parts = [np.arange(self.columns.n_rows) if rows is None else rows for rows in trains]
            grown = [
                self._counted(tree, self.weightless, rows) for tree, rows in zip(grown, parts, strict=True)
            ]
        return grown

    def _counted(self, tree: Tree, weightless: NDArray[np.int64], rows: NDArray[np.int64]) -> Tree:
        """The tree of some rows, with those of them that weigh nothing."""
        at = tree.apply(self.columns, self.n_threads)[np.intersect1d(weightless, rows)]
        least = rows_of(self.params["min_samples_split"], self.target.n_rows)
        return with_weightless(tree, at, least, bool((self.params["rules"] or {}).get("missing_to_more")))

    def grow_on(self, rows: NDArray[np.int64], weights: Floats | None = None) -> Tree:
        """The tree of some of the rows, with their weights or these; the others weigh nothing."""
        given = self.weights
        if weights is not None:
            given = np.zeros(self.columns.n_rows)
            given[rows] = weights
        target = self.target.only(rows, given)
        return grow_folds(self.columns, target, self.params, self.names, self.types)[0]


def read_problem(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Problem:
    """Read a table as one of our estimators would, with all its checks; the estimator is left alone."""
    must_be_ours(model)
    given = model.get_params(deep=False)
    params = given | {name: value for name, value in UNPRUNED.items() if name in given}
    quick = params | {"max_depth": 1, "max_leaf_nodes": None}
    probe = clone(model).set_params(**quick).fit(X, y, sample_weight=sample_weight)
    columns, weightless = columns_at_predict(probe, X), weightless_rows(sample_weight, params["rules"])
    sample_weight = ruled_weights(sample_weight, params["rules"], columns.n_rows, X)
    if is_classifier(model):
        by_class = ByClass.of(params)
        target = class_target(probe, y, columns.n_rows, sample_weight, by_class)
    else:
        target = number_target(probe, y, columns.n_rows, sample_weight)
    names = getattr(probe, "feature_names_in_", None)
    weights = row_weights(params, target.classes, target.y, sample_weight)
    types = probe.tree_.column_types
    return Problem(columns, target, params, names, types, weights, sample_weight, weightless)


def must_be_ours(model: Any, fitted: bool = False) -> None:
    """Refuse what is not one of this package's estimators."""
    if not hasattr(type(model), "from_tree"):
        raise ValueError(
            "model must be a DecisionTreeClassifier, a DecisionTreeRegressor or an ExtraTree of treewright. "
            f"Got {type(model).__name__}."
        )
    if fitted:
        check_is_fitted(model, "tree_")
