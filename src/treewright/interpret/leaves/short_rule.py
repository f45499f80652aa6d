"""The last conditions of a rule, as many as fit: neighbouring leaves differ in these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from ...tree.condition_text import printed_text
from ...tree.tree_text import TreeText
from ..rules.rule import Rule

ELIDED = "… and "
AND = " and "


class RoundedText(TreeText):
    """The texts of a tree with four digits of its thresholds: enough to recognise a rule."""

    def number(self, value: float) -> str:
        """A number of at most four digits after its first zeros; large ones whole."""
        exact = super().number(value)
        if len(exact.partition(".")[2]) < 3:
            return exact
        return f"{value:.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def rounded(words: TreeText) -> TreeText:
    """The same texts with rounded thresholds."""
    return RoundedText(**{each.name: getattr(words, each.name) for each in fields(words)})


def short_conditions(rule: Rule, words: TreeText, width: int) -> list[str]:
    """Every condition in at most `width` letters: of long sets of levels the first ones."""
    found = []
    for condition in rule.path.conditions:
        text = printed_text(condition, words, None)
        for most in (20, 10, 5, 3, 2, 1):
            if len(text) <= width - 2:  # room for brackets
                break
            text = printed_text(condition, words, most)
        brackets = len(rule.path.conditions) > 1 and (" or " in text or ": " in text)
        found.append(f"({text})" if brackets else text)
    return found


def last_conditions(conditions: Sequence[str], width: int, lines: int = 1, dots: int = 0) -> str:
    """As many of the last conditions as fit into lines; `dots`: the letters that "… and " takes of a line."""
    if not conditions:
        return "always"
    most = width - dots - (len(" and") if len(conditions) > 1 else 0)
    parts = [part if len(part) <= most else part[: most - 1] + "…" for part in conditions]
    for first in range(len(parts)):
        room = width - (dots if first else 0)
        found = _in_lines(parts[first:], room)
        if len(found) <= lines or first == len(parts) - 1:
            return (ELIDED if first else "") + "\n".join(found)
    return ""


def _in_lines(parts: Sequence[str], width: int) -> list[str]:
    """Conditions in lines, none of them broken."""
    found = [parts[0]]
    for place, part in enumerate(parts[1:], start=2):
        more = len(" and") if place < len(parts) else 0
        if len(found[-1]) + len(AND) + len(part) + more <= width:
            found[-1] += f"{AND}{part}"
        else:
            found[-1] += " and"
            found.append(part)
    return found
