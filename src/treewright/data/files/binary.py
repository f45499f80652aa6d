"""Parquet and Arrow → a frame. Their types are those of the file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from .errors import TableError
from .memory import reject_too_large
from .source import Source

if TYPE_CHECKING:
    import polars as pl

_RATIO = 4  # of a frame to a compressed file, roughly
_TEXT_BYTES = 32


def read_binary(source: Source, *, check_memory: bool) -> pl.DataFrame:
    """The table of a Parquet or Arrow file."""
    import polars as pl

    place: Any = io.BytesIO(source.data[:]) if source.path is None else source.path
    try:
        reject_too_large(source.name, _needed(source), check_memory)
        if source.kind == "parquet":
            frame = pl.read_parquet(place, glob=False, hive_partitioning=False)
        else:
            frame = pl.read_ipc(place) if source.kind == "arrow" else pl.read_ipc_stream(place)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as problem:
        said = (str(problem).strip().splitlines() or ["unknown"])[0]
        raise TableError(
            f"{source.name} starts as a file of {source.kind.title()} does but cannot be read: {said}. It is "
            "damaged or cut off; write it once more."
        ) from None
    if not frame.width or not frame.height:
        raise TableError(
            f"A table must have columns and rows. {source.name} has {frame.width:,} and {frame.height:,}."
        )
    return frame


def _needed(source: Source) -> float:
    """The memory of the frame: its rows by its types where the file says them cheaply, else an estimate."""
    import polars as pl

    if source.kind != "parquet" or source.path is None:
        return len(source.data) * _RATIO
    rows = pl.scan_parquet(source.path, glob=False).select(pl.len()).collect().item()
    schema = pl.read_parquet_schema(source.path)
    return float(rows * sum(8 if dtype.is_numeric() else _TEXT_BYTES for dtype in schema.values()))
