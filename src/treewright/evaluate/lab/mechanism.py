"""A known source of data: y = f(x) + noise, or the class f(x) with some labels flipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...data.checked_target import check_size
from ...data.common.array_types import Array, Floats
from ...data.common.errors import ParameterError
from ...data.common.functions import called
from .mechanism_checks import (
    Generator,
    check_count,
    checked_labels,
    checked_noise,
    fixed_rows,
    generator_of,
    is_width,
    numbers_by_row,
    of_columns,
    rows_of,
    shares_by_row,
    table_of,
)


class Sample(NamedTuple):
    """Rows that were drawn, and their target."""

    X: Floats
    y: Array


class Truth(NamedTuple):
    """What is true at some rows."""

    mean: Floats  # of y, or the probability of each class: (rows, classes)
    spread: Floats  # the standard deviation of y; of classes the probability of a flipped label
    classes: Array | None

    @property
    def noise(self) -> Floats:
        """The variance of y, or of classes half the Gini impurity: (1 − Σ p²) / 2."""
        if self.classes is None:
            return np.asarray(self.spread**2)
        return np.asarray((1 - (self.mean * self.mean).sum(axis=1)) / 2)


class Mechanism:
    """A known source of data, from which samples can be drawn as often as needed.

    Numbers: y = f(x) + ε, where ε is normal with mean 0 and the standard deviation `noise`.

    Classes: f(x) is the class, or the probability of the second class, or one probability per class. With the
    probability `noise` the label is then flipped: replaced by one of the other classes, all equally likely.

    Parameters
    ----------
    f : function of the columns
        It gets one array per column and returns one entry per row. Numbers make a mechanism of numbers,
        booleans one of the classes False and True. With `classes` it returns labels, or floats: the
        probability of the second of two classes, or an array of shape (rows, classes) of probabilities.
    noise : float or function of the columns, default=0
        The standard deviation of the noise, or for classes the probability of a flipped label.
    x : rows, or a function of a generator and a number of rows
        Fixed rows of shape (rows,) or (rows, columns), the same in every sample. Or a function
        ``x(rng, n)`` that draws n rows by a `numpy.random.Generator`. An int is a number of columns, each
        uniform on [0, 1).
    classes : list of text, of whole numbers, or of booleans, optional
        The labels, where f does not return booleans.

    Examples
    --------
    >>> from treewright.lab import Mechanism
    >>> wave = Mechanism(lambda x: x**2, noise=0.1, x=lambda rng, n: rng.uniform(-1, 1, n))
    >>> X, y = wave.sample(50, random_state=0)
    >>> X.shape, y.shape
    ((50, 1), (50,))
    """

    def __init__(
        self, f: Callable[..., Any], noise: Any = 0.0, x: Any = 1, *, classes: Sequence[Any] | None = None
    ) -> None:
        if not callable(f):
            raise ParameterError(f"f must be a function of the columns. Got {f!r:.80}.", "f")
        self.f, self.noise = f, checked_noise(noise)
        self.x: Any = x if callable(x) or is_width(x) else fixed_rows(x)
        self.given_classes = None if classes is None else checked_labels(classes)
        self.name = ""

    @staticmethod
    def named(name: str, noise: Any = None) -> Mechanism:
        """A mechanism by its name, with columns that are uniform on [0, 1).

        Parameters
        ----------
        name : str
            "sine": numbers, y = sin 2πx, with noise of standard deviation 0.3. The others have two classes,
            False and True: "x + y <= 1", without noise; "line y = 0.8x + 0.1", True above the line; "circle
            and boxes", True in a circle and in two boxes; "xor", True if exactly one of the columns is above
            0.5. Of the last three, 10 % of the labels are flipped.
        noise : float, optional
            Another amount of noise.

        Returns
        -------
        Mechanism
        """
        from .named import named

        return named(name, noise)

    def __repr__(self) -> str:
        name = self.name or getattr(self.f, "__name__", "f")
        return f"<Mechanism {name!r}>"

    @property
    def fixed(self) -> Floats | None:
        """The fixed rows, if there are any."""
        return self.x if isinstance(self.x, np.ndarray) else None

    @property
    def width(self) -> int | None:
        """The number of columns, where it is known before rows are drawn."""
        return None if callable(self.x) else int(self.x) if self.fixed is None else self.fixed.shape[1]

    def rows(self, n: int | None, rng: Generator) -> Floats:
        """Draw n rows; fixed rows are always the same."""
        if self.fixed is not None:
            if n is not None and n != len(self.fixed):
                must = f"n must be {len(self.fixed)}, the number of fixed rows of x, or None."
                raise ParameterError(f"{must} Got {n!r}.", "n")
            return self.fixed
        count = check_count("n", n, 1)
        if is_width(self.x):
            return rng.random((int(self.x), count)).T  # each column in one piece of memory
        found = table_of(called("x", self.x, "a generator and a number of rows", rng, count), "x")
        if len(found) != count:
            raise ParameterError(f"x must return {count} rows if n is {count}. Got {len(found)}.", "x")
        return found

    def tables(self, count: int, n: int, rng: Generator) -> Floats:
        """Draw the rows of `count` samples of n rows, one sample after another."""
        if self.fixed is not None:
            return np.tile(self.fixed, (count, 1))
        if is_width(self.x):
            return self.rows(count * n, rng)
        return np.concatenate([self.rows(n, rng) for _ in range(count)])  # x may sort them

    def sample(self, n: int | None = None, random_state: Any = None) -> Sample:
        """Draw a sample.

        Parameters
        ----------
        n : int, optional
            The number of rows. Not needed if x is fixed.
        random_state : int, numpy Generator or RandomState, optional

        Returns
        -------
        Sample
            A pair (X, y): an array of shape (n, columns), and the target.
        """
        rng = generator_of(random_state)
        X = self.rows(n, rng)
        return Sample(X, self.target(X, rng))

    def target(self, X: Floats, rng: Generator) -> Array:
        """Draw the target of rows that were drawn."""
        truth = self._truth_of(X.T)
        if truth.classes is None:
            return np.asarray(truth.mean + truth.spread * rng.standard_normal(len(X)))
        drawn, codes = rng.random(len(X)), np.zeros(len(X), dtype=np.intp)
        for end in np.cumsum(truth.mean.T[:-1], axis=0):  # the classes divide [0, 1) by their probabilities
            codes += drawn >= end
        return np.asarray(truth.classes[codes])

    def truth(self, X: Any) -> Truth:
        """What is true at these rows: the mean of y or the class probabilities, and the noise."""
        return self._truth_of(self.table(X, "X").T)

    def table(self, rows: Any, name: str) -> Floats:
        """Rows with the columns of the mechanism."""
        found = table_of(rows, name)
        if self.width not in {None, found.shape[1]}:
            must = f"{name} must have the columns of the mechanism: {self.width}."
            raise ParameterError(f"{must} Got {found.shape[1]}.", name)
        return found

    def _truth_of(self, columns: Floats) -> Truth:
        made, n_rows = rows_of(of_columns("f", self.f, columns)), columns.shape[1]
        classes = self.given_classes
        if classes is None and made.dtype.kind == "b":
            classes = np.array([False, True])
        if classes is None:
            return Truth(numbers_by_row(made, n_rows), check_size(self._noise(columns), "noise"), None)
        shares, flips = shares_by_row(made, n_rows, classes), self._noise(columns)
        if flips.max() > 1:
            must = "noise of classes must be a probability from 0 to 1."
            raise ParameterError(f"{must} Got {flips.max():g}.", "noise")
        if flips.any():
            other = flips / (len(classes) - 1)
            shares = (other + (1 - flips - other) * shares.T).T
        return Truth(shares, flips, classes)

    def _noise(self, columns: Floats) -> Floats:
        if not callable(self.noise):
            return np.broadcast_to(float(self.noise), columns.shape[1])
        given = of_columns("noise", self.noise, columns)
        try:
            found = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            found = np.asarray(np.nan)
        found = np.full(columns.shape[1], float(found)) if found.ndim == 0 else found.reshape(-1)
        if found.shape != (columns.shape[1],) or not (found >= 0).all() or not np.isfinite(found).all():
            must = f"noise must return {columns.shape[1]} finite numbers of at least 0, one per row."
            raise ParameterError(f"{must} Got {given!r:.80}.", "noise")
        return found
