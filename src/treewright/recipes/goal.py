"""What is asked of a table: which column to predict from which others, and whether it holds classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..params import CLASSIFICATION, REGRESSION
from ..target import are_classes

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


def goal_of(  # noqa: PLR0913
    table: Any,
    target: str,
    *,
    task: str | None = None,
    exclude: Iterable[str] = (),
    positive: Any = None,
    weights: str | None = None,
    to_judge: bool = False,
) -> Goal:
    """Read what is asked. Rows without a target are left out, with a note.

    `to_judge`: the rows need not teach anything.
    """
    import narwhals.stable.v2 as nw

    if not nw.dependencies.is_into_dataframe(table):
        raise ValueError(
            f"table must be a frame of pandas, polars or pyarrow. Got {type(table).__name__}. "
            "For arrays use DecisionTreeClassifier or DecisionTreeRegressor."
        )
    frame = nw.from_native(table, eager_only=True)
    names = frame.columns
    left_out = [exclude] if isinstance(exclude, str) else list(exclude)
    for what, wanted in (
        ("target", [target]),
        ("exclude", left_out),
        ("weights", [weights] if weights else []),
    ):
        for name in wanted:
            must_be_column(what, name, names)
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


def must_be_column(what: str, name: Any, names: Sequence[str]) -> None:
    """Refuse a name that is no column, with the nearest one that is."""
    if name in names:
        return
    near = get_close_matches(str(name), names, n=1)
    few = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    hint = f"Did you mean {near[0]!r}?" if near else f"It has {few}."
    raise ValueError(f"{what} must be a column of the table. Got {name!r}. {hint}")


def _known(series: Any) -> Array:
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True)
    return ~np.asarray(missing.to_numpy(), dtype=bool)


def _lost_rows(known: Array, target: str) -> tuple[str, ...]:
    lost = int(len(known) - known.sum())
    if lost == len(known):
        raise ValueError(f"target {target!r} must have a value in some rows. Got none.")
    return (f"{lost:,} rows have no {target!r} and were left out.",) if lost else ()


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
    near = get_close_matches(str(positive), list(map(str, labels)), n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"It has {', '.join(map(repr, labels[:10]))}."
    raise ValueError(f"positive must be a class of the target. Got {positive!r}. {hint}")
