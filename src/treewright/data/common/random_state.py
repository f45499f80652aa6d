"""The parameter `random_state`, as scikit-learn reads it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .allowed import is_whole


def random_state_of(given: Any) -> np.random.RandomState:
    """A generator of a seed, the given generator, or for None the one of numpy."""
    if is_whole(given):  # which needs no scikit-learn
        return np.random.RandomState(given)
    from sklearn.utils import check_random_state

    found: np.random.RandomState = check_random_state(given)
    return found
