"""Where the training samples of an experiment come from: a mechanism, or bootstrap samples of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...data.checked_target import finite_numbers, known_target
from ...data.common.allowed import is_whole
from ...data.common.array_types import Array, Mask
from ...data.common.errors import ParameterError, shown
from ...data.common.labels import is_text
from ...data.common.plural import counted
from ...data.target import are_classes, encoded
from ...learn.folds import take
from .mechanism import Mechanism, Truth
from .mechanism_checks import Generator, check_count, generator_of, is_width
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
            if X.shape[1] != self.at.shape[1]:
                must = "x of the mechanism must have as many columns for any number of rows."
                raise ParameterError(f"{must} Got {self.at.shape[1]} and {X.shape[1]}.", "x")
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
    if not is_width(mechanism.x):
        _check_differ(
            mechanism.rows(USUAL_POINTS, generator_of(0)) if mechanism.fixed is None else mechanism.fixed
        )
    return FromMechanism(mechanism, count, points, mechanism.truth(points))


def _check_differ(rows: Array) -> None:
    if (rows == rows[0]).all():
        must = "x of the mechanism must have at least two different rows."
        raise ParameterError(f"{must} Got {counted(len(rows), 'equal row')}.", "x")


def _points(mechanism: Mechanism, at: Any, rng: Generator) -> Array:
    if at is None and mechanism.fixed is not None:
        return mechanism.fixed
    if at is None or np.ndim(at) == 0:
        if at is not None and not is_whole(at):
            raise ParameterError(f"at must be None, a number of rows, or rows. Got {at!r:.80}.", "at")
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
    shape, n_rows = np.shape(y), X.shape[0] if X.shape else 0
    if shape not in {(n_rows,), (n_rows, 1)} or n_rows < 2:
        must = "A table must be a pair (X, y) of at least two rows, with one entry of y per row."
        raise ParameterError(f"{must} Got {counted(n_rows, 'row')} and y of shape {shape}.", "mechanism")
    target, classes = _target(known_target(y, n_rows), classifier)
    return FromTable(X, target, n_rows if n is None else check_count("n", n, 2), classes)


def _target(y: Array, classifier: bool | None) -> tuple[Array, Array | None]:
    """Numbers, or labels and their classes."""
    if classifier is False and is_text(y):
        must = "y must hold numbers for an estimator that predicts numbers."
        raise ParameterError(f"{must} Got {shown(y[0])}.", "mechanism")
    if classifier is False or (classifier is None and not are_classes(y)):
        return finite_numbers(y), None
    if y.dtype.kind == "f" and (broken := y[y != np.floor(y)]).size:
        must = "y must hold classes for an estimator that predicts classes."
        raise ParameterError(f"{must} Got {broken[0]:.4g}, which is no whole number.", "mechanism")
    return y, encoded(y)[0]
