"""A table read for `fit` and `compare`: the columns to predict from, the target, weights, groups and time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.labels import distinct
from ...data.known_target import lost_note
from ...data.table import as_array, frame_of, is_frame, names_of
from ...data.text_numbers import notes_on_text
from ...learn.folds import codes_of_groups, ranks_of_times
from ...learn.params import CLASSIFICATION, REGRESSION
from ..procedure import Data
from .target import (
    as_target,
    label_of,
    missing_in,
    name_of,
    read_values,
    target_numbers,
    task_of,
    values_of_series,
)

Array = NDArray[Any]
Floats = NDArray[np.float64]

BESIDE = ("sample_weight", "groups", "time")  # columns or arrays beside the features


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table divided into what is predicted, from what, and what is known of the rows."""

    data: Data  # X as it was given (a frame, an array or a sparse matrix), y as an array, ...
    target: str  # its name
    task: str
    given_positive: Any  # a label, or None
    notes: tuple[str, ...]
    columns_of: dict[str, str]  # of `BESIDE`, those that are columns of the table
    column_notes: tuple[str, ...] = ()  # of the notes those that quote values of columns

    @property
    def positive(self) -> Any:
        """The positive class: the given one, or the second of two; None for numbers and several classes."""
        if self.given_positive is not None or not self.is_classification:
            return self.given_positive
        labels = distinct(self.y).tolist()
        return labels[1] if len(labels) == 2 else None

    @property
    def y(self) -> Array:
        """The target."""
        found: Array = self.data.y
        return found

    @property
    def weights(self) -> Floats | None:
        """The weights of the rows."""
        found: Floats | None = self.data.sample_weight
        return found

    @property
    def is_classification(self) -> bool:
        """Whether classes are predicted."""
        return self.task == CLASSIFICATION

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns to predict from; without names, x0, x1, ..."""
        names = names_of(self.data.X)
        return tuple(names if names is not None else (f"x{j}" for j in range(self.data.X.shape[1])))

    @property
    def n_columns(self) -> int:
        """How many columns there are to predict from."""
        return int(self.data.X.shape[1])

    def zero_one(self, places: Iterable[int]) -> tuple[str, ...]:
        """Of the columns at these places those of numbers, by name, that hold nothing but 0 and 1."""
        if not is_frame(self.data.X):
            return ()
        import narwhals.stable.v2 as nw

        frame, names = nw.from_native(self.data.X, eager_only=True), self.columns
        columns = (frame[names[place]] for place in places)
        return tuple(column.name for column in columns if column.dtype.is_numeric() and _is_zero_one(column))

    def weights_of(self, rows: Array) -> Floats | None:
        """The weights of some rows."""
        return None if self.weights is None else self.weights[rows]


def _is_zero_one(column: Any) -> bool:
    for part in (column.head(100), column):  # the first rows decide for nearly all of them
        present = part.drop_nulls()
        if not bool(((present == 0) | (present == 1)).all()):
            return False
    return len(present) > 0


def read_dataset(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    time: Any = None,
    to_score: bool = False,
) -> Dataset:
    """Read a table and its target: a name of a column, or values. Rows without a target are left out.

    `to_score`: the rows are not trained on, so one value of the target is enough.
    """
    X, notes, _ = read_table(table)
    beside = {"sample_weight": sample_weight, "groups": groups, "time": time}
    columns_of: dict[str, str] = {}
    if not is_frame(X):
        _must_be_values(target, exclude, beside)
        y, name = read_values(target, "y"), name_of(target) or "y"
        arrays = beside
    else:
        X, y, name, arrays, columns_of = _of_frame(X, target, exclude, beside)
        notes = (*notes, *notes_on_text(frame_of(X)))
    column_notes = notes
    y, remarks = target_numbers(y, name, task)
    n_rows = X.shape[0]
    if not n_rows:
        raise ValueError("table must have rows. Got none.")
    if len(y) != n_rows:
        raise ValueError(f"y must have one entry per row: {n_rows:,}. Got {len(y):,}.")
    arrays = {key: _one_per_row(key, part, n_rows) for key, part in arrays.items()}
    data = Data(X, y, arrays["groups"], arrays["sample_weight"], arrays["time"])
    known = ~missing_in(y)
    notes = (*notes, *remarks, *_lost_rows(known, name), *_beside_notes(arrays, columns_of))
    if not known.all():
        data = data.rows(np.flatnonzero(known))
    y = as_target(data.y)
    kind = task_of(y, task)
    y = y.astype(np.float64) if kind == REGRESSION else y
    if len(distinct(y)) < 2 and not to_score:
        raise ValueError(
            f"target {name!r} must have at least two values. Got {y[:1].tolist()[0]!r} in every row."
        )
    label = None if positive is None else label_of(positive, y, kind)
    return Dataset(replace(data, y=y), name, kind, label, notes, columns_of, column_notes)


# -- the table


def opened(table: Any, memory: Any = None) -> Any:
    """The table, or where it is the path of a file or a table in parts what is read from it."""
    from ...data.files import read_table as read
    from ...data.parts.in_memory import in_parts, read_parts

    if in_parts(table):
        return read_parts(table, memory)
    return read(table) if isinstance(table, str | Path) else table


def read_table(table: Any, **how: Any) -> tuple[Any, tuple[str, ...], dict[str, dict[str, Any]]]:
    """A frame with names of text, an array or a sparse matrix; notes; and how a file is written.

    A file is read as the options `how` of `data.files.read_table` say, or has been read by it.
    """
    from ...data.files import ReadTable, formats_to_dicts
    from ...data.files import read_table as read

    if isinstance(table, str | Path) and not how:
        table = opened(table)
    elif isinstance(table, str | Path):
        table = read(table, **how)
    if isinstance(table, ReadTable):
        return table.frame, table.notes, formats_to_dicts(table.formats)
    if not is_frame(table):
        X = table if hasattr(table, "tocsr") else as_array(table)
        if X.ndim != 2:
            raise ValueError(
                "table must be a data frame, an array of two dimensions, a list of rows, a sparse matrix, or "
                f"the path of a file. Got {type(table).__name__}."
            )
        return X, (), {}
    frame = frame_of(table)
    others = [name for name in frame.columns if not isinstance(name, str)]  # pandas has them
    if not others:
        return table, (), {}
    named = frame.rename({name: str(name) for name in others})
    note = f"Names of columns are text in the model: {others[0]!r} is {str(others[0])!r}."
    return named.to_native(), (note,), {}


def read_test(path: str | Path, frame: Any, formats: dict[str, dict[str, Any]]) -> Any:
    """The frame of a file of other rows, read as the table was: what is text there is text here."""
    types = frame_of(frame).schema.items() if is_frame(frame) else ()
    text = [name for name, dtype in types if str(dtype) == "String"]
    numbers = [name for name, dtype in types if dtype.is_numeric()]
    return read_table(path, text=text, numbers=numbers, formats=formats)[0]


def _must_be_values(target: Any, exclude: Any, beside: dict[str, Any]) -> None:
    """Reject names of columns where the table has none."""
    for what, given in (("target", target), *beside.items()):
        if isinstance(given, str) or (given is not None and np.ndim(given) == 0):
            raise ValueError(
                f"{what} must be values, one per row, since the table has no names of columns. Got {given!r}."
            )
    if listed(exclude):
        raise ParameterError(
            "exclude needs a table with names of columns. Leave the columns out of X.", "exclude"
        )


def _of_frame(
    X: Any, target: Any, exclude: Any, beside: dict[str, Any]
) -> tuple[Any, Array, str, dict[str, Any], dict[str, str]]:
    """The features, the target and its name, what is known of the rows, and the columns it is from."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    names = frame.columns
    inside = is_name(target)
    left_out = [column_of("exclude", name, names) for name in listed(exclude)]
    columns_of = {key: column_of(key, given, names) for key, given in beside.items() if is_name(given)}
    name = column_of("target", target, names) if inside else name_of(target) or "y"
    if inside:
        for what, wanted in (("exclude", left_out), *((key, [col]) for key, col in columns_of.items())):
            if name in wanted:
                raise ParameterError(f"{what} must not name the target. Got {name!r}.", what)
    gone = {*left_out, *columns_of.values(), *([name] if inside else [])}
    features = [each for each in names if each not in gone]
    if not features:
        raise ValueError(f"table must have a column besides the target {name!r}. Got none.")
    arrays = dict(beside)
    for key, column in columns_of.items():
        series = frame[column]
        if key == "sample_weight" and not series.dtype.is_numeric():
            raise ValueError(f"sample_weight must be a column of numbers. Got {column!r} of {series.dtype}.")
        arrays[key] = values_of_series(series) if key != "time" else series.to_numpy()
    y = values_of_series(frame[name]) if inside else read_values(target, "y")
    return frame.select(features).to_native(), y, name, arrays, columns_of


