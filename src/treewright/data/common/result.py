"""The base of what functions return: text for a terminal, a table for a notebook, rows for a data frame."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Generic, TypeVar, overload

from .tables import Column, as_html, as_text

T = TypeVar("T")


class Result(ABC):
    """What a function returns to be read.

    A result has its rows as dictionaries (`to_dicts`), and may have a headline above and notes below them.
    Text, HTML and data frames are made from these. `plot` is there where a picture says more.
    """

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per row, of which any library makes a data frame."""

    def to_frame(self) -> Any:
        """The rows as a data frame: of pandas if it is installed, else of polars."""
        return frame_of(self.to_dicts())

    def _rows(self) -> Sequence[dict[str, Any]]:
        """The rows to print; by default all."""
        return self.to_dicts()

    def _columns(self) -> Sequence[Column]:
        """The columns to print, each with its format; by default those of the first row as they are."""
        rows = self.to_dicts()
        return [(name, "") for name in rows[0]] if rows else []

    def _headline(self) -> str:
        """A line above the rows; none by default."""
        return ""

    def _notes(self) -> Sequence[str]:
        """Lines below the rows; none by default."""
        return ()

    def __str__(self) -> str:
        head, rows = self._headline(), self._rows()
        table = as_text(rows, self._columns()) if rows else []
        lines = [*([head] if head else []), *table, *self._notes()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>\n{self}"

    def _repr_html_(self) -> str:
        head = self._headline()
        above = f"<p>{html.escape(head)}</p>" if head else ""
        below = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return above + as_html(self._rows(), self._columns()) + below


class ListResult(Result, Generic[T]):
    """A result that is a list too: of what is in the tuple that `LISTED` names."""

    LISTED: ClassVar[str]

    def __len__(self) -> int:
        return len(getattr(self, self.LISTED))

    def __iter__(self) -> Iterator[T]:
        return iter(getattr(self, self.LISTED))

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        try:
            found: T | tuple[T, ...] = getattr(self, self.LISTED)[place]
        except IndexError:
            has = f"There are {len(self):,} {self.LISTED}, counted from 0."
            raise IndexError(f"{has} Got the place {place}.") from None
        except TypeError:
            raise TypeError(
                f"A place among the {self.LISTED} must be an int or a slice. Got {place!r:.80}."
            ) from None
        return found


def frame_of(rows: list[dict[str, Any]]) -> Any:
    """Dictionaries as a data frame: of pandas if it is installed, else of polars."""
    return import_module("pandas" if find_spec("pandas") else "polars").DataFrame(rows)
