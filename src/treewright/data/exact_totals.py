"""Sums of weights by class that do not depend on the order of the rows: exact, then rounded once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .common.array_types import Array, Floats

_UNIT = 1126  # every float64 is a multiple of 2**-_UNIT
_BITS = 26  # of the lower half of a mantissa: sums of 2**25 halves are exact in a float64
_ROWS = 1 << 25


def exact_totals(codes: Array, weights: Floats, n_classes: int) -> list[int]:
    """The sum of the weights of each class, in units of 2**-1126."""
    totals = [0] * n_classes
    for first in range(0, len(weights), _ROWS):
        some = slice(first, first + _ROWS)
        mantissa, exponent = np.frexp(weights[some])
        whole, code = np.ldexp(mantissa, 53).astype(np.int64), codes[some]
        for power in np.unique(exponent).tolist():
            here = exponent == power
            for part, shift in ((whole[here] >> _BITS, _BITS), (whole[here] & ((1 << _BITS) - 1), 0)):
                for k, found in enumerate(np.bincount(code[here], part, n_classes).tolist()):
                    totals[k] += int(found) << (power - 53 + _UNIT + shift)
    return totals


def as_floats(totals: Iterable[int]) -> Floats:
    """Such sums as numbers."""
    return np.array([total / (1 << _UNIT) for total in totals], dtype=np.float64)


def class_totals(codes: Array, weights: Floats | None, n_classes: int) -> Floats:
    """The rows of each class by weight."""
    if weights is None:
        return np.bincount(codes, minlength=n_classes).astype(np.float64)
    return as_floats(exact_totals(codes, np.asarray(weights, dtype=np.float64), n_classes))
