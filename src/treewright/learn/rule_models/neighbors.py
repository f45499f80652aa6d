"""The correction of a prediction by the nearest training rows (Quinlan 1993).

If the model predicts m for a row and m' for a neighbour whose target is y', the neighbour suggests
y' + m - m', kept near the range of all targets. The mean of what the k nearest suggest is predicted, weighted
by 1 / (distance + 1/2). The distance is the sum of |x - x'| / 5 standard deviations, and of 2 / levels where
a level differs, rounded to sixteenths. Neighbours that are equally far share the places that are left. Those
beyond the mean distance between training rows have none, but for the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Mask

SPREADS = 5  # standard deviations that are a distance of 1
MOST_PAIRED = 1_000  # rows whose mean distance is taken


@dataclass(frozen=True, eq=False)
class Neighbors:
    """Training rows without missing values."""

    X: Floats
    y: Floats
    scale: Floats  # what a column's difference is multiplied by
    is_level: Mask  # which columns have levels
    far: float  # neighbours further away have no part

    @classmethod
    def of(cls, X: Floats, y: Floats, spread: Floats, n_levels: Any) -> Neighbors:
        """The rows with what their distances need."""
        is_level = np.asarray(np.asarray(n_levels) > 0)
        width = np.where(is_level, np.maximum(n_levels, 1) / 2, SPREADS * spread)
        scale = np.where(width > 0, 1 / np.where(width > 0, width, 1), 0.0)
        some = X[:: -(-len(X) // MOST_PAIRED)]
        pairs = len(some) * (len(some) - 1)
        far = 0.0
        for j, column in enumerate(some.T):
            apart = column[:, None] - column
            far += scale[j] * float(np.abs(apart != 0 if is_level[j] else apart).sum()) / max(pairs, 1)
        return cls(np.ascontiguousarray(X), y, scale, is_level, round(far, 1))

    def corrected(
        self,
        k: int,
        X: Floats,
        predicted: Floats,
        own: Floats,
        bounds: tuple[float, float],
        n_threads: int = 1,
    ) -> Floats:
        """What rows are predicted.

        `predicted` and `own` are what the model alone predicts for these rows, and for the training rows.
        """
        of = self.X, self.y - own, self.scale, self.is_level.astype(np.uint8), self.far
        return _core.corrected_by_neighbors(*of, k, np.ascontiguousarray(X), predicted, *bounds, n_threads)

    # -- as plain data

    def to_dict(self) -> dict[str, Any]:
        """The rows as lists of numbers."""
        return {
            "X": self.X.tolist(),
            "y": self.y.tolist(),
            "scale": self.scale.tolist(),
            "is_level": self.is_level.tolist(),
            "far": self.far,
        }

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any], n_columns: int) -> Neighbors:
        """The rows of `to_dict`; ValueError where they do not fit together."""
        try:
            X, y, scale = (np.asarray(doc[name], dtype=np.float64) for name in ("X", "y", "scale"))
            is_level, far = np.asarray(doc["is_level"]), float(doc["far"])
            shapes = (
                X.shape == (len(y), n_columns)
                and y.ndim == 1
                and scale.shape == is_level.shape == (n_columns,)
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("neighbors must have X, y, scale, is_level and far.") from error
        finite = all(np.isfinite(part).all() for part in (X, y, scale)) and np.isfinite(far)
        if not (
            shapes and finite and len(y) and is_level.dtype == bool and (scale >= 0).all() and len(doc) == 5
        ):
            raise ValueError(
                f"neighbors must have rows of {n_columns} finite numbers, and a scale for each column."
            )
        return cls(X, y, scale, is_level, far)
