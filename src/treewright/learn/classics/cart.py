"""CART as scikit-learn has it: whatever its trees take."""

from __future__ import annotations

from typing import Any

from ...data.common.hints import nearest
from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from ..params import REGRESSION, criteria_of
from .tasks import CLASSIFICATION, estimator_for

# scikit-learn's own; what our estimators take besides is not CART.
SHARED = (
    "criterion", "splitter", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf",
    "max_features", "random_state", "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "monotonic_cst",
)  # fmt: skip


def cart(*, task: str | None = None, **params: Any) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """An estimator that grows scikit-learn's tree, with scikit-learn's parameters.

    It is a classifier, unless the criterion is one for numbers or `task` says so. Equal splits, between which
    scikit-learn draws, are decided by a fixed order: the first column, the lowest threshold.
    """
    if task is None:
        task = REGRESSION if params.get("criterion") in criteria_of(REGRESSION) else CLASSIFICATION
    known = (*SHARED, "class_weight") if task == CLASSIFICATION else SHARED
    for name in params:
        if name not in known:
            raise TypeError(f"cart takes scikit-learn's parameters. Got {name!r}.{nearest(name, known)}")
    return estimator_for(task, "cart")(**params)
