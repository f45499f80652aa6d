"""The terms of linear leaves: what a coefficient can stand before, as one matrix of standardised columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.common.array_types import Floats, Ints
from ...data.schema import ColumnType
from ...tree.leaf_models import IS_MISSING, NUMBER

FEWEST = 5  # rows of a level, or with a missing value, that a term of its own needs
MOST_LEVELS = 50  # of one column that have a term; the rarer ones have none


@dataclass(frozen=True)
class Terms:
    """Terms by column of `values`, whose first column is 1 for every row. A missing number is at the mean."""

    feature: Ints
    level: Ints  # NUMBER, IS_MISSING, or the code of a level
    mean: Floats
    scale: Floats
    matrix: Floats  # (rows, 1 + terms + targets): 1, (x - mean) / scale, and room for the targets

    @property
    def values(self) -> Floats:
        """The matrix without the targets."""
        return self.matrix[:, : 1 + len(self)]

    def __len__(self) -> int:
        return len(self.feature)

    def only(self, places: Ints) -> Terms:
        """Some of the terms."""
        others = np.arange(1 + len(self), self.matrix.shape[1])
        matrix = np.ascontiguousarray(self.matrix[:, np.concatenate([[0], places + 1, others])])
        return Terms(self.feature[places], self.level[places], self.mean[places], self.scale[places], matrix)


def read_terms(
    raw: list[Floats], types: tuple[ColumnType, ...] | None, wanted: list[int], weight: Floats, n_targets: int
) -> Terms:
    """Every term of these columns: numbers, frequent levels, and whether a value is missing.

    A column that does not vary has no term. Of a nominal column without missing values or rare levels the
    most frequent level has none: the others differ from it.
    """
    found: list[tuple[int, int, float, float, Floats]] = []
    used = weight > 0
    for column in wanted:
        x = raw[column]
        if types is not None and types[column].kind == "nominal":
            each = [(code, (x == code).astype(np.float64)) for code in _frequent(x[used])]
        else:
            _must_be_finite(x, column)
            each = [(NUMBER, x)]
        missing = np.isnan(x)
        if np.count_nonzero(missing & used) >= FEWEST and not missing[used].all():
            each.append((IS_MISSING, missing.astype(np.float64)))
        for level, values in each:
            made = _standardised(values, weight)
            if made is not None:
                found.append((column, level, *made))
    matrix = np.empty((len(weight), 1 + len(found) + n_targets))
    matrix[:, 0] = 1.0
    for place, term in enumerate(found):
        matrix[:, place + 1] = term[4]
    feature, level, mean, scale = (np.array([term[k] for term in found]) for k in range(4))
    return Terms(feature.astype(np.int64), level.astype(np.int64), mean, scale, matrix)


def _frequent(codes: Floats) -> Ints:
    """The levels that have a term, most frequent first; the most frequent of all has none if it can."""
    known = codes[~np.isnan(codes)].astype(np.int64)
    count = np.bincount(known) if len(known) else np.zeros(0, dtype=np.int64)
    order = np.argsort(-count, kind="stable")
    often = order[count[order] >= FEWEST][: MOST_LEVELS + 1]
    rest = len(codes) - int(count[often].sum())
    return np.asarray(often[1:] if rest < FEWEST or len(often) > MOST_LEVELS else often)


def _standardised(values: Floats, weight: Floats) -> tuple[float, float, Floats] | None:
    """Mean, scale and standardised values; None where nothing varies."""
    known = ~np.isnan(values) & (weight > 0)
    if not known.any():
        return None
    own = weight[known]
    first = float(values[known][0])
    mean = first + float(np.average(values[known] - first, weights=own))  # exact where all values are near
    centred = values - mean
    scale = float(np.sqrt(np.average(centred[known] ** 2, weights=own)))
    if not scale > 1e-12 * max(abs(mean), np.finfo(float).tiny):
        return None
    return mean, scale, np.where(np.isnan(values), 0.0, centred / scale)


def _must_be_finite(x: Floats, column: int) -> None:
    if np.isinf(x).any():
        raise ValueError(
            f"A linear leaf needs finite numbers. Got an infinite value in column {column}. Replace it, or "
            "mark it as missing."
        )
