"""Columns as numbers, so that the squared distance of two coded rows is their dissimilarity.

A number is centred and divided by its standard deviation: two random rows are 2 apart on average. A nominal
column becomes an indicator per level: |e_a − e_b|² = 2 where the levels differ, else 0, so a mismatch counts
as much as the average difference of a number. The mean squared distance of all pairs is twice the summed
variances of the coded columns. So the split of least dissimilarity is the split of least squared error with
the coded columns as targets, and the core finds it. A missing value is coded as the mean: only where every
row has a place in space do pairs add up to variances. `gower` compares the known columns of each pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...data.common.array_types import Array, Floats, Mask
from ...data.schema import ColumnType
from ...data.values import Column

MOST_LEVELS = 200
TOGETHER = 4096  # rows that are coded at a time: as many as a cache holds


@dataclass(frozen=True)
class ColumnCode:
    """How one column becomes numbers."""

    name: str
    type: ColumnType
    means: Floats  # one, or the proportion of each level
    scale: float  # what numbers are divided by
    spread: float  # their standard deviation

    @property
    def is_nominal(self) -> bool:
        """Whether levels are compared, not numbers."""
        return self.type.kind == "nominal"

    @property
    def width(self) -> int:
        """How many coded columns it has."""
        return len(self.means)

    def encode(self, column: Column) -> Floats:
        """The coded columns: (rows, width)."""
        missing = missing_in(column)
        if not self.is_nominal:
            coded = (np.asarray(column.values, dtype=np.float64) - self.means[0])[:, None]
            coded /= self.scale
        else:
            levels = np.asarray(column.values)
            coded = (levels[:, None] == np.arange(self.width)).astype(np.float64) - self.means
            missing = missing | (levels >= self.width)
        coded[missing] = 0.0
        return np.asarray(coded)


@dataclass(frozen=True)
class Coding:
    """How a table becomes numbers."""

    columns: tuple[ColumnCode, ...]

    @property
    def owner(self) -> Array:
        """Of each coded column the place of its column."""
        return np.repeat(np.arange(len(self.columns)), [each.width for each in self.columns])

    def encode(self, table: Sequence[Column], n_rows: int) -> Floats:
        """The coded rows: (rows, coded columns)."""
        coded = np.empty((n_rows, len(self.owner)))
        for first in range(0, n_rows, TOGETHER):
            rows, start = slice(first, first + TOGETHER), 0
            for code, column in zip(self.columns, table, strict=True):
                coded[rows, start : start + code.width] = code.encode(column.take(rows))
                start += code.width
        return coded


def learn_coding(table: Sequence[Column], standardize: bool, weights: Floats | None = None) -> Coding:
    """The coding of a table; `standardize`: whether numbers are divided by their standard deviation."""
    return Coding(tuple(_code_of(column, standardize, weights) for column in table))


def missing_in(column: Column) -> Mask:
    """Which values are missing."""
    values = column.values
    if column.type.kind == "nominal":
        return np.asarray(values < 0)
    found = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    return found if column.missing is None else found | column.missing


def _code_of(column: Column, standardize: bool, weights: Floats | None) -> ColumnCode:
    column = column._replace(values=np.ascontiguousarray(column.values))
    missing = missing_in(column)
    known = column.values[~missing] if missing.any() else column.values
    if weights is not None and missing.any():
        weights = weights[~missing]
    if column.type.kind == "nominal":
        n_levels = len(column.type.levels)
        if n_levels > MOST_LEVELS:
            raise ValueError(
                f"A nominal column must have at most {MOST_LEVELS} levels to form clusters. Got "
                f"{column.name} with {n_levels:,}. Leave it out, or group its levels."
            )
        counts = np.bincount(known, weights, minlength=n_levels).astype(np.float64)
        return ColumnCode(column.name, column.type, counts / (counts.sum() or 1.0), 1.0, 1.0)
    known = np.ascontiguousarray(known, dtype=np.float64)
    if not np.isfinite(known).all():
        raise ValueError(
            f"X must not contain infinity: no distance to it is finite. Got inf in {column.name}. "
            "Replace it, or mark it as missing."
        )
    mean, spread = _mean_and_spread(known, weights)
    scale = spread if standardize and spread > 0 else 1.0
    return ColumnCode(column.name, column.type, np.array([mean]), scale, spread)


def _mean_and_spread(known: Floats, weights: Floats | None) -> tuple[float, float]:
    """The mean and the standard deviation, which is 0 where it is nothing but rounding."""
    if not len(known) or (weights is not None and not weights.any()):
        return 0.0, 0.0
    mean = float(np.average(known, weights=weights))
    spread = float(
        known.std() if weights is None else np.sqrt(np.average((known - mean) ** 2, weights=weights))
    )
    return mean, spread if spread > 1e-12 * abs(mean) else 0.0
