"""Bias², variance and noise of an estimator, measured over many training samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats
from ...data.common.errors import ParameterError
from ...data.common.result import Result
from ..procedure import check_procedure, task_of, warn_once
from .decomposition import Points, squared_parts, zero_one_parts
from .mechanism_checks import check_count, generator_of
from .repeats import all_predictions, codes_of
from .samples import FromMechanism, FromTable, source_of

ONE = "Bias² includes the noise: they cannot be separated, since the true mechanism of a table is unknown."
BIAS_WORDS = {True: "bias²", False: "bias² + noise"}  # by whether the noise is known


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(Result):
    """The expected error of an estimator, in parts that sum to it."""

    loss: str  # "squared error" or "zero-one loss"
    points: Points  # the parts at every point
    predictions: Array  # (repeats, points): of every model at every point
    n: int  # the rows of a sample
    estimator: Any
    mechanism: Any  # None: of a table

    @property
    def bias2(self) -> float:
        """Squared bias: how far the mean prediction is from the truth. Of a table it includes the noise."""
        return float(self.points.bias2.mean())

    @property
    def variance(self) -> float:
        """How far the models of single samples are from their mean."""
        return float(self.points.variance.mean())

    @property
    def noise(self) -> float | None:
        """What no model can predict; None of a table, where it is unknown."""
        return None if self.points.noise is None else float(self.points.noise.mean())

    @property
    def total(self) -> float:
        """The expected error."""
        return float(self.points.total.mean())

    @property
    def epistemic(self) -> float:
        """The reducible part, bias² + variance. Of a table it includes the noise."""
        return self.bias2 + self.variance

    @property
    def aleatoric(self) -> float | None:
        """The irreducible part: the noise."""
        return self.noise

    @property
    def repeats(self) -> int:
        """The number of samples, each with its own model."""
        return len(self.predictions)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per part."""
        first = BIAS_WORDS[self.mechanism is not None]
        parts = {first: self.bias2, "variance": self.variance, "noise": self.noise, "total": self.total}
        return [
            {"part": name, "value": value, "share": value / self.total if self.total else 0.0}
            for name, value in parts.items()
            if value is not None
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw the parts; over one column also the fits, their mean and the truth. Returns the axes."""
        from .bias_variance_plot import plot_one

        return plot_one(self, ax)

    def _columns(self) -> list[tuple[str, str]]:
        return [("part", ""), ("value", ".4g"), ("share", ".0%")]

    def _headline(self) -> str:
        where = "rows out of bag" if self.mechanism is None else "points"
        places = f"{len(self.points.total):,} {where}"
        return f"Expected {self.loss} of {type(self.estimator).__name__}: {samples_of(self)}, {places}"

    def _notes(self) -> list[str]:
        return [ONE] if self.mechanism is None else []


def samples_of(found: BiasVariance) -> str:
    """The samples in words."""
    kind = "bootstrap samples" if found.mechanism is None else "samples"
    return f"{found.repeats:,} {kind} of {found.n:,} rows"


def bias_variance(
    estimator: Any,
    mechanism: Any,
    *,
    n: int | None = None,
    repeats: int = 200,
    at: Any = None,
    random_state: Any = None,
) -> BiasVariance:
    """Measure bias², variance and noise of an estimator by fitting it on many samples.

    Numbers: the expected squared error is bias² + variance + noise. Classes: the expected error rate is
    bias² + variance + noise too, by the decomposition of Kohavi and Wolpert (1996):
    bias² = ½ Σ (p − q)², variance = ½ (1 − Σ q²), noise = ½ (1 − Σ p²), where p are the true probabilities of
    the classes at a point and q the shares of the models that predict them.

    Parameters
    ----------
    estimator : any estimator of scikit-learn's kind, or a function of X and y that returns a fitted one
        It is fitted on every sample. Plain trees of treewright are grown side by side. Where `random_state`
        of the estimator is None, it gets other seeds for every sample.
    mechanism : Mechanism, the name of one, or a table
        Fresh samples are drawn from a mechanism. A table is a pair ``(X, y)``: its samples are bootstrap
        samples, and every row is predicted by the models that did not see it (out of bag). Its noise is
        unknown then: `noise` is None, and `bias2` includes it. `predictions` are those of every model for
        every row, also for the rows that it did see.
    n : int, optional
        The rows of a sample. None: 100; the number of fixed rows, or of the rows of the table.
    repeats : int, default=200
        The number of samples, at least 2. Bias² and variance are estimated from them without bias; a bias² of
        nearly 0 may therefore come out slightly below 0.
    at : rows or int, optional
        Where predictions are compared with the truth: rows, or a number of rows to draw. None: the fixed rows
        of the mechanism, or 1,000 rows that it draws.
    random_state : int, numpy Generator or RandomState, optional

    Returns
    -------
    BiasVariance
        `bias2`, `variance`, `noise` and `total`, averaged over all points; `points` has them at each point.
        `plot()` draws them.

    Examples
    --------
    >>> from treewright import DecisionTreeRegressor
    >>> from treewright.lab import bias_variance
    >>> found = bias_variance(DecisionTreeRegressor(max_depth=2), "sine", n=50, random_state=0)
    >>> round(found.noise, 2), found.bias2 > 0.01
    (0.09, True)
    """
    (found,) = measured([estimator], mechanism, n=n, repeats=repeats, at=at, random_state=random_state)
    return found


def measured(
    estimators: list[Any], mechanism: Any, *, n: Any, repeats: Any, at: Any, random_state: Any
) -> list[BiasVariance]:
    """The same for several estimators, on the same samples."""
    check_count("repeats", repeats, 2)
    rng = generator_of(random_state)
    for estimator in estimators:
        check_procedure(estimator)
    source = source_of(mechanism, n, at, rng, _is_classifier(estimators[0]))
    for estimator in estimators:
        _check(estimator, source)
    with warn_once():
        found, used = all_predictions(estimators, source, repeats, rng)
    if isinstance(source, FromTable):
        return [_of_table(source, one, each, used) for one, each in zip(estimators, found, strict=True)]
    return [_of_mechanism(source, one, each) for one, each in zip(estimators, found, strict=True)]


def _of_mechanism(source: FromMechanism, estimator: Any, h: Array) -> BiasVariance:
    truth, classes = source.truth, source.classes
    if classes is None:
        points, loss = squared_parts(source.at, h, truth.mean, truth.noise), "squared error"
    else:
        points = zero_one_parts(source.at, h, truth.mean, truth.noise, classes)
        h, loss = classes[h], "zero-one loss"
    return BiasVariance(loss, points, h, source.n, estimator, source.mechanism)


def _of_table(source: FromTable, estimator: Any, h: Array, used: Any) -> BiasVariance:
    seen = used.sum(axis=0) >= 2
    if not seen.any():
        must = "Some row must be out of bag at least twice."
        raise ParameterError(f"{must} Got none in {len(used)} repeats. Raise repeats.", "repeats")
    rows, y = np.flatnonzero(seen), source.y[seen]
    h, used, classes = h[:, seen], used[:, seen], source.classes
    if classes is None:
        points = squared_parts(rows, h, y.astype(np.float64), None, used)
        return BiasVariance("squared error", points, h, source.n, estimator, None)
    shares: Floats = np.eye(len(classes))[codes_of(y, classes)]
    points = zero_one_parts(rows, h, shares, None, classes, used)
    return BiasVariance("zero-one loss", points, classes[h], source.n, estimator, None)


def _is_classifier(estimator: Any) -> bool | None:
    """Whether an estimator predicts classes; None where nothing says it, as of a function."""
    task = task_of(estimator)
    return None if task is None else task == "classifier"


def _check(estimator: Any, source: FromMechanism | FromTable) -> None:
    predicts = _is_classifier(estimator)
    if predicts not in {None, source.classes is not None}:
        one, other = ("classes", "numbers") if predicts else ("numbers", "classes")
        must = f"estimator must predict {other}, as the mechanism or table has them."
        raise ParameterError(f"{must} Got {type(estimator).__name__}, which predicts {one}.", "estimator")
