"""Some rows of a part, evenly drawn: the same ones whatever the batches are."""

from __future__ import annotations

import numpy as np

from ..common.array_types import Floats, Ints
from ..values import Column

LEAST = 4096  # a sample has between this and twice as many rows, or all of them


class Sample:
    """Every k-th row, where k doubles whenever there are too many."""

    def __init__(self) -> None:
        self._step, self._n_rows = 1, 0
        self._rows: Ints = np.empty(0, np.int64)
        self._values: dict[str, Floats] = {}

    def add(self, columns: dict[str, Column], n_rows: int) -> None:
        """Draw from the next rows. Every batch has the same columns."""
        step = self._step
        while -(-(self._n_rows + n_rows) // step) > 2 * LEAST:
            step *= 2
        if step > self._step:
            kept = self._rows % step == 0
            self._rows, self._step = self._rows[kept], step
            self._values = {name: values[kept] for name, values in self._values.items()}
        drawn = np.arange(-self._n_rows % step, n_rows, step)
        self._rows = np.concatenate([self._rows, drawn + self._n_rows])
        for name, column in columns.items():
            values = column.values[drawn].astype(np.float64)
            if column.missing is not None:
                values[column.missing[drawn]] = np.nan
            before = self._values.get(name, np.empty(0))
            self._values[name] = np.concatenate([before, values])
        self._n_rows += n_rows

    def values(self) -> dict[str, Floats]:
        """The values that were drawn, by column."""
        return {name: values[~np.isnan(values)] for name, values in self._values.items()}
