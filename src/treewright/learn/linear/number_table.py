"""A table of numbers without gaps, as linear models read it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.table import as_array, each_column, is_frame, names_of, reject_lazy
from ...data.typed import as_at_fit


def number_table(X: Any) -> tuple[list[str], Floats]:
    """The names of the columns (x0, x1, ... without names; x alone), and their numbers."""
    reject_lazy(X)
    table = X.toarray() if hasattr(X, "toarray") else X if is_frame(X) else as_array(X)
    if len(table.shape) == 1:  # one column, as a list or a series
        known, table = [getattr(X, "name", None) or "x"], table[:, None]
    elif len(table.shape) == 2:
        known = names_of(table) or [f"x{j}" for j in range(table.shape[1])]
    else:
        raise ValueError(f"X must be a table, or one column of numbers. Got {table.ndim} dimensions.")
    if min(table.shape) == 0:
        raise ValueError(f"X must have at least one row and one column. Got shape {tuple(table.shape)}.")
    names = [str(name) for name in known]
    columns = [_numbers(name, read) for name, read in zip(names, each_column(table), strict=True)]
    return names, np.column_stack(columns)


def _numbers(name: str, read: Any) -> Floats:
    column = as_at_fit(read, None)
    advice = "Leave the column out, or use a model tree or `treewright.compare`, which encode it."
    if not column.type.is_number:
        raise ValueError(f"X must hold numbers. Got {column.holds()} in {name!r}. {advice}")
    values: Floats = column.values.astype(np.float64)
    wrong = ~np.isfinite(values) if column.missing is None else column.missing | ~np.isfinite(values)
    if wrong.any():
        got = "an infinite number" if np.isinf(values[wrong]).any() else "a missing value"
        raise ValueError(
            f"X must hold finite numbers. Got {got} in {name!r}, row {int(wrong.argmax())}. "
            "Fill in or leave out such rows."
        )
    return values


def target_numbers(y: Any, n_rows: int) -> tuple[str, Floats]:
    """The name of the target (y if it has none), and its numbers."""
    array, name = np.asarray(y), getattr(y, "name", None)
    array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    if array.shape != (n_rows,):
        raise ValueError(f"y must have one number per row of X: shape ({n_rows},). Got shape {array.shape}.")
    try:
        values: Floats = array.astype(np.float64)
    except (TypeError, ValueError):
        got = repr(array[:1].tolist()[0])
        raise ValueError(
            f"y must hold numbers. Got {got}. Of two classes make -1 and 1 to get a classifier."
        ) from None
    if not np.isfinite(values).all():
        row = int((~np.isfinite(values)).argmax())
        raise ValueError(f"y must hold finite numbers. Got {values[row]} in row {row}. Leave out such rows.")
    return (name if isinstance(name, str) else "y"), values
