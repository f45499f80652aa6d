"""CART as the R package rpart has it, with its own parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor

METHODS = {"class": "gini", "anova": "squared_error", "poisson": "poisson"}
SPLITS = {"gini": "gini", "information": "entropy"}


def rpart(  # noqa: PLR0913
    method: str = "class",
    *,
    minsplit: int | None = None,
    minbucket: int | None = None,
    cp: float = 0.01,
    maxcompete: int = 4,  # noqa: ARG001 - competitors are told by `treewright.runners_up`
    maxsurrogate: int = 5,
    usesurrogate: int = 2,
    xval: int = 10,  # noqa: ARG001 - folds do not change the tree
    surrogatestyle: int = 0,
    maxdepth: int = 30,
    parms: Mapping[str, Any] | None = None,
    cost: Any = None,
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """An estimator that grows and prunes as rpart: "class" for classes, "anova" or "poisson" for numbers.

    The parameters are those of `rpart` and `rpart.control`; `parms` has "split", "prior" and "loss", a row
    per true class.
    """
    if method not in METHODS:
        raise ValueError(f"method of rpart must be one of {[*METHODS]}. Got {method!r}.")
    for name, value, usual in (("usesurrogate", usesurrogate, 2), ("surrogatestyle", surrogatestyle, 0)):
        if value != usual:
            raise ValueError(f"rpart: {name}={value!r} is not supported yet. Leave it at {usual}.")
    if cost is not None:
        raise ValueError("rpart: cost is not supported yet. Leave it out.")
    if minsplit is None:
        minsplit = 20 if minbucket is None else 3 * minbucket
    least = round(minsplit / 3) if minbucket is None else minbucket
    with_loss = (parms or {}).get("loss") is not None
    risk = "impurity" if method != "class" else "cost" if with_loss else "error"
    common: dict[str, Any] = {
        "missing": "surrogate",
        "min_samples_split": max(2, minsplit),
        "min_samples_leaf": max(1, least),
        "max_depth": maxdepth or None,
        "pruning": "cost_complexity",
        "pruning_options": {"alpha": float(cp), "risk": risk, "rule": "rpart"},
        "rules": {"strict": True, "max_surrogates": maxsurrogate},
    }
    if method != "class":
        return DecisionTreeRegressor(criterion=METHODS[method], **common)
    given = dict(parms or {})
    criterion = SPLITS[given.pop("split", "gini")]
    prior, loss = given.pop("prior", None), given.pop("loss", None)
    if given:
        raise ValueError(f'parms of rpart must be among "split", "prior" and "loss". Got {[*given]}.')
    return DecisionTreeClassifier(
        criterion=criterion,
        priors=None if prior is None else np.asarray(prior, dtype=float).tolist(),
        costs=None if loss is None else np.asarray(loss, dtype=float).tolist(),
        class_order="declared",
        **common,
    )
