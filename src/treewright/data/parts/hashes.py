"""Hashes of rows and values that are the same on every machine, in every part and in every batch."""

from __future__ import annotations

from datetime import date
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.array_types import Array, Floats, Mask

Hashes = NDArray[np.uint64]

APART = np.uint64(1 << 63)  # so that drawing rows does not depend on folds, which hash the same values


def mixed(z: Hashes) -> Hashes:
    """SplitMix64 of numbers."""
    z = z * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def row_numbers(first: int, n_rows: int) -> Hashes:
    """The numbers of the rows from `first` on, counted from 1."""
    return np.arange(first + 1, first + 1 + n_rows, dtype=np.uint64)


def are_drawn(keys: Hashes, share: float) -> Mask:
    """Whether each row is among this share of all, by its number or by a hash of its group."""
    return np.asarray(places(keys) < share)


def places(keys: Hashes) -> Floats:
    """A place in [0, 1) for each key, at random."""
    return np.asarray(mixed(keys ^ APART) / 2.0**64)


def with_dates(values: Array) -> Array:
    """Dates that are objects of Python, as pandas has them, as dates of numpy."""
    if values.dtype.kind != "O" or not len(values) or not isinstance(values[0], date):
        return values
    return np.asarray(values, dtype="M8[us]")


def hash_of_values(values: Array) -> Hashes:
    """Of numbers, whatever their type (1 is 1.0), of dates and times, or of text."""
    values = with_dates(values)
    if values.dtype.kind in "mM":
        values = values.astype(f"{values.dtype.kind}8[us]").view(np.int64)  # whatever their unit
    if values.dtype.kind == "f":
        whole = (values == np.floor(values)) & (np.abs(values) < 2.0**63)
        as_whole = np.where(whole, values, 0).astype(np.int64).view(np.uint64)
        return mixed(np.where(whole, as_whole, ~values.astype(np.float64).view(np.uint64)))
    if values.dtype.kind in "biu":
        return mixed(values.astype(np.int64 if values.dtype.kind != "u" else np.uint64).view(np.uint64))
    known: dict[Any, int] = {}
    for value in set(values.tolist()):
        digest = blake2b(str(value).encode("utf-8", "surrogatepass"), digest_size=8).digest()
        known[value] = int.from_bytes(digest, "little")
    return np.fromiter(map(known.__getitem__, values.tolist()), dtype=np.uint64, count=len(values))
