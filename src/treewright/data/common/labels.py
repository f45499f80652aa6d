"""Labels of classes, each once and in order: text by hashing, which is much faster than sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def is_text(values: Array) -> bool:
    """Whether all values are Python's text, none of them missing."""
    if values.dtype.kind == "U":
        return True
    return values.dtype.kind == "O" and set(map(type, values.ravel().tolist())) == {str}


def distinct(values: Array) -> Array:
    """The sorted values, each once; as `numpy.unique`."""
    return _distinct_text(values)[0] if is_text(values) else np.unique(values)


def coded(values: Array) -> tuple[Array, NDArray[np.intp]]:
    """The sorted values, each once, and the place of every value among them."""
    if not is_text(values):
        found, codes = np.unique(values, return_inverse=True)
        return found, codes.ravel()
    found, place = _distinct_text(values)
    items = values.ravel().tolist()
    return found, np.fromiter(map(place.__getitem__, items), dtype=np.intp, count=len(items))


def _distinct_text(values: Array) -> tuple[Array, dict[str, int]]:
    place = {text: k for k, text in enumerate(sorted(set(values.ravel().tolist())))}
    return np.array(list(place), dtype=values.dtype), place
