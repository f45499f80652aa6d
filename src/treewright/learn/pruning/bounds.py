"""The expected errors of a leaf that made e among N: an upper limit at confidence CF, by four formulas.

"exact" is the upper limit of the binomial: the rate p at which e errors or fewer have probability CF.
"normal" is J48's: the normal approximation with a correction for continuity, and a straight line from the
exact limit at e=0 to it at e=1. "table" is C4.5's: the same with z read from nine points, and less where
nearly all rows are wrong. "c5.0" is as "table", but without the straight line for a part of one row.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from ... import _core
from ...data.common.array_types import Floats

BOUNDS = ("exact", "table", "normal", "c5.0")

# Of the normal distribution: the probability above z, and z, as C4.5 rounds them.
TAIL = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
TAIL_Z = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def expected_errors(weight: ArrayLike, errors: ArrayLike, CF: float, bound: str = "exact") -> Floats:
    """The errors to expect of leaves of this weight that made these errors; 0 where there is no weight."""
    if bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}. Got {bound!r}.")
    N, e = np.broadcast_arrays(np.asarray(weight, dtype=np.float64), np.asarray(errors, dtype=np.float64))
    return limit_of(CF, bound).expected_errors(N.flatten(), e.flatten()).reshape(N.shape)


def limit_of(CF: float, bound: str) -> _core.ErrorLimit:
    """The limit as the core computes it; of the binomial it calls back."""
    if bound == "exact":
        return _core.ErrorLimit(bound, CF, 0.0, partial(_exact, CF=CF))
    if bound in ("table", "c5.0"):
        return _core.ErrorLimit(bound, CF, float(np.interp(CF, TAIL, TAIL_Z)))
    from scipy.special import ndtri

    return _core.ErrorLimit(bound, CF, -float(ndtri(CF)))


def _exact(weight: Floats, errors: Floats, CF: float) -> Floats:
    from scipy.special import betaincinv

    some = weight > 1e-9
    e = np.where(some, np.clip(errors, 0.0, weight), 0.0)
    rest = np.where(some, weight, 1.0) - e
    rate = betaincinv(e + 1.0, np.where(rest > 0, rest, 1.0), 1.0 - CF)
    return np.where(some & (rest > 0), weight * rate, np.where(some, weight, 0.0))
