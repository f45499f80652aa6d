"""A table, its target and the parameters of a tree: all that is needed to grow it again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from .. import _core
from ..columns import columns_at_predict
from ..grow import grow_folds, threads
from ..priors import weigh_by_priors
from ..schema import ColumnType
from ..target import ByClass, Target, check_weights, class_target, number_target
from ..tree import Tree
from .folds import Fold

Floats = NDArray[np.float64]

UNPRUNED = {"ccp_alpha": 0.0, "pruning": None}


@dataclass(frozen=True)
class Problem:
    """What a fit has once X and y are read. `params` are those of the estimator, already checked."""

    columns: _core.Columns
    target: Target
    params: dict[str, Any]
    names: Any = None
    types: tuple[ColumnType, ...] | None = None
    weights: Floats | None = None  # of the rows when they judge; see `row_weights`

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

    def grow(self, folds: Sequence[Fold] = ()) -> list[Tree]:
        """The tree of all rows, and one for each fold; none is pruned."""
        for number, fold in enumerate(folds):
            if self.weights is not None and not self.weights[fold.train].any():
                raise ValueError(
                    f"Every fold must grow on a row with a weight above 0. Got fold {number} without one. "
                    "Use fewer folds, or leave out rows of weight 0."
                )
        trains = [fold.train for fold in folds]
        return grow_folds(self.columns, self.target, self.params, self.names, self.types, trains)

    def grow_on(self, rows: NDArray[np.int64]) -> Tree:
        """The tree of some of the rows."""
        return grow_folds(self.columns, self.target, self.params, self.names, self.types, [rows])[1]


def row_weights(params: dict[str, Any], target: Target, sample_weight: Any) -> Floats | None:
    """What the rows weigh when they judge: as in growing (by class_weight and priors too), but not by costs.

    Costs are in the loss already.
    """
    weights = check_weights(sample_weight, len(target.y))
    if params.get("class_weight") is not None:
        named = [names[codes] for names, codes in zip(target.classes, target.y.T, strict=True)]
        original = named[0] if len(named) == 1 else np.column_stack(named)
        factors = compute_sample_weight(params["class_weight"], original)
        weights = factors if weights is None else weights * factors
    if params.get("priors") is not None:
        weights = weigh_by_priors(params["priors"], target.classes[0], target.y[:, 0], weights)
    return weights


def read_problem(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Problem:
    """Read a table as one of our estimators would, with all its checks; the estimator is left alone."""
    must_be_ours(model)
    given = model.get_params(deep=False)
    params = given | {name: value for name, value in UNPRUNED.items() if name in given}
    quick = params | {"max_depth": 1, "max_leaf_nodes": None}
    probe = clone(model).set_params(**quick).fit(X, y, sample_weight=sample_weight)
    columns = columns_at_predict(probe, X)
    if is_classifier(model):
        by_class = ByClass(params["class_weight"], params["priors"], params["costs"])
        target = class_target(probe, y, columns.n_rows, sample_weight, by_class)
    else:
        target = number_target(probe, y, columns.n_rows, sample_weight)
    names = getattr(probe, "feature_names_in_", None)
    weights = row_weights(params, target, sample_weight)
    return Problem(columns, target, params, names, probe.tree_.column_types, weights)


def must_be_ours(model: Any, fitted: bool = False) -> None:
    """Refuse what is not one of this package's estimators."""
    if not hasattr(type(model), "from_tree"):
        raise ValueError(
            "model must be a DecisionTreeClassifier, a DecisionTreeRegressor or an ExtraTree of treewright. "
            f"Got {type(model).__name__}."
        )
    if fitted:
        check_is_fitted(model, "tree_")
