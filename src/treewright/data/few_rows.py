"""A frame of few rows, read all columns together: one by one each would cost as much as a thousand values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .schema import BOOLEAN, NUMBER, ColumnType
from .table import read_series
from .typed import coded_text
from .values import Column, Read

FEW_ROWS = 256  # up to which this is faster

_POLARS_NUMBERS = {f"Int{bits}": f"i{bits // 8}" for bits in (8, 16, 32, 64)}
_POLARS_NUMBERS |= {f"UInt{bits}": f"u{bits // 8}" for bits in (8, 16, 32, 64)}
_POLARS_NUMBERS |= {"Float32": "f4", "Float64": "f8", "Boolean": "b1"}


def few_rows(frame: Any, types: Any, places: Sequence[int] | None = None) -> list[Read]:
    """The columns of a narwhals frame at these places, or all; `types` (None: all numbers) are those of fit.

    Plain numbers and text whose levels are known are read together; what remains is read one by one.
    """
    if places is not None and len(places) < len(frame.columns) and (same := _one_type(frame)) is not None:
        return _of_matrix(frame.to_native().to_numpy(), same, [(j, frame.columns[j]) for j in places])
    if places is not None and [*places] != [*range(len(frame.columns))]:
        frame = frame[:, [*places]]
    names, known = frame.columns, [NUMBER] * len(frame.columns) if types is None else list(types)
    native = frame.to_native()
    if frame.implementation.is_pandas():
        dtypes = [_plain(dtype) for dtype in native.dtypes.to_numpy()]
    elif frame.implementation.is_polars():
        dtypes = [_polars(dtype) for dtype in native.dtypes]
    else:
        return [read_series(series) for series in frame.iter_columns()]
    found: list[Any] = [None] * len(names)
    text = [j for j, dtype in enumerate(dtypes) if dtype is None and _has_text(known[j])]
    objects = None
    if text or frame.implementation.is_polars():
        objects = _objects(native, len(names), frame.implementation.is_polars())
    _read_numbers(native, objects, dtypes, names, found)
    for j in text:
        assert objects is not None
        found[j] = coded_text(objects[:, j].tolist(), f"column {names[j]!r}", known[j])
    return [read_series(frame.get_column(names[j])) if read is None else read for j, read in enumerate(found)]


def _one_type(frame: Any) -> Any:
    """The type of numbers that all columns of a pandas frame have, if it is one: they are one matrix."""
    if not frame.implementation.is_pandas():
        return None
    dtypes = set(frame.to_native().dtypes.to_numpy().tolist())
    return _plain(dtypes.pop()) if len(dtypes) == 1 else None


def _of_matrix(matrix: Any, dtype: Any, wanted: list[tuple[int, str]]) -> list[Read]:
    known = BOOLEAN if dtype.kind == "b" else NUMBER
    part = np.asfortranarray(matrix[:, [place for place, _ in wanted]])
    return [Column(f"column {name!r}", part[:, k], None, known) for k, (_, name) in enumerate(wanted)]


def _read_numbers(native: Any, objects: Any, dtypes: list[Any], names: list[str], found: list[Any]) -> None:
    """Put the columns of plain numbers in their places, those of one type as one matrix."""
    places: dict[Any, list[int]] = {}
    for j, dtype in enumerate(dtypes):
        if dtype is not None:
            places.setdefault(dtype, []).append(j)
    for dtype, some in places.items():
        known = BOOLEAN if dtype.kind == "b" else NUMBER
        if objects is None:
            matrix = (native if len(some) == len(names) else native.iloc[:, some]).to_numpy()
            whole = None
        else:
            part = objects[:, some]
            whole = None if dtype.kind == "f" else (part != None).all(axis=0)  # noqa: E711
            matrix = part.astype(dtype) if whole is None or whole.all() else part
        matrix = np.asfortranarray(matrix)
        for k, j in enumerate(some):
            if whole is None or whole[k]:
                found[j] = Column(f"column {names[j]!r}", matrix[:, k].astype(dtype, copy=False), None, known)


def _objects(native: Any, n_columns: int, polars: bool) -> NDArray[Any]:
    """All cells as Python's own objects."""
    if not polars:
        return np.asarray(native.to_numpy(dtype=object))
    cells = np.empty((native.height, n_columns), dtype=object)
    for i, row in enumerate(native.iter_rows()):
        cells[i] = row
    return cells


def _plain(dtype: Any) -> Any:
    """A numpy type of numbers that the core reads; None for any other type of a column."""
    plain = isinstance(dtype, np.dtype) and dtype.kind in "biuf" and dtype.itemsize <= 8 and dtype.isnative
    return dtype if plain and dtype != np.float16 else None


def _polars(dtype: Any) -> Any:
    name = _POLARS_NUMBERS.get(dtype.__class__.__name__)
    return None if name is None else np.dtype(name)


def _has_text(known: ColumnType) -> bool:
    return bool(known.levels) and isinstance(known.levels[0], str)
