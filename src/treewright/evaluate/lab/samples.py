"""Where the training samples of an experiment come from: a mechanism, or bootstrap samples of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Mask
from ...data.common.errors import ParameterError
from ...data.target import are_classes
from ...learn.folds import take
from .mechanism import Mechanism, Truth
from .mechanism_checks import Generator, check_count
from .named import as_mechanism

USUAL_ROWS, USUAL_POINTS = 100, 1_000  # of a sample, and where predictions are compared
ROWS_AT_ONCE = 10_000  # of the samples of a batch: their values stay in the cache
SHARE_OF_BATCH = 4  # of the samples left: the last batches are small, so that threads end together


class Batch(NamedTuple):
    """Some samples. X is one table for all where rows are fixed, else it has those of each sample in turn."""

    X: Any  # of a data frame: one per sample
    y: Array  # (samples, rows)
    out_of_bag: Mask | None = None  # of a table: (samples, rows)

    def table(self, k: int) -> Any:
        """The rows of a sample."""
        n = self.y.shape[1]
        if isinstance(self.X, list):
            return self.X[k]
        return self.X if len(self.X) == n else self.X[k * n : (k + 1) * n]


@dataclass(frozen=True)
class FromMechanism:
    """Fresh samples of a mechanism."""

    mechanism: Mechanism
    n: int
    at: Array
    truth: Truth

    @property
    def classes(self) -> Array | None:
        """The labels, of a mechanism of classes."""
        return self.truth.classes

    def batches(self, repeats: int, rng: Generator) -> Iterator[Batch]:
        """Samples, a few at a time."""
        fixed = self.mechanism.fixed
        for count in _counts(repeats, self.n):
            X = self.mechanism.tables(count, self.n, rng)
            y = self.mechanism.target(X, rng).reshape(count, self.n)
            yield Batch(X if fixed is None else fixed, y)


@dataclass(frozen=True)
class FromTable:
    """Bootstrap samples of a table: n of its rows with replacement. The others are out of bag."""

    X: Any
    y: Array
    n: int
    classes: Array | None

    @property
    def at(self) -> Any:
        """All rows: each is predicted by the models that did not see it."""
        return self.X

    def batches(self, repeats: int, rng: Generator) -> Iterator[Batch]:
        """Samples, a few at a time."""
        for count in _counts(repeats, max(self.n, len(self.y))):
            drawn = np.sort(rng.integers(len(self.y), size=(count, self.n)), axis=1)
            out_of_bag = np.ones((count, len(self.y)), dtype=bool)
            out_of_bag[np.arange(count)[:, None], drawn] = False
            plain = isinstance(self.X, np.ndarray)
            X = self.X[drawn.ravel()] if plain else [take(self.X, rows) for rows in drawn]
            yield Batch(X, self.y[drawn], out_of_bag)


def _counts(repeats: int, n_rows: int) -> list[int]:
    """The number of samples in each batch."""
    counts: list[int] = []
    while repeats > 0:
        counts.append(min(max(1, ROWS_AT_ONCE // n_rows), -(-repeats // SHARE_OF_BATCH)))
        repeats -= counts[-1]
    return counts


def source_of(
    given: Any, n: Any, at: Any, rng: Generator, classifier: bool | None = None
) -> FromMechanism | FromTable:
    """A mechanism or its name, or a table and its target as a pair (X, y).

    `classifier` says whether the target of a table holds classes; None: as it looks.
    """
    if isinstance(given, tuple | list) and len(given) == 2:
        return _from_table(given[0], given[1], n, at, classifier)
    mechanism = as_mechanism(given)
    if mechanism.fixed is not None:
        count = len(mechanism.rows(n, rng))  # n must be their number
    else:
        count = USUAL_ROWS if n is None else check_count("n", n, 2)
    points = _points(mechanism, at, rng)
    rows = points if at is None else mechanism.fixed
    if rows is not None and len(np.unique(rows, axis=0)) < 2:
        must = "x of the mechanism must have at least two different rows."
        raise ParameterError(f"{must} Got {len(rows):,} equal ones.", "x")
    return FromMechanism(mechanism, count, points, mechanism.truth(points))


def _points(mechanism: Mechanism, at: Any, rng: Generator) -> Array:
    if at is None and mechanism.fixed is not None:
        return mechanism.fixed
    if isinstance(at, str):
        raise ParameterError(f"at must be None, a number of rows, or rows. Got {at!r:.80}.", "at")
    if at is None or np.ndim(at) == 0:
        count = USUAL_POINTS if at is None else check_count("at", at, 1)
        if mechanism.fixed is not None:
            raise ParameterError(f"at must be None or rows, since x is fixed. Got {at!r:.80}.", "at")
        return mechanism.rows(count, rng)
    return mechanism.table(at, "at")


def _from_table(X: Any, y: Any, n: Any, at: Any, classifier: bool | None) -> FromTable:
    if at is not None:
        must = "at must be None for a table: its rows are predicted by the models that did not see them."
        raise ParameterError(f"{must} Got {at!r:.80}.", "at")
    X = X if hasattr(X, "shape") else np.asarray(X)
    target, n_rows = np.asarray(y), X.shape[0] if X.shape else 0
    if target.shape != (n_rows,) or n_rows < 2:
        must = "A table must be a pair (X, y) of at least two rows, with one entry of y per row."
        raise ParameterError(f"{must} Got {n_rows} rows and y of shape {target.shape}.", "mechanism")
    looks = are_classes(target)
    if classifier is False and target.dtype.kind not in "biuf":
        must = "y must hold numbers for an estimator that predicts numbers."
        raise ParameterError(f"{must} Got {target.dtype}.", "mechanism")
    classes = np.unique(target) if classifier or (classifier is None and looks) else None
    return FromTable(X, target, n_rows if n is None else check_count("n", n, 2), classes)
