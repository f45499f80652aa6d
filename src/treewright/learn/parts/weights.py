"""What the classes weigh, from counts of all parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.parts import TableDescription
from ...data.target import class_weights


def class_factors(description: TableDescription, class_weight: Any) -> Floats | None:
    """What a row of each class weighs by the parameter `class_weight`: as scikit-learn computes it."""
    classes = description.classes
    if class_weight is None or classes is None:
        return None
    if isinstance(class_weight, str):  # "balanced"
        counts = np.array(description.counts)
        return np.asarray(description.n_rows / (len(classes) * counts))
    return class_weights(class_weight, classes)
