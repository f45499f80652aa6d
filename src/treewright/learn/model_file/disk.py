"""Files: read no more than a limit, written at once or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ...data.common.atomic import whole_or_nothing
from .limits import MAX_BYTES, FileError

_STEP = 2**20


def bytes_of(path: str | os.PathLike[str]) -> bytes:
    """All of a file; FileError if it is too large, or cannot be a model by its first bytes."""
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_BYTES:
            raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got {size:,}.")
        parts = [file.read(_STEP)]
        if not parts[0].lstrip(b" \t\r\n").startswith(b"{"):
            raise FileError(f"A model file must be JSON and begin with '{{'. Got {parts[0][:20]!r}.")
        if size:
            file.seek(0)
            return file.read(size)
        read = len(parts[0])
        while parts[-1]:  # a pipe has no size to go by
            parts.append(file.read(_STEP))
            read += len(parts[-1])
            if read > MAX_BYTES:
                raise FileError(f"A model file must have at most {MAX_BYTES:,} bytes. Got more.")
    return b"".join(parts)


def write_at_once(path: str | os.PathLike[str], pieces: Iterable[str]) -> Path:
    """Write a file, all of it or nothing."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise FileError(f"A model must be written to a file. Got {str(place)!r}, which is something else.")
    with whole_or_nothing(place) as file:
        file.writelines(piece.encode() for piece in pieces)
    return place
