"""What the form for a case must know of every column: kind, levels, and what is usual in the rows given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.value_text import date_text, duration_text
from ...tree.walks import used_columns
from .subject import Subject

QUARTILES = (25, 50, 75)


def columns(subject: Subject) -> dict[str, Any]:
    """The part "columns": one entry per column, in order; values only of those that the tree uses."""
    tree = subject.tree
    types = tree.column_types or (ColumnType(),) * tree.n_features
    names = subject.explained.names or subject.words.features
    used = set(used_columns(tree))
    found = []
    for place, kind in enumerate(types):
        entry: dict[str, Any] = {"name": names[place], "kind": kind.kind}
        entry |= {"used": place in used, "whole": False}
        entry |= dict.fromkeys(("missing", "typical", "low", "high", "iqr", "unit"))
        if subject.given is not None and place in used:
            entry |= usual(subject.given.table.columns[place], kind)
        found.append(entry)
    return {"columns": found}


def usual(column: Column, kind: ColumnType) -> dict[str, Any]:
    """What values of a column are like."""
    there = present(column)
    values = column.values[there]
    found: dict[str, Any] = {"missing": float(1 - there.mean())}
    if not len(values):
        return found
    if kind.has_levels:
        return found | {"typical": kind.levels[int(np.bincount(values.astype(np.int64)).argmax())]}
    if kind.kind == "boolean":
        yes = bool(2 * np.count_nonzero(values) > len(values))
        return found | {"typical": yes, "low": False, "high": True}
    return found | _spread(values, kind)


def present(column: Column) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows have a value; a level that was not seen at fit is none."""
    if column.type.has_levels:
        return np.asarray((column.values >= 0) & (column.values < len(column.type.levels)))
    if column.missing is not None:
        return ~column.missing
    if column.values.dtype.kind == "f":
        return ~np.isnan(column.values)
    return np.ones(len(column.values), dtype=bool)


def _spread(values: np.ndarray[Any, Any], kind: ColumnType) -> dict[str, Any]:
    """Median, ends and quartiles. A median of whole numbers is one of them; others have six digits."""
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    if not len(finite):
        return {}
    ordered = np.sort(finite)
    low, middle, high = ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]
    first, _, third = np.percentile(ordered.astype(np.float64), QUARTILES)
    found = {"typical": middle.item(), "low": low.item(), "high": high.item(), "iqr": float(third - first)}
    found["whole"] = values.dtype.kind in "iu" or bool((finite == np.rint(finite)).all())
    if not found["whole"] and kind.kind == "number":  # the form shows it: few digits, inside the range
        found["typical"] = min(max(float(f"{float(middle):.6g}"), found["low"]), found["high"])
    if kind.kind in {"datetime", "duration"}:
        write = date_text if kind.kind == "datetime" else duration_text
        found["shown"] = {name: write(int(found[name])) for name in ("typical", "low", "high")}
    return found
