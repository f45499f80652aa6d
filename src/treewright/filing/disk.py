"""Files: read no more than a limit, written at once or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

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
    """Write a file beside its place and put it there when it is on the disk.

    If anything goes wrong, the file that was there is still there, and nothing else is left.
    """
    place = Path(os.path.realpath(path))  # a link stays a link
    mode = _mode(place)
    beside = place.with_name(f".{place.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
            file.flush()
            if mode is not None:
                beside.chmod(mode)
            os.fsync(file.fileno())
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _settle(place.parent)
    return Path(path)


def _mode(place: Path) -> int | None:
    """The rights of the file that is replaced; None if there is none."""
    try:
        found = place.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        raise FileError(f"A model must be written to a file. Got {str(place)!r}, which is something else.")
    return stat.S_IMODE(found)


def _settle(folder: Path) -> None:
    """Let the new name survive a power cut too, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
