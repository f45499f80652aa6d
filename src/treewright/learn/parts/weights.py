"""What the classes weigh, from counts of all parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.parts import TableDescription
from ...data.priors import check_costs, check_shares, cost_weights
from ...data.target import class_weights


def class_factors(description: TableDescription, params: dict[str, Any]) -> Floats | None:
    """What a row of each class weighs by the parameters `class_weight` and `priors`: as in memory."""
    classes, class_weight, priors = description.classes, params.get("class_weight"), params.get("priors")
    if classes is None or (class_weight is None and priors is None):
        return None
    counts = np.array(description.counts, dtype=np.float64)
    if priors is not None:
        prior = check_shares("priors", priors, classes.tolist(), "every class of y")
        return np.asarray(prior * counts.sum() / counts)
    if isinstance(class_weight, str):  # "balanced"
        return np.asarray(description.n_rows / (len(classes) * counts))
    return class_weights(class_weight, classes)


def costs_of(description: TableDescription, params: dict[str, Any]) -> tuple[Floats | None, Floats | None]:
    """The matrix of the parameter `costs`, and what a row of each class weighs by it while the tree grows."""
    classes, costs = description.classes, params.get("costs")
    if costs is None or classes is None:
        return None, None
    matrix = check_costs(costs, classes)
    counts = np.array(description.counts, dtype=np.float64)
    return matrix, cost_weights(matrix, np.arange(len(classes)), counts)
