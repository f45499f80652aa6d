"""Texts of generated programs: sections for what a tree has, and literals in their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files


def filled(name: str, has: set[str], values: Mapping[str, str]) -> str:
    """A text of `assets` with only the sections that apply.

    `@if x y` begins a section for trees that have x or y, `@if not x` one for trees without x, and `@end`
    ends it; sections may be nested. A line `@put name` becomes the text of that name, and so does `{{name}}`
    within a line.
    """
    lines: list[str] = []
    applies = [True]
    for line in _asset(name).splitlines():
        words = line.split()
        if words[:1] == ["@if"]:
            holds = not has & set(words[2:]) if words[1] == "not" else bool(has & set(words[1:]))
            applies.append(applies[-1] and holds)
        elif words[:1] == ["@end"]:
            applies.pop()
        elif applies[-1]:
            lines.append(values[words[1]] if words[:1] == ["@put"] else _inline(line, values))
    return "\n".join(lines) + "\n"


def interpreter() -> str:
    """What JavaScript does with the tables of a tree: the module that the report page imports, as text."""
    return re.sub("^export ", "", _asset("interpreter.js"), flags=re.MULTILINE).rstrip()


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _inline(line: str, values: Mapping[str, str]) -> str:
    """Put the values into one line, in one pass, so that a value is never read as a placeholder."""
    head, *rest = line.split("{{")
    for part in rest:
        name, _, after = part.partition("}}")
        head += values[name] + after
    return head
