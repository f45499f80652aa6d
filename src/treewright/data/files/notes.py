"""What the user should know of how a table was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..common.plural import counted
from .errors import shown

if TYPE_CHECKING:
    from .column_types import Settled

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
        """ "line 4 has 'k.A.' (and 2 more)"."""
        more = f" (and {self.n_cells - 1:,} more)" if self.n_cells > 1 else ""
        return f"line {self.line:,} has {shown(self.cell)}{more}"

    @property
    def also_missing(self) -> str:
        """What to pass as `also_missing` if these cells are missing values; empty if they are too many."""
        few = len(self.words) <= MOST_WORDS and not any("," in word for word in self.words)
        return ",".join(self.words) if few else ""


class Note(str):  # noqa: SLOT000 (it has attributes)
    """A sentence about some columns, or about words that were read as missing values."""

    columns: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str, columns: tuple[str, ...], words: tuple[str, ...] = ()) -> Note:
        """The sentence with what it is about."""
        found = cls(text)
        found.columns, found.words = columns, words
        return found


def notes_on(every: Mapping[str, Settled], odd: Mapping[str, OddCell], blanks: bool) -> Iterator[str]:
    """What is odd about the columns of a table, and what was read as missing."""
    if blanks:
        yield "Blank lines are left out."
    for name, settled in every.items():
        if settled.remark:
            colon = ":" if settled.format is not None or settled.remark.startswith("read ") else ""
            yield Note.of(f"{shown(name)}{colon} {settled.remark}.", (name,))
        elif name in odd:
            text = f"{shown(name)}: {odd[name].text} among {settled.among}; read as text."
            yield Note.of(text, (name,))
    yield from _missing_note(every)
    strays = {word: None for settled in every.values() for word in settled.strays}
    if strays:
        where = tuple(name for name, settled in every.items() if settled.strays)
        joined = ",".join(strays)
        how = f"Pass also_missing={joined!r} to read such cells as missing values, if that is what they are."
        yield Note.of(how, where)


def _missing_note(every: Mapping[str, Settled]) -> Iterator[Note]:
    words: dict[str, int] = {}
    where = tuple(name for name, settled in every.items() if settled.words)
    for settled in every.values():
        for word, count in settled.words.items():
            words[word] = words.get(word, 0) + count
    if words:
        counts = ", ".join(f"{shown(word)} in {counted(n, 'cell')}" for word, n in words.items())
        columns = ", ".join(map(shown, where[:5]))
        columns += f" and {len(where) - 5:,} more" if len(where) > 5 else ""
        yield Note.of(f"Read as missing: {counts}; of {columns}.", where, tuple(words))
