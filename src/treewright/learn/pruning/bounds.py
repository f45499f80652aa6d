"""The expected errors of a leaf that made e among N: an upper limit at confidence CF, by three formulas.

"exact" is the upper limit of the binomial: the rate p at which e errors or fewer have probability CF.
"normal" is J48's: the normal approximation with a correction for continuity, and a straight line from the
exact limit at e=0 to it at e=1. "table" is C4.5's: the same with z read from nine points, and less where
nearly all rows are wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ...data.common.array_types import Floats

# Of the normal distribution: the probability above z, and z, as C4.5 rounds them.
TAIL = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
TAIL_Z = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def expected_errors(weight: ArrayLike, errors: ArrayLike, CF: float, bound: str = "exact") -> Floats:
    """The errors to expect of leaves of this weight that made these errors; 0 where there is no weight."""
    if bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}. Got {bound!r}.")
    N, e = np.broadcast_arrays(np.asarray(weight, dtype=np.float64), np.asarray(errors, dtype=np.float64))
    some = N > 1e-9
    n, e = np.where(some, N, 1.0), np.where(some, np.clip(e, 0.0, N), 0.0)
    return np.asarray(np.where(some, e + BOUNDS[bound](n, e, CF), 0.0))


def _exact(N: Floats, e: Floats, CF: float) -> Floats:
    from scipy.special import betaincinv

    rest = N - e
    rate = betaincinv(e + 1.0, np.where(rest > 0, rest, 1.0), 1.0 - CF)
    return np.where(rest > 0, N * rate, N) - e


def _normal(N: Floats, e: Floats, CF: float) -> Floats:
    from scipy.special import ndtri

    if CF > 0.5:  # below the middle there is nothing to add
        return np.zeros_like(N)
    z = -float(ndtri(CF))
    at_one = _upper(N, np.ones_like(N), z, 1.0)
    return np.where(e < 1, _line(N, e, CF, np.maximum(at_one, 0.0)), np.maximum(_upper(N, e, z, 1.0), 0.0))


def _table(N: Floats, e: Floats, CF: float) -> Floats:
    z = float(np.interp(CF, TAIL, TAIL_Z))
    at_one = _upper(N, np.ones_like(N), z, 0.67)
    return np.where(e < 0.9999, _line(N, e, CF, at_one), _upper(N, e, z, 0.67))


def _line(N: Floats, e: Floats, CF: float, at_one: Floats) -> Floats:
    """From the limit without an error, where the binomial is simple, straight to that of one error."""
    none = N * (1.0 - CF ** (1.0 / N))
    return np.asarray(none + e * (at_one - none))


def _upper(N: Floats, e: Floats, z: float, most: float) -> Floats:
    """The normal limit for half an error more; `most` of what is left, where that would be all rows."""
    f, c = np.minimum((e + 0.5) / N, 1.0), z * z / N
    rate = (f + c / 2 + np.sqrt(c * (f * (1.0 - f) + c / 4))) / (1.0 + c)
    return np.where(e + 0.5 >= N, most * (N - e), rate * N - e)


BOUNDS: dict[str, Callable[[Floats, Floats, float], Floats]] = {
    "exact": _exact,
    "table": _table,
    "normal": _normal,
}
