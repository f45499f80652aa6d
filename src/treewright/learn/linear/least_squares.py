"""Least squares and ridge regression with their closed forms, solved without forming XᵀX."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...data.common.allowed import real
from ...data.common.array_types import Floats
from ...data.common.errors import ParameterError
from ...data.common.numbers import figure
from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.table import frame_of, is_frame
from .number_table import number_table, target_numbers
from .solution import dependent_columns, rank_of, solved, without_rounding

INTERCEPT = "(intercept)"
SHRINKAGE = real(0.0)
MOST_TERMS = 6  # of an equation that is read at once


@dataclass(frozen=True, eq=False, repr=False)
class LeastSquares(Result):
    """A line or plane of least squares, with the quantities that it is derived from.

    Attributes
    ----------
    feature_names, target : the names of the columns and of the target
    intercept : float
    coefficients : array, one per column
    standard_errors : array, of the intercept and then of the coefficients
        NaN where the coefficient is not determined, or where no row is left to estimate the noise.
    residuals : array, one per row
        y minus the prediction.
    means : array, the mean of each column; target_mean : that of y
    centred : array, the columns minus their means
    scatter : array, centredᵀ centred
    covariance : array, scatter / (rows − 1)
    target_covariance : array, the covariance of each column with y
    rank : int
        The number of linearly independent columns, after centring.
    r2 : float
        The proportion of the variance of y that is explained on these rows; NaN if y is constant.
    """

    feature_names: tuple[str, ...]
    target: str
    shrinkage: float
    intercept: float
    coefficients: Floats
    standard_errors: Floats
    residuals: Floats
    means: Floats
    target_mean: float
    centred: Floats
    target_covariance: Floats
    rank: int
    r2: float
    degrees_of_freedom: float  # rows minus what the model has fitted

    @property
    def scatter(self) -> Floats:
        """The scatter matrix: the centred columns, transposed, times themselves."""
        found: Floats = self.centred.T @ self.centred
        return found

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of the columns: the scatter matrix over rows − 1."""
        return self.scatter / max(len(self.centred) - 1, 1)

    @cached_property
    def variances(self) -> Floats:
        """The variance of each column: the diagonal of the covariance matrix."""
        found: Floats = (self.centred**2).sum(axis=0) / max(len(self.centred) - 1, 1)
        return found

    @property
    def noise(self) -> float:
        """The estimated standard deviation of the noise in y; NaN without degrees of freedom."""
        return _noise(self.residuals, self.degrees_of_freedom)

    def predict(self, X: Any) -> Floats:
        """The predictions for rows: columns by name where both tables have names, else by their order."""
        _, numbers = number_table(_by_name(X, self.feature_names))
        if numbers.shape[1] != len(self.feature_names):
            wanted = counted(len(self.feature_names), "column")
            raise ValueError(f"X must have {wanted}. Got {numbers.shape[1]}.")
        found: Floats = self.intercept + numbers @ self.coefficients
        return found

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary for the intercept and for every column."""
        first = {
            "column": INTERCEPT, "mean": None, "variance": None, "cov(x, y)": None, "cov / var": None,
            "coefficient": self.intercept, "standard error": float(self.standard_errors[0]),
        }  # fmt: skip
        return [first, *map(self._row, range(len(self.feature_names)))]

    def _row(self, j: int) -> dict[str, Any]:
        shared, variance = float(self.target_covariance[j]), float(self.variances[j])
        return {
            "column": self.feature_names[j],
            "mean": float(self.means[j]),
            "variance": variance,
            "cov(x, y)": shared,
            "cov / var": shared / variance if variance > 0 else None,
            "coefficient": float(self.coefficients[j]),
            "standard error": float(self.standard_errors[1 + j]),
        }

    def _columns(self) -> Sequence[tuple[str, str]]:
        return [("column", ""), *((name, ".4g") for name in list(self.to_dicts()[0])[1:])]

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {key: None if isinstance(v, float) and np.isnan(v) else v for key, v in row.items()}
            for row in self.to_dicts()
        ]

    def _headline(self) -> str:
        what = "Ridge regression" if self.shrinkage else "Least squares"
        penalty = f", shrinkage {figure(self.shrinkage)}" if self.shrinkage else ""
        equation = f": {self.equation}" if len(self.feature_names) <= MOST_TERMS else ""
        return f"{what}, {counted(len(self.residuals), 'row')}{penalty}{equation}"

    @property
    def equation(self) -> str:
        """The model as a formula, with four digits."""
        terms = "".join(
            f" {'−' if weight < 0 else '+'} {figure(abs(weight))} {name}"
            for weight, name in zip(self.coefficients, self.feature_names, strict=True)
        )
        return f"{self.target} = {_signed(self.intercept)}{terms}"

    def _notes(self) -> Sequence[str]:
        fitted = "" if np.isnan(self.r2) else f"R² {self.r2:.4f}. "
        noise = "Standard deviation of the noise: "
        noise += "not known, no degrees of freedom are left." if np.isnan(self.noise) else figure(self.noise)
        return (self._derived(), fitted + noise)

    def _derived(self) -> str:
        if len(self.feature_names) > 1 or self.shrinkage:
            penalty = " + λI" if self.shrinkage else ""
            return f"w = (XᵀX{penalty})⁻¹ Xᵀy of the centred columns; intercept = mean(y) − w · mean(x)"
        row = self._rows()[1]
        if row["variance"] == 0:
            return "The column is constant, so the prediction is mean(y)."
        shared, variance, slope = (figure(row[key]) for key in ("cov(x, y)", "variance", "coefficient"))
        middle, mean = figure(self.target_mean), figure(row["mean"])
        return (
            f"b = cov(x, y) / var(x) = {shared} / {variance} = {slope}; "
            f"a = mean(y) − b mean(x) = {middle} − {slope} × {mean} = {_signed(self.intercept)}"
        )


def least_squares(X: Any, y: Any, shrinkage: float = 0.0) -> LeastSquares:
    """Fit a line or plane by least squares, and show what it is derived from.

    The sum of the squared residuals of y = a + w·x is least for w = (XᵀX)⁻¹ Xᵀy of the centred columns
    and a = mean(y) − w · mean(x); with one column, w is cov(x, y) / var(x). With `shrinkage` λ, λ |w|² is
    added to the sum, and w = (XᵀX + λI)⁻¹ Xᵀy: ridge regression. The intercept is not shrunk. XᵀX is never
    inverted: the solution comes from a singular value decomposition of the scaled columns.

    Parameters
    ----------
    X : table or one column of numbers
        Without missing values.
    y : array of numbers
        The target. With −1 and 1 for two classes, the sign of a prediction is a classifier.
    shrinkage : float, default=0.0
        λ, which is added to the diagonal of the scatter matrix. Columns are not scaled: scale them first
        where their units differ.

    Returns
    -------
    LeastSquares
        Coefficients, standard errors, residuals, the centred, scatter and covariance matrices, the rank. Of
        collinear columns without shrinkage a warning names those that depend on the others; of all solutions
        the one of least norm (of the scaled columns) is returned.

    Examples
    --------
    >>> from treewright.linear import least_squares
    >>> least_squares([1, 2, 3, 4], [2, 4, 5, 8]).coefficients.round(4).tolist()
    [1.9]
    """
    if not SHRINKAGE.holds(shrinkage):
        raise ParameterError(f"shrinkage must be {SHRINKAGE.description}. Got {shrinkage!r}.", "shrinkage")
    names, numbers = number_table(X)
    target, values = target_numbers(y, len(numbers))
    if len(values) < 2:
        raise ValueError("X must have at least 2 rows for a line. Got 1.")
    means, middle = numbers.mean(axis=0), float(values.mean())
    centred, aim = without_rounding(numbers - means, numbers), values - middle
    solution = solved(centred, aim, float(shrinkage))
    weights, rank = solution.weights, rank_of(centred) if shrinkage else len(solution.space)
    if rank < len(names) and not shrinkage:
        _warn_of_collinear(names, centred, rank)
    residuals = aim - centred @ weights
    free = len(values) - 1 - solution.used
    # the variances of the intercept and of the coefficients, for noise of variance 1
    spread = solution.variances(np.vstack([means, np.eye(len(names))]))
    spread[0] += 1 / len(values)
    total = float(aim @ aim)
    return LeastSquares(
        feature_names=tuple(names),
        target=target,
        shrinkage=float(shrinkage),
        intercept=middle - float(weights @ means),
        coefficients=weights,
        standard_errors=_noise(residuals, free) * np.sqrt(spread),
        residuals=residuals,
        means=means,
        target_mean=middle,
        centred=centred,
        target_covariance=centred.T @ aim / (len(values) - 1),
        rank=rank,
        r2=1 - float(residuals @ residuals) / total if total > 0 else np.nan,
        degrees_of_freedom=free,
    )


def _warn_of_collinear(names: Sequence[str], centred: Floats, rank: int) -> None:
    constant = [name for j, name in enumerate(names) if not centred[:, j].any()]
    dependent = [name for name in (names[j] for j in dependent_columns(centred)) if name not in constant]
    said = []
    if dependent:
        said_of = "is a linear combination" if len(dependent) == 1 else "are linear combinations"
        said.append(f"{_listed(dependent)} {said_of} of the columns before it")
    if constant:
        said.append(f"{_listed(constant)} {'is' if len(constant) == 1 else 'are'} constant")
    why = f": {', and '.join(said)}" if said else ""
    warnings.warn(
        f"The columns are collinear (rank {rank} of {counted(len(names), 'column')}){why}. The coefficients "
        "are not unique. Leave such columns out, or give shrinkage.",
        UserWarning,
        stacklevel=3,
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:4]))
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown


def _by_name(X: Any, names: Sequence[str]) -> Any:
    """The columns of these names, if a frame has all of them; else the table as it is."""
    if not is_frame(X):
        return X
    frame = frame_of(X)
    return frame.select(list(names)).to_native() if set(names) <= set(frame.columns) else X


def _noise(residuals: Floats, free: float) -> float:
    """The standard deviation of the noise; of a perfect fit without degrees of freedom nothing is known."""
    return float(np.sqrt(residuals @ residuals / free)) if free > 1e-9 else np.nan


def _signed(value: float) -> str:
    return f"−{figure(-value)}" if value < 0 else figure(value)
