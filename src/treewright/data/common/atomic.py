"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def whole_or_nothing(
    path: str | os.PathLike[str], check: Callable[[Path], object] | None = None
) -> Iterator[IO[bytes]]:
    """A file beside the wanted one, which takes its place when all of it is on the disk, and `check` took it.

    If anything goes wrong, the file that was there is still there, and nothing else is left. A link stays a
    link, and the rights of a file that is replaced stay as they were. It must be no folder, pipe or device.
    """
    place = Path(os.path.realpath(path))
    rights = stat.S_IMODE(place.stat().st_mode) if place.exists() else None
    beside = place.with_name(f".{place.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            yield file
            file.flush()
            if rights is not None:
                beside.chmod(rights)
            os.fsync(file.fileno())
        if check is not None:
            check(beside)
        beside.replace(place)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError) and error.filename == str(beside):
            error.filename = os.fspath(path)  # the name that the user knows
        raise
    _flush_folder(place.parent)


def _flush_folder(folder: Path) -> None:
    """Let the new name survive a power cut too, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
