"""Events in so much time or space: their rate is what a tree predicts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common.array_types import Floats
from .target import check_weights


def must_be_poisson(estimator: Any) -> None:
    """Reject criteria under which rates mean nothing."""
    if estimator.criterion != "poisson":
        raise ValueError(
            f"exposure needs criterion='poisson'. Got criterion={estimator.criterion!r}. "
            "Use it, or leave exposure out."
        )


def rates(estimator: Any, events: Any, exposure: Any, sample_weight: Any) -> tuple[Floats, Floats, Floats]:
    """Events in so much exposure as numbers and weights: y = e / t, w = w t; and the weights without it.

    The Poisson deviance is then that of the events: t ((e / t) log((e / t) / r) - (e / t - r)).
    """
    must_be_poisson(estimator)
    from sklearn.utils import check_array

    y = check_array(events, ensure_2d=False, dtype=np.float64, input_name="y", estimator=estimator)
    time = check_array(exposure, ensure_2d=False, dtype=np.float64, input_name="exposure")
    if y.ndim != 1 or time.shape != y.shape:
        raise ValueError(
            f"exposure must have one number per row of one output: shape ({len(y)},). Got {time.shape}."
        )
    if not (time > 0).all():
        raise ValueError(
            f"exposure must be above 0. Got {time.min():g} in row {time.argmin()}. Leave such rows out."
        )
    weights = check_weights(sample_weight, len(y))
    own = np.ones(len(y)) if weights is None else weights
    return y / time, own * time, own
