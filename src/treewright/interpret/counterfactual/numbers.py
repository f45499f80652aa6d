"""The numbers that a column can hold: by what is known of the column, never by how one value was typed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.table import is_frame
from ...data.values import Column
from ...tree.value_sets import FIRST, LAST, Cut, last_whole
from ..described_model import DescribedModel
from ..row import LazyDict, column_name, is_gap

Number = float | int

UNITS = tuple(10**6 * s for s in (86_400, 3_600, 60, 1))  # a day, an hour, a minute, a second in microseconds
TIMES = ("datetime", "duration")
EXACT = {4: 2**24, 8: 2**53}  # up to here a float of so many bytes holds every whole number


@dataclass(frozen=True)
class Numbers:
    """All numbers from `low` to `high` of a type; whole ones, or those of float32 or float64."""

    dtype: Any
    low: Number
    high: Number
    is_time: bool = False

    @property
    def whole(self) -> bool:
        """Whether there are whole numbers alone."""
        return isinstance(self.low, int)

    def has(self, x: Number) -> bool:
        """Whether this is one of the numbers."""
        return self.low <= x <= self.high and (not self.whole or x == math.floor(x))

    def nearest(self, x: float) -> float:
        """A float as a number of this type, itself a float."""
        with np.errstate(over="ignore"):
            return float(self.dtype.type(x))

    def step(self, x: Number, upwards: bool) -> Number:
        """The next number of this type."""
        if self.whole:
            return x + 1 if upwards else x - 1
        far = math.inf if upwards else -math.inf
        with np.errstate(over="ignore", under="ignore"):
            return float(np.nextafter(self.dtype.type(x), self.dtype.type(far)))

    def within(self, low: Cut, high: Cut) -> tuple[Number, Number] | None:
        """The first and the last number between two cuts; None if there is none."""
        first, last = self._beside(low, upwards=True), self._beside(high, upwards=False)
        return None if first is None or last is None or first > last else (first, last)

    def _beside(self, cut: Cut, upwards: bool) -> Number | None:
        """The first number after a cut, or the last one before it; None if there is none."""
        if cut == (LAST if upwards else FIRST):
            return None
        if self.whole:
            last = last_whole(cut)
            found = max(last + 1, self.low) if upwards else min(last, self.high)
            return None if math.isinf(found) else found
        x: Number = self.nearest(float(cut[0]))
        while (x, 0.5) < cut if upwards else (x, 0.5) > cut:  # Python compares int and float exactly
            x = self.step(x, upwards)
        return x

    def readable(self, edge: Number, inner: Number, upwards: bool) -> Number:
        """A number of few digits from `edge` on towards `inner`; of those the nearest to `edge`.

        Whole numbers are as they are, but for times, which are made round on the clock.
        """
        if self.whole:
            return self._round_time(int(edge), int(inner), upwards) if self.is_time else edge
        low, high = (edge, inner) if upwards else (inner, edge)
        if not (math.isfinite(low) and math.isfinite(high)):
            return edge
        if low <= 0 <= high:
            return 0.0
        most = math.ceil(math.log10(max(abs(low), abs(high)))) + 1
        for exponent in range(most, most - 19, -1):
            unit = Fraction(10) ** exponent
            many = math.ceil(Fraction(edge) / unit) if upwards else math.floor(Fraction(edge) / unit)
            found = self.nearest(float(f"{many}e{exponent}"))
            if low <= found <= high:
                return found
        return edge

    def _round_time(self, edge: int, inner: int, upwards: bool) -> int:
        for unit in UNITS:
            found = -(-edge // unit) * unit if upwards else edge // unit * unit
            if (found <= inner) if upwards else (found >= inner):
                return found
        return edge


def numbers_of(dtype: Any) -> Numbers:
    """The numbers of a numpy type."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return Numbers(dtype, 0, 1)
    if dtype.kind in "iu":
        most = np.iinfo(dtype)
        return Numbers(dtype, int(most.min), int(most.max))
    return Numbers(dtype, -math.inf, math.inf)


# -- columns


class Whole(NamedTuple):
    """That a column is of whole numbers, and of which; `most` is the greatest size seen."""

    numbers: Numbers
    most: float


