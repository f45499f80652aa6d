"""The document as text: as it is written, one line per part, and in the one form that its hash is made of."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEP = 2**16  # numbers that are written at a time


def digest(doc: dict[str, Any]) -> str:
    """The SHA-256 of everything but "sha256".

    It is that of ``json.dumps(body, sort_keys=True, separators=(",", ":"))``, so that any program can check a
    file, and a file that was only laid out anew is still the same.
    """
    found = hashlib.sha256()
    for piece in _canonical({key: part for key, part in doc.items() if key != "sha256"}):
        found.update(piece.encode())
    return found.hexdigest()


def _canonical(value: Any) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield from _numbers(value, ",")
    elif isinstance(value, dict):
        for place, key in enumerate(sorted(value)):
            yield f"{',' if place else '{'}{json.dumps(key)}:"
            yield from _canonical(value[key])
        yield "}" if value else "{}"
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for place, item in enumerate(value):
            yield "," if place else "["
            yield from _canonical(item)
        yield "]"
    else:
        yield json.dumps(value, sort_keys=True, separators=(",", ":"))


def _numbers(array: NDArray[Any], comma: str) -> Iterator[str]:
    """An array in pieces. Floats have as few digits as tell them apart; "nan" and "inf" are texts."""
    yield "["
    for begin in range(0, len(array), STEP):
        items = array[begin : begin + STEP].tolist()
        if array.dtype.kind == "f":
            items = [item if math.isfinite(item) else str(item) for item in items]
        yield (comma if begin else "") + json.dumps(items, separators=(comma, ":"))[1:-1]
    yield "]"


def written(doc: dict[str, Any]) -> Iterator[str]:
    """The file: a line for each part, for each column and for each array."""
    yield from _object(doc)
    yield "\n"


def _object(doc: dict[str, Any]) -> Iterator[str]:
    for place, (key, value) in enumerate(doc.items()):
        yield ",\n" if place else "{\n"
        yield f"{json.dumps(key)}: "
        if key == "schema":
            yield from _schema(value)
        elif key == "tree":
            yield from _arrays(value)
        elif key in {"best", "boosted"}:
            yield from _object(value)
        elif key == "members":
            yield "["
            for number, member in enumerate(value):
                yield ", " if number else ""
                yield from _object(member)
            yield "]"
        else:
            yield readable(value)
    yield "\n}"


def _schema(schema: dict[str, Any]) -> Iterator[str]:
    yield '{"columns": ['
    for place, column in enumerate(schema["columns"]):
        yield ("," if place else "") + "\n  " + readable(column)
    yield f'],\n "classes": {readable(schema["classes"])}}}'


def _arrays(parts: dict[str, Any], indent: str = "  ") -> Iterator[str]:
    for place, (key, value) in enumerate(parts.items()):
        yield f"{',' if place else '{'}\n{indent}{json.dumps(key)}: "
        if isinstance(value, np.ndarray):
            yield from _numbers(value, ", ")
        elif isinstance(value, dict):
            yield from _arrays(value, indent + "  ")
        else:
            yield readable(value)
    yield "}"


def readable(value: Any) -> str:
    """JSON with letters as they are; marks that no one sees, or that turn a line around, are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() else json.dumps(mark)[1:-1] for mark in text)
