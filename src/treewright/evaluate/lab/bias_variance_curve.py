"""Bias², variance and noise over a parameter: the classical figure of under- and overfitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.result import Result
from ..procedure import unfitted
from .bias_variance import BIAS_WORDS, ONE, BiasVariance, measured, samples_of
from .decomposition import PARTS


@dataclass(frozen=True, eq=False, repr=False)
class BiasVarianceCurve(Result):
    """The parts of the expected error for every value of a parameter."""

    parameter: str
    values: list[Any]
    results: list[BiasVariance]  # one for each value

    @property
    def bias2(self) -> Floats:
        """Squared bias, for each value; of a table it includes the noise."""
        return np.array([each.bias2 for each in self.results])

    @property
    def variance(self) -> Floats:
        """Variance, for each value."""
        return np.array([each.variance for each in self.results])

    @property
    def noise(self) -> Floats | None:
        """Noise, for each value; None of a table."""
        noise = [each.noise for each in self.results if each.noise is not None]
        return np.array(noise) if noise else None

    @property
    def total(self) -> Floats:
        """The expected error, for each value."""
        return np.array([each.total for each in self.results])

    @property
    def best(self) -> Any:
        """The value with the least expected error."""
        return self.values[int(self.total.argmin())]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per value."""
        return [
            {self.parameter: value} | {name: getattr(each, name) for name in PARTS}
            for value, each in zip(self.values, self.results, strict=True)
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw bias², variance, noise and their sum over the parameter; returns the axes."""
        from .bias_variance_plot import plot_curve

        return plot_curve(self, ax)

    def _columns(self) -> Sequence[tuple[str, str]]:
        known = [name for name in PARTS if name != "noise" or self.noise is not None]
        number = all(isinstance(value, int | float | np.number) for value in self.values)
        size = float(np.abs(self.total).max())
        digits = max(0, 3 - int(np.floor(np.log10(size)))) if size > 0 else 4  # four of the largest total
        names = [BIAS_WORDS[self.noise is not None] if name == "bias2" else name for name in known]
        return [(self.parameter, "g" if number else ""), *((name, f"z.{digits}f") for name in names)]

    def _rows(self) -> list[dict[str, Any]]:
        return [row | {BIAS_WORDS[self.noise is not None]: row["bias2"]} for row in self.to_dicts()]

    def _headline(self) -> str:
        first = self.results[0]
        head = f"Expected {first.loss} of {type(first.estimator).__name__} over {self.parameter}"
        best = f"{self.parameter}=None" if self.best is None else self.best
        return f"{head}; {samples_of(first)}; least at {best}"

    def _notes(self) -> Sequence[str]:
        return () if self.noise is not None else (ONE,)


def bias_variance_curve(  # noqa: PLR0913
    estimator: Any,
    mechanism: Any,
    over: Mapping[str, Sequence[Any]],
    *,
    n: int | None = None,
    repeats: int = 100,
    at: Any = None,
    random_state: Any = None,
) -> BiasVarianceCurve:
    """Measure bias², variance and noise for every value of a parameter, on the same samples.

    Parameters
    ----------
    estimator : any estimator of scikit-learn's kind, such as a pipeline
    mechanism : Mechanism, the name of one, or a table ``(X, y)``
    over : dict of one parameter to its values
        Such as ``{"max_depth": range(1, 15)}``. Parameters inside of others have scikit-learn's names, such
        as ``polynomialfeatures__degree``.
    n, repeats, at, random_state : as for `bias_variance`

    Returns
    -------
    BiasVarianceCurve
        `values` with the arrays `bias2`, `variance`, `noise` and `total`; `best` is the value with the least
        total, `results` has a `BiasVariance` for each. `plot()` draws the classical figure.

    Examples
    --------
    >>> from treewright import DecisionTreeRegressor
    >>> from treewright.lab import bias_variance_curve
    >>> depths = {"max_depth": range(1, 8)}
    >>> curve = bias_variance_curve(DecisionTreeRegressor(), "sine", depths, repeats=50, random_state=0)
    >>> bool(curve.bias2[0] > curve.bias2[-1]), bool(curve.variance[0] < curve.variance[-1])
    (True, True)
    """
    name, values = _parameter(estimator, over)
    models = [unfitted(estimator).set_params(**{name: value}) for value in values]
    options = {"n": n, "repeats": repeats, "at": at, "random_state": random_state}
    return BiasVarianceCurve(name, values, measured(models, mechanism, **options))


def _parameter(estimator: Any, over: Any) -> tuple[str, list[Any]]:
    one = isinstance(over, Mapping) and len(over) == 1
    name, given = next(iter(over.items())) if one else ("", ())
    values = [] if isinstance(given, str) or not hasattr(given, "__iter__") else list(given)
    if not values:
        must = "over must be a dict of one parameter to its values, such as {'max_depth': range(1, 15)}."
        raise ParameterError(f"{must} Got {over!r:.80}.", "over")
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        must = "estimator must be an estimator of scikit-learn's kind, with parameters."
        raise ParameterError(f"{must} Got {estimator!r:.80}.", "estimator")
    if name not in estimator.get_params(deep=True):
        known = sorted(estimator.get_params(deep=True))
        hint = nearest(name, known) or f" They are {', '.join(known):.400}."
        must = f"over must name a parameter of {type(estimator).__name__}."
        raise ParameterError(f"{must} Got {name!r}.{hint}", "over")
    return str(name), values
