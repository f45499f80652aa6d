"""What the classes weigh, from counts of all parts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats
from ...data.parts import TableDescription
from ...data.priors import check_costs, check_shares, cost_factors, prior_factors
from ...data.target import class_weights


class ByClass(NamedTuple):
    """What a row of each class weighs, as in memory: by the parameters `class_weight`, `priors`, `costs`."""

    factors: tuple[Floats, ...] = ()  # one after another, without costs
    costs: Floats | None = None  # the matrix
    growth: Floats | None = None  # by costs, while the tree grows

    @classmethod
    def of(cls, description: TableDescription, params: dict[str, Any]) -> ByClass:
        """Of a table with these parameters; a regressor has none."""
        classes = description.classes
        if classes is None:
            return cls()
        counts = np.array(description.counts, dtype=np.float64)
        totals = np.array(description.weights) if description.weights else counts
        factors: list[Floats] = []
        class_weight, priors, costs = (params.get(name) for name in ("class_weight", "priors", "costs"))
        if isinstance(class_weight, str):  # "balanced"
            factors.append(np.asarray(description.n_rows / (len(classes) * counts)))
        elif class_weight is not None:
            factors.append(class_weights(class_weight, classes))
        if priors is not None:
            prior = check_shares("priors", priors, classes.tolist(), "every class of y")
            factors.append(prior_factors(prior, _times(totals, factors)))
        if costs is None:
            return cls(tuple(factors))
        matrix = check_costs(costs, classes)
        return cls(tuple(factors), matrix, cost_factors(matrix, _times(totals, factors)))

    @property
    def product(self) -> Floats | None:
        """What a row of each class weighs in an evaluation, where costs are in the loss."""
        return _times(np.ones(len(self.factors[0])), self.factors) if self.factors else None

    def all(self) -> tuple[Floats, ...]:
        """What a row of each class weighs while the tree grows."""
        return self.factors if self.growth is None else (*self.factors, self.growth)


def _times(numbers: Floats, factors: Any) -> Floats:
    for each in factors:
        numbers = numbers * each
    return numbers
