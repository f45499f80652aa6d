"""`fit` of a table that is named: read into memory if it fits, else coded and grown from a scratch file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.exposure import must_be_poisson
from ...data.files import read_table
from ...data.files.errors import TableError
from ...data.known_target import known_rows, lost_note
from ...data.parts import Reading, Source, is_source, sources_of
from ...data.parts.describe import target_values
from ...data.parts.in_memory import read_whole
from ...data.parts.memory import bytes_of, fits
from ...data.parts.merge import check_names, usual_names
from ...data.parts.sources import Frame
from ...data.table import frame_of, is_frame
from ..folds import take
from ..params import CLASSIFICATION, PARAMETERS, check_params
from .dask_frames import is_dask
from .given import FromParts, Given, Limits
from .out_of_memory import from_cluster, from_files
from .refusals import CLUSTER, is_chosen, refuse


def is_named(given: Given) -> bool:
    """Whether the table is named, or its target is."""
    return is_dask(given.X) or is_source(given.X) or (isinstance(given.y, str) and is_frame(given.X))


def read_named(
    estimator: Any, given: Given, limits: Limits, prune_rows: Any = None
) -> tuple[Given, tuple[str, ...]] | FromParts:
    """Read a named table into memory; where it does not fit, grow its tree from parts.

    Returns
    -------
    The rows in memory with notes, or what was grown.
    """
    memory = bytes_of(limits.memory)
    params = {each.name: getattr(estimator, each.name) for each in PARAMETERS[estimator.task]}
    check_params(estimator.task, params)
    beside = given.beside() | {"prune_rows": prune_rows}
    if given.exposure is not None:
        must_be_poisson(estimator)
    if is_dask(given.X):
        refuse(params, CLUSTER, **beside)
        return from_cluster(estimator, given, limits)
    if limits.client is not None or limits.checkpoint is not None:
        raise ParameterError(
            f"client and checkpoint are for Dask tables. Got X of type {type(given.X).__name__}.", "client"
        )
    by_row = prune_rows is not None or (is_chosen(params) and not is_whole(params["cv"]))
    if not is_source(given.X):
        return _split(estimator, given.X, given, by_row)
    _must_be_names(given)
    sources = _sources(given.X)
    names = [source.names() for source in sources]
    usual = usual_names(names)
    for source, its in zip(sources, names, strict=True):
        check_names(sources[usual].name, names[usual], source.name, its)
    _must_have(given, names[0])
    n_rows = sum(source.n_rows() for source in sources)
    where = counted(len(sources), "part")
    if not limits.in_parts and fits(n_rows, len(names[0]), memory):
        note = f"{n_rows:,} rows in {where} were read into memory."
        found, notes = _split(estimator, read_whole(sources), given, by_row)
        return found, (note, *notes)
    refuse(params, **beside)
    return from_files(estimator, sources, given, (memory, limits.scratch, n_rows, where))


def _sources(X: Any) -> list[Source]:
    """The parts; a file that is not Parquet is read as the command line reads it."""
    sources = sources_of(X)
    if len(sources) == 1 and hasattr(sources[0], "path"):
        with sources[0].path.open("rb") as file:
            if file.read(4) != b"PAR1":
                return [Frame(sources[0].name, read_table(sources[0].path).frame)]
    return sources


# -- names


def _must_be_names(given: Given) -> None:
    for what, value in given.beside().items():
        if not isinstance(value, str):
            raise ParameterError(
                f"{what} must be the name of a column where X is a file, a folder or a lazy table. "
                f"Got {type(value).__name__}.",
                what,
            )
    if given.y is None:
        raise ParameterError("y must be the name of a column of X. Got None.", "y")


def _must_have(given: Given, names: list[str]) -> None:
    for what, name in zip(given._fields[1:], given[1:], strict=True):
        if isinstance(name, str) and name not in names:
            few = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
            hint = nearest(name, names) or f" It has {few}."
            raise ParameterError(f"{what} must be a column of X. Got {name!r}.{hint}", what)


def _split(estimator: Any, frame: Any, given: Given, by_row: bool) -> tuple[Given, tuple[str, ...]]:
    """The columns to predict from, and the arrays beside them, of rows that have a target; and a note.

    `by_row`: numbers of rows were given beside the table, so that none may be left out.
    """
    wrapped = frame_of(frame)
    _must_have(given, list(wrapped.columns))
    beside = {name for name in given[1:] if isinstance(name, str)}
    features = [name for name in wrapped.columns if name not in beside]
    if not features:
        raise TableError(f"X must have a column besides {given.y!r}. Got none.")
    if not len(wrapped):
        raise TableError("A table must have rows. Got none.")
    found = {
        what: wrapped[name].to_numpy() if isinstance(name, str) else name
        for what, name in zip(given._fields[2:], given[2:], strict=True)
    }
    y: Any = given.y
    notes: tuple[str, ...] = ()
    if isinstance(y, str):
        wrapped, found, notes = _with_target(wrapped, y, found, by_row)
        declared = getattr(estimator, "class_order", "sorted") == "declared"
        reading = Reading(y, estimator.task == CLASSIFICATION)
        series = wrapped[y]
        y = series.to_native() if declared else target_values(series, reading, "the table")
    return Given(wrapped.select(features).to_native(), y, **found), notes


def _with_target(
    frame: Any, target: str, beside: dict[str, Any], by_row: bool
) -> tuple[Any, dict[str, Any], tuple[str, ...]]:
    """The rows that have a target, with what is beside them."""
    known, n_rows = known_rows(frame[target]), len(frame)
    if known is None:
        return frame, beside, ()
    n_lost = n_rows - len(known)
    if not len(known):
        raise TableError(f"The target {target!r} must have a value in some rows. Got none.")
    if by_row:
        raise TableError(
            f"The target {target!r} must have a value in every row where cv or prune_rows has numbers of "
            f"rows. Got {counted(n_lost, 'row')} without one. Leave them out before these are made."
        )
    some = {what: _taken(what, values, known, n_rows) for what, values in beside.items()}
    return frame[known], some, lost_note(n_lost, target)


def _taken(what: str, values: Any, rows: Any, n_rows: int) -> Any:
    if values is None or np.ndim(values) == 0:
        return values
    if len(values) != n_rows:
        raise ParameterError(f"{what} must have one entry per row: {n_rows:,}. Got {len(values):,}.", what)
    return take(values, rows)
