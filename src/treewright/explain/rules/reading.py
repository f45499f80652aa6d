"""A table as the columns that conditions are held against, read by the types of fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...data.columns import known_columns
from ...data.table import as_array, each_column, is_frame, names_of, sparse_frame
from ...data.values import Column, Read, values_of
from ...tree.tree import Tree


class Table(NamedTuple):
    """The columns of a table, and how many rows it has."""

    columns: Sequence[Column]
    n_rows: int


def read(X: Any, tree: Tree, names: Sequence[Any] | None) -> Table:
    """Read X as at fit; a frame must have the columns of fit, in their order."""
    array = X if hasattr(X, "tocsc") or is_frame(X) else as_array(X)
    shape = np.shape(array) if isinstance(array, np.ndarray) else tuple(array.shape)
    if len(shape) != 2:
        raise ValueError(f"X must be a table of two dimensions. Got {len(shape)}.")
    if shape[1] != tree.n_features:
        raise ValueError(f"X must have {tree.n_features} columns, as at fit. Got {shape[1]}.")
    _check_names(names_of(array) if not hasattr(array, "tocsc") else None, names)
    return Table([*known_columns(_each(array), tree.column_types)], int(shape[0]))


def _each(array: Any) -> Iterator[Read]:
    sparse = array.tocsc() if hasattr(array, "tocsc") else sparse_frame(array) if is_frame(array) else None
    if sparse is None:
        return each_column(array)
    return (values_of(sparse[:, [j]].toarray().ravel(), f"column {j}") for j in range(sparse.shape[1]))


def _check_names(found: list[Any] | None, known: Sequence[Any] | None) -> None:
    """Rules speak of columns by name, so columns in another order must not pass."""
    if found is None or known is None or not all(isinstance(name, str) for name in found):
        return
    for place, (name, wanted) in enumerate(zip(found, known, strict=True)):
        if name != wanted:
            raise ValueError(
                f"X must have the columns of fit, in that order, but column {place} is {name!r} and was "
                f"{wanted!r} at fit. Put the columns in that order."
            )
