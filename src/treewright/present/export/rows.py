"""Rows to compare an export with its model: at the boundaries of the tests, or of a table.

A row is a list with one value per column of the form: a number, True or False, a level, whole microseconds of
a date, time or duration; or None where it is missing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Array
from ...data.levels import is_missing
from .form import TIMES, Form, FormColumn

SPECIAL = [
    None,
    0.0,
    -0.0,
    1.0,
    -1.0,
    math.inf,
    -math.inf,
    5e-324,
    1.7976931348623157e308,
    -1.7976931348623157e308,
]
INT64 = np.iinfo(np.int64)
YEARS = (-62_135_596_800_000_000, 253_402_300_799_999_999)  # of the years 1 to 9999, in microseconds


class Predicted(NamedTuple):
    """What is predicted for rows: the leaf, and per output a class or a number, and probabilities."""

    leaf: list[int]
    prediction: list[list[Any]]
    probabilities: list[list[list[float]]]  # empty for a regressor


def predicted_by(form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What the model itself predicts for these rows."""
    columns, model = _core_columns(form, rows), form.model
    leaf, n = model.tree.apply(columns).tolist(), len(rows)
    said = model.predict(columns)
    prediction = said.reshape(n, -1).tolist()
    if not form.is_classifier:
        return Predicted(leaf, prediction, [])
    shares: Any = model.tree.predict(columns).reshape(n, form.n_outputs, -1)
    found = [[row[k, :size].tolist() for k, size in enumerate(form.sizes)] for row in shares]
    return Predicted(leaf, prediction, found)


def _core_columns(form: Form, rows: Sequence[Sequence[Any]]) -> _core.Columns:
    """The rows as the core reads them; a column that no test uses has no value."""
    n = len(rows)
    columns = _core.Columns(n)
    types = form.tree.column_types
    for place in range(form.tree.n_features):
        at = form.place.get(place)
        if at is None:
            if types is not None and types[place].kind == "nominal" and types[place].levels:
                columns.add_nominal(np.full(n, -1, dtype=np.int32), len(types[place].levels))
            else:
                columns.add_column(np.full(n, np.nan))
            continue
        _add(columns, form.columns[at], [row[at] for row in rows])
    return columns


def _add(columns: _core.Columns, column: FormColumn, cells: list[Any]) -> None:
    codes = column.codes
    if column.kind == "nominal" and codes:
        coded = [-1 if cell is None else codes.get(cell, len(codes)) for cell in cells]
        columns.add_nominal(np.array(coded, dtype=np.int32), len(codes))
        return
    if column.kind == "ordered":
        cells = [codes.get(cell) for cell in cells]
    missing = np.array([is_missing(cell) for cell in cells], dtype=bool)
    filled = [0 if gone else cell for cell, gone in zip(cells, missing, strict=True)]
    columns.add_column(np.array(filled, dtype=_dtype(column, filled)), missing, column.kind in TIMES)


def _dtype(column: FormColumn, cells: list[Any]) -> type:
    if column.kind in {"number", "boolean"} and not column.whole:
        return np.float64
    return np.uint64 if max(cells, default=0) > INT64.max else np.int64


# -- rows at the boundaries


def boundary_rows(form: Form, count: int, seed: int = 0) -> list[list[Any]]:
    """Rows of values at, before and after every threshold, of every level, unknown and missing."""
    rng = random.Random(f"{form.hash} {seed}")
    drawn = [list(_candidates(form, place)) for place in range(len(form.columns))]
    return [[rng.choice(values) for values in drawn] for _ in range(count)]


def _candidates(form: Form, place: int) -> Iterator[Any]:
    column = form.columns[place]
    yield None
    if column.levels:
        yield from column.levels
        yield unknown_level(column)
        return
    if column.kind == "nominal":
        yield "any"
        return
    if column.kind == "boolean":
        yield from (True, False)
        return
    numbers = list(_thresholds(form, place))
    if column.whole:
        low, high = (0, 2**64 - 1) if is_natural(form, place) else (INT64.min + 2, INT64.max - 1)
        if column.kind == "datetime":
            low, high = YEARS
        for number in numbers:
            near = math.floor(min(max(number, low), high))
            yield from (min(max(near + step, low), high) for step in (-1, 0, 1))
        yield from (0, 1, 2**40)
        return
    yield from SPECIAL
    for number in numbers:
        yield from (number, math.nextafter(number, -math.inf), math.nextafter(number, math.inf))


def _thresholds(form: Form, place: int) -> Iterator[float]:
    """The numbers that decide about a column: thresholds, and the centres of linear leaves."""
    for test in form.every_test:
        if test.feature == place and not test.is_nominal:
            yield test.threshold
        elif test.terms and place in test.columns:
            yield test.threshold / dict(test.terms)[place]
    models = form.leaf_models
    if models is not None and not form.columns[place].whole:
        yield from models.centre[models.feature == form.columns[place].place].tolist()


def unknown_level(column: FormColumn) -> Any:
    """A level of the kind of the others that is not among them."""
    if column.is_text:
        found = "unknown level"
        while found in column.levels:
            found += "."
        return found
    return max(map(float, column.levels)) + 1


def is_natural(form: Form, place: int) -> bool:
    """Whether a column of whole numbers has thresholds beyond those of 64 bits with a sign."""
    return any(number > INT64.max for number in _thresholds(form, place) if isinstance(number, int))


def example_rows(form: Form, count: int = 48) -> tuple[list[list[Any]], Predicted]:
    """A few rows at the boundaries that end in many different leaves, with what the model predicts."""
    pool = boundary_rows(form, 40 * count)
    leaves = predicted_by(form, pool).leaf
    first = {leaf: k for k, leaf in reversed([*enumerate(leaves)])}
    order = [*first.values(), *(k for k in range(len(pool)) if first[leaves[k]] != k)]
    rows = [pool[k] for k in order[: count if form.columns else 1]]
    return rows, predicted_by(form, rows)


# -- rows of a table


def table_rows(form: Form, X: Any) -> list[list[Any]]:
    """The rows of any table that the model reads."""
    table = form.model.read(X)
    cells = [_cells(column, table.columns[column.place]) for column in form.columns]
    return [list(row) for row in zip(*cells, strict=True)] if cells else [[] for _ in range(table.n_rows)]


def _cells(column: FormColumn, read: Any) -> list[Any]:
    values: Array = read.values
    gone = np.zeros(len(values), dtype=bool) if read.missing is None else read.missing
    if values.dtype.kind == "f":
        gone = gone | np.isnan(values)
    found = values.tolist()
    if column.levels and read.type.levels:
        known = [*column.levels, unknown_level(column)]
        gone = gone | (values < 0)
        found = [known[code] for code in found]
    elif column.kind == "boolean":
        found = [bool(cell) if cell in (0, 1) else cell for cell in found]
    return [None if absent else cell for cell, absent in zip(found, gone.tolist(), strict=True)]
