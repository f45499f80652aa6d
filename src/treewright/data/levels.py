"""The levels of a column: as its library keeps them → in order, with one small code per row.

Categories keep the order in which they were declared, with those that no row has. All others are sorted.
A missing value is never a level; an empty text is one.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .common.labels import is_text
from .schema import ColumnType, words_of

Codes = NDArray[np.int32]


class Labels(NamedTuple):
    """A column of levels as it was read: a code into `levels` for every row, -1 where missing."""

    name: str
    codes: NDArray[np.signedinteger[Any]]
    levels: Sequence[Any]
    declared: bool = False  # the levels have an order of their own, and all of them count
    ordered: bool = False  # and that order is one of size

    def is_empty(self) -> bool:
        """Whether there is no value in it."""
        return not bool((self.codes >= 0).any())

    def is_text(self) -> bool:
        """Whether there is text among the levels, or what is kept as text."""
        return any(isinstance(plain(level), str) for level in self.levels)

    def holds(self) -> str:
        """What a message calls its values."""
        return "text" if self.is_text() else "numbers as levels"


def labels_of(items: Iterable[Any], name: str) -> Labels:
    """Code hashable objects in the order in which they appear; missing ones get -1."""
    seen: dict[Any, int] = {}
    codes = np.fromiter((seen.setdefault(item, len(seen)) for item in items), dtype=np.int32)
    kept = np.array([not is_missing(item) for item in seen], dtype=bool)
    if kept.all():
        return Labels(name, codes, list(seen))
    places = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    return Labels(name, places[codes], [item for item, known in zip(seen, kept, strict=True) if known])


def plain(level: Any) -> str | float | None:
    """A level as Python's text or number; None where it is missing. Intervals and the like: as text."""
    if isinstance(level, str):
        return str.__str__(level)
    if is_missing(level):
        return None
    if isinstance(level, bool | np.bool_):
        return bool(level)
    if isinstance(level, numbers.Integral):
        return int(level)
    return float(level) if isinstance(level, numbers.Real | Decimal) else str(level)


def is_missing(item: Any) -> bool:
    """Whether an object stands for a missing value: None, NaN, NA or NaT."""
    if isinstance(item, float | np.floating | Decimal):
        return math.isnan(item)
    return item is None or type(item).__name__ in {"NAType", "NaTType"}


def check_known(y: NDArray[Any], n_rows: int) -> None:
    """Reject a target with missing values."""
    missing = sum(map(is_missing, y.tolist()))
    if missing:
        raise ValueError(
            f"y must be known for every row. Got {missing:,} missing of {n_rows:,}. Leave these rows out."
        )


def with_missing(values: Any) -> NDArray[Any]:
    """Values as an array; what is missing in a list of text stays so, where numpy would make text of it."""
    found = np.asarray(values)
    if found is values or found.dtype.kind != "U":
        return found
    whole = np.asarray(values, dtype=object)
    return whole if not is_text(whole) and any(map(is_missing, whole.ravel().tolist())) else found


def in_order(labels: Labels) -> tuple[tuple[Any, ...], Codes]:
    """The levels in their order, each once, and the codes by it."""
    values = _one_kind(labels)
    if labels.declared:
        levels = [value for value in dict.fromkeys(values) if value is not None]
    else:
        there = np.zeros(len(values) + 1, dtype=bool)
        there[labels.codes] = True
        levels = sorted({value for value, seen in zip(values, there, strict=False) if seen} - {None})
    return tuple(levels), _recoded(labels, values, {level: code for code, level in enumerate(levels)}, -1)


def coded_as(labels: Labels, known: ColumnType) -> tuple[Codes, int] | None:
    """The codes by the levels of a known type, or None if these levels are of another kind.

    The number tells how many rows have a level that is not among the known ones.

    A level that is not among the known ones gets the code after the last in a nominal column, where the tree
    treats it as missing at every test; in an ordered column it has no rank, and is missing.
    """
    values = _one_kind(labels)
    first = next((value for value in values if value is not None), known.levels[0])
    if isinstance(first, str) != isinstance(known.levels[0], str) and not labels.is_empty():
        return None
    codes = _recoded(labels, values, known.code_of, known.code_of_unknown)
    unknown = [k for k, value in enumerate(values) if value is not None and value not in known.code_of]
    return codes, int(np.isin(labels.codes, unknown).sum()) if unknown else 0


def _recoded(labels: Labels, values: list[Any], code_of: dict[Any, int], unknown: int) -> Codes:
    """Look the codes up in a table of the levels; its last entry is for -1."""
    table = [-1 if value is None else code_of.get(value, unknown) for value in values]
    by_level: Codes = np.array([*table, -1], dtype=np.int32)
    return np.asarray(by_level[labels.codes])


def _one_kind(labels: Labels) -> list[Any]:
    """The plain levels, which must be all text or all numbers."""
    values = [plain(level) for level in labels.levels]
    text = next((value for value in values if isinstance(value, str)), None)
    other = next((value for value in values if value is not None and not isinstance(value, str)), None)
    if text is not None and other is not None:
        raise ValueError(
            f"The values of a column must be of one kind, but {labels.name} of X mixes text and "
            f"{words_of([other])}, such as {text!r} and {other!r}. Make them all text or all numbers."
        )
    return values


# -- columns of text or categories, as each library keeps them


def series_labels(series: Any, name: str) -> Labels:
    """The labels of a narwhals series of text or categories; only its levels become Python objects."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        return _of_pandas(native, name)
    if series.implementation.is_polars():
        return _of_polars(native, name)
    if series.implementation.is_pyarrow():
        return _of_arrow(native, name)
    return labels_of(series.to_list(), name)


def _of_pandas(native: Any, name: str) -> Labels:
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        levels = native.cat.categories.tolist()
        return Labels(name, native.cat.codes.to_numpy(), levels, True, bool(native.cat.ordered))
    codes, levels = native.factorize()
    return Labels(name, codes, levels.tolist())


def _of_polars(native: Any, name: str) -> Labels:
    """An Enum is declared. A Categorical shares its numbers with other columns: look up those in use."""
    import polars as pl

    if native.dtype == pl.Enum:
        return Labels(name, _filled(native.to_physical()), native.dtype.categories.to_list(), True)
    unique = native.drop_nulls().unique()
    if native.dtype == pl.String:
        levels = unique.sort()
        return Labels(name, _filled(native.cast(pl.Enum(levels)).to_physical()), levels.to_list())
    numbered = _filled(native.to_physical())
    table = np.full(numbered.max(initial=-1) + 2, -1, dtype=np.int64)
    table[_filled(unique.to_physical())] = np.arange(len(unique))
    return Labels(name, table[numbered], unique.cast(pl.String).to_list())


def _filled(physical: Any) -> NDArray[np.int64]:
    import polars as pl

    return np.asarray(physical.cast(pl.Int64).fill_null(-1).to_numpy())


def _of_arrow(native: Any, name: str) -> Labels:
    """Text becomes a dictionary; one dictionary for all chunks. Only an ordered one means its order."""
    import pyarrow as pa

    if not pa.types.is_dictionary(native.type):
        native = native.dictionary_encode()
    one = native.unify_dictionaries().combine_chunks()
    codes = one.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return Labels(name, codes, one.dictionary.to_pylist(), native.type.ordered, native.type.ordered)
