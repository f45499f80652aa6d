"""What is asked of a table: which column to predict from which others, and whether it holds classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.target import are_classes
from ...learn.params import CLASSIFICATION, REGRESSION

Array = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Goal:
    """A table divided into what is predicted, from what, and how much each row weighs."""

    frame: Any  # the columns to predict from, a frame of the library that was given
    y: Array
    weights: Floats | None
    target: str
    task: str
    positive: Any  # a label, or None
    notes: tuple[str, ...]

    @property
    def is_classification(self) -> bool:
        """Whether classes are predicted."""
        return self.task == CLASSIFICATION

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    def rows(self, rows: Array) -> Any:
        """Some rows of the frame."""
        import narwhals.stable.v2 as nw

        return nw.from_native(self.frame, eager_only=True)[rows].to_native()


def read_frame(table: Any) -> tuple[Any, tuple[str, ...]]:
    """The frame itself, or that of a file, with names of text; and what is to be said of it."""
    if isinstance(table, str | Path):
        from ...data.files import read_table

        found = read_table(table)
        return found.frame, found.notes
    import narwhals.stable.v2 as nw

    if not nw.dependencies.is_into_dataframe(table):
        raise ValueError(
            f"table must be a frame of pandas, polars or pyarrow, or the path of a file. Got "
            f"{type(table).__name__}. For arrays use DecisionTreeClassifier or DecisionTreeRegressor."
        )
    frame = nw.from_native(table, eager_only=True)
    others = [name for name in frame.columns if not isinstance(name, str)]  # pandas has them
    if not others:
        return table, ()
    named = frame.rename({name: str(name) for name in others})
    note = f"Names of columns are text in the model: {others[0]!r} is {str(others[0])!r}."
    return named.to_native(), (note,)


def names_of(frame: Any) -> list[str]:
    """The names of the columns."""
    import narwhals.stable.v2 as nw

    return list(nw.from_native(frame, eager_only=True).columns)


def goal_of(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    weights: Any = None,
    to_judge: bool = False,
) -> Goal:
    """Read what is asked of a frame. Rows without a target are left out, with a note.

    `to_judge`: the rows need not teach anything.
    """
    import narwhals.stable.v2 as nw

    frame = nw.from_native(table, eager_only=True)
    names = frame.columns
    target = column_of("target", target, names)
    left_out = [column_of("exclude", name, names) for name in listed(exclude)]
    weights = None if weights is None else column_of("weights", weights, names)
    for what, wanted in (("exclude", left_out), ("weights", [weights])):
        if target in wanted:
            raise ValueError(f"{what} must not name the target. Got {target!r}.")
    if not len(frame):
        raise ValueError("table must have rows. Got none.")
    features = [name for name in names if name not in {target, weights, *left_out}]
    if not features:
        raise ValueError(f"table must have a column besides the target {target!r}. Got none.")
    known = _known(frame[target])
    notes = _lost_rows(known, target)
    frame = (
        frame.filter(nw.new_series("known", known.tolist(), backend=frame.implementation)) if notes else frame
    )
    y, kind = values_of(frame[target]), task_of(frame[target], task)
    if len(np.unique(y)) < 2 and not to_judge:
        raise ValueError(f"target {target!r} must have at least two values. Got only {y[:1].tolist()[0]!r}.")
    if kind == REGRESSION:
        y = y.astype(np.float64)
    if weights is not None and not frame[weights].dtype.is_numeric():
        raise ValueError(f"weights must be a column of numbers. Got {weights!r} of {frame[weights].dtype}.")
    found = None if weights is None else frame[weights].to_numpy().astype(np.float64)
    label = None if positive is None else _label(positive, y, kind)
    return Goal(frame.select(features).to_native(), y, found, target, kind, label, notes)


def listed(names: Any) -> list[Any]:
    """Several names, or one alone."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]


def column_of(what: str, name: Any, names: Sequence[str]) -> str:
    """The column that is meant; a name that there is not is refused, with the nearest one that there is."""
    if str(name) in names:
        return str(name)
    few = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    hint = nearest(name, names) or f" It has {few}."
    raise ValueError(f"{what} must be a column of the table. Got {name!r}.{hint}")


def _known(series: Any) -> Array:
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True)
    return ~np.asarray(missing.to_numpy(), dtype=bool)


def _lost_rows(known: Array, target: str) -> tuple[str, ...]:
    lost = int(len(known) - known.sum())
    if lost == len(known):
        raise ValueError(f"target {target!r} must have a value in some rows. Got none.")
    have = "has" if lost == 1 else "have"
    return (f"{counted(lost, 'row')} {have} no {target!r}; left out.",) if lost else ()


def values_of(series: Any) -> Array:
    """A column as an array: labels as text where they are categories."""
    import narwhals.stable.v2 as nw

    if isinstance(series.dtype, nw.Categorical | nw.Enum | nw.String) or series.dtype == nw.Object:
        return np.array([str(value) for value in series.to_list()], dtype=object)
    return np.asarray(series.to_numpy())


def task_of(series: Any, task: str | None = None) -> str:
    """Classes or numbers: text, booleans and whole numbers of few values are classes, unless told."""
    if task not in {None, CLASSIFICATION, REGRESSION}:
        raise ValueError(f"task must be 'classification', 'regression' or None. Got {task!r}.")
    numbers = series.dtype.is_numeric()
    if task == REGRESSION and not numbers:
        raise ValueError(f"task='regression' needs a target of numbers. Got one of type {series.dtype}.")
    if task is not None:
        return task
    if not numbers:
        if series.dtype.is_temporal():
            raise ValueError(f"The target must hold classes or numbers. Got one of type {series.dtype}.")
        return CLASSIFICATION
    return CLASSIFICATION if are_classes(series.to_numpy()) else REGRESSION


def _label(positive: Any, y: Array, task: str) -> Any:
    """The label that is meant: as given, or written as text."""
    if task == REGRESSION:
        raise ValueError("positive is for classes. Got a target of numbers. Leave it out, or give task.")
    labels = np.unique(y).tolist()
    for label in labels:
        if label == positive or str(label) == str(positive):
            return label
    hint = nearest(positive, labels) or f" It has {', '.join(map(repr, labels[:10]))}."
    raise ValueError(f"positive must be a class of the target. Got {positive!r}.{hint}")
