"""The target of `fit` and `compare`: its values, and whether they are classes or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.labels import distinct, is_text
from ...data.levels import is_missing
from ...data.table import as_array, is_frame, names_of
from ...data.target import are_classes, reject_many_classes
from ...data.text_numbers import measured_text, numbers_of_text
from ...learn.params import CLASSIFICATION, REGRESSION

Array = NDArray[Any]


def name_of(values: Any) -> str | None:
    """The name of a series, or of the only column of a frame."""
    if is_frame(values):
        found = names_of(values)
        return str(found[0]) if found else None
    name = getattr(values, "name", None)
    return None if name is None or callable(name) else str(name)


def read_values(values: Any, what: str) -> Array:
    """A series, a frame of one column, an array or a list as an array."""
    import narwhals.stable.v2 as nw

    wrapped = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(wrapped, nw.DataFrame) and len(wrapped.columns) == 1:
        wrapped = wrapped[wrapped.columns[0]]
    if isinstance(wrapped, nw.Series):
        return values_of_series(wrapped)
    found = as_array(values)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise ValueError(
            f"{what} must be one column of values. Got {found.ndim} dimensions. For several targets use "
            "DecisionTreeClassifier or DecisionTreeRegressor."
        )
    return found


def values_of_series(series: Any) -> Array:
    """A column as an array: categories as text, missing values as None or NaN."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum | nw.String) or dtype == nw.Object or series.null_count():
        items = series.to_list()
        if set(map(type, items)) != {str}:
            items = [None if is_missing(item) else item for item in items]
        return np.array(items, dtype=object)
    return np.asarray(series.to_numpy())


def missing_in(values: Array) -> Array:
    """Which values are missing."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    if is_text(values):
        return np.zeros(len(values), dtype=bool)
    return np.fromiter(map(is_missing, values.tolist()), dtype=bool, count=len(values))


def target_numbers(y: Array, name: str, task: str | None) -> tuple[Array, tuple[str, ...]]:
    """The target with numbers in place of texts that are numbers, unless these are classes; and a note."""
    if task == CLASSIFICATION:
        return y, ()
    found = numbers_of_text(y) if task == REGRESSION else measured_text(y)
    if found is None:
        return y, ()
    note = f"Target {name!r} is text with numbers in it, such as {found[1]!r}; read as numbers."
    return found[0], (note,)


def as_target(values: Array) -> Array:
    """Values without missing ones as numbers or booleans if all of them are, else as text."""
    if values.dtype.kind not in "OUS":
        return values
    items = values.tolist()
    found = np.array(items) if not any(isinstance(item, str) for item in items) else values
    return found if found.dtype.kind in "biuf" else np.array([str(item) for item in items], dtype=object)


def task_of(y: Array, task: str | None = None) -> str:
    """By default text, booleans and whole numbers of few values are classes, other numbers are numbers."""
    if task not in {None, CLASSIFICATION, REGRESSION}:
        raise ParameterError(f"task must be 'classification', 'regression' or None. Got {task!r}.", "task")
    if y.dtype.kind in "mM":
        raise ValueError(f"The target must hold classes or numbers. Got one of type {y.dtype}.")
    if task == REGRESSION and y.dtype.kind not in "iuf":
        raise ParameterError(
            f"task='regression' needs a target of numbers. Got values such as {y[:1].tolist()[0]!r}.",
            "task",
        )
    if task == CLASSIFICATION and y.dtype.kind == "f":
        decimals = y[y != np.floor(y)]
        if len(decimals):
            raise ParameterError(
                f"task='classification' needs a target of classes. Got numbers with decimals, such as "
                f"{decimals[0].item()!r}. Use task='regression', or convert the target to text.",
                "task",
            )
    if task is not None or not are_classes(y):
        return task or REGRESSION
    if y.dtype.kind in "OU":
        reject_many_classes(len(distinct(y)), task, y[:1].tolist()[0])
    return CLASSIFICATION


def task_of_column(series: Any, task: str | None = None) -> str:
    """The task of a column that may have missing values."""
    values, _ = target_numbers(read_values(series, "target"), "", task)
    return task_of(as_target(values[~missing_in(values)]), task)


def label_of(positive: Any, y: Array, task: str) -> Any:
    """The label that is meant: as given, or written as text."""
    if task == REGRESSION:
        raise ParameterError(
            "positive is for classes. Got a target of numbers. Leave it out, or give task.", "positive"
        )
    labels = distinct(y).tolist()
    for label in labels:
        if label == positive or str(label) == str(positive):
            return label
    hint = nearest(positive, labels) or f" It has {', '.join(map(repr, labels[:10]))}."
    raise ParameterError(f"positive must be a class of the target. Got {positive!r}.{hint}", "positive")
