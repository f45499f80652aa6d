"""A short hash of all that a tree predicts with."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import Any

import numpy as np

from .invariants import SOFT

# What is known of the training rows, and of how splits were found; no prediction depends on it.
_ABOUT_GROWTH = {
    "missing_seen", "n_node_samples", "weighted_n_node_samples", "impurity", "gain", "lower", "upper",
    "found_by", "heuristic", "agreement", "adjusted", "p_value", "test_statistic",
}  # fmt: skip


def digest_of(tree: Any) -> str:
    """Sixteen hexadecimal digits. Trees that predict by other tests, values or labels have others."""
    found = hashlib.blake2b(digest_size=8)
    _add(found, tree)
    return found.hexdigest()


def _add(found: Any, arrays: Any) -> None:
    """The fields one by one, each with its name and its size."""
    for field in fields(arrays):
        if field.name in _ABOUT_GROWTH:
            continue
        value = getattr(arrays, field.name)
        # trees without are as they were before there were any
        if field.name in {"leaf_models", "combinations"} and value is None:
            continue
        if field.name in SOFT and not len(value):
            continue
        if field.name in {"surrogates", "leaf_models", "combinations"} and value is not None:
            _add(found, value)
            continue
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            content = str(value.shape).encode() + np.ascontiguousarray(value + 0).tobytes()
        else:
            content = repr(_plain(value)).encode()
        found.update(f"{field.name}:{len(content)}:".encode() + content)


def _plain(value: Any) -> Any:
    """Labels as lists of Python's own values, so that text is text whatever array holds it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
