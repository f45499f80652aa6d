"""The numbers that a column can hold: by what is known of the column, never by how one value was typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.schema import NUMBER, ColumnType
from ...data.table import is_frame
from ...data.values import Column
from ..described_model import DescribedModel
from ..row import LazyDict, column_name, is_gap
from .numbers import Numbers, numbers_of

TIMES = ("datetime", "duration")
EXACT = {4: 2**24, 8: 2**53}  # up to here a float of so many bytes holds every whole number


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
        if self.reference is not None:
            found = _of_rows(self.reference[column])
        else:
            found = _of_type(self._type_in_table(column))
        return self._of_thresholds(column) if found is None else found

    def _of_thresholds(self, column: int) -> Whole | None:
        tree = self.model.tree
        if not len(tree.integer_exact):
            return None
        tested = tree.threshold[(tree.feature == column) & ~tree.is_leaf & tree.integer_exact.astype(bool)]
        if not len(tested):
            return None
        return Whole(numbers_of(np.uint64 if tested.max() >= 2.0**63 else np.int64), np.inf)

    @cached_property
    def types(self) -> Sequence[ColumnType]:
        """The types of the columns at fit."""
        return self.model.tree.column_types or [NUMBER] * self.model.tree.n_features

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
        known = self.types[column]
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
    if values.dtype.kind != "f":
        most = max(abs(int(values.min())), abs(int(values.max()))) if len(values) else 0
        return Whole(numbers_of(values.dtype), most) if len(values) else None
    values = values[np.isfinite(values)]
    size = float(np.abs(values).max(initial=0.0))
    if not len(values) or size > EXACT[values.dtype.itemsize] or (values != np.floor(values)).any():
        return None
    return Whole(Numbers(np.dtype(np.int64), -(2**53), 2**53), size)


def _of_type(dtype: Any) -> Whole | None:
    return None if dtype is None or dtype.kind not in "iub" else Whole(numbers_of(dtype), 0.0)
