"""All parts of a table → one frame in memory, with the types that `merge` would find."""

from __future__ import annotations

import os
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from ..common.plural import counted
from ..files import Dialect, ReadTable
from ..files.errors import TableError
from ..files.memory import shown_size
from ..table import frame_of, read_series
from .columns_seen import column_seen
from .memory import bytes_of, fits, needed
from .merge import check_names, usual_names
from .sources import Source, is_source, sources_of


def in_parts(X: Any) -> bool:
    """Whether X names several files or a lazy table: a folder, a glob, a dataset or a query."""
    if isinstance(X, str | os.PathLike):
        return os.fspath(X) != "-" and not Path(X).is_file() and (Path(X).is_dir() or _has_magic(X))
    return is_source(X)


def _has_magic(X: Any) -> bool:
    import glob

    return glob.has_magic(os.fspath(X))


def read_parts(X: Any, memory: Any = None) -> ReadTable:
    """Read a table in parts into memory, where it fits."""
    import polars as pl

    sources, limit = sources_of(X), bytes_of(memory)
    n_rows, n_columns = sum(source.n_rows() for source in sources), len(sources[0].names())
    if not fits(n_rows, n_columns, limit):
        raise TableError(too_large(n_rows, n_columns, limit))
    frame = read_whole(sources)
    if not n_rows:
        raise TableError(f"A table must have rows. Got {counted(len(sources), 'part')} without any.")
    frame = frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(pl.from_arrow(_arrow(frame)))
    note = f"{counted(n_rows, 'row')} in {counted(len(sources), 'part')} were read into memory."
    name = Path(X).name if isinstance(X, str | os.PathLike) else sources[0].name
    return ReadTable(frame, Dialect(kind="parquet"), (note,), name)


def not_in_memory(X: Any, memory: Any = None) -> list[Source] | None:
    """The parts of a table that does not fit in memory; None for other tables."""
    one = isinstance(X, str | os.PathLike) and Path(X).is_file() and _is_parquet(Path(X))
    if not in_parts(X) and not one:
        return None
    sources, limit = sources_of(X), bytes_of(memory)
    n_rows = sum(source.n_rows() for source in sources)
    return None if fits(n_rows, len(sources[0].names()), limit) else sources


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def too_large(n_rows: int, n_columns: int, limit: int) -> str:
    """The sentence for a table whose evaluation needs more memory than it may take."""
    return (
        f"This needs all rows in memory: {counted(n_rows, 'row')} take about "
        f"{shown_size(needed(n_rows, n_columns))}, and {shown_size(limit)} are allowed. Raise memory=, draw "
        "some of the rows, or fit one tree with DecisionTreeClassifier or DecisionTreeRegressor, which take "
        "tables of any size."
    )


def _arrow(frame: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.from_native(frame, eager_only=True).to_arrow()


def read_whole(sources: list[Source]) -> Any:
    """The rows of all parts, one part after another."""
    if len(sources) == 1:
        return sources[0].frame()
    frames = [source.frame() for source in sources]
    some = [(source, frame) for source, frame in zip(sources, frames, strict=True) if len(frame)]
    if not some:
        return frames[0]
    wrapped = [frame_of(frame) for _, frame in some]
    usual = usual_names([frame.columns for frame in wrapped])
    first, order = some[usual][0], wrapped[usual].columns
    for (source, _), frame in zip(some, wrapped, strict=True):
        check_names(first.name, order, source.name, frame.columns)
    for name in order:
        if any(frame.schema[name] != wrapped[0].schema[name] for frame in wrapped):
            parts = zip(some, wrapped, strict=True)
            reduce(add, (column_seen(read_series(each[name]), None, of.name) for (of, _), each in parts))
    return stacked([frame.select(order).to_native() for frame in wrapped])


def stacked(frames: list[Any]) -> Any:
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
