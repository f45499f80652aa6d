"""One column of any numpy type → numbers, times as whole microseconds, or labels.

Nothing is cast unless the core has no such type (float16, longdouble, times, objects).
"""

from __future__ import annotations

import datetime as dt
import numbers
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .common.array_types import Array, Mask
from .levels import Labels, is_missing, labels_of, plain
from .schema import BOOLEAN, DATETIME, DURATION, NUMBER, UTC, ColumnType


class Column(NamedTuple):
    """One column: its name for messages, its values, which are missing (None: only NaN), and its type.

    Of a nominal column the values are codes, and -1 is missing.
    """

    name: str
    values: Array
    missing: Mask | None = None
    type: ColumnType = NUMBER
    unknown: int = 0  # how many rows have a level that was not seen at fit

    def take(self, rows: Any) -> Column:
        """Some of the rows, in this order."""
        missing = None if self.missing is None else self.missing[rows]
        return self._replace(values=np.ascontiguousarray(self.values[rows]), missing=missing)

    def gaps(self) -> Mask:
        """Which rows have no value."""
        if self.missing is not None:
            return self.missing
        if self.type.has_levels:
            return np.asarray(self.values < 0)
        real = self.values.dtype.kind == "f"
        return np.isnan(self.values) if real else np.zeros(len(self.values), dtype=bool)

    def is_empty(self) -> bool:
        """Whether there is no value in it."""
        return bool(self.gaps().all())

    def holds(self) -> str:
        """What a message calls its values."""
        return str(self.type)


# What is read of a table: numbers and times, or labels, of which it is still open what they mean.
Read: TypeAlias = Column | Labels


def nothing(name: str, n_rows: int) -> Labels:
    """A column without a value, of no known type."""
    return Labels(name, np.full(n_rows, -1, dtype=np.int32), [])


# -- numbers


def is_native(values: Array) -> bool:
    """Whether the core reads this type: bool, int, uint, float32 and float64 in the machine's byte order."""
    dtype = values.dtype
    return bool(
        dtype.kind in "biuf"
        and dtype.itemsize in _SIZES[dtype.kind]
        and dtype.isnative
        and values.flags.aligned
    )


_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (4, 8)}


def native(values: Array, name: str) -> Array:
    """Numbers in a type that the core reads, the same array if it is one already."""
    if is_native(values):
        return values
    if values.dtype.kind not in "biuf":
        raise TypeError(_object_rejected(name, str(values.dtype)))
    if values.dtype.kind == "f":
        return values.astype(np.float32 if values.dtype.itemsize == 2 else np.float64)
    return values.astype(values.dtype.newbyteorder("="))


def type_of(values: Array) -> ColumnType:
    """The type of an array of numbers."""
    return BOOLEAN if values.dtype.kind == "b" else NUMBER


def values_of(values: Array, name: str) -> Read:
    """What an array of one dimension holds: numbers, times, text, or objects that are one of these."""
    kind = values.dtype.kind
    if values.ndim != 1:
        raise TypeError(_object_rejected(name, f"{values.ndim}-dimensional array"))
    if kind in "Mm":
        return _times(values, name)
    if kind == "O":
        return _objects(values, name)
    if kind in "UT":
        return labels_of(values.tolist(), name)
    if kind == "S":
        raise ValueError(_bytes_rejected(name))
    read = native(values, name)
    return Column(name, read, None, type_of(read))


def as_numbers(read: Read) -> Column:
    """Labels that are numbers or booleans as a column of these; text is rejected."""
    if isinstance(read, Column):
        return read
    missing = read.codes < 0
    if missing.all():
        return Column(read.name, np.zeros(len(missing)), missing)
    if read.is_text():
        raise ValueError(_text_rejected(read.name))
    table, absent = _packed([plain(level) for level in read.levels])
    missing = missing | absent[read.codes]
    return Column(read.name, table[read.codes], missing if missing.any() else None, type_of(table))


def labels_of_numbers(column: Column) -> Labels:
    """Numbers as labels, for a column that is nominal because the user says so."""
    if column.type.kind in {"datetime", "duration"}:
        raise ValueError(
            f"A nominal column must hold text, numbers or booleans, but {column.name} of X holds "
            f"{column.type}. Turn them into text to make levels of them."
        )
    missing = column.missing
    if missing is None:
        missing = np.isnan(column.values)
    levels, places = np.unique(column.values[~missing], return_inverse=True)
    codes = np.full(len(missing), -1, dtype=np.int64)
    codes[~missing] = places
    return Labels(column.name, codes, levels.tolist())


# -- times


def _times(values: Array, name: str) -> Column:
    """Dates, times and durations as whole microseconds, one unit for all so that fit and predict agree.

    What is finer than a microsecond is cut off.
    """
    missing = np.isnat(values)
    micros = values.astype(values.dtype.str[1:2] + "8[us]")
    unit = np.datetime_data(values.dtype)[0]
    no_length = values.dtype.kind == "m" and unit in {"Y", "M", "generic"}
    back = micros.astype(values.dtype)
    if unit in {"ns", "ps", "fs", "as"}:
        micros = micros - (back > values)  # so that times before 1970 are rounded down too
    elif no_length or not ((back == values) | missing).all():
        raise ValueError(
            f"Times must be of a fixed length, within 290,000 years of 1970. Got {values.dtype} in {name} of "
            "X. Turn them into integers."
        )
    kind = DURATION if values.dtype.kind == "m" else DATETIME
    return Column(name, micros.view(np.int64), missing if missing.any() else None, kind)


