"""Leaving out rows and columns, and respelling levels, in any kind of table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import is_frame


def known_kinds(kinds: str | Iterable[str], known: Sequence[str]) -> set[str]:
    """The kinds that the user named, each of which must exist."""
    chosen = {kinds} if isinstance(kinds, str) else set(kinds)
    unknown = sorted(map(repr, chosen - set(known)))
    if unknown:
        raise ValueError(f"kinds must be among {', '.join(map(repr, known))}. Got {', '.join(unknown)}.")
    return chosen


@dataclass(frozen=True)
class Change:
    """What is to be done to a table."""

    keep: NDArray[np.intp]  # rows
    columns: list[Any]  # to keep
    respelled: list[tuple[tuple[Any, ...], Mapping[str, str]]]  # columns (none: the target) → spellings

    def of_table(self, table: Any, n_rows: int, columns: Sequence[Any]) -> Any:
        """A changed copy of the table, which must be the one that was checked."""
        if is_frame(table):
            import narwhals.stable.v2 as nw

            frame = nw.from_native(table, eager_only=True)
            _same_table(frame.shape[0], frame.columns, n_rows, columns)
            for names, spellings in self.respelled:
                frame = frame.with_columns(*(_respell(frame.get_column(name), spellings) for name in names))
            return frame[self.keep.tolist()].select(*map(nw.col, self.columns)).to_native()
        matrix = np.array(table)
        _same_table(len(matrix), range(matrix.shape[1] if matrix.ndim == 2 else 0), n_rows, columns)
        for names, spellings in self.respelled:
            for name in names:
                matrix[:, name] = _respell_array(matrix[:, name], spellings)
        return matrix[self.keep][:, self.columns]

    def of_target(self, y: Any, n_rows: int) -> Any:
        """The target of the rows that stay, if it was given as an array."""
        import narwhals.stable.v2 as nw

        spellings: dict[str, str] = {}
        for names, some in self.respelled:
            spellings |= {} if names else some
        series = nw.from_native(y, allow_series=True, pass_through=True)
        is_series = isinstance(series, nw.Series)
        values = series if is_series else np.array(y)
        if len(values) != n_rows:
            raise ValueError(f"y must have one entry per checked row: {n_rows}. Got {len(values)}.")
        if is_series:
            changed = _respell(series, spellings) if spellings else series
            return changed[self.keep.tolist()].to_native()
        return (_respell_array(values, spellings) if spellings else values)[self.keep]


def _same_table(n_rows: int, names: Sequence[Any], n_checked: int, checked: Sequence[Any]) -> None:
    if n_rows != n_checked or list(names) != list(checked):
        raise ValueError(
            f"table must be the one that was checked, with {n_checked} rows and {len(checked)} columns. "
            f"Got {n_rows} rows and {len(names)} columns. Check it again."
        )


def _respell(series: Any, spellings: Mapping[str, str]) -> Any:
    """A column of text or categories with other names for some levels, in its own type."""
    import narwhals.stable.v2 as nw

    items = [spellings.get(item, item) if isinstance(item, str) else item for item in series.to_list()]
    if series.dtype == nw.Object:
        return series.scatter(list(range(len(items))), items)
    backend = nw.get_native_namespace(series)
    fresh = nw.new_series(series.name, items, dtype=nw.String, backend=backend).cast(series.dtype)
    index = nw.maybe_get_index(series)  # only pandas has one
    return fresh if index is None else nw.maybe_set_index(fresh, index=index)


def _respell_array(values: NDArray[Any], spellings: Mapping[str, str]) -> NDArray[Any]:
    fresh = values.copy()
    fresh[:] = [spellings.get(item, item) if isinstance(item, str) else item for item in values.tolist()]
    return fresh
