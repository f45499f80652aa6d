"""Labels of classes, each once and in order: text by hashing, which is much faster than sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEW = 6  # labels: a comparison of all values costs less than to hash them


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
    if values.dtype.kind == "i" and values.size and values.min() >= 0 and values.max() < values.size:
        present = np.bincount(values.ravel()) > 0  # small numbers need no sorting
        return np.flatnonzero(present).astype(values.dtype), (np.cumsum(present) - 1)[values.ravel()]
    if not is_text(values):
        found, codes = np.unique(values, return_inverse=True)
        return found, codes.ravel()
    few = _coded_if_few(values.ravel()) if values.dtype.kind == "U" else None
    if few is not None:
        return few
    found, place = _distinct_text(values)
    items = values.ravel().tolist()
    return found, np.fromiter(map(place.__getitem__, items), dtype=np.intp, count=len(items))


def _coded_if_few(values: Array) -> tuple[Array, NDArray[np.intp]] | None:
    """The same by comparing all values with one label after the other; None where there are many labels."""
    codes, left = np.zeros(len(values), dtype=np.intp), np.ones(len(values), dtype=bool)
    found: list[str] = []
    while left.any():
        if len(found) == FEW:
            return None
        label = values[left.argmax()]
        same = values == label
        codes[same] = len(found)
        left &= ~same
        found.append(label)
    labels = np.array(found, dtype=values.dtype)
    order = np.argsort(labels)
    return labels[order], np.argsort(order)[codes]


def _distinct_text(values: Array) -> tuple[Array, dict[str, int]]:
    place = {text: k for k, text in enumerate(sorted(set(values.ravel().tolist())))}
    return np.array(list(place), dtype=values.dtype), place
