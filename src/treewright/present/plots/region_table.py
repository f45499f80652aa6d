"""The table that decision regions are predicted for: a grid over one or two columns, the others constant."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import is_whole
from ...data.table import as_array, is_frame, names_of

Array = NDArray[Any]
Floats = NDArray[np.float64]

MARGIN = 0.06  # of the range of a column, left and right of the rows


@dataclass(frozen=True)
class RegionTable:
    """A table of which one or two columns are drawn. `region_table` makes one."""

    X: Any  # a frame, or a matrix
    names: list[str]
    shown: tuple[int, ...]  # one or two columns
    points: Floats  # (rows, 1 or 2): these columns
    held: dict[int, int]  # column: the row whose value all others take

    def limits(self, axis: int) -> tuple[float, float]:
        """From where to where a column is drawn."""
        values = self.points[np.isfinite(self.points[:, axis]), axis]
        low, high = float(values.min()), float(values.max())
        reach = MARGIN * (high - low) if high > low else max(0.5, 0.1 * abs(low))
        return low - reach, high + reach

    def steps(self, axis: int, side: int) -> Floats:
        """The places along a column."""
        return _middles(*self.limits(axis), side)

    def grid(self, side: int) -> Any:
        """A table of the kind of X with a row per place: side × side of them, the second column slowest.

        Of one column there are `side` places.
        """
        places = np.meshgrid(*(self.steps(axis, side) for axis in range(len(self.shown))))
        return self.rows_at(*(each.ravel() for each in places))

    def rows_at(self, *values: Floats) -> Any:
        """A table of the kind of X with these values of the columns that are drawn."""
        grid = dict(zip(self.shown, values, strict=True))
        return self._frame(grid) if is_frame(self.X) else self._matrix(grid)

    def _frame(self, grid: dict[int, Floats]) -> Any:
        import narwhals.stable.v2 as nw

        size = len(grid[self.shown[0]])
        table = nw.from_native(self.X, eager_only=True)
        columns = [
            nw.new_series(name, grid[j], backend=table.implementation)
            if j in grid
            else table[name][[self.held[j]] * size].alias(name)
            for j, name in enumerate(table.columns)
        ]
        return columns[0].to_frame().with_columns(*columns[1:]).select(*table.columns).to_native()

    def _matrix(self, grid: dict[int, Floats]) -> Array:
        size = len(grid[self.shown[0]])
        plain = self.X.dtype if self.X.dtype == object else np.result_type(self.X.dtype, np.float32)
        made = np.empty((size, self.X.shape[1]), dtype=plain)
        for j in range(made.shape[1]):
            made[:, j] = grid[j] if j in grid else self.X[self.held[j], j]
        return made

    def still(self, most: int = 4) -> str:
        """At what the other columns are held, in words; empty if there are none."""
        if not self.held:
            return ""
        said = [f"{self.names[j]} = {_short(column_of(self.X, j)[row])}" for j, row in self.held.items()]
        more = f" and {len(said) - most} more" if len(said) > most else ""
        first = ", ".join(said[:most])
        return f"other columns are held at the median or the most frequent value: {first}{more}"


def region_table(X: Any, features: Any) -> RegionTable:
    """Read a table and which one or two of its columns to draw: names or numbers; None: all it has."""
    X = as_table(X)
    if len(X.shape) != 2 or 0 in X.shape:
        raise ValueError(f"X must be a table with rows and columns. Got shape {tuple(X.shape)}.")
    known = names_of(X)
    names = [f"feature_{j}" for j in range(X.shape[1])] if known is None else [str(name) for name in known]
    shown = _places(features, names, X.shape[1])
    points = np.column_stack([_numbers(column_of(X, j), names[j]) for j in shown])
    held = {j: _usual(column_of(X, j)) for j in range(X.shape[1]) if j not in shown}
    return RegionTable(X, names, shown, points, held)


def as_table(X: Any) -> Any:
    """A frame or a matrix of the kind of X; one column will do, as a list, an array or a series."""
    if hasattr(X, "toarray"):
        return X.toarray()
    if not is_frame(X):
        import narwhals.stable.v2 as nw

        series = nw.from_native(X, allow_series=True, pass_through=True)
        X = series.to_frame().to_native() if isinstance(series, nw.Series) else as_array(X)
    return X[:, None] if isinstance(X, np.ndarray) and X.ndim == 1 else X


def _places(features: Any, names: list[str], width: int) -> tuple[int, ...]:
    if features is None:
        if width > 2:
            must = f"features must name the one or two columns to draw, since X has {width}."
            raise ValueError(f"{must} Got None. Give some of {names!s:.200}.")
        return tuple(range(width))
    given = [features] if isinstance(features, str) or np.ndim(features) == 0 else list(features)
    found = tuple(names.index(f) if f in names else int(f) if is_whole(f) else -1 for f in given)
    if len(found) not in {1, 2} or len(set(found)) < len(found) or not all(0 <= j < width for j in found):
        raise ValueError(f"features must be one or two columns of X, by name or number. Got {features!r}.")
    return found


def column_of(X: Any, j: int) -> Array:
    """One column as an array."""
    if not is_frame(X):
        return np.asarray(X[:, j])
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    return np.asarray(frame[frame.columns[j]].to_numpy())


def _numbers(column: Array, name: str) -> Floats:
    found = None
    if column.dtype.kind in "buifO":
        with suppress(TypeError, ValueError):
            found = column.astype(np.float64)
    if found is None or not np.isfinite(found).any():
        got = "only missing values" if found is not None else str(column.dtype)
        raise ValueError(f"The columns to draw must hold numbers. Got {got} in {name!r}.")
    return found


def _usual(column: Array) -> int:
    """The row whose value stands for all: the lower median of numbers, else the most frequent value."""
    if column.dtype.kind in "uif":
        there = np.flatnonzero(~np.isnan(column.astype(np.float64)))
        order = there[np.argsort(column[there], kind="stable")]
        return int(order[(len(order) - 1) // 2]) if len(order) else 0
    counts: dict[Any, int] = {}
    rows: dict[Any, int] = {}
    for row, value in enumerate(column.tolist()):
        if value is not None and value == value:  # noqa: PLR0124 - a missing value differs from itself
            counts[value] = counts.get(value, 0) + 1
            rows.setdefault(value, row)
    return rows[max(counts, key=counts.__getitem__)] if counts else 0


def _middles(low: float, high: float, side: int) -> Floats:
    """The middles of equal steps: the colour around a point is the prediction at that point."""
    return np.asarray(low + (np.arange(side) + 0.5) * ((high - low) / side))


def _short(value: Any) -> str:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return f"{value:.4g}" if number else str(value)
