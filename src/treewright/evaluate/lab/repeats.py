"""One estimator fitted on many samples, and what each fit predicts at the same rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import _core
from ...data.checked_target import check_size
from ...data.columns import from_matrix
from ...data.common.array_types import Array
from ...data.common.errors import ParameterError, shown
from ...data.common.threads import map_in_threads, threads
from ...data.table import is_plain
from ...learn.base import BaseDecisionTree
from ...learn.grow import settings
from ...learn.problem import UNPRUNED, read_problem
from ..procedure import Data, run, unfitted
from .mechanism_checks import Generator, generator_of
from .samples import Batch, FromMechanism, FromTable

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


def all_predictions(
    estimators: list[Any], source: FromMechanism | FromTable, repeats: int, rng: Generator
) -> tuple[list[Array], Array | None]:
    """What each estimator, fitted on every sample, predicts at the source's rows: (samples, rows) each.

    Those are numbers, or places in the classes. Of a table also the rows that are out of bag. Every
    prediction is, bit for bit, that of ``clone(estimator).fit(X, y).predict(at)``. Estimators whose
    `random_state` is None get a seed from `rng`, so that the experiment can be repeated.
    """
    fits = [Fits(each, source.at, source.classes) for each in estimators]
    trees = [each for each in estimators if isinstance(each, BaseDecisionTree)]
    n_threads = min(threads(each.n_jobs) for each in trees) if len(trees) == len(estimators) else 1
    seeds = generator_of(int(rng.integers(2**31 - 1)))
    drawn = _numbered(source.batches(repeats, rng), seeds)
    kind = np.float64 if source.classes is None else np.int64
    every = [np.empty((repeats, source.at.shape[0]), dtype=kind) for _ in estimators]

    def fit(item: tuple[slice, Batch, int]) -> Array | None:
        samples, batch, seed = item  # each estimator gets the same seeds
        for each, found in zip(fits, every, strict=True):
            found[samples] = each.predictions(batch, seed)
        return batch.out_of_bag

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The table has levels that were not seen")  # few rows lack some
        out_of_bag = [used for used in map_in_threads(fit, drawn, n_threads) if used is not None]
    return every, np.concatenate(out_of_bag) if out_of_bag else None


def _numbered(batches: Iterator[Batch], seeds: Generator) -> Iterator[tuple[slice, Batch, int]]:
    """Each batch with the numbers of its samples and a seed."""
    begin = 0
    for batch in batches:
        end = begin + len(batch.y)
        yield slice(begin, end), batch, int(seeds.integers(2**31 - 1))
        begin = end


class Fits:
    """An estimator that is fitted on many samples, to predict at the same rows."""

    def __init__(self, estimator: Any, at: Any, classes: Array | None) -> None:
        self.estimator, self.at, self.classes = estimator, at, classes
        self.are_plain_trees = _are_plain_trees(estimator) and is_plain(at)
        self.order = None if classes is None else np.argsort(classes)  # trees sort the labels
        self.growth: _core.Growth | None = None  # once a sample has been seen

    def predictions(self, batch: Batch, seed: int) -> Array:
        """Of a fit on each sample, (samples, rows)."""
        target = self._target(batch.y) if self.are_plain_trees and is_plain(batch.X) else None
        if target is None:
            return self._one_by_one(batch, generator_of(seed))
        n_rows = batch.y.shape[1]
        if self.growth is None:
            first = read_problem(self.estimator.fresh(), batch.table(0), batch.y[0])
            self.growth = settings(first.params, first.target, first.columns.n_columns)
        table, at = from_matrix(batch.X), from_matrix(self.at)
        found = _core.predict_repeats(table, target, n_rows, self.growth, at)
        return found if self.order is None else self.order[found.astype(np.int64)]

    def _target(self, y: Array) -> _core.Target | None:
        """The target of all samples; None if one of them lacks a class, which its tree does not know."""
        if self.classes is None or self.order is None:
            return _core.Target.numbers(np.ascontiguousarray(y, dtype=np.float64).reshape(-1, 1))
        labels = np.zeros(y.shape, dtype=np.int32)
        for rank, label in enumerate(self.classes[self.order].tolist()):
            is_label = y == label
            if not is_label.any(axis=1).all():
                return None
            labels += np.int32(rank) * is_label
        return _core.Target.classes(labels.reshape(-1, 1), [len(self.classes)])

    def _one_by_one(self, batch: Batch, rng: Generator) -> Array:
        made = []
        for k, y in enumerate(batch.y):
            model = seeded(self.estimator, rng)
            if isinstance(self.estimator, BaseDecisionTree):
                model.n_jobs = 1  # samples are side by side
            made.append(self._checked(run(model, Data(batch.table(k), y)).predict(self.at)))
        return np.stack(made)

    def _checked(self, predicted: Any) -> Array:
        """What a model predicts: one finite number per row, or the place of a class."""
        given, n_rows = np.asarray(predicted), self.at.shape[0]
        found = given[:, 0] if given.ndim == 2 and given.shape[1] == 1 else given
        if found.shape != (n_rows,):
            must = f"predict of the estimator must return one entry per row: shape ({n_rows},)."
            raise ParameterError(f"{must} Got shape {given.shape}.", "estimator")
        if self.classes is not None:
            return codes_of(found, self.classes)
        if found.dtype.kind not in "biuf" or not np.isfinite(found).all():
            wrong = found[~np.isfinite(found)] if found.dtype.kind == "f" else found
            must = "predict of the estimator must return finite numbers."
            raise ParameterError(f"{must} Got {wrong[0].item()!r:.80}.", "estimator")
        return check_size(found.astype(np.float64), "The predictions")


def _are_plain_trees(estimator: Any) -> bool:
    """Whether the core can grow these trees together, as nothing changes them afterwards."""
    if not isinstance(estimator, BaseDecisionTree):
        return False
    params = estimator.get_params()
    plain = {name: params.get(name, usual) for name, usual in PLAIN.items()}
    # a row in several leaves is predicted by all of them
    one_leaf = params["missing"] != "fractional"
    return plain == PLAIN and one_leaf and params["splitter"] == "best" and params["max_features"] is None


def codes_of(labels: Array, classes: Array) -> Array:
    """The place of each predicted label in `classes`; one that is not there is rejected."""
    codes = np.full(labels.shape, -1, dtype=np.int64)
    for k, label in enumerate(classes.tolist()):
        codes[labels == label] = k
    if (codes < 0).any():
        must = f"predict of the estimator must return labels of the target, {classes.tolist()!s:.80}."
        hint = (
            " For numbers give the estimator itself, not a function." if classes.dtype.kind in "iuf" else ""
        )
        raise ParameterError(f"{must} Got {shown(labels[codes < 0][0])}.{hint}", "estimator")
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
