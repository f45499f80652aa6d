"""What a column is: its kind and, where it is made of categories, its levels in order."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .common.hints import nearest

# The kinds, and what a message calls a column of each.
KINDS = {
    "number": "numbers",
    "boolean": "booleans",
    "nominal": "levels",
    "ordered": "ordered levels",
    "datetime": "dates or times without a time zone",
    "duration": "durations",
}


@dataclass(frozen=True)
class ColumnType:
    """What a column holds: one of KINDS, and the levels of a nominal or ordered one; level k has code k.

    A nominal type without levels had no value at fit: any column suits it, and all of it counts as missing.
    `utc` marks datetimes that had a time zone and are kept as instants of UTC.
    """

    kind: str = "number"
    levels: tuple[Any, ...] = ()
    utc: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"The kind of a column must be one of {', '.join(KINDS)}. Got {self.kind!r}.")
        object.__setattr__(self, "levels", tuple(self.levels))
        if self.levels and not self.has_levels:
            raise ValueError(f"Only nominal and ordered columns have levels. Got some for a {self.kind}.")
        if len(self.code_of) < len(self.levels):
            raise ValueError("The levels of a column must differ from each other. Got one of them twice.")

    @property
    def has_levels(self) -> bool:
        """Whether the column is read as codes of levels."""
        return self.kind in {"nominal", "ordered"}

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers or booleans, which stand for each other."""
        return self.kind in {"number", "boolean"}

    @cached_property
    def code_of(self) -> dict[Any, int]:
        """The code of every level. Made on first use, and never pickled."""
        return {level: code for code, level in enumerate(self.levels)}

    @property
    def code_of_unknown(self) -> int:
        """The code of a level that was not seen at fit: after the last; of ordered levels -1, missing."""
        return len(self.levels) if self.kind == "nominal" else -1

    def __reduce__(self) -> tuple[Any, ...]:
        return ColumnType, (self.kind, self.levels, self.utc)

    def __str__(self) -> str:
        if self.utc:
            return "times with a time zone"
        return f"{words_of(self.levels)} as {KINDS[self.kind]}" if self.levels else KINDS[self.kind]


NUMBER, BOOLEAN = ColumnType(), ColumnType("boolean")
DATETIME, DURATION = ColumnType("datetime"), ColumnType("duration")
UTC = ColumnType("datetime", utc=True)
NOTHING = ColumnType("nominal")  # no value was seen


def words_of(levels: Sequence[Any]) -> str:
    """What a message calls these levels, which are all text or all numbers."""
    if isinstance(levels[0], str):
        return "text"
    return "booleans" if all(isinstance(level, bool) for level in levels) else "numbers"


def as_column_types(types: Sequence[ColumnType]) -> tuple[ColumnType, ...] | None:
    """The types for a tree to remember; None where every column is a number."""
    return None if all(each == NUMBER for each in types) else tuple(types)


# -- the parameter `categorical_features`


def nominal_mask(chosen: Any, names: Sequence[Any] | None, n_columns: int) -> NDArray[np.bool_] | None:
    """Which columns are nominal by the parameter `categorical_features`; None: their own types say so."""
    if isinstance(chosen, str) and chosen in {"from_dtype", "unordered"}:
        return None
    mask = np.zeros(n_columns, dtype=bool)
    if chosen is None:
        return mask
    given = _listed(chosen)
    if given and all(isinstance(entry, bool | np.bool_) for entry in given):
        if len(given) != n_columns:
            raise ValueError(
                f"A mask in categorical_features must have one entry per column of X: {n_columns}. "
                f"Got {len(given)}."
            )
        return np.array(given, dtype=bool)
    for entry in given:
        mask[_place(entry, given, names, n_columns)] = True
    return mask


def _listed(chosen: Any) -> list[Any]:
    wanted = 'categorical_features must be "from_dtype", None, or a list of names, indices or booleans.'
    if isinstance(chosen, str):
        raise ValueError(f"{wanted} Got {chosen!r}. One column is a list too: [{chosen!r}].")
    try:
        return list(chosen)
    except TypeError:
        raise TypeError(f"{wanted} Got {chosen!r}.") from None


def _place(entry: Any, given: list[Any], names: Sequence[Any] | None, n_columns: int) -> int:
    """The number of the column that an entry of the list means."""
    if isinstance(entry, str) and all(isinstance(other, str) for other in given):
        if names is None:
            raise ValueError(
                f"categorical_features may hold names only where X has names of columns. Got {entry!r}. "
                "Use indices, or a table with names."
            )
        if entry not in names:
            hint = nearest(entry, names)
            raise ValueError(f"categorical_features must name columns of X. Got {entry!r}.{hint}")
        return list(names).index(entry)
    whole = [isinstance(each, numbers.Integral) and not isinstance(each, bool | np.bool_) for each in given]
    if not all(whole):
        raise ValueError(
            f"categorical_features must be all names, all indices or all booleans. Got {given!r:.100}."
        )
    if not 0 <= entry < n_columns:
        raise ValueError(
            f"The indices in categorical_features must be in 0..{n_columns - 1}, as X has that many columns. "
            f"Got {entry}."
        )
    return int(entry)
