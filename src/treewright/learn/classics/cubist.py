"""Cubist: rules with linear models, with the options of the R package of that name."""

from __future__ import annotations

from typing import Any

from ..rule_models.estimator import RuleModelRegressor
from .options import reject

LATER = {
    "neighbors": "predictions are not corrected by the nearest training rows",
    "weights": "every row counts once",
    "label": "the name of the target comes from the table",
}


def cubist(
    committees: int = 1,
    *,
    rules: int = 100,
    unbiased: bool = False,
    extrapolation: float = 100.0,
    sample: float = 0.0,
    seed: int = 0,
    **others: Any,
) -> RuleModelRegressor:
    """An estimator that makes rules with linear models as Cubist does it.

    `rules` is the most rules of a member of the committee, `extrapolation` and `sample` are percentages.
    `seed` draws the sample; the original draws another one. `neighbors` is not available.

    Returns
    -------
    RuleModelRegressor
        Not fitted.
    """
    known = ("committees", "rules", "unbiased", "extrapolation", "sample", "seed")
    others = {
        name: value for name, value in others.items() if not (name == "neighbors" and value in (0, None))
    }
    reject("cubist", others, LATER, known)
    return RuleModelRegressor(
        committees, rules=rules, unbiased=unbiased, extrapolation=extrapolation, sample=sample, seed=seed
    )
