"""One estimator fitted on many samples, and what each fit predicts at the same rows."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ... import _core
from ...data.columns import from_matrix
from ...data.common.array_types import Array
from ...data.common.threads import threads
from ...data.table import is_plain
from ...learn.base import BaseDecisionTree
from ...learn.grow import settings
from ...learn.problem import UNPRUNED, read_problem
from ..procedure import Data, run, unfitted
from .mechanism_checks import Generator
from .samples import Batch

# What trees must have to be grown together in one call of the core: nothing that changes them afterwards.
PLAIN = UNPRUNED | {
    "leaf_model": "constant",
    "growth_rules": None,
    "class_weight": None,
    "priors": None,
    "costs": None,
    "decision": None,
    "oblique": None,
    "class_order": "sorted",
    "monotonic_cst": None,
}


def predictions(estimator: Any, batch: Batch, at: Any, classes: Array | None, rng: Generator) -> Array:
    """What a fit on each sample predicts at these rows, (samples, rows): numbers, or places in `classes`.

    Every prediction is, bit for bit, that of ``clone(estimator).fit(X, y).predict(at)``. Estimators whose
    `random_state` is None get a seed from `rng`, so that the experiment can be repeated.
    """
    found = _side_by_side(estimator, batch, at, classes)
    if found is not None:
        return found
    models = [seeded(estimator, rng) for _ in batch.y]

    def predicted(k: int) -> Array:
        model = run(models[k], Data(batch.table(k), batch.y[k]))
        made = np.asarray(model.predict(at))
        return made[:, 0] if made.ndim == 2 and made.shape[1] == 1 else made

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The table has levels that were not seen")  # few rows lack some
        if isinstance(estimator, BaseDecisionTree):  # one thread for each fit, several fits side by side
            for model in models:
                model.n_jobs = 1
            with ThreadPoolExecutor(threads(estimator.n_jobs)) as pool:
                made = list(pool.map(predicted, range(len(models))))
        else:
            made = [predicted(k) for k in range(len(models))]
    every = np.stack(made)
    return every.astype(np.float64) if classes is None else codes_of(every, classes)


def codes_of(labels: Array, classes: Array) -> Array:
    """The place of each label in `classes`; -1 for one that is not there."""
    codes = np.full(labels.shape, -1, dtype=np.int64)
    for k, label in enumerate(classes.tolist()):
        codes[labels == label] = k
    return codes


def seeded(estimator: Any, rng: Generator) -> Any:
    """A copy that is not fitted, with seeds in place of `random_state=None`."""
    if not hasattr(estimator, "get_params"):
        return estimator
    model = unfitted(estimator)
    missing = [
        name
        for name, value in sorted(model.get_params(deep=True).items())
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    return model.set_params(**{name: int(rng.integers(2**31 - 1)) for name in missing}) if missing else model


# -- plain trees on plain tables: all in one call of the core


def _side_by_side(estimator: Any, batch: Batch, at: Any, classes: Array | None) -> Array | None:
    """The predictions of plain trees on matrices; None where something is not plain."""
    if not isinstance(estimator, BaseDecisionTree) or not is_plain(at) or not is_plain(batch.X):
        return None
    params = estimator.get_params()
    plain = {name: params.get(name, usual) for name, usual in PLAIN.items()}
    if plain != PLAIN or params["splitter"] != "best" or params["max_features"] is not None:
        return None
    target, order = _target(batch.y, classes)
    if target is None:
        return None
    first = read_problem(estimator.fresh(), batch.table(0), batch.y[0])
    growth = settings(first.params, first.target, first.columns.n_columns)
    growth.n_threads = threads(estimator.n_jobs)
    found = _core.predict_repeats(from_matrix(batch.X), target, batch.y.shape[1], growth, from_matrix(at))
    return found if order is None else order[found.astype(np.int64)]


def _target(y: Array, classes: Array | None) -> tuple[_core.Target | None, Array | None]:
    """The target of all samples, and the place in `classes` of each label of a tree, which sorts them.

    There is none if a sample lacks a class: its tree does not know it.
    """
    if classes is None:
        return _core.Target.numbers(np.ascontiguousarray(y, dtype=np.float64).reshape(-1, 1)), None
    order = np.argsort(classes)
    labels = np.zeros(y.shape, dtype=np.int32)
    for rank, label in enumerate(classes[order].tolist()):
        is_label = y == label
        if not is_label.any(axis=1).all():
            return None, order
        labels += np.int32(rank) * is_label
    return _core.Target.classes(labels.reshape(-1, 1), [len(classes)]), order
