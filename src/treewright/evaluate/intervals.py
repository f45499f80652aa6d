"""Confidence intervals of proportions and means, also of few rows."""

from __future__ import annotations

from numbers import Real
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

METHODS = ("jeffreys", "wilson")


class Interval(NamedTuple):
    """The ends of intervals; NaN where there is nothing to go by."""

    low: Floats
    high: Floats


def share_interval(
    successes: ArrayLike, total: ArrayLike, confidence: float = 0.95, method: str = "jeffreys"
) -> Interval:
    """The interval of a share, from counts or weights of any shape; both may be fractions.

    Parameters
    ----------
    successes, total : numbers, 0 <= successes <= total
        Where rows weigh differently, give the share times the effective number of rows, and that number; see
        `effective`. A total of 0 gives NaN.
    confidence : float
        How often the interval covers the true share, over many samples.
    method : "jeffreys" or "wilson"
        Jeffreys: the quantiles of the Beta(s + 1/2, n - s + 1/2) distribution; the lower end is 0 where
        nothing succeeds, the upper end 1 where everything does. Wilson: the proportions p that a test of the
        normal distribution with variance p (1 - p) / n does not reject.
    """
    check_confidence(confidence)
    check_method(method)
    s, n = np.broadcast_arrays(*(np.asarray(part, dtype=np.float64) for part in (successes, total)))
    if not ((s >= 0) & (s <= n) & np.isfinite(n)).all():
        wrong = np.flatnonzero(~((s >= 0) & (s <= n) & np.isfinite(n)).ravel())[0]
        raise ValueError(
            "successes must be at least 0 and at most total, and both finite. "
            f"Got {s.ravel()[wrong]:g} of {n.ravel()[wrong]:g}."
        )
    low, high = _jeffreys(s, n, confidence) if method == "jeffreys" else _wilson(s, n, confidence)
    low, high = np.where(s == 0, 0.0, low), np.where(s == n, 1.0, high)
    return Interval(*(np.where(n > 0, end, np.nan) for end in (low, high)))


def estimate_interval(share: ArrayLike, total: ArrayLike, confidence: float = 0.95) -> Interval:
    """Jeffreys' interval around an estimated probability, as if that share of the rows had been counted.

    It always contains the estimate, which may be smoothed: then no rows were counted just so.
    """
    p, n = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0), np.asarray(total, dtype=np.float64)
    low, high = share_interval(p * n, n, confidence)
    return Interval(np.minimum(low, p), np.maximum(high, p))


def _jeffreys(s: Floats, n: Floats, confidence: float) -> tuple[Floats, Floats]:
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    return betaincinv(s + 0.5, n - s + 0.5, tail), betaincinv(s + 0.5, n - s + 0.5, 1 - tail)


def _wilson(s: Floats, n: Floats, confidence: float) -> tuple[Floats, Floats]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = s + z * z / 2
    reach = z * np.sqrt(s * (n - s) / np.maximum(n, 1e-300) + z * z / 4)
    return (middle - reach) / (n + z * z), (middle + reach) / (n + z * z)


def mean_interval(mean: ArrayLike, variance: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Interval:
    """Student's interval of a mean.

    `variance` is the mean squared distance to the mean, as the impurity 'squared_error' has it (divided by n,
    not by n - 1). `n` may be a fraction; up to 1 row there is no spread to go by, and the ends are NaN.
    """
    check_confidence(confidence)
    middle, spread, rows = (np.asarray(part, dtype=np.float64) for part in (mean, variance, n))
    if (spread < 0).any():
        raise ValueError(f"variance must not be negative. Got {spread[spread < 0][0]:g}.")
    from scipy.special import stdtrit

    free = np.where(rows > 1, rows - 1, np.nan)
    reach = stdtrit(free, (1 + confidence) / 2) * np.sqrt(spread / free)
    return Interval(np.asarray(middle - reach), np.asarray(middle + reach))


def effective(weight: ArrayLike, squares: ArrayLike) -> Floats:
    """The effective number of rows: (Σw)² / Σw², and 0 without any weight."""
    total, below = np.asarray(weight, dtype=np.float64), np.asarray(squares, dtype=np.float64)
    return np.divide(total * total, below, out=np.zeros(np.broadcast(total, below).shape), where=below > 0)


def check_confidence(confidence: Any) -> None:
    """Reject a confidence that is not between 0 and 1."""
    if isinstance(confidence, bool) or not isinstance(confidence, Real) or not 0 < float(confidence) < 1:
        raise ValueError(f"confidence must be a float in (0, 1), such as 0.95. Got {confidence!r}.")


def check_method(method: Any) -> None:
    """Reject an unknown method."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(map(repr, METHODS))}. Got {method!r}.")
