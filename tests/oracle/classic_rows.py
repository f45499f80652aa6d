"""What the oracles of the classic programs work on: columns, rows with a part of their weight, and tests.

The classics compute in floating point, some in single precision and some with slacks, and that decides their
ties. So do these oracles: sums are kept in the type of the weights, and taken in the order of the rows.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]  # float32 or float64
Ints = NDArray[np.int64]
Real = type[np.float32] | type[np.float64]


@dataclass(frozen=True)
class Column:
    """Numbers, or places among the levels as numbers; NaN is missing."""

    name: str
    values: Floats
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Data:
    """A table: its columns, the target as codes of classes or as numbers, and the weights of the rows."""

    columns: tuple[Column, ...]
    y: NDArray[Any]
    weight: Floats
    classes: tuple[str, ...] = ()  # in order; none: the target is a number

    @property
    def n_classes(self) -> int:
        """The number of declared classes."""
        return len(self.classes)

    def many_levels(self, column: int, share: float) -> bool:
        """Whether a column has at least this many levels per row of the whole table."""
        return len(self.columns[column].levels) >= share * len(self.y)


@dataclass(frozen=True)
class Sample:
    """Rows of a table, each with the part of its weight that is here."""

    data: Data
    rows: Ints
    weight: Floats

    @classmethod
    def of(cls, data: Data, real: Real = np.float64) -> "Sample":
        """All rows that have a weight, to be summed in this type."""
        rows = np.flatnonzero(data.weight > 0)
        return cls(data, rows, data.weight[rows].astype(real))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def y(self) -> NDArray[Any]:
        """The targets of these rows."""
        return self.data.y[self.rows]

    @property
    def total(self) -> Any:
        """The whole weight, summed row by row."""
        return np.cumsum(self.weight)[-1] if len(self) else self.weight.dtype.type(0)

    def values(self, column: int) -> Floats:
        """The values of a column, in the type of the weights."""
        return self.data.columns[column].values[self.rows].astype(self.weight.dtype)

    def known(self, column: int) -> "Sample":
        """The rows whose value of a column is there."""
        return self.where(~np.isnan(self.values(column)))

    def where(self, mask: NDArray[np.bool_]) -> "Sample":
        """Some of the rows."""
        return replace(self, rows=self.rows[mask], weight=self.weight[mask])

    def where_order(self, order: Ints) -> "Sample":
        """The same rows in another order."""
        return replace(self, rows=self.rows[order], weight=self.weight[order])

    def sorted_by(self, column: int) -> "Sample":
        """The rows that have a value of a column, in its order."""
        known = self.known(column)
        return known.where_order(np.argsort(known.values(column), kind="stable"))

    def counts(self, side: Ints | None = None, n: int = 1) -> Floats:
        """The weight of every class in each of n parts; `side` has the part of every row."""
        found = np.zeros(n * self.data.n_classes, self.weight.dtype)
        place = self.y if side is None else side * self.data.n_classes + self.y
        np.add.at(found, place, self.weight)  # one row after the other
        return found.reshape(n, -1)

    def is_pure(self) -> bool:
        """Whether all rows are of one class, or have one number."""
        return len(np.unique(self.y)) < 2


@dataclass(frozen=True)
class Test:
    """A branch for each group of levels; or two, the first for x <= threshold (strict: x < threshold)."""

    __test__ = False  # pytest collects classes of this name

    column: int
    threshold: float | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    strict: bool = False
    gain: float = 0.0
    info: float = 0.0  # bits: what it takes to tell the branch of a row
    ratio: float = 0.0  # gain / info
    shares: tuple[float, ...] = ()  # of each branch in the rows whose value is known
    alone: bool = False  # missing values have a branch of their own, the last

    @property
    def n_branches(self) -> int:
        """The branches of values that are known."""
        return len(self.groups) or 2

    def side(self, x: Floats) -> Ints:
        """The branch of every value, -1 without one."""
        if self.threshold is None:
            branch = {level: k for k, group in enumerate(self.groups) for level in group}
            return np.array([branch.get(level, -1) for level in x.tolist()], dtype=np.int64)
        cut = x.dtype.type(self.threshold)
        right = x >= cut if self.strict else x > cut
        return np.where(np.isnan(x), -1, right).astype(np.int64)


def shared(sample: Sample, test: Test) -> Test:
    """The test with the share that each branch has of the known rows."""
    known = sample.known(test.column)
    sizes = np.zeros(test.n_branches, sample.weight.dtype)
    np.add.at(sizes, test.side(known.values(test.column)), known.weight)
    whole = sizes.sum()
    shares = sizes / whole if whole > 0 else np.full(len(sizes), 1 / len(sizes))
    return replace(test, shares=tuple(shares.tolist()))


def divide(sample: Sample, test: Test) -> list[Sample]:
    """The rows of each branch; a row without the value goes down every branch with a share of its weight."""
    side = test.side(sample.values(test.column))
    if test.alone:
        return [sample.where(side == k) for k in [*range(test.n_branches), -1]]
    parts = []
    for k in range(test.n_branches):
        share = np.where(side < 0, test.shares[k], side == k).astype(sample.weight.dtype)
        parts.append(replace(sample, weight=sample.weight * share).where(share > 0))
    return parts


def spread_bits(counts: Floats) -> Any:
    """Weight times entropy: W·log2(W) - Σ w·log2(w), summed in the type of the counts."""
    real = counts.dtype.type
    total, inner = real(0), real(0)
    for count in counts.ravel():
        total, inner = real(total + count), real(inner + times_log(count))
    return real(times_log(total) - inner)


def worth(test: Test, gain: Any, info: Any) -> Test:
    """The test with its gain, split information and their ratio."""
    return replace(test, gain=gain, info=info, ratio=gain / info if info > 0 else 0.0)


def times_log(count: Any) -> float:
    """w·log2(w), which is 0 for nothing."""
    return float(count) * float(np.log2(float(count))) if count > 0 else 0.0


def summed_in_order(numbers: Floats) -> Any:
    """Their sum, one after the other."""
    return np.add.accumulate(numbers)[-1] if len(numbers) else numbers.dtype.type(0)
