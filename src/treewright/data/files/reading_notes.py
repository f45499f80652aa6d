"""What the user should know of the columns of a CSV, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..common.plural import counted
from .column_types import ReadColumn
from .errors import shown

if TYPE_CHECKING:
    import polars as pl

MOST_WORDS = 3  # that a message proposes as missing values


class OddCell(NamedTuple):
    """The first cell of a column that does not fit the others, which are `among`: "numbers" or the like."""

    line: int
    cell: str
    n_cells: int
    words: tuple[str, ...]  # the different cells that do not fit: all of them, or the first four
    among: str

    @property
    def text(self) -> str:
        """As in "line 4 has 'k.A.' (and 2 more)"."""
        more = f" (and {self.n_cells - 1:,} more)" if self.n_cells > 1 else ""
        return f"line {self.line:,} has {shown(self.cell)}{more}"

    @property
    def also_missing(self) -> str:
        """What to pass as `also_missing` if these cells are missing values; empty if they are too many."""
        few = len(self.words) <= MOST_WORDS and not any("," in word for word in self.words)
        return ",".join(self.words) if few else ""


def odd_cells(columns: Mapping[str, ReadColumn], line_of: Callable[[int], int]) -> dict[str, OddCell]:
    """The first odd cell of each column that has some."""
    found = {}
    for name, read in columns.items():
        if read.odd is not None and not read.remark:
            cells = read.column.filter(read.odd).cast(str).str.strip_chars().unique(maintain_order=True)
            words = tuple(cells.drop_nulls().head(MOST_WORDS + 1).to_list())
            facts = (words[0] if words else "", read.odd_cells, words, read.among or "numbers")
            found[name] = OddCell(line_of(read.odd_row), *facts)
    return found


def odd_note(read: ReadColumn, column: pl.Series, line_of: Callable[[int], int]) -> list[str]:
    """What is to be said of a column: how it was read, or why it is text. `line_of` has the line of a row."""
    if read.remark:
        colon = ":" if read.format is not None or read.remark.startswith("read ") else ""
        return [f"{shown(column.name)}{colon} {read.remark}."]
    if read.odd is None:
        return []
    line, cell = line_of(read.odd_row), shown(column[read.odd_row])
    if not read.among:
        why = f"no number format suits all cells, such as {cell} (line {line:,})"
        return [f"{shown(column.name)}: {why}; read as text."]
    more = f" (and {read.odd_cells - 1:,} more)" if read.odd_cells > 1 else ""
    remedy = f" {read.remedy}" if read.remedy else ""
    return [f"{shown(column.name)}: line {line:,} has {cell}{more} among {read.among}; read as text.{remedy}"]


def missing_note(columns: Mapping[str, ReadColumn]) -> list[str]:
    """The words that were read as missing values, and the columns where they stand."""
    words: dict[str, int] = {}
    for read in columns.values():
        for word, count in read.words.items():
            words[word] = words.get(word, 0) + count
    if not words:
        return []
    where = [shown(name) for name, read in columns.items() if read.words]
    counts = ", ".join(f"{shown(word)} in {counted(n, 'cell')}" for word, n in words.items())
    listed = ", ".join(where[:5]) + (f" and {len(where) - 5:,} more" if len(where) > 5 else "")
    return [f"Read as missing: {counts} ({'column' if len(where) == 1 else 'columns'} {listed})."]


def strays_note(columns: Mapping[str, ReadColumn]) -> list[str]:
    """The option that makes words missing values that keep a column text."""
    joined = ",".join(dict.fromkeys(word for read in columns.values() for word in read.strays))
    how = f"Pass also_missing={joined!r} to read such cells as missing values, if that is what they are."
    return [how] if joined else []
