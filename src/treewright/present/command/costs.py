"""What mistakes cost, from a file: JSON, or a table with the classes in its first row and column."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...data.common.hints import nearest
from .console import Console
from .failures import BAD_DATA, USAGE, Failure
from .files import load_table

MOST = 10_000_000  # bytes of a file of costs
SHAPES = (
    'Write {"false_positive": 1, "false_negative": 5}, a matrix of true class by predicted class, or '
    '{"true class": {"predicted class": cost, ...}, ...}.'
)


def read_costs(console: Console, path: str, labels: list[Any]) -> Any:
    """Costs as `with_decision` takes them: two numbers by name, or a matrix in the order of the labels."""
    if path.lstrip()[:1] in {"[", "{"} and not Path(path).exists():
        raise Failure(USAGE, f"--costs must name a file. Got {path!r}. Write the costs into it.")
    found = _json(path) if Path(path).suffix.lower() == ".json" else _table(console, path)
    if isinstance(found, Mapping) and set(found) == {"false_positive", "false_negative"}:
        return {name: _number(cost, path) for name, cost in found.items()}
    if isinstance(found, Mapping):
        return _by_label(found, labels, path)
    if isinstance(found, list) and all(isinstance(row, list) for row in found):
        return [[_number(cost, path) for cost in row] for row in found]
    raise Failure(BAD_DATA, f"{path!r} must hold costs. Got {type(found).__name__}. {SHAPES}")


def _json(path: str) -> Any:
    place = Path(path)
    if place.stat().st_size > MOST:
        raise Failure(BAD_DATA, f"{path!r} must hold costs. Got more than {MOST:,} bytes.")
    try:
        return json.loads(place.read_bytes(), object_pairs_hook=lambda pairs: _once(pairs, path))
    except (ValueError, RecursionError) as error:
        raise Failure(BAD_DATA, f"{path!r} must be JSON. Got: {error}. {SHAPES}") from error


def _table(console: Console, path: str) -> dict[str, dict[str, Any]]:
    frame = load_table(console, path).frame
    first, *predicted = frame.columns
    rows = frame.iter_rows(named=True)
    return _once([(str(row[first]), {name: row[name] for name in predicted}) for row in rows], path)


def _once(pairs: list[tuple[str, Any]], path: str) -> dict[str, Any]:
    """What stands behind each name, of which none may be there twice."""
    found = dict(pairs)
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise Failure(BAD_DATA, f"{path!r} must name everything once. Got {twice[0]!r} more than once.")
    return found


def _by_label(found: Mapping[str, Any], labels: list[Any], path: str) -> list[list[float]]:
    names = [str(label) for label in labels]
    _must_be_classes("a row", found, names, path)
    made = []
    for name in names:
        row = found[name]
        if not isinstance(row, Mapping):
            raise Failure(BAD_DATA, f"The costs of class {name!r} in {path!r} must be by class. {SHAPES}")
        row = {name: 0, **row}  # predicting the true class costs nothing unless the file says so
        _must_be_classes(f"a cost for true class {name!r}", row, names, path)
        made.append([_number(row[each], path) for each in names])
    return made


def _must_be_classes(what: str, found: Mapping[str, Any], names: list[str], path: str) -> None:
    for name in names:
        if name not in found:
            lacks = f"There is none for {name!r}.{nearest(name, found)}"
            raise Failure(BAD_DATA, f"{path!r} must have {what} for every class. {lacks}")
    for name in found:
        if name not in names:
            got = f"Got {name!r}.{nearest(name, names)}"
            raise Failure(BAD_DATA, f"{path!r} must name only classes of the target. {got}")


def _number(cost: Any, path: str) -> float:
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        raise Failure(BAD_DATA, f"A cost in {path!r} must be a number. Got {cost!r}.")
    try:
        return float(cost)
    except OverflowError:
        raise Failure(BAD_DATA, f"A cost in {path!r} must be at most 1e308. Got a greater number.") from None