@dataclass(frozen=True)
class Domains:
    """What the cells of each column can be.

    A column of numbers is whole if all reference rows are; without these if the table that the row is from
    has several rows and says so by the column's type; or if the tree compares it with whole numbers beyond
    float64, which it does for columns of integers alone.
    """

    model: DescribedModel
    reference: list[Column] | None
    table: Any = None  # X, if it has several rows; its types say what its columns are

    @cached_property
    def whole(self) -> dict[int, Whole | None]:
        """What is known of each column of numbers; None: nothing says that it is whole."""
        return LazyDict(self._whole)

    def _whole(self, column: int) -> Whole | None:
        rows = self.reference
        found = _of_rows(rows[column]) if rows is not None else _of_type(self._type_in_table(column))
        return self._of_thresholds(column) if found is None else found

    def _of_thresholds(self, column: int) -> Whole | None:
        tree = self.model.tree
        if not len(tree.integer_exact):
            return None
        tested = tree.threshold[(tree.feature == column) & ~tree.is_leaf & (tree.integer_exact != 0)]
        if not len(tested):
            return None
        return Whole(numbers_of(np.uint64 if tested.max() >= 2.0**63 else np.int64), np.inf)

    def _type_in_table(self, column: int) -> Any:
        """The numpy type of a column of whole numbers in the table; None where it is of no such type."""
        if not is_frame(self.table):
            return getattr(self.table, "dtype", None)
        import narwhals.stable.v2 as nw

        frame = nw.from_native(self.table, eager_only=True)
        series = frame.get_column(column_name(self.model, frame.columns, column))
        if getattr(series.to_native(), "dtype", None) == np.dtype(object):
            return None  # a column of anything
        if series.dtype == nw.Boolean:
            return np.dtype(bool)
        return np.dtype(str(series.dtype).lower()) if series.dtype.is_integer() else None

    def of(self, column: int, held: Column) -> Numbers:
        """The numbers that a cell can hold, given what it holds now."""
        known = self.model.words.column(column)
        if known.kind == "ordered":
            return Numbers(np.dtype(np.int64), 0, len(known.levels) - 1)
        if known.kind == "boolean":
            return Numbers(held.values.dtype, 0, 1)
        if known.kind in TIMES:
            return Numbers(np.dtype(np.int64), -(2**63) + 1, 2**63 - 1, is_time=True)
        dtype = held.values.dtype
        if dtype.kind == "f" and self.reference is None:
            return numbers_of(dtype)  # neither types of integers nor thresholds beyond float64 are meant
        whole = self.whole[column]
        if whole is not None:
            for numbers in _suiting(whole, dtype):
                if is_gap(held) or numbers.has(held.values[0].item()):
                    return numbers
        return numbers_of(dtype if dtype.kind == "f" else np.float64)


def _suiting(whole: Whole, dtype: Any) -> list[Numbers]:
    """Whole numbers that a cell of this type can hold; the first of these that has its value is meant."""
    if dtype.kind != "f":
        return [whole.numbers, numbers_of(np.int64), numbers_of(np.uint64)]
    most = EXACT[dtype.itemsize]
    if whole.most > most:
        return []
    low, high = max(int(whole.numbers.low), -most), min(int(whole.numbers.high), most)
    return [Numbers(np.dtype(np.int64), low, high), Numbers(np.dtype(np.int64), -most, most)]


def _of_rows(held: Column) -> Whole | None:
    """By the values of reference rows, as far as they are there."""
    values = held.values if held.missing is None else held.values[~held.missing]
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    if values.dtype.kind != "f":
        return Whole(numbers_of(values.dtype), max(abs(int(values.min())), abs(int(values.max()))))
    size = float(np.abs(values).max())
    if size > EXACT[values.dtype.itemsize] or (values != np.floor(values)).any():
        return None
    return Whole(Numbers(np.dtype(np.int64), -(2**53), 2**53), size)


def _of_type(dtype: Any) -> Whole | None:
    return None if dtype is None or dtype.kind not in "iub" else Whole(numbers_of(dtype), 0.0)
