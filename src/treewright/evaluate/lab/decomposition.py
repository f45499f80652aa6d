"""The decomposition of an expected error into bias², variance and noise, point by point.

Squared error, for y with mean f and variance σ² at a point, and predictions h of models of many samples:

    E(y − h)² = (f − E h)² + Var h + σ²

Zero-one loss (Kohavi and Wolpert 1996), with the probability p of each class at a point, and the share q of
the models that predict it:

    P(y ≠ h) = 1 − Σ p q = ½ Σ (p − q)² + ½ (1 − Σ q²) + ½ (1 − Σ p²)

It is the decomposition of the squared error of indicators, halved. All parts sum to the error rate.

E h, Var h and q are estimated from R models. The variance has Bessel's correction, and what chance adds to
the squared bias, variance / R, is subtracted: both are then unbiased, and the sum stays what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.common.array_types import Array, Floats, Ints, Mask

PARTS = ("bias2", "variance", "noise", "total")


@dataclass(frozen=True, eq=False)
class Points:
    """The parts of the expected error at each point.

    Of a table, whose mechanism is unknown, `bias2` includes the noise and `noise` is None.
    """

    X: Array
    truth: Array  # the mean of y, or the likeliest class; of a table y itself
    prediction: Array  # the mean prediction, or the class that most models predict
    bias2: Floats
    variance: Floats
    noise: Floats | None
    total: Floats


def squared_parts(
    X: Array, h: Floats, mean: Floats, noise: Floats | None, used: Mask | None = None
) -> Points:
    """The parts for predictions h of shape (repeats, points); `used` marks those that count."""
    centre, scratch = _averaged(h, used), np.empty_like(h)

    def squared_distance(point: Floats) -> Floats:
        return _averaged(np.square(np.subtract(h, point, out=scratch), out=scratch), used)

    bias2, variance = _unbiased((mean - centre) ** 2, squared_distance(centre), h, used)
    total = squared_distance(mean) + (0.0 if noise is None else noise)
    return Points(X, mean, centre, bias2, variance, noise, total)


def zero_one_parts(
    X: Array, codes: Ints, p: Floats, noise: Floats | None, classes: Array, used: Mask | None = None
) -> Points:
    """The parts for predicted classes of shape (repeats, points), by code; p: (points, classes)."""
    q = np.stack(
        [_averaged(np.asarray(codes == k, dtype=np.float64), used) for k in range(p.shape[1])], axis=1
    )
    spread = (1 - (q * q).sum(axis=1)) / 2
    bias2, variance = _unbiased(((p - q) ** 2).sum(axis=1) / 2, spread, codes, used)
    total = 1 - (p * q).sum(axis=1)
    return Points(X, classes[p.argmax(axis=1)], classes[q.argmax(axis=1)], bias2, variance, noise, total)


def _averaged(values: Floats, used: Mask | None) -> Floats:
    """The mean over the repeats."""
    if used is None:
        return np.asarray(values.mean(axis=0))
    return np.asarray(np.where(used, values, 0.0).sum(axis=0) / used.sum(axis=0))


def _unbiased(bias2: Floats, spread: Floats, h: Array, used: Mask | None) -> tuple[Floats, Floats]:
    """Squared bias and variance without what chance adds and takes; their sum is the same."""
    repeats = len(h) if used is None else used.sum(axis=0)
    variance = spread * repeats / (repeats - 1)
    return bias2 - variance / repeats, variance
