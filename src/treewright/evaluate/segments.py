"""The rows that evaluate a fitted classifier, gathered by what it predicts for them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..learn.cross_validation.segments import Segments, by_rows, joined
from ..learn.fitted_tree import as_estimator, as_model
from ..learn.params import CLASSIFICATION
from ..learn.pruning.rows import rows_for
from .other_classifier import is_other_classifier, of_other_classifier
from .out_of_fold import out_of_fold_predictions
from .procedure import Data

__all__ = ["Segments", "place_of", "segments_of"]


def segments_of(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
) -> Segments:
    """The rows that evaluate a model, by what it predicts.

    Without X and y they are the held-out rows of the folds by which the model chose its pruning or smoothing;
    if it chose nothing, the training rows, which makes it look too good: there is a warning. X and y are
    held-out rows; or, with `cv`, the training rows, and the tree is grown anew without each fold of them,
    pruned by the same alpha or method and smoothed as much. Classifiers of other libraries need X and y.
    """
    if is_other_classifier(model):
        return of_other_classifier(model, Data(X, y, groups, sample_weight, time), cv)
    model = as_estimator(model)
    _check(model, X, y, cv)
    classes = np.asarray(model.classes_)
    if X is None:
        found = getattr(model, "out_of_fold_", None)
        return found if found is not None else _training(model, classes)
    X = as_model(model).select(X)  # by name where both have names
    rows = rows_for(model.tree_, X, y, sample_weight)
    codes = rows.y[:, 0]
    if cv is None:
        return joined([by_rows(model.tree_, rows.columns, codes, rows.weight)], "held out", classes)
    parts = []
    data = Data(X, np.asarray(y).reshape(-1), groups, sample_weight, time)
    for held, score in out_of_fold_predictions(model, data, cv):
        weight = np.eye(len(classes))[codes[held]] * rows.weight[held][:, None]
        parts.append((score, weight, weight * rows.weight[held][:, None]))
    return joined(parts, "out of fold", classes)


def _check(model: Any, X: Any, y: Any, cv: Any) -> None:
    is_classifier = model.task == CLASSIFICATION
    if not is_classifier or model.n_outputs_ > 1:
        got = f"{model.n_outputs_} outputs" if is_classifier else "a regressor"
        raise ValueError(f"model must be a classifier of one output. Got {got}.")
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together. Got one of them.")
    if cv is not None and X is None:
        raise ValueError("cv needs the rows to divide. Got no X. Give X and y.")


def _training(model: Any, classes: Any) -> Segments:
    if model.tree_.leaf_models is not None:
        raise ValueError(
            "X and y must be given: the leaves of this tree predict by row, and it keeps no rows. Got none. "
            "Give X and y of other rows, or those of the fit and cv=5."
        )
    warnings.warn(
        "Only the training rows are known, and they make the tree look too good. Give X and y of other rows, "
        "or those of the fit and cv=5.",
        UserWarning,
        stacklevel=4,
    )
    tree = model.tree_
    leaf = tree.is_leaf
    weight = (tree.value * tree.weighted_n_node_samples[:, None, None])[leaf, 0]
    return joined([(tree.prediction[leaf, 0], weight, weight)], "training", classes)


def place_of(classes: Any, label: Any) -> int:
    """Which class a label is; None is the second of two."""
    names = classes.tolist()
    if len(names) < 2:
        raise ValueError(f"A ranking needs at least two classes. Got a model that knows only {names[0]!r}.")
    if label is None:
        return 1
    if label not in names:
        raise ValueError(f"positive must be one of the classes {names}. Got {label!r}.")
    return int(names.index(label))
