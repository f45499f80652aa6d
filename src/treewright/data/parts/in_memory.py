"""All parts of a table → one frame in memory, with the types that `merge` would find."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

from ..table import frame_of, read_series
from .columns_seen import column_seen
from .merge import check_names
from .sources import Source


def read_whole(sources: list[Source]) -> Any:
    """The rows of all parts, one part after another."""
    if len(sources) == 1:
        return sources[0].frame()
    frames = [source.frame() for source in sources]
    some = [(source, frame) for source, frame in zip(sources, frames, strict=True) if len(frame)]
    if not some:
        return frames[0]
    wrapped = [frame_of(frame) for _, frame in some]
    order = min((tuple(frame.columns) for frame in wrapped), key=tuple)
    first = next(
        source for (source, _), each in zip(some, wrapped, strict=True) if tuple(each.columns) == order
    )
    for (source, _), frame in zip(some, wrapped, strict=True):
        check_names(first.name, order, source.name, frame.columns)
    for name in order:
        if any(frame.schema[name] != wrapped[0].schema[name] for frame in wrapped):
            parts = zip(some, wrapped, strict=True)
            reduce(add, (column_seen(read_series(each[name]), None, of.name) for (of, _), each in parts))
    return _stacked([frame.select(order).to_native() for frame in wrapped])


def _stacked(frames: list[Any]) -> Any:
    """Frames of one library under each other."""
    library = type(frames[0]).__module__.split(".")[0]
    if library == "pandas":
        import pandas as pd

        return pd.concat(frames, ignore_index=True)
    if library == "pyarrow":
        import pyarrow as pa

        return pa.concat_tables(frames, promote_options="permissive")
    return _stacked_polars(frames)


def _stacked_polars(frames: list[Any]) -> Any:
    """Columns without a value take the type of the others; text beside categories is text."""
    import polars as pl

    columns = {}
    for name in frames[0].columns:
        parts = [frame[name] for frame in frames]
        if any(part.dtype != parts[0].dtype for part in parts):
            parts = [part.cast(pl.Null) if part.null_count() == len(part) else _plain(part) for part in parts]
        columns[name] = pl.concat([part.to_frame() for part in parts], how="vertical_relaxed")[name]
    return pl.DataFrame(columns)


def _plain(part: Any) -> Any:
    import polars as pl

    if part.dtype.is_float() and part.is_nan().all():
        return part.fill_nan(None).cast(pl.Null)
    return part.cast(pl.String) if part.dtype in (pl.Categorical, pl.Enum) else part
