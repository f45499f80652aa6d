"""Compressed bytes → the bytes inside, and back. What packed them is known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import mmap
import zipfile
import zlib
from importlib import import_module
from typing import IO, Any, cast

from ..common.plural import counted
from .encoding import Bytes
from .errors import TableError
from .memory import free_memory, too_large

_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
)
_ENDINGS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zip": "zip"}
_PIECE = 1 << 22
_LEAST_RATIO = 3  # text shrinks at least so much, as a rule
_NUMBER = 8  # bytes of a cell of the table
_ENOUGH = 1 << 18  # packed bytes that say how much the others hold
_DAMAGE = (OSError, EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def packed_by(start: bytes) -> str | None:
    """The compression of bytes that start like this."""
    return next((name for magic, name in _MAGIC if start.startswith(magic)), None)


def unpack(data: Bytes, compression: str, name: str, *, check_memory: bool) -> bytes:
    """The bytes inside. What is too large is rejected while it is unpacked, before it fills the memory."""
    free = free_memory() if check_memory else None
    if free is not None and len(data) * _LEAST_RATIO > free:
        raise too_large(name, len(data) * _LEAST_RATIO, free)
    held = io.BytesIO()
    file: Any = data if isinstance(data, mmap.mmap) and compression != "zip" else io.BytesIO(data[:])
    file.seek(0)
    try:
        with _opened(file, compression, name) as inside:
            per_byte = 0.0
            while piece := inside.read(_PIECE):
                size = held.write(piece) and held.tell()
                per_byte = per_byte or _memory_per_byte(piece)
                if free is not None and (needed := per_byte * _expected(size, file.tell(), len(data))) > free:
                    raise too_large(name, needed, free)
    except TableError:
        raise
    except _DAMAGE as problem:
        raise TableError(
            f"{name} is compressed with {compression} but is damaged or cut off: {problem}. Get it once more."
        ) from None
    return held.getvalue()


def _expected(size: int, place: int, packed: int) -> float:
    """The bytes of the text: of what is unpacked, and half of what the rest lets expect.

    Half, since the rest may be less compressible than the start.
    """
    return size + (size * (packed - place) / place / 2 if place >= _ENOUGH else 0)


def _memory_per_byte(text: bytes) -> float:
    """The memory for a byte of text: itself, and its part of a table whose cells are numbers."""
    cells = text.count(b"\n") + max(text.count(mark) for mark in (b",", b";", b"\t", b"|"))
    return 1 + max(1, _NUMBER * cells / len(text))


def _opened(file: Any, compression: str, name: str) -> IO[bytes]:
    if compression == "gzip":
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    if compression == "bzip2":
        return cast(IO[bytes], bz2.BZ2File(file))
    if compression == "xz":
        return cast(IO[bytes], lzma.LZMAFile(file))
    if compression == "zip":
        return _only_member(zipfile.ZipFile(file), name)
    return _zstd(file, reading=True)


def _only_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    names = [member for member in names if not member.startswith("__MACOSX/")]
    if "[Content_Types].xml" in names or "content.xml" in names:
        raise TableError(f"{name} is a workbook of an office program. Save the sheet as CSV first.")
    if len(names) != 1:
        raise TableError(
            f"A zip file must hold one table. {name} holds {counted(len(names), 'file')}. Unpack it first."
        )
    return archive.open(names[0])


def by_name(path: str) -> str | None:
    """The compression that the name of a file says."""
    return next((name for ending, name in _ENDINGS.items() if path.lower().endswith(ending)), None)


# -- packing


def packer(file: IO[bytes], compression: str | None, member: str) -> IO[bytes]:
    """A file to write to, whose bytes arrive in `file` compressed; closing it leaves `file` open."""
    if compression == "gzip":
        return cast(IO[bytes], gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
    if compression == "bzip2":
        return cast(IO[bytes], bz2.BZ2File(file, "wb"))
    if compression == "xz":
        return cast(IO[bytes], lzma.LZMAFile(file, "wb"))
    if compression == "zip":
        return _Member(file, member)
    return _zstd(file, reading=False)


class _Member(io.BytesIO):
    """The one member of a zip file, which is written when this is closed."""

    def __init__(self, file: IO[bytes], member: str) -> None:
        super().__init__()
        self._file, self._member = file, member

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            with zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(self._member, self.getbuffer())
        self.close()


def _zstd(file: Any, *, reading: bool) -> IO[bytes]:
    """zstd is in Python from 3.14 on; before, one of two packages has it."""
    if found := _module("compression.zstd"):
        return cast(IO[bytes], found.ZstdFile(file, "rb" if reading else "wb"))
    if found := _module("zstandard"):
        return cast(IO[bytes], found.open(file, "rb" if reading else "wb", closefd=False))
    if found := _module("pyarrow"):
        if reading:
            return cast(IO[bytes], found.CompressedInputStream(found.PythonFile(file, mode="r"), "zstd"))
        # pyarrow closes the file it writes to; what it is given is only a view of ours
        return cast(IO[bytes], found.CompressedOutputStream(found.PythonFile(_Kept(file), mode="w"), "zstd"))
    raise TableError("zstd needs Python 3.14 or the package zstandard or pyarrow. Install one of them.")


class _Kept:
    """A file that stays open when it is closed."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        """Do nothing."""


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None
