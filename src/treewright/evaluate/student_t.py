"""Quantiles of Student's distribution for whole degrees of freedom, without scipy, which is slow to load."""

from __future__ import annotations

from math import asin, cos, pi, sin, sqrt, tan


def student_quantile(degrees: int, probability: float) -> float:
    """The value that a variable with so many degrees of freedom stays below with this probability.

    With t = sqrt(degrees) tan(angle), P(|T| < t) is a finite sum of powers of the cosine (Abramowitz and
    Stegun, 26.7.3 and 26.7.4). It increases with the angle, which is found by halving.
    """
    if probability < 0.5:
        return -student_quantile(degrees, 1 - probability)
    wanted, low, high = 2 * probability - 1, 0.0, asin(1.0)
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _within(middle, degrees) < wanted else (low, middle)
    return sqrt(degrees) * tan(middle)


def _within(angle: float, degrees: int) -> float:
    """P(|T| < sqrt(degrees) tan(angle))."""
    odd = degrees % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for k in range(1 + odd, degrees, 2):
        total += term
        term *= cos(angle) ** 2 * k / (k + 1)
    inside = sin(angle) * total
    return 2 / pi * (angle + inside) if odd else inside
