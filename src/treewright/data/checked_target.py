"""The target of rows that a fitted model is compared with."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .classes import codes_among
from .levels import check_known, with_missing

LARGEST = 1e145  # of a target: 1e18 such numbers can be squared and added


def checked_target(y: Any, n_rows: int, classes: list[Any] | None) -> NDArray[Any]:
    """The place of every label among the classes, or without classes finite numbers; one value per row."""
    values = known_target(y, n_rows)
    if classes is None:
        return finite_numbers(values)
    return codes_among(classes, values, "Leave such rows out.")


def known_target(y: Any, n_rows: int) -> NDArray[Any]:
    """One column without missing values, one per row."""
    if y is None or isinstance(y, str | bytes | Number):
        raise ValueError(
            f"y must have the target of every row of X. Got {y!r:.100}. Give a list or a column."
        )
    values = with_missing(y)
    if values.ndim != 1 and not (values.ndim == 2 and values.shape[1] == 1):
        raise ValueError(f"y must be one column. Got the shape {values.shape}. Give the target alone.")
    if len(values) != n_rows:
        raise ValueError(
            f"y must be as long as the {n_rows:,} rows of X. Got {len(values):,}. Use the same rows."
        )
    values = values.reshape(-1)
    check_known(values, n_rows)
    if values.dtype == object and all(isinstance(each, Number) for each in values.tolist()):
        return np.array(values.tolist())
    return values


def finite_numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    """A target of numbers, none of them too large for sums of squares."""
    try:
        found = values.astype(np.float64) if values.dtype.kind not in "mM" else np.array([np.nan])
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not np.isfinite(found).all():
        wrong = next((each for each in values.tolist() if not _is_finite(each)), values.dtype)
        raise ValueError(
            f"y must hold finite numbers, as the model predicts numbers. Got {wrong!r}. Leave such rows out, "
            "or give the target of fit."
        )
    return check_size(found)


def check_size(y: NDArray[np.float64], name: str = "y") -> NDArray[np.float64]:
    """Reject numbers whose squares cannot be added."""
    largest = float(max(y.max(initial=0.0), -y.min(initial=0.0)))
    if largest > LARGEST:
        raise ValueError(
            f"{name} must lie between -{LARGEST:g} and {LARGEST:g}: sums of larger squares are beyond "
            f"floats. Got {largest:g}. Divide y by a constant."
        )
    return y


def _is_finite(value: Any) -> bool:
    return isinstance(value, Number) and bool(np.isfinite(complex(value)))  # type: ignore[call-overload]
