"""Dask tables as fit and predict take them: one frame with the target in it, and lazy predictions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ...data.common.errors import ParameterError
from .given import Given

Method = TypeVar("Method", bound=Callable[..., Any])


def is_dask(X: Any) -> bool:
    """Whether X is a Dask frame, series or array; without a look at Dask, which takes time to load."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "to_delayed")


def as_dask_frame(given: Given) -> tuple[Any, dict[str, str]]:
    """A Dask frame with all that is beside X among its columns, and the names of these.

    X may be an array. y, sample_weight and so on are names of columns, or Dask series or arrays of the same
    partitions.
    """
    import dask.dataframe as dd

    X = frame = given.X
    if not hasattr(X, "columns"):
        frame = dd.from_dask_array(X, columns=[f"x{k}" for k in range(X.shape[1])])
    names = {}
    for what, values in given.beside().items():
        frame, names[what] = _with_column(frame, what, values, dd)
    return frame, names


def _with_column(frame: Any, what: str, given: Any, dd: Any) -> tuple[Any, str]:
    if isinstance(given, str):
        if given not in frame.columns:
            raise ParameterError(f"{what} must be a column of X. Got {given!r}.", what)
        return frame, given
    if not is_dask(given):
        raise ParameterError(
            f"{what} must be the name of a column, or a Dask series or array, where X is a Dask table. Got "
            f"{type(given).__name__}.",
            what,
        )
    series = given if hasattr(given, "divisions") else dd.from_dask_array(given)
    if series.npartitions != frame.npartitions:
        raise ParameterError(
            f"{what} must have the partitions of X, which are {frame.npartitions:,}. Got "
            f"{series.npartitions:,}. Make it a column of X.",
            what,
        )
    return frame.assign(**{f"({what})": series}), f"({what})"


def lazily(method: Method) -> Method:
    """Let a method that predicts rows take a Dask table: the result is lazy too, with the same partitions."""

    @wraps(method)
    def predicts(self: Any, X: Any, *given: Any, **more: Any) -> Any:
        if not is_dask(X):
            return method(self, X, *given, **more)
        if hasattr(X, "columns"):
            return X.map_partitions(
                _predicted, method, self, meta=_with_index(_nothing(method, self), None, self)
            )
        rows, none = X.rechunk({1: -1}), _nothing(method, self)
        if none.ndim == 1:
            return rows.map_blocks(lambda part: method(self, part), drop_axis=1, dtype=none.dtype)
        chunks = (rows.chunks[0], (none.shape[1],))
        return rows.map_blocks(lambda part: method(self, part), chunks=chunks, dtype=none.dtype)

    return predicts  # type: ignore[return-value]


def _predicted(part: Any, method: Any, model: Any) -> Any:
    """The predictions of some rows with their index: a series, or a frame of one column per class."""
    return _with_index(method(model, part), part.index, model)


def _nothing(method: Any, model: Any) -> Any:
    """The predictions of no rows, which tell Dask the types."""
    classes = getattr(model, "classes_", np.empty(0))
    known = {"apply": np.empty(0, dtype=np.int64), "predict_proba": np.empty((0, len(classes)))}
    return known.get(method.__name__, classes[:0])


def _with_index(found: Any, index: Any, model: Any) -> Any:
    import pandas as pd

    if found.ndim == 1:
        return pd.Series(found, index=index)
    return pd.DataFrame(found, index=index, columns=[str(label) for label in model.classes_])
