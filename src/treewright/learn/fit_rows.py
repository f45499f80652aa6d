"""What `fit` of an estimator does: read the rows, grow, prune and smooth, and set what was learned."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.common.array_types import Array
from .grow import features_of
from .grow_and_prune import grow_and_prune
from .parts.fit import FromParts, Given, Limits, is_named, read_named
from .problem import read_problem

# Attributes that only some fits set, so that each fit begins by removing them.
OF_LAST_FIT = (
    "best_",
    "cv_results_",
    "pruning_curve_",
    "out_of_fold_",
    "smoothing_results_",
    "smoothing_strength_",
    "pruning_",
    "decision_",
    "changed_",
    "of_file_",
    "unused_surrogates_",
    "notes_",
)


def fit_rows(estimator: Any, given: Given, limits: Limits, check_input: bool, prune_rows: Any) -> None:
    """Fit rows that are given, or named as a table on disk."""
    notes: tuple[str, ...] = ()
    if is_named(given):
        found = read_named(estimator, given, limits, prune_rows)
        if isinstance(found, FromParts):
            _take_grown(estimator, found)
            return
        given, notes = found
    X, y, sample_weight, groups, exposure = given
    problem = read_problem(estimator, X, y, sample_weight, exposure=exposure, check_input=check_input)
    estimator.n_outputs_ = problem.target.n_outputs
    estimator.max_features_ = features_of(problem.params["max_features"], problem.columns.n_columns)
    set_classes(estimator, problem.target.classes)
    _forget(estimator)
    grow_and_prune(estimator, problem, X, groups, prune_rows)
    if notes:
        estimator.notes_ = notes


def set_classes(estimator: Any, classes: tuple[Array, ...]) -> None:
    """Set `classes_` and `n_classes_`; a regressor has none."""
    if classes:
        one = len(classes) == 1
        estimator.classes_ = classes[0] if one else list(classes)
        estimator.n_classes_ = len(classes[0]) if one else np.array([len(labels) for labels in classes])


def _take_grown(estimator: Any, found: FromParts) -> None:
    """Make the estimator the model of a tree that was grown from parts."""
    _forget(estimator)
    names, classes = found.description.names, found.description.classes
    estimator.feature_names_in_ = np.asarray(names, dtype=object)
    estimator.tree_, estimator.n_features_in_, estimator.n_outputs_ = found.tree, len(names), 1
    estimator.max_features_, estimator.ccp_alpha_ = len(names), float(estimator.ccp_alpha)
    set_classes(estimator, () if classes is None else (classes,))
    if found.strength is not None:
        estimator.smoothing_strength_ = found.strength
    estimator.notes_ = found.notes


def _forget(estimator: Any) -> None:
    for name in OF_LAST_FIT:
        vars(estimator).pop(name, None)
