"""Nested CASE expressions that walk down a tree, in stages where it is deep. Nothing recurses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ..form import Form
from .conditions import Conditions
from .dialects import Dialect

NODE = "treewright_node"


def case_text(
    conditions: Conditions, root: int, last: int, value: Callable[[int], str], indent: int = 1
) -> str:
    """The CASE expression that walks from a node down to the depth `last`; `value` is the text of an end."""
    form = conditions.form
    depth = form.tree.depth
    pieces: list[str] = []
    to_do: list[str | tuple[int, int]] = [(root, indent)]
    while to_do:
        entry = to_do.pop()
        if isinstance(entry, str):
            pieces.append(entry)
            continue
        node, level = entry
        if form.tests[node] is None or depth[node] >= last:
            pieces.append(value(node))
            continue
        head, when, other = conditions.of_node(node)
        first, line = form.first_child[node], "\n" + "  " * (level + 1)
        steps: list[str | tuple[int, int]] = [f"CASE {head}" if head else "CASE"]
        for condition, child in when:
            steps += [f"{line}WHEN {condition} THEN ", (first + child, level + 1)]
        steps += [f"{line}ELSE ", value(node) if other < 0 else (first + other, level + 1)]
        steps.append("\n" + "  " * level + "END")
        to_do += reversed(steps)
    return "".join(pieces)


def stages(form: Form, dialect: Dialect) -> list[tuple[list[int], int]]:
    """How a deep tree is divided: per stage the nodes where it begins, and the depth where it ends."""
    depth, deepest = form.tree.depth, form.depth
    found: list[tuple[list[int], int]] = []
    begin = 0
    while begin < deepest or not found:
        roots = [node for node, test in enumerate(form.tests) if test is not None and depth[node] == begin]
        by_search = 0 if begin == 0 or dialect.depth < 12 else math.ceil(math.log2(max(len(roots), 1))) + 1
        end = min(begin + max(dialect.depth - by_search - 1, 4), deepest)
        found.append((roots, end))
        begin = max(end, begin + 1)
    return found


def dispatched(conditions: Conditions, roots: Sequence[int], last: int, at: str) -> str:
    """The expression of a later stage: from the node that a row is at to the one where the stage ends."""
    each = {root: case_text(conditions, root, last, str, 3) for root in roots}
    if conditions.dialect.depth < 12:  # few levels: one long list
        lines = "".join(f"\n    WHEN {root} THEN {text}" for root, text in each.items())
        return f"CASE {at}{lines}\n    ELSE {at} END"
    return "".join(_search(list(each.items()), at))


def _search(entries: list[tuple[int, str]], at: str) -> Iterator[str]:
    """A binary search for the node that a row is at."""
    to_do: list[str | tuple[int, int]] = [(0, len(entries))]
    while to_do:
        entry = to_do.pop()
        if isinstance(entry, str):
            yield entry
            continue
        low, high = entry
        if high - low == 1:
            root, text = entries[low]
            yield f"CASE WHEN {at} = {root} THEN {text} ELSE {at} END"
            continue
        middle = (low + high) // 2
        to_do += [
            " END",
            (middle, high),
            " ELSE ",
            (low, middle),
            f"CASE WHEN {at} < {entries[middle][0]} THEN ",
        ]
