"""The correction of a prediction by the nearest training rows (Quinlan 1993).

If the model predicts m for a row and m' for a neighbour whose target is y', the neighbour suggests y' + m - m',
kept near the range of all targets. The mean of what the k nearest suggest is predicted, weighted by
1 / (distance + 1/2). The distance is the sum of |x - x'| / 5 standard deviations, and of 2 / levels where a
level differs, rounded to sixteenths. Neighbours that are equally far share the places that are left. Those
beyond the mean distance between training rows have none, but for the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Mask

STEPS = 16  # of a distance of 1
SPREADS = 5  # standard deviations that are a distance of 1
AT_ONCE = 2_000_000  # distances that are in memory
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
        made = cls(X, y, scale, is_level, np.inf)
        some = X[:: -(-len(X) // MOST_PAIRED)]
        pairs = len(some) * (len(some) - 1)
        far = round(float(made.distances(some, some).sum()) / pairs, 1) if pairs else 0.0
        return cls(X, y, scale, is_level, far)

    def distances(self, X: Floats, rows: Floats) -> Floats:
        """From each row of X to each of `rows`."""
        found = np.zeros((len(X), len(rows)))
        for j in np.flatnonzero(self.scale):
            apart = X[:, j, None] - rows[None, :, j]
            found += self.scale[j] * ((apart != 0) if self.is_level[j] else np.abs(apart))
        return found

    def corrected(
        self, k: int, X: Floats, predicted: Floats, own: Floats, bounds: tuple[float, float]
    ) -> Floats:
        """What rows are predicted.

        `predicted` and `own` are what the model alone predicts for these rows, and for the training rows.
        """
        found, many = np.empty(len(X)), max(1, AT_ONCE // max(len(self.y), 1))
        for first in range(0, len(X), many):
            of = slice(first, first + many)
            step = np.rint(STEPS * self.distances(X[of], self.X))
            weight = self._weights(step, min(k, len(self.y)))
            suggested = np.clip(predicted[of, None] + (self.y - own), *bounds)
            found[of] = (weight * suggested).sum(axis=1) / weight.sum(axis=1)
        return found

    def _weights(self, step: Floats, k: int) -> Floats:
        near = np.partition(step, k - 1, axis=1)[:, :k]
        places = np.clip((near <= STEPS * self.far).sum(axis=1), 1, k)
        last = np.sort(near, axis=1)[np.arange(len(step)), places - 1][:, None]
        before, at = step < last, step == last
        left = (places - before.sum(axis=1)) / at.sum(axis=1)
        return np.asarray((before + at * left[:, None]) / (step / STEPS + 0.5))

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
            shapes = X.shape == (len(y), n_columns) and y.ndim == 1 and scale.shape == is_level.shape == (n_columns,)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("neighbors must have X, y, scale, is_level and far.") from error
        finite = all(np.isfinite(part).all() for part in (X, y, scale)) and np.isfinite(far)
        if not (shapes and finite and len(y) and is_level.dtype == bool and (scale >= 0).all() and len(doc) == 5):
            raise ValueError(f"neighbors must have rows of {n_columns} finite numbers, and a scale for each column.")
        return cls(X, y, scale, is_level, far)
