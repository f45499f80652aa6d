"""A table, its target and the parameters of a tree: all that is needed to grow it again and again."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core
from ..data.columns import columns_at_fit
from ..data.common.array_types import Floats, Ints
from ..data.common.hints import nearest
from ..data.common.threads import threads
from ..data.exposure import rates
from ..data.schema import ColumnType
from ..data.target import ByClass, Target, class_target, number_target, row_weights
from ..tree.tree import Tree
from .classic_rules import (
    check_table,
    count_rows_of_weight_zero,
    mark_unknown,
    row_weights_by_rules,
    rows_of_weight_zero,
)
from .conflicts import Facts, check_together
from .folds import Fold
from .grow import COMBINED_KINDS, grow_folds, rows_of
from .params import CLASSIFICATION, PARAMETERS, check_params

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
    weights: Floats | None = None  # of the rows when a tree is evaluated; see `row_weights`
    sample_weight: Any = None  # of the rows themselves, whatever their class
    zero_weight: Ints | None = None  # rows that count though they weigh nothing

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

    @property
    def unpruned(self) -> Problem:
        """The same table, for trees that are neither pruned nor smoothed."""
        return self.changed(**UNPRUNED)

    def grow(self, folds: Sequence[Fold] = (), whole: Ints | None = None) -> list[Tree]:
        """The tree of all rows (or of `whole`), and one for each fold; none is pruned."""
        for number, fold in enumerate(folds):
            if self.weights is not None and not self.weights[fold.train].any():
                raise ValueError(
                    f"Every fold must have a training row with a weight above 0. Got fold {number} without "
                    "one. Use fewer folds, or leave out rows of weight 0."
                )
        trains = [whole, *(fold.train for fold in folds)]
        few = {} if self.zero_weight is None else {"min_samples_split": 2}  # all are counted afterwards
        grown = grow_folds(self.columns, self.target, self.params | few, self.names, self.types, trains)
        if self.zero_weight is not None:
            parts = [np.arange(self.columns.n_rows) if rows is None else rows for rows in trains]
            grown = [
                self._counted(tree, self.zero_weight, rows) for tree, rows in zip(grown, parts, strict=True)
            ]
        return grown

    def _counted(self, tree: Tree, zero_weight: Ints, rows: Ints) -> Tree:
        """The tree of some rows, with those of them that weigh nothing."""
        at = tree.apply(self.columns, self.n_threads)[np.intersect1d(zero_weight, rows)]
        least = rows_of(self.params["min_samples_split"], self.target.n_rows)
        return count_rows_of_weight_zero(
            tree, at, least, bool((self.params["growth_rules"] or {}).get("missing_to_more"))
        )

    def grow_on(self, rows: Ints) -> Tree:
        """The tree of some of the rows; the others weigh nothing."""
        target = self.target.only(rows, self.weights)
        return grow_folds(self.columns, target, self.params, self.names, self.types)[0]


def read_problem(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    exposure: Any = None,
    check_input: bool = True,
) -> Problem:
    """Check the parameters of an estimator and read its table: the only place that does.

    scikit-learn's attributes about columns are set on the estimator; to leave it alone, give a clone.
    """
    must_be_ours(estimator)
    kind = estimator.task
    params = {parameter.name: getattr(estimator, parameter.name) for parameter in PARAMETERS[kind]}
    check_params(kind, params)
    own = None  # weights of the rows without their exposure
    if exposure is not None:
        y, sample_weight, own = rates(estimator, y, exposure, sample_weight)
    columns, types = columns_at_fit(estimator, X, check_input, params["categorical_features"])
    mark_unknown(columns, params["growth_rules"])
    zero_weight = rows_of_weight_zero(sample_weight, params["growth_rules"])
    sample_weight = row_weights_by_rules(sample_weight, params["growth_rules"], columns.n_rows, X)
    if kind == CLASSIFICATION:
        if params["leaf_model"] != "constant":
            warn_of_column(y)
        target = class_target(estimator, y, columns.n_rows, sample_weight, ByClass.of(params))
    else:
        target = number_target(estimator, y, columns.n_rows, sample_weight, own)
    names = getattr(estimator, "feature_names_in_", None) if check_input else None
    sizes = (columns.n_columns, target.n_outputs, target.n_classes)
    params["monotonic_cst"] = _signs(params["monotonic_cst"], names, columns.n_columns)
    nominal = _nominal_names(types, names, params["monotonic_cst"])
    numbers = columns.n_columns if types is None else sum(each.kind in COMBINED_KINDS for each in types)
    sparse = hasattr(X, "tocsr")
    check_together(Facts(params, kind, *sizes, target.y, *nominal, n_numbers=numbers, sparse=sparse))
    check_table(X, columns.n_rows, types, names, params)
    weights = row_weights(params, target.classes, target.y, sample_weight)
    return Problem(columns, target, params, names, types, weights, sample_weight, zero_weight)


def warn_of_column(y: Any) -> None:
    """As scikit-learn's estimators of one output do."""
    if len(getattr(y, "shape", ())) == 2 and y.shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Give y as one dimension: y.ravel().",
            DataConversionWarning,
            stacklevel=5,
        )


def _signs(given: Any, names: Any, n_columns: int) -> Any:
    """The monotone constraints by place; those given by name are 0 for columns that are not named."""
    if not isinstance(given, dict):
        return given
    if names is None:
        raise ValueError(
            "monotonic_cst may be a dict only where X has names of columns. Got a dict and an X without. "
            "Give a list with -1, 0 or 1 per column."
        )
    places = {name: j for j, name in enumerate(names.tolist())}
    signs = [0] * n_columns
    for name, sign in given.items():
        if name not in places:
            raise ValueError(
                f"monotonic_cst must name columns of X. Got {name!r}.{nearest(str(name), places)}"
            )
        signs[places[name]] = int(sign)
    return signs


def _nominal_names(types: Any, names: Any, signs: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The nominal columns, and those among them that have a monotone constraint."""
    if types is None:
        return (), ()
    places = [j for j, each in enumerate(types) if each.kind == "nominal"]
    described = [f"column {j if names is None else repr(str(names[j]))}" for j in places]
    bound = [
        name
        for j, name in zip(places, described, strict=True)
        if signs is not None and j < len(signs) and signs[j]
    ]
    return tuple(described), tuple(bound)


def must_be_ours(model: Any, fitted: bool = False) -> None:
    """Reject what is not one of this package's estimators."""
    if not hasattr(type(model), "from_tree"):
        raise ValueError(
            "model must be a DecisionTreeClassifier, a DecisionTreeRegressor or an ExtraTree of treewright. "
            f"Got {type(model).__name__}."
        )
    if fitted:
        must_be_fitted(model)


def must_be_fitted(model: Any) -> None:
    """Reject an estimator that is not fitted, in scikit-learn's words."""
    if "tree_" not in vars(model):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model, "tree_")
