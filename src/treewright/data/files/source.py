"""Where a table comes from: a file, standard input or a stream → its bytes, its kind, its compression."""

from __future__ import annotations

import io
import mmap
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .compression import packed_by, unpack
from .encoding import Bytes
from .errors import TableError
from .memory import free_memory, too_large

_PIECE = 1 << 22
_KINDS = ((b"PAR1", "parquet"), (b"ARROW1\x00\x00", "arrow"), (b"\xff\xff\xff\xff", "arrow stream"))
_FOREIGN = (  # what people give by mistake
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a workbook of an old office program", "Save the sheet as CSV"),
    (b"%PDF-", "a PDF", "Save the table as CSV"),
    (b"SQLite format 3\x00", "a database of SQLite", "Export the table as CSV"),
    (b"\x89PNG", "a picture", "Give the table itself"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "Export the table as CSV or Parquet"),
    (b"Obj\x01", "an Avro file", "Export the table as CSV or Parquet"),
    (b"ORC", "an ORC file", "Export the table as CSV or Parquet"),
    (b"\x80\x04\x95", "a pickle, which is never opened here", "Save the table as CSV or Parquet"),
    (b"\x80\x05\x95", "a pickle, which is never opened here", "Save the table as CSV or Parquet"),
)


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of a table, unpacked. `path` is the file that holds just these bytes, if there is one."""

    name: str
    data: Bytes
    path: Path | None
    kind: str
    compression: str | None


def open_source(place: Any, *, check_memory: bool) -> Source:
    """The bytes at a path, at "-" (standard input) or in a binary stream."""
    name, data, path = _bytes_at(place, check_memory)
    if not len(data):
        raise TableError(f"A table must have a header and rows. {name} is empty.")
    compression = packed_by(data[:8])
    if compression is not None:
        data, path = unpack(data, compression, name, check_memory=check_memory), None
        if not data:
            raise TableError(f"A table must have a header and rows. {name} is empty once unpacked.")
    start = data[:16]
    for magic, what, remedy in _FOREIGN:
        if start.startswith(magic) and (magic != b"ORC" or not start.isascii() or 0 in start):
            raise TableError(f"{name} is {what}, not a table that can be read. {remedy} first.")
    kind = next((kind for magic, kind in _KINDS if start.startswith(magic)), "csv")
    return Source(name, data, path, kind, compression)


def _bytes_at(place: Any, check_memory: bool) -> tuple[str, Bytes, Path | None]:
    if isinstance(place, str) and place == "-":
        if sys.stdin is None:
            raise OSError("Standard input is closed.")
        return "Standard input", _drained(sys.stdin.buffer, "Standard input", check_memory), None
    if hasattr(place, "read"):
        name = getattr(place, "name", None)
        name = Path(name).name if isinstance(name, str) else "The stream"
        return name, _drained(place, name, check_memory), None
    if not isinstance(place, str | os.PathLike):
        raise TypeError(f"A table must be a path, '-' or a binary stream. Got {type(place).__name__}.")
    path = Path(place)
    if path.is_dir():
        raise TableError(f"A table must be a file. {path} is a folder; name a file in it.")
    with path.open("rb") as file:
        mode = os.fstat(file.fileno())
        if not stat.S_ISREG(mode.st_mode):  # a pipe with a name, such as <(zcat table.csv.Z) of a shell
            return path.name, _drained(file, path.name, check_memory), None
        if not mode.st_size:
            return path.name, b"", None
        return path.name, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), path.absolute()


def _drained(stream: IO[bytes], name: str, check_memory: bool) -> bytes:
    """All of a stream, unless it is more than the memory holds."""
    free = free_memory() if check_memory else None
    held, size = io.BytesIO(), 0
    while piece := stream.read(_PIECE):
        if isinstance(piece, str):
            raise TypeError(f"{name} must be a binary stream. Got text; open it with mode 'rb'.")
        size += held.write(piece)
        if free is not None and 2 * size > free:
            raise too_large(name, 2 * size, free)
    return held.getvalue()
