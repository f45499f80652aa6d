"""The trivial guess, and figures over folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...learn.costs import Stakes
from ...learn.folds import Fold
from ..metrics import LEVEL, Score, within
from ..nested_cv import corrected_interval

Array = NDArray[Any]
Floats = NDArray[np.float64]


def trivial(y: Array, weight: Floats | None, classes: int, stakes: Stakes | None = None) -> tuple[Any, Any]:
    """What to guess without looking: the cheapest class and the shares of all, or the mean."""
    if not classes:
        return float(np.average(y, weights=weight)), None
    shares = np.bincount(y, weight, classes) / (len(y) if weight is None else weight.sum())
    if stakes is None:
        return int(shares.argmax()), shares
    common = shares if stakes.prevalence is None else stakes.prevalence
    return int((common @ stakes.costs).argmin()), shares


def over_folds(
    figures: Sequence[dict[str, float]], guesses: Sequence[dict[str, float]], folds: Sequence[Fold]
) -> list[Score]:
    """The mean of each figure over the folds, with an interval."""
    found = []
    for metric in figures[0]:
        values = [part[metric] for part in figures]
        ends = within(metric, *corrected_interval(values, folds, LEVEL))
        guess = float(np.mean([part[metric] for part in guesses]))
        found.append(Score(metric, float(np.mean(values)), *ends, guess))
    return found
