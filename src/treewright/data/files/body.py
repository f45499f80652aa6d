"""The text of a CSV as polars gets it, what is found of its layout, and the call of polars."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .dialect import Dialect
from .encoding import Bytes

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Body:
    """UTF-8 text that begins with the header or the first row.

    `path` is the file that holds just this text, if there is one. `first_line` is the number of its first
    line in the file that the user knows, and `names` are those of the columns.
    """

    name: str
    data: Bytes
    path: Path | None
    dialect: Dialect
    names: tuple[str, ...]
    first_line: int = 1

    @property
    def first_row_line(self) -> int:
        """The line of the first row below the header, if no name has a line break."""
        return self.first_line + self.dialect.header

    def has_quotes(self) -> bool:
        """Whether the quote stands anywhere in the text."""
        return self.dialect.quote is not None and self.data.find(self.dialect.quote.encode()) >= 0


def parse(body: Body, types: list[Any], *, lenient: bool = False) -> pl.DataFrame:
    """The table as polars reads it, in these types. `lenient` makes cells missing that do not fit them."""
    import polars as pl

    dialect = body.dialect
    source: Any = body.path or body.data[:]
    skipped = int(dialect.header)
    if skipped and any("\n" in name for name in body.names):  # not every polars skips such a header
        source, skipped = body.data[_end_of_header(body) :], 0
    return pl.read_csv(
        source,
        has_header=False,  # the header is ours: polars changes names that are there twice, or quoted
        skip_rows=skipped,
        schema=dict(zip(body.names, types, strict=True)),
        separator=dialect.separator,
        quote_char=dialect.quote,
        eol_char="\r" if dialect.newline == "\r" else "\n",
        ignore_errors=lenient,
        glob=False,
    ).rechunk()  # columns in one piece can be read where they are


def _end_of_header(body: Body) -> int:
    """Where the first row begins: after the first line break that is not inside quotes."""
    ending = b"\r" if body.dialect.newline == "\r" else b"\n"
    quote = (body.dialect.quote or '"').encode()
    at = body.data.find(ending)
    while at >= 0 and body.data[:at].count(quote) % 2:
        at = body.data.find(ending, at + 1)
    return at + 1
