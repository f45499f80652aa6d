"""A frame → a table on disk in a dialect, all of it or nothing.

Cells are quoted where they must be and never changed; `without_formulas` is for those that look like one.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ..common.atomic import whole_or_nothing
from .compression import packer
from .dialect import Dialect
from .encoding import is_utf8
from .errors import TableError, shown

if TYPE_CHECKING:
    import polars as pl

_ROWS = 1 << 16  # rows that are written at once
_ALONE = "NA"  # a missing value where it is the only cell of its line


def write_table(frame: pl.DataFrame, path: str | Path | IO[bytes], dialect: Dialect) -> None:
    """Write a frame to a path, "-" (standard output) or a binary stream, in the dialect of another table.

    A file appears whole or not at all, and one that was there stays until then. Read back from CSV, numbers
    are 64 bits wide, NaN is missing, times of day are hours and times with a zone are UTC; a text that looks
    like a number, a date or a missing value comes back as that.
    """
    _reject_unwritable(frame, dialect)
    if isinstance(path, str) and path == "-":
        path = sys.stdout.buffer
    if not isinstance(path, str | os.PathLike):
        _write(frame, path, dialect, "table.csv")
        path.flush()
        return
    member = Path(path).with_suffix("").name if dialect.compression == "zip" else ""
    with _opened(Path(path)) as file:
        if dialect.compression is None and is_utf8(dialect.encoding) and _is_usual(frame, dialect):
            _write_at_once(frame, file, dialect)
        else:
            _write(frame, file, dialect, member)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file to write, which appears at the end; a pipe or device, which no file may replace."""
    if path.is_dir():
        raise TableError(f"A table is written to a file. {path} is a folder; name a file in it.")
    special = path.exists() and not path.is_file()
    with path.open("wb") if special else whole_or_nothing(path) as file:
        yield file


def _write(frame: pl.DataFrame, file: IO[bytes], dialect: Dialect, member: str) -> None:
    if dialect.compression is None:
        _write_plain(frame, file, dialect)
        return
    with packer(file, dialect.compression, member) as packed:
        _write_plain(frame, packed, dialect)


def _write_plain(frame: pl.DataFrame, file: IO[bytes], dialect: Dialect) -> None:
    if dialect.kind == "csv":
        for piece in _pieces(frame, dialect):
            file.write(piece)
        return
    held = io.BytesIO()  # polars tells a full disk and a closed pipe in words of its own
    if dialect.kind == "parquet":
        frame.write_parquet(held)
    elif dialect.kind == "arrow":
        frame.write_ipc(held)
    else:
        frame.write_ipc_stream(held)
    file.write(held.getbuffer())


def _is_usual(frame: pl.DataFrame, dialect: Dialect) -> bool:
    """Whether polars writes this as it is."""
    plain = dialect.encoding != "utf-8-sig" and dialect.decimal == "." and dialect.separator != ":"
    return dialect.kind == "csv" and plain and frame.width > 1


def _write_at_once(frame: pl.DataFrame, file: IO[bytes], dialect: Dialect) -> None:
    """Let polars write the file, which is faster than by pieces; its words for a full disk become ours."""
    import polars as pl

    try:
        frame.write_csv(
            file,
            include_header=dialect.header,
            separator=dialect.separator,
            quote_char=dialect.quote or '"',
            line_terminator=dialect.newline,
        )
    except pl.exceptions.PolarsError as problem:
        found = re.search(r"os error (\d+)", str(problem))
        if found is None:
            raise
        raise OSError(int(found[1]), os.strerror(int(found[1]))) from problem


# -- text


def _pieces(frame: pl.DataFrame, dialect: Dialect) -> Iterator[bytes | memoryview]:
    """The bytes of a CSV, some rows at a time."""
    encoder = codecs.getincrementalencoder(dialect.encoding)()
    plain = is_utf8(dialect.encoding)
    if dialect.separator == ":":
        frame = _clocks_as_text(frame)
    if dialect.encoding == "utf-8-sig":
        yield codecs.BOM_UTF8
    for start in range(0, max(frame.height, 1), _ROWS):
        held = io.BytesIO()
        rows = frame.slice(start, _ROWS)
        rows = _with_commas(rows) if dialect.decimal == "," else rows
        rows.write_csv(
            held,
            include_header=dialect.header and not start,
            separator=dialect.separator,
            quote_char=dialect.quote or '"',  # as needed: a dialect without quotes may have none
            line_terminator=dialect.newline,
            null_value=_ALONE if frame.width == 1 else None,
        )
        if plain:
            yield held.getbuffer()
            continue
        try:
            yield encoder.encode(held.getvalue().decode())
        except UnicodeEncodeError as problem:
            raise TableError(
                f"{dialect.encoding} has no {shown(problem.object[problem.start])}, which is in the table. "
                "Write it with encoding 'utf-8'."
            ) from None


def _with_commas(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a decimal comma in its numbers, which are text then; not every polars can write one."""
    import polars as pl

    names = [name for name, dtype in frame.schema.items() if dtype.is_float() or dtype.is_decimal()]
    return frame.with_columns(pl.col(names).cast(pl.String).str.replace(".", ",", literal=True))


def _clocks_as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with times as text: polars quotes text only, and 05:06 has the separator in it."""
    import polars as pl

    formats = {
        name: "%H:%M:%S%.9f" if dtype == pl.Time else "%Y-%m-%dT%H:%M:%S%.f%z"[: None if _zone(dtype) else -2]
        for name, dtype in frame.schema.items()
        if dtype.base_type() in {pl.Time, pl.Datetime}
    }
    return frame.with_columns(pl.col(name).dt.strftime(how) for name, how in formats.items())


def _zone(dtype: pl.DataType) -> str | None:
    return getattr(dtype, "time_zone", None)


def _reject_unwritable(frame: pl.DataFrame, dialect: Dialect) -> None:
    if not frame.width:
        raise TableError("A table must have columns. Got none to write.")
    if dialect.kind != "csv":
        return
    import polars as pl

    bad = {pl.List, pl.Array, pl.Struct, pl.Binary, pl.Object, pl.Duration}
    for name, dtype in frame.schema.items():
        if dtype.base_type() in bad:
            raise TableError(
                f"A CSV holds numbers, text, booleans, dates and times. Column {shown(name)} is of type "
                f"{dtype}. Leave it out, or write Parquet."
            )
