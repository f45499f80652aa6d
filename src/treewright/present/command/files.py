"""Files in and out: tables and models; no file is overwritten without --force."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...data.common.hints import nearest
from ...data.common.plural import counted
from .console import Console
from .failures import BAD_DATA, BAD_MODEL, INPUT_OUTPUT, USAGE, Failure, bad_data, listed, with_options
from .parts import load_parts

if TYPE_CHECKING:
    from ...data.files import Dialect, ReadTable
    from ...learn.fitted_tree import FittedTree

STDIN = "-"
READING = (  # options that are those of `read_table`
    *("separator", "decimal", "encoding", "header", "quote", "skip_rows", "comment", "day_first"),
    "also_missing",
)
MODEL = ".tree.json"
BYTES_PER_SECOND = 5e7  # of a CSV file that is read: for the progress bar alone
UNVERIFIED = (
    "Unverified model file: {file!r} was changed after it was written, or made from such a file. Do not "
    "rely on its predictions and scores."
)
# Endings that say how a table is written, not what it is about.
ENDINGS = {
    ".csv", ".tsv", ".txt", ".tab", ".dat", ".parquet", ".pq", ".arrow", ".feather", ".ipc",
    ".gz", ".zst", ".bz2", ".xz", ".zip",
}  # fmt: skip


def load_table(
    console: Console,
    path: str,
    values: dict[str, Any] | None = None,
    saved: FittedTree | None = None,
    *more: str | None,
    whole: bool = False,
    **how: Any,
) -> ReadTable:
    """Read a table as `values` of the options for reading say, and say how it was read.

    With a model its columns, and `more`, are read as at fit: what was text is text, and the words that stood
    for missing values still do. All other columns stay as they are written. With `whole` the table must have
    all columns of the model, else only those that its tree uses. `how` is for `read_table` too.
    """
    from ...data.files import TableError, read_table

    if (in_parts := load_parts(console, path, values)) is not None:
        return in_parts
    how |= _how(values or {})
    if saved is not None:
        how = _as_at_fit(saved, more) | how
    with console.progress(*_reading(path)):
        try:
            found = _as_before(path, saved, how) or read_table(path, **how)
        except TableError as error:
            raise Failure(BAD_DATA, str(error)) from error
    context = click.get_current_context(silent=True)
    for note in found.notes if saved is None else _notes_beside(saved, found, whole):
        console.note(with_options(note, None if context is None else context.command))
    return found


def _as_before(path: str, saved: FittedTree | None, how: dict[str, Any]) -> ReadTable | None:
    """A file of one column, in which no separator can be detected: read with that of the training file."""
    from ...data.files import TableError, read_table

    known = None if saved is None else saved.training.get("reading")
    if saved is None or not isinstance(known, dict) or "separator" in how or path == STDIN:
        return None
    if not Path(path).is_file() or Path(path).stat().st_size == 0:
        return None
    with Path(path).open("rb") as file:
        first = file.readline(10_000).decode("utf-8", "replace").strip().strip('"\ufeff')
    if first not in (saved.feature_names or ()):
        return None
    try:
        return read_table(path, **how, separator=str(known.get("separator")))
    except TableError:
        return None


def _notes_beside(saved: FittedTree, table: ReadTable, whole: bool) -> list[str]:
    """What differs from how the training file was read; an error where a cell does not fit the model."""
    from ...learn.later_files import check_cells, new_notes

    with bad_data():
        check_cells(saved, table)
    return [*new_notes(saved, table), *absent_columns(saved, table.frame.columns, whole)]


def absent_columns(saved: FittedTree, columns: list[str], whole: bool = False) -> list[str]:
    """A note on columns of the model that the table lacks; an error if one of them is needed."""
    names = saved.feature_names or ()
    lacking = [place for place, name in enumerate(names) if name not in columns]
    needed = [names[place] for place in lacking if whole or place in saved.used]
    if needed:
        hint = nearest(needed[0], [name for name in columns if name not in names], "its column ")
        hint += " Rename it." if hint else ""
        which = "of the model" if whole else "that the tree uses"
        sentence = f"The table must have all columns {which}. It lacks {listed(needed, 20)}.{hint}"
        raise Failure(BAD_DATA, sentence)
    if not lacking:
        return []
    gone = listed(names[place] for place in lacking)
    return [f"The table lacks {gone}, which the tree does not use."]


def _reading(path: str) -> tuple[str, float | None]:
    """What is read, and about how many seconds that takes."""
    if path == STDIN or not Path(path).is_file():
        return "reading standard input" if path == STDIN else f"reading {path}", None
    size = Path(path).stat().st_size
    shown = f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
    return f"reading {path}" + (f" ({shown})" if size >= 1e6 else ""), size / BYTES_PER_SECOND


def _as_at_fit(saved: FittedTree, more: tuple[str | None, ...]) -> dict[str, Any]:
    """What a model knows of its table, as `read_table` takes it."""
    how, names = saved.reading(), saved.tree.feature_names
    if names is None:
        return how
    return how | {"only": [*names, *(name for name in (saved.target, *more) if name is not None)]}


def _how(values: dict[str, Any]) -> dict[str, Any]:
    """What the options say of reading, as `read_table` takes it."""
    from ...data.files.dialect import check_overrides, check_together
    from ...data.files.errors import TableParameterError

    how = {name: values[name] for name in READING if values.get(name) is not None}
    if how.get("separator") in {"tab", "\\t"}:
        how["separator"] = "\t"
    if how.get("quote") == "none":
        how["quote"] = None
    if values.get("missing_words") is not None:
        how["missing"] = values["missing_words"].split(",")
    if values.get("any_size"):
        how["check_memory"] = False
    try:
        check_overrides(how)
        check_together(how.get("separator"), how.get("decimal"), how.get("quote"))
    except TableParameterError as error:
        raise Failure(USAGE, str(error), error.parameter) from error
    return how


def store_table(console: Console, frame: Any, path: str, dialect: Dialect) -> None:
    """Write a table as another one was written; - is standard output."""
    from ...data.files import TableError, write_table

    with console.progress("writing"):
        try:
            if path != STDIN:
                write_table(frame, path, dialect)
                return
            if sys.stdout is None:
                raise Failure(INPUT_OUTPUT, "Standard output is closed. Name a file with --output.")
            sys.stdout.flush()
            write_table(frame, sys.stdout.buffer, dialect)
            sys.stdout.flush()
        except TableError as error:
            raise Failure(BAD_DATA, str(error)) from error


def named_dialect(path: str, dialect: Dialect) -> Dialect:
    """How to write a file: as the input unless its name says another kind; compressed if its name is."""
    from ...data.files import Dialect
    from ...data.files.compression import by_name

    packed = by_name(path)
    dialect = replace(dialect, compression=packed)
    if packed is not None:
        return replace(named_dialect(Path(path).stem, dialect), compression=packed)
    suffix = Path(path).suffix.lower()
    if suffix in {".xlsx", ".xls", ".ods"}:
        raise Failure(USAGE, f"A table is written as CSV, TSV, Parquet or Arrow. Got {suffix}. Name it .csv.")
    kind = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}.get(suffix)
    if suffix in {".csv", ".tsv"} and dialect.kind != "csv":
        return Dialect(separator="\t" if suffix == ".tsv" else ",")
    return dialect if kind in {None, dialect.kind} else Dialect(kind=kind or "csv")


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def load_model(console: Console, path: str, values: dict[str, Any] | None = None) -> FittedTree:
    """Read a model file as the options of `model_options` say; nothing in it is ever executed."""
    from ...learn.model_file import FileError, read

    if not Path(path).is_dir():
        with Path(path).open("rb"):  # what the system has to say comes first
            pass
    try:
        saved = read(path, allow_unverified=bool(values and values["allow_unverified"]))
    except FileError as error:
        raise Failure(BAD_MODEL, str(error)) from error
    if saved.verified is False:
        console.always(UNVERIFIED.format(file=path))
    number = None if values is None else values.get("trial")
    if number is not None:
        members = getattr(saved, "members", (saved,))
        if number >= len(members):
            most = f"--trial must be below the {counted(len(members), 'tree')} of the model"
            raise Failure(USAGE, f"{most}. Got {number}.")
        return replace(members[number], target=saved.target, training=saved.training, verified=saved.verified)
    if not (values and values["best"]):
        return saved
    if saved.best is None:
        console.note(f"{path!r} has only one tree, so --best changes nothing.")
    return saved.best or saved


def store_model(model: Any, path: str, **about: Any) -> None:
    """Write a model file."""
    from ...learn.model_file import FileError, save

    if _is_special(Path(path)):
        got = f"Got {path!r}, which is a device or a pipe."
        raise Failure(INPUT_OUTPUT, f"A model needs a file of its own. {got}")
    try:
        save(model, path, **about)
    except FileError as error:
        raise Failure(BAD_DATA, str(error)) from error


# -- names


def stem(path: str) -> str:
    """What a table is called: its file name without the endings that say how it is written."""
    if path == STDIN:
        return "table"
    found = Path(path).name
    while Path(found).suffix.lower() in ENDINGS and Path(found).stem:
        found = Path(found).stem
    return found


def must_be_free(path: str, force: bool, own: bool = False) -> None:
    """Refuse before any work what could not be written after it.

    A file that is there is kept unless `force` is given; with `own`, also unless it is a model file.
    """
    place = Path(path)
    if path == STDIN or _is_special(place):
        return
    if place.is_dir():
        raise Failure(INPUT_OUTPUT, f"{path!r} is a folder. Name a file.")
    if not place.parent.is_dir():
        raise Failure(INPUT_OUTPUT, f"There is no folder {str(place.parent)!r} to write {place.name!r} to.")
    if not os.access(place.parent, os.W_OK):
        raise Failure(INPUT_OUTPUT, f"The folder {str(place.parent)!r} cannot be written to.")
    if place.exists() and not force and not (own and _is_model(place)):
        raise Failure(USAGE, f"{path!r} already exists. Add --force to overwrite it, or name another file.")


def _is_model(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(200)
    return head.lstrip().startswith(b"{") and b'"format"' in head and b'"treewright"' in head


def column_of(name: str, columns: list[str]) -> str | None:
    """The column of this name. Spaces may stand for the line breaks of a name, which nobody can type."""
    if name in columns:
        return name
    found = [column for column in columns if column.split() == name.split()]
    return found[0] if len(found) == 1 else None


def must_have(what: str, name: str, columns: list[str]) -> str:
    """The column of this name; a name that the table does not have is rejected."""
    found = column_of(name, columns)
    if found is not None:
        return found
    hint = nearest(name, columns) or f" It has {listed(columns)}."
    context = click.get_current_context(silent=True)
    raise click.UsageError(f"{what} must name a column of the table. Got {name!r}.{hint}", context)


def names_in(text: str | None, columns: list[str], what: str) -> list[str]:
    """Names of columns from a list with commas; a name may have commas itself."""
    if not text:
        return []
    if text in columns:
        return [text]
    found, parts = [], text.split(",")
    while parts:
        for size in range(len(parts), 0, -1):  # the longest name that is a column
            column = column_of(",".join(parts[:size]), columns)
            if column is not None:
                found.append(column)
                parts = parts[size:]
                break
        else:
            must_have(what, parts[0].strip(), columns)
    return found
