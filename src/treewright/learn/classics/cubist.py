"""Cubist: rules with linear models, with the options of the R package of that name."""

from __future__ import annotations

from typing import Any

from ..rule_models.estimator import RuleModelRegressor
from .options import reject

LATER = {
    "weights": "give sample_weight to fit",
    "label": "the name of the target comes from the table",
}


def cubist(  # noqa: PLR0913
    committees: int = 1,
    *,
    rules: int = 100,
    neighbors: int = 0,
    unbiased: bool = False,
    extrapolation: float = 100.0,
    sample: float = 0.0,
    seed: int = 0,
    **others: Any,
) -> RuleModelRegressor:
    """An estimator that makes rules with linear models as Cubist does it.

    `rules` is the most rules of a member of the committee, `extrapolation` and `sample` are percentages.
    `seed` draws the sample; the original draws another one. `neighbors` is an argument of `predict` in R.

    Returns
    -------
    RuleModelRegressor
        Not fitted.
    """
    known = ("committees", "rules", "neighbors", "unbiased", "extrapolation", "sample", "seed")
    reject("cubist", others, LATER, known)
    return RuleModelRegressor(
        committees,
        rules=rules,
        neighbors=neighbors or 0,
        unbiased=unbiased,
        extrapolation=extrapolation,
        sample=sample,
        seed=seed,
    )