def is_name(given: Any) -> bool:
    """Whether this names a column: text, or a number as pandas has them."""
    return given is not None and (isinstance(given, str) or np.ndim(given) == 0)


def listed(names: Any) -> list[Any]:
    """Several names, or one alone."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]


def column_of(what: str, name: Any, names: Sequence[str]) -> str:
    """The column that is meant; the message for an unknown name has the nearest one."""
    if str(name) in names:
        return str(name)
    few = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    hint = nearest(name, names) or f" It has {few}."
    raise ValueError(f"{what} must be a column of the table. Got {name!r}.{hint}")


# -- what is beside the target


def _one_per_row(what: str, given: Any, n_rows: int) -> Any:
    if given is None:
        return None
    if what == "groups":
        codes_of_groups(given, n_rows)
    if what == "time":
        ranks_of_times(given, n_rows)
    found = np.asarray(given)
    if len(found) != n_rows or found.ndim != 1:
        raise ValueError(f"{what} must have one entry per row: {n_rows:,}. Got shape {found.shape}.")
    return found.astype(np.float64) if what == "sample_weight" else found


def _lost_rows(known: Array, target: str) -> tuple[str, ...]:
    lost = int(len(known) - known.sum())
    if lost == len(known):
        raise ValueError(f"target {target!r} must have a value in some rows. Got none.")
    return lost_note(lost, target)


def _beside_notes(arrays: dict[str, Any], columns_of: dict[str, str]) -> Iterator[str]:
    """What columns beside the features do."""
    if "time" in columns_of:
        yield f"Column {columns_of['time']!r} orders the rows and is not used to predict."
    if arrays["sample_weight"] is not None:
        name = columns_of.get("sample_weight")
        what = "The rows are weighted" if name is None else f"Column {name!r} weights the rows"
        yield f"{what}: scores, probabilities and percentages count these weights."
