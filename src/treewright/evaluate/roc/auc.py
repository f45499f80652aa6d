"""The area under a ROC curve: the share of pairs that are ranked right, and how sure that is."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Where a class has fewer rows than this, DeLong's variance is not believed at all; see `auc_interval`.
FEW_ROWS = 4.0


class Area(NamedTuple):
    """An area and what a row adds to it, by segment, were it one of the positives or of the negatives."""

    auc: float
    of_positive: Floats
    of_negative: Floats


def area(score: Floats, negative: Floats, positive: Floats) -> Area:
    """The proportion of pairs (positive, negative) with the greater score at the positive; ties count half.

    One entry per segment: its score, and the weight of both classes there. What a row adds is its placement
    among the other class, less the area, over the weight of its own class (DeLong et al. 1988).
    """
    levels, at = np.unique(score, return_inverse=True)
    n = np.bincount(at, weights=negative, minlength=len(levels))
    p = np.bincount(at, weights=positive, minlength=len(levels))
    below = (np.cumsum(n) - n / 2) / n.sum()
    above = 1 - (np.cumsum(p) - p / 2) / p.sum()
    auc = min(max(float(below @ p / p.sum()), 0.0), 1.0)
    return Area(auc, (below[at] - auc) / p.sum(), (above[at] - auc) / n.sum())


def effective(weight: Floats, squares: Floats) -> Floats:
    """How many rows of equal weight each class (column) is worth: (sum of w)² over the sum of w²."""
    total, square = weight.sum(axis=0), squares.sum(axis=0)
    return np.asarray(np.maximum(np.divide(total**2, square, out=np.ones(len(total)), where=square > 0), 1.0))


def variance(added: Floats, squares: Floats, sizes: Floats) -> float:
    """DeLong's variance, summed over segments and classes; `sizes` are the rows of each class."""
    usual = sizes / np.where(sizes > 1, sizes - 1, sizes)  # the sum of squares over n - 1 instead of n
    return float((squares * added**2).sum(axis=0) @ usual)


def auc_interval(auc: float, spread: float, sizes: Floats, confidence: float) -> tuple[float, float]:
    """An interval of an area with this variance, on the scale of ln(auc / (1 - auc)).

    `sizes` are the rows of both sides.

    DeLong's variance is too small where a class has few rows that happen to lie together. As much of it as
    4 over the rows of the smaller class is therefore replaced by that of Hanley and McNeil (1982), which
    needs only the area and the two sizes, if that is larger. At 0 and 1, where both are 0, the other limit is
    Newcombe's (2006): the area at which Hanley and McNeil's variance just allows what was seen.
    """
    from scipy.special import expit, logit

    z = NormalDist().inv_cdf((1 + confidence) / 2)
    few, many = (float(size) for size in np.sort(sizes))
    room = auc * (1 - auc)
    if room < 1e-12:
        reach = _limit_at_one(few, many, z)
        return (reach, 1.0) if auc > 0.5 else (0.0, 1 - reach)
    doubt = min(1.0, FEW_ROWS / few)
    used = (1 - doubt) * spread + doubt * max(spread, _hanley(auc, few, many))
    low, high = expit(logit(auc) + np.array([-1, 1]) * z * np.sqrt(used) / room)
    return float(low), float(high)


def _hanley(auc: float, m: float, n: float) -> float:
    """The variance of Hanley and McNeil with Newcombe's mean of the two sizes."""
    others = (m + n) / 2 - 1
    return auc * (1 - auc) * (1 + others * ((1 - auc) / (2 - auc) + auc / (1 + auc))) / (m * n)


def _limit_at_one(m: float, n: float, z: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(lambda auc: (1 - auc) ** 2 - z * z * _hanley(auc, m, n), 1e-12, 1 - 1e-12))
