"""Out-of-fold predictions: each row is predicted by a model of the same settings fitted without it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.classes import codes_of
from ..learn.params import CLASSIFICATION
from .procedure import Data, run, unfitted, warn_once

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def out_of_fold_predictions(model: Any, data: Data, cv: Any, **params: Any) -> list[tuple[Ints, Floats]]:
    """Per fold its test rows, and what a model of the other rows predicts: (rows, classes or 1).

    `params` are parameters in which these models differ from the given one.
    """
    classes = model.task == CLASSIFICATION
    undecided = {"decision": None} if classes else {}  # only probabilities are needed
    same = with_chosen_params(model).set_params(**undecided | params)
    if hasattr(model, "changed_"):
        raise ValueError(
            "cv needs a model as it was fitted, so that the same can be fitted on folds. Got one that was "
            f"then {model.changed_}. Give held-out rows, or prune while fitting, with pruning=..."
        )
    found = []
    with warn_once():
        for fold in data.folds(cv, classes):
            fitted, X = run(same, data.rows(fold.train)), data.rows(fold.test).X
            if not classes:
                found.append((fold.test, fitted.predict(X)[:, None]))
                continue
            predicted = np.zeros((len(fold.test), len(model.classes_)))
            known = codes_of(np.asarray(fitted.classes_), np.asarray(model.classes_))  # not all
            predicted[:, known] = fitted.predict_proba(X)
            found.append((fold.test, predicted))
    return found


def mean_out_of_fold(model: Any, data: Data, cv: Any) -> Floats:
    """For every row the mean of its out-of-fold predictions, not smoothed; NaN where no fold tests it."""
    total = np.zeros((data.n_rows, len(model.classes_) if model.task == CLASSIFICATION else 1))
    times = np.zeros(data.n_rows)
    for rows, predicted in out_of_fold_predictions(model, data, cv, smoothing=None, smoothing_strength=None):
        total[rows] += predicted
        times[rows] += 1
    nothing = np.full_like(total, np.nan)
    return np.divide(total, times[:, None], out=nothing, where=times[:, None] > 0)


def with_chosen_params(model: Any) -> Any:
    """The same estimator with what it chose by cross-validation as given, so that folds need not choose.

    It gets the order of its classes too, since rows may come without a declared one. Trees with linear leaves
    choose their size again: no number names it.
    """
    params = model.get_params(deep=False)
    chosen = {name: getattr(model, f"{name}_", None) for name in ("ccp_alpha", "smoothing_strength")}
    known = {name: value for name, value in chosen.items() if name in params and value is not None}
    if params.get("leaf_model", "constant") != "constant":
        known.pop("ccp_alpha", None)
    if params.get("class_order", "sorted") != "sorted" and model.n_outputs_ == 1:
        known["class_order"] = np.asarray(model.classes_).tolist()
    return unfitted(model).set_params(**known)
