"""Least squares with a penalty, solved by a singular value decomposition of the scaled columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Floats


class Solution(NamedTuple):
    """Coefficients by a singular value decomposition of the scaled columns."""

    weights: Floats
    root: Floats  # `root @ y` are the coefficients
    space: Floats  # the directions that the rows determine, of columns divided by `length`
    length: Floats
    used: float  # the number of parameters; with shrinkage less than one per column

    def variances(self, combinations: Floats) -> Floats:
        """The variance of combinations of the coefficients; NaN for those that the rows do not determine."""
        scaled = combinations / self.length
        inside = ((scaled @ self.space.T) ** 2).sum(axis=1)
        undetermined = (scaled**2).sum(axis=1) - inside > 1e-8 * np.maximum((scaled**2).sum(axis=1), 1e-300)
        return np.where(undetermined, np.nan, ((combinations @ self.root) ** 2).sum(axis=1))


def solved(centred: Floats, aim: Floats, shrinkage: float) -> Solution:
    """Minimise |aim − centred w|² + shrinkage |w|².

    The rows √λ I below the columns, with 0 as their target, add λ|w|² to the sum of squares. Columns are
    divided by their length, so that their units do not matter.
    """
    width = centred.shape[1]
    matrix = np.vstack([centred, np.sqrt(shrinkage) * np.eye(width)]) if shrinkage else centred
    length = np.linalg.norm(matrix, axis=0)
    length[length == 0] = 1.0
    left, sizes, right = np.linalg.svd(matrix / length, full_matrices=False)
    held = sizes > _least(centred) * max(float(sizes[0]), np.finfo(float).tiny)
    left, sizes, right = left[: len(centred), held], sizes[held], right[held]
    root = (right.T / sizes) @ left.T / length[:, None]
    weights = right.T @ (left.T @ aim / sizes) / length
    return Solution(weights, root, right, length, float((left * left).sum()))


def rank_of(centred: Floats) -> int:
    """The number of linearly independent columns."""
    length = np.linalg.norm(centred, axis=0)
    scaled = centred / np.where(length > 0, length, 1.0)
    sizes = np.linalg.svd(scaled, compute_uv=False)
    return int((sizes > _least(centred) * sizes[0]).sum())


def _least(centred: Floats) -> float:
    """What is 0 within rounding, as a proportion of the largest singular value."""
    return float(8 * max(centred.shape) * np.finfo(float).eps)


def without_rounding(centred: Floats, numbers: Floats) -> Floats:
    """Centred columns, in which constant ones are exactly 0."""
    nothing = np.ptp(numbers, axis=0) == 0
    return np.where(nothing, 0.0, centred)


def dependent_columns(centred: Floats) -> list[int]:
    """The columns that are linear combinations of those before them, by orthogonalising one after another."""
    length = np.linalg.norm(centred, axis=0)
    base, found = np.zeros((len(centred), 0)), []
    for j in range(centred.shape[1]):
        column = centred[:, j] / (length[j] or 1.0)
        for _ in range(2):  # twice is enough (Kahan)
            column = column - base @ (base.T @ column)
        rest = float(np.linalg.norm(column))
        if rest <= np.sqrt(centred.shape[1]) * _least(centred):
            found.append(j)
        else:
            base = np.column_stack([base, column / rest])
    return found
