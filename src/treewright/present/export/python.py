"""A tree as one Python module that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .form import Form
from .program import FUNCTIONS, Syntax, as_predicted, by_name, written
from .rows import Predicted

HOW = [
    "predict(row), probabilities(row) and leaf(row) take a dictionary from names of columns to values.",
    "What is absent, None or NaN is missing. Times: objects of datetime, or whole microseconds.",
    "Run this file to compare it with what the model predicts for the rows at its end.",
]


def literal(value: Any) -> str:
    """A value as Python writes it; a list as a list, infinity as a number that is too large."""
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("1e999" if value > 0 else "-1e999")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(literal, value)) + "]"


SYNTAX = Syntax("Python", "python.txt", "#", "", "", literal)


def write(form: Form, output: str) -> str:
    """The text of the module."""
    return written(form, output, SYNTAX, HOW)


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What an exported module predicts for rows."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module)
    given = [by_name(form, row) for row in rows]
    found = [[module[call](row) for row in given] if call in module else [] for call in FUNCTIONS.values()]
    return as_predicted(form, *found)
