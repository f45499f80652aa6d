"""The columns with their levels and the classes with their types ↔ the "schema" of a file."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.schema import KINDS, ColumnType
from .json_values import checked_text, decoded, encoded
from .limits import MAX_COLUMNS, MAX_LABELS, FileError, rejected, short_text
from .strict_json import SPECIAL

Labels = NDArray[Any]
KEYS = {"name", "kind", "levels", "utc"}
# The types that labels may have: booleans, numbers, text of one width, times, and Python's own objects.
_TYPES = re.compile(
    r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U[0-9]{1,7}|\|O"
    r"|[<>][Mm]8\[[0-9]{0,9}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]"
)

# -- columns


def columns_doc(names: tuple[str, ...] | None, types: tuple[ColumnType, ...]) -> list[dict[str, Any]]:
    """What a file says of each column."""
    found = []
    for place, column in enumerate(types):
        given: dict[str, Any] = {} if names is None else {"name": checked_text(names[place], "feature_names")}
        given["kind"] = column.kind
        if column.levels:
            given["levels"] = [_level(level) for level in column.levels]
        found.append(given | ({"utc": True} if column.utc else {}))
    return found


def columns_of(doc: Any) -> tuple[tuple[str, ...] | None, tuple[ColumnType, ...]]:
    """The names, if there are any, and the types."""
    if not isinstance(doc, list) or not 1 <= len(doc) <= MAX_COLUMNS:
        raise FileError(f'"columns" must be a list of 1 to {MAX_COLUMNS:,} objects. Got {short_text(doc)}.')
    types = tuple(_column(place, given) for place, given in enumerate(doc))
    names = [given["name"] for given in doc if "name" in given]
    if len(names) not in (0, len(doc)) or not all(isinstance(name, str) for name in names):
        raise FileError('Each of "columns" must have a "name" that is text, or none of them.')
    return tuple(names) or None, types


def _column(place: int, given: Any) -> ColumnType:
    kind = given.get("kind") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in KINDS or given.keys() - KEYS:
        raise FileError(
            f'Each of "columns" must have a "kind" of {", ".join(KINDS)} and no keys but {sorted(KEYS)}. '
            f"Got {short_text(kind)} in column {place}."
        )
    levels, utc = given.get("levels", []), given.get("utc", False)
    if not isinstance(levels, list) or not isinstance(utc, bool) or (utc and kind != "datetime"):
        raise FileError(f'"levels" must be a list, and only a datetime "utc". Got others in column {place}.')
    with rejected(f'"levels" of column {place}'):
        plain = [decoded(level, "levels") for level in levels]
        return ColumnType(kind, tuple(level for level in plain if _level(level) is not None), utc)


def _level(level: Any) -> Any:
    """A level as JSON has it: text, a number, true or false."""
    plain = level.item() if isinstance(level, np.generic) else level
    if not isinstance(plain, str | int | float) or (isinstance(plain, float) and math.isnan(plain)):
        raise FileError(f"Levels must be text, numbers, true or false. Got {short_text(plain)}.")
    return encoded(plain, "levels")


# -- classes


def _typed(labels: Any) -> Labels:
    """Labels of a type that a file can hold."""
    found: Labels = np.asarray(labels)
    if found.ndim != 1 or not _TYPES.fullmatch(found.dtype.str):
        raise FileError(
            f"Classes must be text, whole numbers, numbers of at most 64 bits, booleans or times. "
            f"Got {found.dtype} of {found.ndim} dimensions. Convert them before fitting."
        )
    return found


def classes_doc(labels: Labels) -> dict[str, Any]:
    """The classes of one output and their type."""
    labels = _typed(labels)
    kind, type_ = labels.dtype.kind, labels.dtype.str
    if kind in "Mm":
        given = labels.astype(labels.dtype.newbyteorder("=")).view(np.int64).tolist()
    elif kind == "f":
        given = [x if np.isfinite(x) else str(x) for x in labels.tolist()]
    else:
        given = [encoded(_plain(label), "classes") for label in labels.tolist()]
    return {"type": type_, "labels": given}


def _plain(label: Any) -> Any:
    """A label that is one of Python's own simple values."""
    if label is not None and not isinstance(label, str | int | float):
        raise FileError(f"Classes must be text, numbers, true, false or none. Got {short_text(label)}.")
    return label


def classes_of(doc: Any) -> Labels:
    """The classes of one output."""
    type_, given = (doc.get("type"), doc.get("labels")) if isinstance(doc, dict) else (None, None)
    if not (isinstance(type_, str) and _TYPES.fullmatch(type_) and isinstance(given, list)) or len(doc) != 2:
        raise FileError(
            'Each of "classes" must have the "type" of its labels, as numpy writes it, and "labels". '
            f"Got {short_text(type_)}."
        )
    with rejected("The classes of an output"):
        made = _array(type_, given)
        if classes_doc(made) != doc or list(map(type, classes_doc(made)["labels"])) != list(map(type, given)):
            raise FileError(f'The "labels" of classes must be of their "type", {type_}. Got others.')
    return made


def _array(type_: str, given: list[Any]) -> Labels:
    dtype = np.dtype(type_)
    if dtype.kind == "O":
        made = np.empty(len(given), dtype=object)
        made[:] = [decoded(label, "classes") for label in given]
        return made
    if dtype.kind == "U" and (dtype.itemsize // 4) * len(given) > MAX_LABELS:
        raise FileError(f"The classes of an output must need room for at most {MAX_LABELS:,} characters.")
    wanted = {"b": bool, "U": str}.get(dtype.kind, float if dtype.kind == "f" else int)
    if dtype.kind == "f":
        given = [SPECIAL.get(label, label) if isinstance(label, str) else label for label in given]
    if not all(type(label) is wanted for label in given):
        raise FileError(f'The "labels" of classes must be of their "type", {type_}. Got others.')
    if dtype.kind in "Mm":
        return np.array(given, dtype=np.int64).view(dtype.newbyteorder("=")).astype(dtype)
    return np.array(given, dtype=dtype)


def distinct(labels: Labels) -> bool:
    """Whether no label is there twice; true is not 1."""
    labels = _typed(labels)
    if labels.dtype.kind in "Mm":
        labels = labels.astype(np.int64)
    plain = [_plain(label) for label in labels.tolist()]
    if any(isinstance(label, float) and math.isnan(label) for label in plain):
        return False
    return len({(isinstance(label, bool), label) for label in plain}) == len(plain)
