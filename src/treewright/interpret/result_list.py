"""The results of several rows as a list, each made when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar, overload

from ..data.common.result import Result

T = TypeVar("T", bound=Result)

MOST_PRINTED = 5


class ResultList(Result, Generic[T]):
    """A list of results, one per row of a table."""

    def __init__(self, size: int, make: Callable[[int], T]) -> None:
        self._size, self._make = size, make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return (self[place] for place in range(len(self)))

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        number = range(len(self))[place]  # negative numbers count from the end
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The dictionaries of all rows, one after another."""
        return [each for result in self for each in result.to_dicts()]

    def _rest(self) -> str:
        more = len(self) - MOST_PRINTED
        return f"… and {more:,} more rows; take one by its number, or give row=." if more > 0 else ""

    def __str__(self) -> str:
        parts = [str(each).rstrip("\n") for each in self[:MOST_PRINTED]]
        return "\n\n".join([*parts, *filter(None, [self._rest()])]) + "\n"

    def _repr_html_(self) -> str:
        rest = self._rest()
        parts = [each._repr_html_() for each in self[:MOST_PRINTED]]
        return "<hr>".join(parts) + (f"<p>{rest}</p>" if rest else "")
