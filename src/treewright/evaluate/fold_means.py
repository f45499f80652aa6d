"""The mean of a metric over folds, with a confidence interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.common.array_types import Floats
from ..learn.folds import Fold
from .metrics import CONFIDENCE, Score, within
from .student_t import student_quantile


def corrected_interval(
    values: Sequence[float] | Floats, folds: Sequence[Fold], confidence: float
) -> tuple[float, float]:
    """Student's interval of the mean over folds, with the variance of Nadeau and Bengio; NaN for one fold.

    The training parts of the folds overlap: the variance of the mean is not s²/k but (1/k + test/train) s².
    """
    k = len(values)
    if k < 2:
        return np.nan, np.nan
    ratio = np.mean([len(fold.test) / len(fold.train) for fold in folds])
    spread = np.sqrt((1 / k + ratio) * np.var(values, ddof=1))
    reach = student_quantile(k - 1, (1 + confidence) / 2) * float(spread)
    middle = float(np.mean(values))
    return middle - reach, middle + reach


def over_folds(
    models: Sequence[dict[str, float]], baselines: Sequence[dict[str, float]], folds: Sequence[Fold]
) -> list[Score]:
    """The mean of each metric over the folds where it is defined: AUC needs rows of both classes."""
    found = []
    for metric in dict.fromkeys(metric for values in models for metric in values):
        known = [k for k, values in enumerate(models) if not np.isnan(values.get(metric, np.nan))]
        if not known:
            continue
        values = [models[k][metric] for k in known]
        ends = within(metric, *corrected_interval(values, [folds[k] for k in known], CONFIDENCE))
        base = float(np.mean([baselines[k][metric] for k in known]))
        found.append(Score(metric, float(np.mean(values)), *ends, base))
    return found
