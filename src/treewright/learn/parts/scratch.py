"""A scratch file of coded blocks: written once, mapped into memory, and gone when it is closed."""

from __future__ import annotations

import mmap
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from ...data.common.array_types import Array, Ints
from ...data.files.errors import TableError
from ...data.files.memory import shown_size
from ...tree.tree import Tree
from .budget import Sizes
from .coded import CodedPart, PartTotals
from .folds import RowFolds
from .leaf_counts import LeafCounts, sums_of
from .share import ROUTE, Moves, Reply, Share, added

_ALIGN = 64


class ScratchFile:
    """Coded parts on disk. The file has no name, so that nothing is left of it whatever happens."""

    def __init__(self, folder: Any = None) -> None:
        self.folder = Path(tempfile.gettempdir() if folder is None else folder)
        try:
            self._file: Any = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115 (closed by `close`)
        except OSError as problem:
            raise TableError(
                f"scratch must be a folder to write to. Got {str(self.folder)!r}: {problem.strerror}."
            ) from None
        self.size = 0
        self._maps: list[mmap.mmap] = []
        self.parts: list[CodedPart] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def must_have_room(self, needed: int) -> None:
        """Refuse before any work what would fill the disk."""
        free = shutil.disk_usage(self.folder).free
        if needed > free:
            raise TableError(
                _full(self.folder, f"about {shown_size(needed)} are needed and {shown_size(free)} are free")
            )

    def add(self, part: CodedPart) -> None:
        """Write a part, and keep it as arrays that lie in the file."""
        start = -(-self.size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        places = _Places(start)
        arrays = [*part.values, *part.missing, *part.codes, part.y, part.weights, part.folds]
        at = [None if array is None else places.take(array.nbytes) for array in arrays]
        try:
            for array, place in zip(arrays, at, strict=True):
                if array is not None:
                    self._file.seek(place)
                    self._file.write(np.ascontiguousarray(array).data.cast("B"))
            self._file.truncate(places.end)
            self._file.flush()
        except OSError as problem:
            raise TableError(_full(self.folder, f"{problem.strerror}")) from None
        self.size = places.end
        length = max(places.end - start, 1)
        mapped = mmap.mmap(self._file.fileno(), length, access=mmap.ACCESS_READ, offset=start)
        self._maps.append(mapped)
        found = [
            None if array is None or place is None else _view(mapped, array, place - start)
            for array, place in zip(arrays, at, strict=True)
        ]
        n = len(part.values)
        values: Any = found[:n]
        y: Any = found[-3]
        self.parts.append(
            replace(
                part,
                values=values,
                missing=found[n : 2 * n],
                codes=found[2 * n : 3 * n],
                y=y,
                weights=found[-2],
                folds=found[-1],
            )
        )
        self.release(len(self._maps) - 1)

    def release(self, number: int) -> None:
        """Give the memory of a part back; its rows are read from the file again when they are needed."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._maps[number].madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Delete the file. Arrays that lie in it must not be used any more."""
        self.parts.clear()
        self._maps.clear()  # unmapped when the last array is gone
        with suppress(OSError):  # of a full disk, which has been said
            self._file.close()


class _Places:
    """Where arrays lie in the file: one after another, aligned."""

    def __init__(self, start: int) -> None:
        self.end = start

    def take(self, size: int) -> int:
        place = -(-self.end // _ALIGN) * _ALIGN
        self.end = place + size
        return place


def _view(mapped: mmap.mmap, like: Array, offset: int) -> Array:
    flat = np.frombuffer(mapped, dtype=like.dtype, count=like.size, offset=offset)
    return flat.reshape(like.shape)


def _full(folder: Path, why: str) -> str:
    return (
        f"The scratch folder {str(folder)!r} is too small for the table: {why}. Name another with scratch=."
    )


class ScratchEngine:
    """Computes over the parts of a scratch file: each thread has a share, of which little is in memory."""

    def __init__(self, scratch: ScratchFile, totals: PartTotals, n_threads: int, sizes: Sizes) -> None:
        release = scratch.size > sizes.resident
        first_rows = np.cumsum([0, *(part.n_rows for part in scratch.parts)]).tolist()
        self.shares = []
        for own in (range(k, len(scratch.parts), n_threads) for k in range(n_threads)):
            if own:
                parts, firsts = [scratch.parts[k] for k in own], [first_rows[k] for k in own]
                used = partial(_release, scratch if release else None, own)
                self.shares.append(Share(parts, firsts, totals, totals.n_rows <= sizes.keep_rows, used))
        self.pool = ThreadPoolExecutor(n_threads)
        self.moves = Moves()

    def start(self, fold: int | None, folds: RowFolds) -> None:
        """Put all rows into the root, without those that a fold leaves out."""
        self.moves = Moves(fold, folds)

    def compute(self, operation: int, words: Ints) -> Reply:
        """As `Engine.compute`."""
        replies = self.pool.map(lambda share: share.reply(self.moves, operation, words), self.shares)
        found = added(list(replies))
        if operation == ROUTE:
            self.moves = self.moves.then(words)
        return found

    def count_leaves(
        self, trees: Sequence[Tree], folds: RowFolds, ends: tuple[float, float]
    ) -> list[LeafCounts]:
        """As `Share.count_leaves`, over all parts."""
        return sums_of(list(self.pool.map(lambda each: each.count_leaves(trees, folds, ends), self.shares)))

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()
        self.shares.clear()


def _release(scratch: ScratchFile | None, own: Sequence[int], place: int) -> None:
    if scratch is not None:
        scratch.release(own[place])
