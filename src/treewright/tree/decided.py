"""From probabilities to classes: the cheapest one, and its name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.array_types import Floats, Ints


def must_be_crisp(tree: Any, what: str) -> None:
    """Reject a tree with soft thresholds, where a row may go both ways."""
    if len(tree.soft_low):
        raise ValueError(
            f"{what} needs thresholds that send a row one way. Got a tree with soft thresholds. Fit it without "
            "fuzzyThreshold (the growth rule 'soft_thresholds')."
        )


def named(labels: NDArray[Any], places: Ints) -> NDArray[Any]:
    """The labels at these places; None at -1, where there is no prediction."""
    found = np.asarray(labels.take(places))
    if (places < 0).any():
        found = found.astype(object)
        found[places < 0] = None
    return found


def cheapest(shares: Floats, costs: Floats | None, only_seen: bool = False) -> Ints:
    """The class of least expected cost, or the heaviest: (..., outputs, classes) to (..., outputs).

    `only_seen`: of the classes that have a share.
    """
    if costs is None:
        return np.asarray(shares.argmax(axis=-1))
    expected = shares @ costs
    if only_seen:
        expected = np.where((shares > 0) | ~shares.any(axis=-1, keepdims=True), expected, np.inf)
    least = expected.min(axis=-1, keepdims=True)
    return np.asarray((expected <= least * (1 + 2.0**-40)).argmax(axis=-1))  # the last bits decide nothing
