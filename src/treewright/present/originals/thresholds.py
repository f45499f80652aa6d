"""Tests of numbers as text: as a program prints them; truth values and times, which none knows, in words."""

from __future__ import annotations

from collections.abc import Callable

from ...tree.split_test import SplitTest
from ...tree.tree_text import TreeText


def branch_text(words: TreeText, node: int, place: int, number: Callable[[float], str]) -> str:
    """The branch of a threshold, `<= 3` or `> 3`; of truth values, which the programs read as two levels."""
    test = words.tree.test(node)
    if words.column(test.feature).kind == "boolean":
        return f"= {('false', 'true')[place]}"
    return f"{('<=', '>')[place]} {threshold_text(words, test, test.threshold, number)}"


def threshold_text(words: TreeText, test: SplitTest, value: float, number: Callable[[float], str]) -> str:
    """A threshold; that of times as it is printed elsewhere."""
    if words.column(test.feature).kind in ("datetime", "duration"):
        return words.sides(test._replace(threshold=round(value)))[0][1]
    return number(value)
