"""Decision stumps: Weka's, and the one of least error."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from ..problem import must_be_fitted
from .tasks import CLASSIFICATION, estimator_for
from .weka import FOR_CLASSES, SHARED, command_line

STUMP = command_line("DecisionStump")


def stump(
    options: str = "", *, criterion: str | None = None, task: str = CLASSIFICATION
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A tree of one test: Weka's DecisionStump, or with `criterion="error"` the one that errs least.

    Weka's tests `x <= t` or `is it this level?`, whatever is best by entropy (or variance, for numbers), and
    has a third branch for missing values; where none was missing it predicts from all rows.

    `criterion="error"` is f(x) = sign(theta (b - x_j)) of two classes with the fewest errors, constants
    included, b midway between neighbouring values; `triple` reads b, theta and j from the fitted stump.
    """
    STUMP.parse(options)
    if criterion not in {None, "error"}:
        raise ValueError(f'criterion of stump must be None (Weka\'s) or "error". Got {criterion!r}.')
    if criterion == "error":
        if task != CLASSIFICATION:
            raise ValueError(f"stump(criterion='error') is for classes. Got task={task!r}.")
        return DecisionTreeClassifier(
            criterion="error", max_depth=1, growth_rules={"least_gain": 0.0}, class_order="declared"
        )
    numbers = task != CLASSIFICATION
    chosen: Any = "squared_error" if numbers else "entropy"
    return estimator_for(task, "stump")(
        criterion=chosen,
        nominal_splits="one_vs_rest",
        missing="branch",
        max_depth=1,
        growth_rules={"missing_alone": False, "unseen_stops": True, "rounding_decides": not numbers},
        **(SHARED if numbers else FOR_CLASSES),
    )


class Triple(NamedTuple):
    """f(x) = sign(theta (b - x_j)), where sign(0) = 1, stands for `classes_[1]`, and j counts from 1."""

    b: float
    theta: int
    j: int


def triple(model: Any) -> Triple:
    """The stump of two classes as b, theta and j; a constant has an infinite b."""
    must_be_fitted(model)
    tree = model.tree_
    if tree.classes is None or len(tree.classes) != 2 or tree.max_depth > 1 or tree.is_nominal.any():
        raise ValueError(
            "triple needs a fitted stump of two classes that tests a number. Got something else."
        )
    label = tree.label[:, 0].tolist()
    if tree.node_count == 1 or label[1] == label[2]:
        return Triple(math.inf if label[0] == 1 else -math.inf, 1, 1)
    threshold, column = float(tree.threshold[0]), int(tree.feature[0]) + 1
    if label[1] == 1:  # x <= b is the second class
        return Triple(threshold, 1, column)
    return Triple(float(np.nextafter(threshold, math.inf)), -1, column)  # x >= b is
