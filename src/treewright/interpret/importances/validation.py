"""Validation of the parameters and weights of `importances`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import is_whole

Floats = NDArray[np.float64]
FEWEST = 4  # rows to draw from


def check_settings(held_out: Any, refits: Any, repeats: Any, confidence: Any, random_state: Any) -> None:
    """Reject numbers that are out of range."""
    if not isinstance(held_out, bool | np.bool_):
        raise ValueError(
            f"held_out must be True or False. Got {held_out!r}. True: the model has not seen the rows of X."
        )
    if not is_whole(refits) or refits < 2:
        raise ValueError(f"refits must be an int of at least 2. Got {refits!r}.")
    if not is_whole(repeats) or repeats < 1:
        raise ValueError(f"repeats must be an int of at least 1. Got {repeats!r}.")
    if not isinstance(confidence, float) or not 0 < confidence < 1:
        raise ValueError(f"confidence must be a float between 0 and 1. Got {confidence!r}.")
    if random_state is not None and (not is_whole(random_state) or random_state < 0):
        raise ValueError(f"random_state must be an int of at least 0 or None. Got {random_state!r}.")


def checked_weights(given: Any, n_rows: int, held_out: bool) -> Floats | None:
    """The weights of the rows, as numbers; None where there are none."""
    if given is None:
        return None
    wanted = "sample_weight must be None or a finite number of at least 0 for each row."
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{wanted} Got {given!r:.100}. Give numbers.") from None
    if weights.shape != (n_rows,):
        raise ValueError(f"{wanted} Got the shape {weights.shape} for {n_rows:,} rows. Give one for each.")
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(f"{wanted} Got {weights[wrong][0]}. Set it to 0 to leave a row out.")
    positive, least = int((weights > 0).sum()), 1 if held_out else FEWEST
    if positive < least:
        raise ValueError(
            f"sample_weight must be above 0 for at least {least} rows. Got {positive}. Give more weights."
        )
    return weights
