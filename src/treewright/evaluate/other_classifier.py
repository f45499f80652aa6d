"""The rows that evaluate a classifier of another library, gathered by what it predicts for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..data.classes import codes_of
from ..data.target import check_weights
from ..learn.cross_validation.segments import Segments, joined
from .procedure import Data, warn_once


def is_other_classifier(model: Any) -> bool:
    """Whether this is a fitted classifier that is not a tree of treewright and predicts probabilities."""
    ours = isinstance(model, type) or hasattr(type(model), "fitted_tree")  # as for as_model
    if ours or not hasattr(model, "fit"):
        return False
    from sklearn.base import is_classifier

    return is_classifier(model) and hasattr(model, "classes_") and hasattr(model, "predict_proba")


def of_other_classifier(model: Any, data: Data, cv: Any) -> Segments:
    """The held-out rows, or with `cv` the training rows, each predicted by a model fitted without it."""
    if data.X is None or data.y is None:
        raise ValueError(
            f"X and y must be given for a {type(model).__name__}, which holds no rows. Got none, or one."
        )
    classes, labels = np.asarray(model.classes_), np.asarray(data.y).reshape(-1)
    n_rows = data.X.shape[0] if hasattr(data.X, "shape") else len(data.X)
    if len(labels) != n_rows:
        raise ValueError(f"y must have one entry per row of X. Got {len(labels)} entries for {n_rows} rows.")
    codes = codes_of(labels, classes)
    given = check_weights(data.sample_weight, len(labels))
    weight = np.ones(len(labels)) if given is None else given
    data = replace(data, y=labels)
    parts = []
    for rows, score in (
        [(slice(None), model.predict_proba(data.X))] if cv is None else _folds(model, data, cv)
    ):
        heavy = np.eye(len(classes))[codes[rows]] * weight[rows][:, None]
        parts.append((np.asarray(score, dtype=np.float64), heavy, heavy * weight[rows][:, None]))
    return joined(parts, "held out" if cv is None else "out of fold", classes)


def _folds(model: Any, data: Data, cv: Any) -> Any:
    from .model_comparison.candidates import fitted_candidate

    classes = np.asarray(model.classes_)
    with warn_once():
        for fold in data.folds(cv, True):
            fitted = fitted_candidate(model, data.rows(fold.train), True)
            score = np.zeros((len(fold.test), len(classes)))
            score[:, codes_of(np.asarray(fitted.classes_), classes)] = fitted.predict_proba(
                data.rows(fold.test).X
            )
            yield fold.test, score
