"""Mechanisms by name: small sources of data that textbooks draw."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from .mechanism import Mechanism


def _circle_and_boxes(x: Floats, y: Floats) -> Array:
    """Inside a circle in the upper left, or inside one of two boxes."""
    circle = (x - 0.3) ** 2 + (y - 0.7) ** 2 <= 0.2**2
    right = (abs(x - 0.75) <= 0.15) & (abs(y - 0.7) <= 0.15)
    below = (abs(x - 0.4) <= 0.2) & (abs(y - 0.2) <= 0.1)
    return np.asarray(circle | right | below)


_NAMED: dict[str, tuple[Any, float, int]] = {  # f, noise, and the number of uniform columns
    "sine": (lambda x: np.sin(2 * np.pi * x), 0.3, 1),
    "x + y <= 1": (lambda x, y: x + y <= 1, 0.0, 2),
    "line y = 0.8x + 0.1": (lambda x, y: y > 0.8 * x + 0.1, 0.1, 2),
    "circle and boxes": (_circle_and_boxes, 0.1, 2),
    "xor": (lambda x, y: (x > 0.5) != (y > 0.5), 0.1, 2),
}
MECHANISMS = tuple(_NAMED)


def named(name: Any, noise: Any = None) -> Mechanism:
    """See `Mechanism.named`."""
    if not isinstance(name, str) or name not in _NAMED:
        known = ", ".join(map(repr, _NAMED))
        must = f"The name of a mechanism must be one of {known}."
        raise ParameterError(f"{must} Got {name!r:.80}.{nearest(name, _NAMED)}", "mechanism")
    f, usual, width = _NAMED[name]
    made = Mechanism(f, usual if noise is None else noise, width)
    made.name = name
    return made


def as_mechanism(given: Any) -> Mechanism:
    """A mechanism as it is, or by name."""
    if isinstance(given, Mechanism):
        return given
    if isinstance(given, str):
        return named(given)
    must = "mechanism must be a Mechanism or the name of one."
    raise ParameterError(f"{must} Got {given!r:.80}.", "mechanism")