def _clock(items: list[Any], missing: Mask, kinds: set[type], name: str) -> Column:
    """Objects of the module `datetime`; a time of day is the duration since midnight."""
    present = [item for item, gone in zip(items, missing, strict=True) if not gone]
    aware = [getattr(item, "tzinfo", None) is not None for item in present]
    if any(aware) and (not all(aware) or dt.time in kinds):
        raise ValueError(
            f"The times of a column must all have a time zone or all have none, and times of day none, but "
            f"{name} of X has some of both. Convert them to one time zone."
        )
    if any(aware):
        present = [item.astimezone(dt.UTC).replace(tzinfo=None) for item in present]
    if dt.time in kinds:
        midnight = dt.datetime.min
        present = [dt.datetime.combine(midnight, item) - midnight for item in present]
    whole: Array = np.full(len(items), "NaT", dtype="m8[us]" if kinds & {dt.time, dt.timedelta} else "M8[us]")
    whole[~missing] = present
    column = _times(whole, name)
    return column._replace(type=UTC) if any(aware) else column


_CLOCK = (dt.datetime, dt.date, dt.time, dt.timedelta)  # pandas has times of its own, which are these too
_CLOCKS: tuple[set[type], ...] = ({dt.date, dt.datetime}, {dt.time}, {dt.timedelta})

# -- objects


def _objects(values: Array, name: str) -> Read:
    """Python numbers, text or times, with None, NA and NaN as missing; integers stay integers."""
    items = values.tolist()
    kinds = set(map(type, items))
    if any(issubclass(kind, str) for kind in kinds):
        if kinds != {str}:
            _reject_strange({type(item) for item in items if not is_missing(item)}, name)
        return labels_of(items, name)
    missing = np.fromiter(map(is_missing, items), dtype=bool, count=len(items))
    if missing.all():
        return nothing(name, len(items))
    kinds = {type(item) for item in items if not is_missing(item)}
    clocks = {next((clock for clock in _CLOCK if issubclass(kind, clock)), kind) for kind in kinds}
    if any(clocks <= family for family in _CLOCKS):
        return _clock(items, missing, clocks, name)
    _reject_strange(kinds, name)
    packed, missing = _packed(items)
    if packed.dtype == np.bool_:
        return Labels(name, np.where(missing, -1, packed), [False, True], declared=True)
    return Column(name, packed, missing if missing.any() else None)


def _packed(items: list[Any]) -> tuple[Array, Mask]:
    """Python numbers in the narrowest of bool, int64, uint64 and float64; 0 where missing."""
    missing = np.fromiter(map(is_missing, items), dtype=bool, count=len(items))
    present: Array = np.array(items, dtype=object)[~missing]
    filled: Array = np.zeros(len(items), dtype=_number_type(set(map(type, present.tolist())), present))
    filled[~missing] = present.astype(filled.dtype)
    if filled.dtype == np.float64:
        _check_whole(present)
    return filled, missing


def _number_type(kinds: set[type], present: Array) -> type:
    """The narrowest of bool, int64, uint64 and float64 that holds these Python numbers."""
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return np.bool_
    if all(issubclass(kind, numbers.Integral | np.bool_) for kind in kinds):
        for dtype in (np.int64, np.uint64):
            if not len(present) or np.iinfo(dtype).min <= min(present) <= max(present) <= np.iinfo(dtype).max:
                return dtype
    return np.float64


def _check_whole(present: Array) -> None:
    """Reject whole numbers that floats cannot hold: different ones would become equal."""
    for item in present:
        if isinstance(item, numbers.Integral) and float(item) != int(item):
            raise ValueError(
                "Whole numbers in X must lie within 64 bits, and beside fractions within 2**53, to be "
                f"compared exactly. Got {item}. Make text of them if they are names, or divide them."
            )


def _reject_strange(kinds: set[type], name: str) -> None:
    """Reject objects that are neither text nor numbers."""
    if any(issubclass(kind, bytes) for kind in kinds):
        raise ValueError(_bytes_rejected(name))
    other = [kind for kind in kinds if not issubclass(kind, str | numbers.Real | Decimal | np.bool_)]
    if other:
        raise TypeError(_object_rejected(name, other[0].__name__))


# -- sentences


# It holds "argument must be ... string ... number": scikit-learn's checks look for that.
def _object_rejected(name: str, kind: str) -> str:
    return (
        f"Every column of the X argument must be made of numbers, times, or levels that are each a string or "
        f"a number. Got values of type {kind} in {name}. Turn them into one of these or leave the column out."
    )


def _text_rejected(name: str) -> str:
    return (
        f"A column of text must be nominal, but {name} holds text or categories and is not listed as such. "
        'List it in categorical_features, or leave that at "from_dtype"; or encode it, for example with '
        "sklearn.preprocessing.OrdinalEncoder."
    )


def _bytes_rejected(name: str) -> str:
    return f"Text in X must be str, but {name} holds text as bytes. Decode it, or leave it out."
