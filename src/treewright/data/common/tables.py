"""A printed table: numbers to the right, text to the left."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from .numbers import figure
from .text_width import fit_line, padded, printable, width_of

Column = tuple[str, str]  # the key of a row, and how its value is written: a format, or "" for text

NOTHING = "–"


def as_text(rows: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> list[str]:
    """The lines of a table, the first with the names of the columns."""
    cells = [[_heading(key) for key, _ in columns]]
    cells += [[written(row.get(key), form) for key, form in columns] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(columns))]
    return ["  ".join(_placed(line, widths, columns)).rstrip() for line in cells]


def _heading(key: str) -> str:
    """A key in words; a parameter of a part of a pipeline, such as `ridge__alpha`, is no words."""
    return key if "__" in key else key.replace("_", " ")


def _placed(line: list[str], widths: list[int], columns: Sequence[Column]) -> list[str]:
    return [
        f"{cell:>{width}}" if form else f"{cell:<{width}}"
        for cell, width, (_, form) in zip(line, widths, columns, strict=True)
    ]


def as_html(rows: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> str:
    """The same table for a notebook."""
    head = "".join(f"<th>{html.escape(_heading(key))}</th>" for key, _ in columns)
    lines = ["".join(_cell(row.get(key), form) for key, form in columns) for row in rows]
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(value: Any, form: str) -> str:
    side = "right" if form else "left"
    return f"<td style='text-align:{side}'>{html.escape(written(value, form))}</td>"


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = (), indent: int = 2, most: int = 36) -> str:
    """Rows of texts as columns for a terminal: those in `right` to the right, long cells shortened."""
    shown = [[fit_line(cell, most) for cell in row[:-1]] + [printable(row[-1])] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [padded(cell, width, right=k in right) for k, (cell, width) in pairs]
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def written(value: Any, form: str) -> str:
    """A value as it is printed; None is a dash."""
    if value is None:
        return NOTHING
    return figure(value, form) if form and not isinstance(value, str) else str(value)
