"""What was understood of the columns of a table, as lines and as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...data.common.tables import aligned
from ...data.common.text_width import fit_line
from ...data.common.to_json import to_json
from ...tree.tree_text import with_unit

MOST_LINES, MOST_LEVELS = 30, 4


def described(
    frame: Any, names: Sequence[str], types: Sequence[Any] | None, units: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Name, kind, levels or range, unit and missing values of the columns that a model was made from."""
    found = []
    for place, name in enumerate(names):
        column = frame.get_column(name)
        kind = "number" if types is None else types[place].kind
        levels = [] if types is None else list(types[place].levels)
        nan = int(column.is_nan().sum() or 0) if column.dtype.is_float() else 0
        facts = {"name": name, "kind": kind, "missing": int(column.null_count()) + nan}
        if levels or kind in {"nominal", "ordered"}:
            facts["levels"] = levels
        else:
            facts |= {"least": _end(column.min()), "greatest": _end(column.max())}
            facts |= {"unit": units[name]} if name in units else {}
        found.append(facts)
    return found


def _end(value: Any) -> Any:
    """An end of a range; infinite ones, which JSON does not have, as text."""
    return str(value) if isinstance(value, float) and math.isinf(value) else to_json(value)


def columns_text(facts: Sequence[dict[str, Any]], width: int) -> str:
    """A table of the columns; of very many, the first."""
    rows = [("column", "kind", "missing", "values")]
    for each in facts[:MOST_LINES]:
        missing = f"{each['missing']:,}" if each["missing"] else ""
        rows.append((str(each["name"]), str(each["kind"]), missing, _values(each)))
    text = "\n".join(fit_line(line, width) for line in aligned(rows, right=[2]).split("\n"))
    rest = len(facts) - MOST_LINES
    return f"{text}\n  ... and {rest:,} more; --json lists them all" if rest > 0 else text


def _values(facts: dict[str, Any]) -> str:
    levels = facts.get("levels")
    if levels is None:
        least, greatest = facts["least"], facts["greatest"]
        if least is None:
            return ""
        unit = facts.get("unit", "")
        before = with_unit("", unit) == unit  # a currency stands before both
        return f"{unit if before else ''}{_short(least)} to {with_unit(_short(greatest), unit)}"
    shown = ", ".join(fit_line(str(level), 22) for level in levels[:MOST_LEVELS])
    return f"{len(levels):,}: {shown}{', ...' if len(levels) > MOST_LEVELS else ''}"


def _short(value: Any) -> str:
    """A number in six digits; a large one with commas, since most readers do not know 1e+06."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1e4 <= abs(value) < 1e15:
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"{value:,.0f}" if abs(value) >= 1e5 else f"{round(value, 1):,}".removesuffix(".0")
