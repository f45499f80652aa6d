"""The weighted sums that oblique tests compare, as further columns behind those of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from ..data.common.array_types import Floats
from ..data.values import Column
from .combinations import combined
from .tree import Tree


class ColumnsWithSums(Sequence[Column]):
    """The columns of a table, and behind them the sums that a tree compares, made when first needed."""

    def __init__(self, tree: Tree, columns: Sequence[Column]) -> None:
        self.tree, self.columns = tree, columns
        self.sums: dict[int, Column] = {}

    def __len__(self) -> int:
        return len(self.columns) + (0 if self.tree.combinations is None else len(self.tree.combinations))

    @overload
    def __getitem__(self, place: int) -> Column: ...
    @overload
    def __getitem__(self, place: slice) -> list[Column]: ...
    def __getitem__(self, place: int | slice) -> Column | list[Column]:
        if isinstance(place, slice):
            return [self[k] for k in range(len(self))[place]]
        terms = self.tree.terms(place)
        if not terms:
            return self.columns[place]
        if place not in self.sums:
            numbers = {column: numbers_of(self.columns[column]) for column, _ in terms}
            with np.errstate(invalid="ignore", over="ignore"):
                self.sums[place] = Column("", combined(terms, numbers))
        return self.sums[place]


def numbers_of(column: Column) -> Floats:
    """A column of numbers as float64, NaN where a value is missing."""
    values = np.array(column.values, dtype=np.float64)
    if column.missing is not None:
        values[column.missing] = np.nan
    return values
