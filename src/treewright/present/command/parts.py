"""Folders and globs of Parquet files on the command line; predictions from Parquet to Parquet in batches."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...data.common.atomic import whole_or_nothing
from .failures import bad_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...data.files import ReadTable
    from ...data.parts import Source
    from .console import Console


def load_parts(console: Console, path: str, values: dict[str, Any] | None) -> ReadTable | None:
    """The table of a folder or glob of Parquet files, read into memory; None for a file."""
    from ...data.parts.in_memory import in_parts, read_parts

    if not in_parts(path):
        return None
    with console.progress(f"reading {path}"), bad_data():
        found = read_parts(path, (values or {}).get("memory"))
    for note in found.notes:
        console.note(note)
    return found


class LargeParts(NamedTuple):
    """A table that is not in memory: all of it, a sample of its rows, and what a fit may take."""

    table: Any
    sample: ReadTable
    limits: dict[str, Any]  # memory or client


@contextmanager
def large_parts(console: Console, values: dict[str, Any]) -> Iterator[LargeParts | None]:
    """The Parquet files of --memory or --cluster, if they are not read into memory; else None."""
    from ...data.parts.in_memory import not_in_memory

    path, cluster = values["data"], values["cluster"]
    with ExitStack() as stack:
        client = None
        with bad_data():
            if cluster is not None:
                from ...learn.parts.cluster import a_client

                client = stack.enter_context(a_client(cluster))
                stack.enter_context(client.as_current())
            sources = None if client is not None else not_in_memory(path, values["memory"])
        if client is None and sources is None:
            yield None
            return
        yield _large(console, values, client)


def _large(console: Console, values: dict[str, Any], client: Any) -> LargeParts:
    import polars as pl

    from ...data.files import Dialect, ReadTable
    from ...data.parts.sources import parquet_files
    from ...evaluate.default_fit.large import large_table, sample_of

    given = path = values["data"]
    with console.progress(f"reading {path}"), bad_data():
        if client is not None:
            import dask.dataframe as dd

            given = dd.read_parquet(list(map(str, parquet_files(path))))
        table: Any = large_table(given, values["memory"])
        sample = sample_of(table, values["target"], {})
        frame = sample if isinstance(sample, pl.DataFrame) else pl.from_pandas(sample)
    note = f"The columns are described by a sample of {len(frame):,} of {table.n_rows:,} rows."
    limits = {"memory": values["memory"]} if client is None else {"client": client}
    return LargeParts(table, ReadTable(frame, Dialect(kind="parquet"), (note,), Path(path).name), limits)


def parquet_sources(data: str, output: str) -> list[Source] | None:
    """The files to predict, if they and the output are Parquet and can be read in batches."""
    from ...data.parts import sources_of
    from ...data.parts.in_memory import in_parts

    if find_spec("pyarrow") is None or Path(output).suffix.lower() != ".parquet":
        return None
    if not in_parts(data) and not _is_parquet(Path(data)):
        return None
    with bad_data():
        return sources_of(data)


def _is_parquet(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def predict_batches(sources: list[Source], output: str, predicted: Callable[[Any], Any]) -> int:
    """Write all rows with their predictions; return how many there were.

    `predicted` adds the predictions to a frame. The file appears whole or not at all.
    """
    import pyarrow.parquet as pq

    n_rows, writer = 0, None
    with whole_or_nothing(output) as file, ExitStack() as stack, bad_data():
        for source in sources:
            for batch in source.batches():
                table = predicted(batch).to_arrow()
                if writer is None:
                    writer = stack.enter_context(pq.ParquetWriter(file, table.schema))
                writer.write_table(_alike(table, writer.schema, source.name))
                n_rows += len(batch)
        if writer is None:
            raise ValueError("A table must have rows. Got none.")
    return n_rows


def _alike(table: Any, schema: Any, name: str) -> Any:
    """The table with the columns of the first one; a ValueError where they are of other kinds."""
    import pyarrow as pa

    lacking = [column for column in schema.names if column not in table.schema.names]
    if lacking or len(table.schema.names) != len(schema.names):
        what = f"lacks {lacking[0]!r}" if lacking else "has other columns"
        raise ValueError(f"All parts of a table must have the same columns. {name} {what}.")
    try:
        return table.select(schema.names).cast(schema)
    except pa.ArrowInvalid as problem:
        raise ValueError(
            f"All parts of a table must have columns of the same types. {name}: {problem}"
        ) from None
