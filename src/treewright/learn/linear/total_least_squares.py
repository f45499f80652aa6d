"""Total least squares: the plane nearest to the rows, where the columns have noise as the target has."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ...data.common.array_types import Floats


class TotalLeastSquares(RegressorMixin, BaseEstimator):
    """Linear regression by total least squares: noise in X as well as in y.

    Least squares measures the residuals along y, total least squares at a right angle to the plane. That
    is right where X and y have noise of the same size: scale the columns to make it so. The normal of the
    plane is the last right singular vector of the centred (X, y).

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether the plane may pass beside the origin.

    Attributes
    ----------
    coef_ : array, one per column
    intercept_ : float
    distance_ : float
        The root of the sum of the squared distances from the rows to the plane.

    Examples
    --------
    >>> from treewright.linear import TotalLeastSquares
    >>> TotalLeastSquares().fit([[0], [1], [2]], [0, 2, 4]).coef_.round(4).tolist()
    [2.0]
    """

    def __init__(self, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the plane. X must hold finite numbers, y one number per row."""
        if not isinstance(self.fit_intercept, bool | np.bool_):
            raise ValueError(f"fit_intercept must be True or False. Got {self.fit_intercept!r}.")
        numbers, aim = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2 if self.fit_intercept else 1
        )
        aim = np.asarray(aim, dtype=np.float64)
        means, middle = (
            (numbers.mean(axis=0), float(aim.mean()))
            if self.fit_intercept
            else (np.zeros(numbers.shape[1]), 0.0)
        )
        self.coef_, self.distance_ = _plane(numbers - means, aim - middle)
        self.intercept_ = middle - float(means @ self.coef_)
        return self

    def predict(self, X: Any) -> Floats:
        """The height of the plane over the rows."""
        check_is_fitted(self)
        numbers = validate_data(self, X, dtype=np.float64, reset=False)
        found: Floats = numbers @ self.coef_ + self.intercept_
        return found


def _plane(X: Floats, y: Floats) -> tuple[Floats, float]:
    """The coefficients of the nearest plane through 0, and the distance of all rows to it.

    Several directions may have the least singular value: of the planes among them the one of least norm is
    taken. A direction without a part along y is a plane that has no height over X: such directions, which
    collinear columns have, are passed over (Van Huffel and Vandewalle 1991).
    """
    table = np.column_stack([X, y])
    triangle = np.linalg.qr(table, mode="r")  # as many rows as columns, with the same singular values
    sizes, right = np.linalg.svd(triangle, full_matrices=True)[1:]
    sizes = np.pad(sizes, (0, table.shape[1] - len(sizes)))  # fewer rows than columns
    hair = 8 * max(table.shape) * np.finfo(float).eps
    for first in range(len(sizes) - 1, -1, -1):
        least = np.flatnonzero(sizes <= sizes[first] + hair * max(sizes[0], np.finfo(float).tiny))
        normals = right[least]
        along_y = normals[:, -1]
        if along_y @ along_y > 1e-14:
            break
    if len(least) > 1:
        warnings.warn(
            "The plane of total least squares is not unique: columns are collinear, or another plane is as "
            "near to the rows. The one with the smallest coefficients was taken.",
            UserWarning,
            stacklevel=3,
        )
    coefficients: Floats = -(normals[:, :-1].T @ along_y) / (along_y @ along_y)
    distance = np.linalg.norm(y - X @ coefficients) / np.sqrt(1 + coefficients @ coefficients)
    return coefficients, float(distance)
