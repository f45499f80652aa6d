"""What models of the same settings answer for rows that they have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from ..data.classes import codes_of
from ..learn.folds import folds_of
from .procedure import Data, run

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def unseen(model: Any, data: Data, cv: Any, **params: Any) -> Iterator[tuple[Ints, Floats]]:
    """Per fold its held-out rows, and what a model grown without them answers: (rows, classes or 1).

    `params` are parameters that it has otherwise than the model.
    """
    classes = is_classifier(model)
    undecided = {"decision": None} if classes else {}  # only probabilities are needed
    same = settled(model).set_params(**undecided | params)
    if hasattr(model, "changed_"):
        raise ValueError(
            "cv needs a model as it was fitted, so that folds can be grown alike. Got one that was then "
            f"{model.changed_}. Give rows that it has not seen, or prune while fitting, with pruning=..."
        )
    for fold in folds_of(cv, data.X, data.y, data.groups, classes):
        grown, rows = run(same, data.rows(fold.train)), data.rows(fold.test)
        if not classes:
            yield fold.test, grown.predict(rows.X)[:, None]
            continue
        answers = np.zeros((len(fold.test), len(model.classes_)))
        there = codes_of(np.asarray(grown.classes_), np.asarray(model.classes_))  # a part may lack a class
        answers[:, there] = grown.predict_proba(rows.X)
        yield fold.test, answers


def mean_unseen(model: Any, data: Data, cv: Any) -> Floats:
    """For every row the mean of what trees counted that had not seen it; NaN where no fold holds it out."""
    total = np.zeros((data.n_rows, len(model.classes_) if is_classifier(model) else 1))
    times = np.zeros(data.n_rows)
    for rows, answers in unseen(model, data, cv, smoothing=None, smoothing_strength=None):
        total[rows] += answers
        times[rows] += 1
    nothing = np.full_like(total, np.nan)
    return np.divide(total, times[:, None], out=nothing, where=times[:, None] > 0)


def settled(model: Any) -> Any:
    """The same estimator with what it chose by cross-validation as given, so that folds need not choose.

    It is told the order of its classes too, since rows may come without a declared one.
    """
    params = model.get_params(deep=False)
    chosen = {name: getattr(model, f"{name}_", None) for name in ("ccp_alpha", "smoothing_strength")}
    known = {name: value for name, value in chosen.items() if name in params and value is not None}
    if params.get("class_order", "sorted") != "sorted" and model.n_outputs_ == 1:
        known["class_order"] = np.asarray(model.classes_).tolist()
    return clone(model).set_params(**known)
