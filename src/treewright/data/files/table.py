"""A table on disk → a frame, with how it was read."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from .binary import read_binary
from .csv_text import ReadTable, read_text
from .dialect import Dialect, check_overrides
from .source import open_source


def read_table(
    path: str | Path | IO[bytes], *, dialect: Dialect | None = None, **overrides: Any
) -> ReadTable:
    """Read a table: CSV, TSV, Parquet or Arrow, plain or compressed; what it is, its bytes say.

    Parameters
    ----------
    path
        A file, "-" for standard input, or a binary stream.
    dialect
        How a CSV is written, if that is known; by default all of it is found from the first part of the file.
    **overrides
        What is not to be found but is given: `separator`, `decimal` ("." or ","), `encoding`, `header` (True
        or False), `quote` (or None), `skip_rows` (lines above the header), `comment` (what lines begin with
        that are left out), `day_first` (True or False: of dates such as 01/02/2020). `missing` is a list of
        words that are missing values in every column, in place of `cells.MISSING`; those of `also_missing`
        are in addition to these. An empty cell always is missing. Columns named in `text` stay text, and
        those named in `numbers` were numbers at fit: a unit that they did not have then is an error. Those
        named in `unused` were numbers that no tree tests: what is no number there is missing. With
        `only`, columns that it does not name stay as they are written. `formats` has how numbers and dates
        were written when the same columns were read before: `ReadTable.formats` or `FitResult.formats`.
        `as_written=True` keeps all cells of a CSV as they are written beside the frame. `check_memory=False`
        reads a table that seems larger than the memory.

    Raises
    ------
    TableError
        For what is not a valid table; the message names the line.
    OSError
        For a file that is not there or cannot be read.
    """
    check_overrides(overrides)
    given = {**_of_text(dialect), **overrides}
    check_memory = given.get("check_memory", True)
    source = open_source(path, check_memory=check_memory)
    if source.kind == "csv":
        return read_text(source, given)
    frame = read_binary(source, check_memory=check_memory)
    found = Dialect(kind=source.kind, compression=source.compression)
    return ReadTable(frame, found, (f"Read as {found.words()}.",), source.name)


def _of_text(dialect: Dialect | None) -> dict[str, Any]:
    if dialect is None or dialect.kind != "csv":
        return {}
    return {name: getattr(dialect, name) for name in ("separator", "decimal", "encoding", "header", "quote")}
