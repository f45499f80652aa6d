"""Nested CASE expressions that walk down a tree, in stages where it is deep. Nothing recurses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ..form import Form
from .conditions import Conditions
from .dialects import Dialect

NODE = "treewright_node"


def case_text(conditions: Conditions, last: int) -> str:
    """The CASE expression that walks from the root down to the depth `last`, to the number of a node."""
    return _walked(conditions, 0, str, _at_depth(conditions.form, last), 1)


def shortest_case(conditions: Conditions, value: Callable[[int], str]) -> str:
    """The CASE expression of a whole tree, without tests below which every end has the same text."""
    form = conditions.form
    text = [value(node) for node in range(len(form.tests))]
    same = [True] * len(text)
    for node in range(len(text) - 1, -1, -1):
        if form.tests[node] is not None:
            below = {text[child] for child in form.children(node)}
            below |= {text[node]} if form.missing[node] < 0 else set()
            same[node] = len(below) == 1 and all(same[child] for child in form.children(node))
            text[node] = below.pop() if same[node] else text[node]
    ends = {node for node, alike in enumerate(same) if alike}
    return _walked(conditions, 0, lambda node: text[node] if node in ends else value(node), ends, 1)


def _at_depth(form: Form, last: int) -> set[int]:
    return {node for node, depth in enumerate(form.tree.depth.tolist()) if depth >= last}


def _walked(
    conditions: Conditions, root: int, value: Callable[[int], str], ends: set[int], indent: int
) -> str:
    form = conditions.form
    pieces: list[str] = []
    to_do: list[str | tuple[int, int]] = [(root, indent)]
    while to_do:
        entry = to_do.pop()
        if isinstance(entry, str):
            pieces.append(entry)
            continue
        node, level = entry
        if form.tests[node] is None or node in ends:
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
    ends = _at_depth(conditions.form, last)
    each = {root: _walked(conditions, root, str, ends, 3) for root in roots}
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
