"""What a mechanism may be given, and what its functions may return."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.checked_target import check_size
from ...data.common.allowed import YES_NO, is_whole
from ...data.common.array_types import Array, Floats
from ...data.common.errors import ParameterError, shown
from ...data.common.functions import of_arrays

Generator = np.random.Generator


def generator_of(random_state: Any) -> Generator:
    """A generator of a seed, the given generator, or one seeded by a RandomState."""
    if isinstance(random_state, Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    if random_state is None or (is_whole(random_state) and random_state >= 0):
        return np.random.default_rng(random_state)
    must = "random_state must be None, an int of at least 0, or a generator of numpy."
    raise ParameterError(f"{must} Got {random_state!r:.80}.", "random_state")


def check_count(name: str, value: Any, least: int) -> int:
    """An int of at least `least`."""
    if not is_whole(value) or value < least:
        raise ParameterError(f"{name} must be an int of at least {least}. Got {shown(value)}.", name)
    return int(value)


def is_width(x: Any) -> bool:
    """Whether this is a number of columns."""
    return is_whole(x) and x >= 1


def fixed_rows(x: Any) -> Floats:
    """Fixed rows, which nobody may change."""
    found = table_of(
        x, "x", ", a number of columns, or a function of a generator and a number of rows"
    ).copy()
    found.setflags(write=False)
    return found


def table_of(x: Any, name: str, other: str = "") -> Floats:
    """Rows of finite numbers; one dimension is one column. `other` is what else it may be."""
    try:
        found = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    found = found[:, None] if found.ndim == 1 else found
    if found.ndim != 2 or 0 in found.shape or not np.isfinite(found).all():
        must = f"{name} must hold finite numbers of shape (rows,) or (rows, columns){other}."
        raise ParameterError(f"{must} Got {x!r:.80}.", name)
    return found


def of_columns(name: str, function: Any, columns: Floats) -> Any:
    """What a function of the columns returns."""
    return of_arrays(name, function, "the columns", *columns)


def checked_noise(noise: Any) -> Any:
    """A standard deviation or a probability, or a function that returns them."""
    number = isinstance(noise, int | float | np.number) and not isinstance(noise, bool)
    if not callable(noise) and not (number and 0 <= noise < np.inf):
        must = "noise must be a finite number of at least 0, or a function of the columns."
        raise ParameterError(f"{must} Got {shown(noise)}.", "noise")
    return noise


def checked_labels(classes: Any) -> Array:
    """At least two different labels of one kind, in their order. Floats are none: f returns probabilities."""
    labels = np.asarray(classes, dtype=object)
    given = labels.tolist() if labels.ndim == 1 else []
    kinds = (lambda label: isinstance(label, str), YES_NO.holds, is_whole)
    if len(given) < 2 or not any(all(map(kind, given)) for kind in kinds) or len(set(given)) < len(given):
        must = (
            "classes must be at least two different labels: all text, all whole numbers, or True and False."
        )
        raise ParameterError(f"{must} Got {classes!r:.80}.", "classes")
    return np.asarray(classes)


def rows_of(made: Any) -> Array:
    """What f returned, as an array; of objects as one of what they are."""
    try:
        found = np.asarray(made)
        return np.array(found.tolist()) if found.dtype == object else found
    except ValueError:
        raise ParameterError(f"f must return one entry per row. Got {made!r:.80}.", "f") from None


def numbers_by_row(made: Array, n_rows: int) -> Floats:
    """What f returned for numbers: one per row."""
    made = made[:, 0] if made.ndim == 2 and made.shape[1] == 1 else made
    if made.shape != (n_rows,):
        got = f"Got shape {made.shape}."
        raise ParameterError(f"f must return one entry per row: shape ({n_rows},). {got}", "f")
    if made.dtype.kind not in "iuf" or not np.isfinite(made).all():
        must = "f must return finite numbers or booleans; for other labels give classes=[...]."
        raise ParameterError(f"{must} Got {made[:3].tolist()!r:.80}.", "f")
    return check_size(made.astype(np.float64), "f")


def shares_by_row(made: Array, n_rows: int, classes: Array) -> Floats:
    """The probability of each class: (rows, classes)."""
    made = made[:, 0] if made.ndim == 2 and made.shape[1] == 1 else made
    if made.dtype.kind == "f":
        two = made.ndim == 1 and len(classes) == 2
        shares = np.stack([1 - made, made], axis=1) if two else made
        if shares.shape != (n_rows, len(classes)):
            must = f"f must return probabilities of shape ({n_rows}, {len(classes)}), one per class."
            raise ParameterError(f"{must} Got shape {made.shape}.", "f")
        if not (shares >= 0).all() or not np.allclose(shares.sum(axis=1), 1):
            raise ParameterError(
                f"f must return probabilities from 0 to 1 that sum to 1. Got {made[0].tolist()!r:.80}.", "f"
            )
        return np.asarray(shares, dtype=np.float64)
    if made.shape != (n_rows,):
        raise ParameterError(
            f"f must return one entry per row: shape ({n_rows},). Got shape {made.shape}.", "f"
        )
    by_class = np.array([made == label for label in classes.tolist()], dtype=np.float64)
    known = by_class.any(axis=0)
    if not known.all():
        wrong = made[~known].tolist()[0]
        raise ParameterError(f"f must return labels of classes, {classes.tolist()}. Got {wrong!r}.", "f")
    return np.asarray(by_class.T)
