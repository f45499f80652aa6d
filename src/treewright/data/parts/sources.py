"""Where a table in parts comes from: Parquet files, a pyarrow dataset, a lazy frame, or a list of frames."""

from __future__ import annotations

import glob
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from ..files.errors import TableError
from ..table import is_frame

BATCH_ROWS = 1 << 16


class Source(Protocol):
    """One part of a table."""

    @property
    def name(self) -> str:
        """What a message calls it."""

    def n_rows(self) -> int:
        """How many rows it has, without reading them."""

    def names(self) -> list[str]:
        """The names of its columns."""

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Its rows in order, as frames of about BATCH_ROWS rows; of these columns, or all."""

    def frame(self) -> Any:
        """All of it in memory."""


def is_source(X: Any) -> bool:
    """Whether X is a table that is not in memory, or a list of frames."""
    if isinstance(X, str | os.PathLike):
        return True
    if isinstance(X, list | tuple):
        return bool(X) and all(is_frame(each) or hasattr(each, "batches") for each in X)
    return _is_lazy(X) or _is_dataset(X)


def _is_lazy(X: Any) -> bool:
    return type(X).__module__.startswith("polars") and type(X).__name__ == "LazyFrame"


def _is_dataset(X: Any) -> bool:
    return type(X).__module__.startswith("pyarrow") and hasattr(X, "get_fragments")


def sources_of(X: Any) -> list[Source]:
    """The parts of a table, in order: files by name."""
    if isinstance(X, str | os.PathLike):
        return [ParquetFile(path) for path in parquet_files(X)]
    if isinstance(X, list | tuple):
        return [
            each if hasattr(each, "batches") else Frame(f"part {number}", each)
            for number, each in enumerate(X)
        ]
    if _is_lazy(X):
        return [LazyTable(X)]
    fragments = list(X.get_fragments())
    if not fragments:
        raise TableError("A dataset must have files. Got one without any.")
    return [Fragment(each, X.schema, _name(each, number)) for number, each in enumerate(fragments)]


def _name(fragment: Any, number: int) -> str:
    return getattr(fragment, "path", "") or f"fragment {number}"


def parquet_files(place: Any) -> list[Path]:
    """The Parquet files that a path means: one file, those of a folder and below it, or those of a glob."""
    text = os.fspath(place)
    path = Path(text).expanduser()
    if path.is_dir():
        found = sorted(
            each for each in path.rglob("*.parquet") if each.is_file() and not _is_hidden(each, path)
        )
        if not found:
            raise TableError(f"A folder must have Parquet files. {text} has no file that ends in .parquet.")
        return found
    if not path.exists() and glob.has_magic(text):
        matches = map(Path, glob.glob(str(path), recursive=True))  # noqa: PTH207 (the pattern may be absolute)
        found = sorted(each for each in matches if each.is_file())
        if not found:
            raise TableError(f"A pattern must match files. Got {text!r}, which matches none.")
        return found
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {text!r}.")
    return [path]


def _is_hidden(path: Path, below: Path) -> bool:
    """Whether it is a file that programs keep for themselves, such as _metadata or .part."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(below).parts)


@dataclass(frozen=True)
class Frame:
    """A frame in memory."""

    name: str
    table: Any

    def n_rows(self) -> int:
        """How many rows it has."""
        return len(self.table)

    def names(self) -> list[str]:
        """The names of its columns."""
        import narwhals.stable.v2 as nw

        return list(nw.from_native(self.table, eager_only=True).columns)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The frame as one batch."""
        import narwhals.stable.v2 as nw

        yield self.table if columns is None else nw.from_native(self.table)[list(columns)].to_native()

    def frame(self) -> Any:
        """The frame."""
        return self.table


@dataclass(frozen=True)
class LazyTable:
    """A query of polars, run in batches each time that its rows are needed."""

    query: Any
    name: str = "the lazy frame"

    def n_rows(self) -> int:
        """How many rows the query gives."""
        import polars as pl

        with reading(self.name):
            return int(self.query.select(pl.len()).collect().item())

    def names(self) -> list[str]:
        """The names of its columns."""
        with reading(self.name):
            return list(self.query.collect_schema().names())

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Batches as polars streams them."""
        with reading(self.name):
            yield from streamed(self.query if columns is None else self.query.select(columns))

    def frame(self) -> Any:
        """All rows."""
        with reading(self.name):
            return self.query.collect()


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file."""

    path: Path

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    def _scan(self) -> Any:
        import polars as pl

        return pl.scan_parquet(self.path, glob=False, hive_partitioning=False, low_memory=True)

    def n_rows(self) -> int:
        """How many rows it has, from its metadata."""
        import polars as pl

        self._check()
        with reading(self.name):
            return int(self._scan().select(pl.len()).collect().item())

    def names(self) -> list[str]:
        """The names of its columns."""
        self._check()
        with reading(self.name):
            return list(self._scan().collect_schema().names())

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Batches as frames of polars: read by pyarrow if it is there, which needs the least memory."""
        with reading(self.name):
            if find_spec("pyarrow") is None:
                yield from _sliced(self._scan() if columns is None else self._scan().select(columns))
                return
            import polars as pl
            import pyarrow.parquet as pq

            with pq.ParquetFile(self.path, pre_buffer=False) as file:
                for batch in file.iter_batches(
                    BATCH_ROWS, columns=None if columns is None else list(columns)
                ):
                    yield pl.from_arrow(batch)

    def frame(self) -> Any:
        """All rows."""
        with reading(self.name):
            return self._scan().collect()

    def _check(self) -> None:
        with self.path.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise TableError(f"The parts of a table must be Parquet files. {self.path} is none.")


@dataclass(frozen=True)
class Fragment:
    """A file of a pyarrow dataset."""

    fragment: Any
    schema: Any
    name: str

    def n_rows(self) -> int:
        """How many rows it has, from its metadata."""
        with reading(self.name):
            return int(self.fragment.count_rows())

    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.schema.names)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Batches as pyarrow reads them."""
        import pyarrow as pa

        with reading(self.name):
            found = self.fragment.to_batches(
                schema=self.schema,
                columns=None if columns is None else list(columns),
                batch_size=BATCH_ROWS,
                batch_readahead=1,
                use_threads=False,
            )
            for batch in found:
                yield pa.Table.from_batches([batch])

    def frame(self) -> Any:
        """All rows."""
        with reading(self.name):
            return self.fragment.to_table(schema=self.schema)


def streamed(query: Any) -> Iterator[Any]:
    """The rows of a polars query in batches, in order."""
    if not hasattr(query, "collect_batches"):
        yield from _sliced(query)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is new
        yield from query.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True)


def _sliced(query: Any) -> Iterator[Any]:
    start = 0
    while len(batch := query.slice(start, BATCH_ROWS).collect()):
        yield batch
        start += BATCH_ROWS


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Errors of a reader as one sentence that names the part."""
    try:
        yield
    except (TableError, FileNotFoundError):
        raise
    except BaseException as error:
        module = type(error).__module__.split(".")[0]
        if module not in {"polars", "pyarrow", "pyo3_runtime"} and not isinstance(error, OSError):
            raise
        said = (str(error).strip().splitlines() or ["unknown"])[0].rstrip(".")
        raise TableError(
            f"{name} cannot be read: {said}. It is damaged or cut off; write it once more."
        ) from None
