"""Values and texts as others can take them: JSON for machines, one visible line for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...data.common import text_width as display
from ...data.common.text_width import padded, width_of

Row = Sequence[str]


def plain(value: Any) -> Any:
    """A value that JSON can hold; a number that it cannot hold becomes null, what it does not know text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    for method in ("tolist", "to_dict", "isoformat"):  # arrays and their numbers; results; times
        if hasattr(value, method):
            return plain(getattr(value, method)())
    return str(value)


def _key(key: Any) -> str:
    found = plain(key)
    return found if isinstance(found, str) else str(found)


def visible(text: str, lines: bool = False) -> str:
    """The text with everything that steers a terminal spelled out; with `lines`, line breaks stay.

    Names and levels come from files: an escape sequence or a mark that turns the direction of the text must
    not reach the terminal.
    """
    if text.isprintable():
        return text
    if lines:
        return "\n".join(visible(line) for line in text.split("\n"))
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def cut(text: str, width: int) -> str:
    """The text in one visible line of at most so many columns, with ... at the end if it was longer."""
    return display.cut(visible(text), width, "...")


def aligned(rows: Sequence[Row], right: Sequence[int] = (), indent: int = 2, most: int = 36) -> str:
    """Rows of texts as columns; those numbered in `right` are set to the right, long cells are cut."""
    shown = [[cut(cell, most) for cell in row[:-1]] + [visible(row[-1])] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [padded(cell, width, right=k in right) for k, (cell, width) in pairs]
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)
