"""A file of the replies so far, from which a fit that was killed goes on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from ...data.common.array_types import Array, Ints
from ...data.common.errors import ParameterError
from ...data.parts import TableDescription
from .share import ROUTE, Reply

HEAD = "treewright replies 2 {}\n"  # with the digest of the fit
BROKEN = (ValueError, EOFError, OSError, MemoryError)  # what reading a file that was cut off may raise


class Checkpoint:
    """An engine whose replies are kept in a file.

    Growth is a fixed sequence of requests. A second run with the same rows makes the same ones, so those that
    the file has are replied from there; of them, only the moves of rows are done again. The file goes when
    the tree is grown.

    Parameters
    ----------
    path : path or None
        None: nothing is kept.
    engine : object with `compute` and `moved`
    digest : str
        Of the fit. A file of another fit is rejected.
    """

    def __init__(self, path: Any, engine: Any, digest: str) -> None:
        self.path = None if path is None else Path(path)
        self.engine, self.digest = engine, digest
        self.known: list[tuple[bytes, Reply]] = []
        self.next = 0
        self.file: Any = None

    def __enter__(self) -> Self:
        if self.path is None:
            return self
        if self.path.exists() and self.path.stat().st_size:
            end = self._read()
            self.file = self.path.open("r+b")
            self.file.truncate(end)  # a reply that was cut off
            self.file.seek(end)
        else:
            self.file = self.path.open("wb")
            self.file.write(HEAD.format(self.digest).encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is None or self.path is None:
            return
        self.file.close()
        if kind is None:
            self.path.unlink(missing_ok=True)

    def compute(self, operation: int, words: Ints) -> Reply:
        """The reply of all parts: as it was kept, or computed and kept."""
        request = bytes([operation]) + words.tobytes()
        if self.next < len(self.known):
            was, kept = self.known[self.next]
            if was != request:
                raise ParameterError(
                    f"The checkpoint {str(self.path)!r} is of other rows. Delete it, or name another file.",
                    "checkpoint",
                )
            self.next += 1
            if operation == ROUTE:
                self.engine.moved(words)
            return kept
        reply: Reply = self.engine.compute(operation, words)
        if self.file is not None:
            self._write([np.frombuffer(request, dtype=np.uint8), *reply])
        return reply

    def _write(self, arrays: Iterable[Array]) -> None:
        for array in arrays:
            np.save(self.file, array, allow_pickle=False)
        self.file.flush()
        os.fsync(self.file.fileno())

    def _read(self) -> int:
        """Read what is there; returns where the last whole entry ends."""
        assert self.path is not None
        head = HEAD.format(self.digest).encode()
        with self.path.open("rb") as file:
            if file.read(len(head)) != head:
                raise ParameterError(
                    f"The checkpoint {str(self.path)!r} is not one of this fit. Delete it, or name another "
                    "file.",
                    "checkpoint",
                )
            while True:
                end = file.tell()
                try:
                    request, *reply = (np.load(file, allow_pickle=False) for _ in range(4))
                except BROKEN:  # the end, or an entry that was being written
                    return end
                self.known.append((request.tobytes(), (reply[0], reply[1], reply[2])))


def digest_of(description: TableDescription, params: dict[str, Any]) -> str:
    """Of what the replies depend on, to tell whether a checkpoint is of the same fit."""
    known = (description.names, description.n_rows, description.counts, description.low, description.high)
    said = repr((known, [str(each) for each in description.types], sorted(map(repr, params.items()))))
    return sha256(said.encode()).hexdigest()
