"""The predicates of a PMML TreeModel: which rows go to which child of a node."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ...tree.split_test import SplitTest
from .form import Form, FormColumn
from .tables import is_strict

SIMPLE = re.compile(r"[\w.,<>=/+-]+")
MOST = 1.7976931348623157e308
TRUE, FALSE = "<True/>", "<False/>"
ENTITIES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}  # readers would make spaces of them


def tag(element: str, end: str = "/", /, **attributes: Any) -> str:
    """An element: whole, or with end="" its begin."""
    listed = "".join(f" {key}={quoteattr(str(value), ENTITIES)}" for key, value in attributes.items())
    return f"<{element}{listed}{end}>"


def shown(value: Any) -> str:
    """A level, a class or a number."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def branches(form: Form, node: int) -> list[tuple[int, str]]:
    """The children of a node with their predicates, in the order in which they are tried."""
    test, missing = form.tests[node], form.missing[node]
    assert test is not None
    if form.surrogates[node]:
        sides = [_with_surrogates(form, node, child) for child in (0, 1)]
    else:
        sides = _sides(form, test)
    found = [(child, text) for child, text in enumerate(sides) if child != missing]
    return found if missing < 0 else [*found, (missing, TRUE)]


def _sides(form: Form, test: SplitTest) -> list[str]:
    """For each child the predicate that a value is there and goes to that child."""
    column = form.columns[test.feature]
    if test.is_nominal:
        return [_within(column, codes) for codes in test.levels]
    cut, strict = float(test.threshold), is_strict(test)
    if column.kind in {"ordered", "boolean"}:
        codes = range(len(levels_of(column)))
        left = [k for k in codes if (k < cut if strict else k <= cut)]
        return [_within(column, left), _within(column, [k for k in codes if k not in left])]
    below, above = ("lessThan", "greaterOrEqual") if strict else ("lessOrEqual", "greaterThan")
    if cut == math.inf:
        if not strict:
            return [tag("SimplePredicate", field=column.name, operator="isNotMissing"), FALSE]
        cut, below, above = MOST, "lessOrEqual", "greaterThan"
    elif cut == -math.inf:
        cut, below, above = -MOST, "lessThan", "greaterOrEqual"
    return [
        tag("SimplePredicate", field=column.name, operator=sign, value=repr(cut)) for sign in (below, above)
    ]


def levels_of(column: FormColumn) -> tuple[Any, ...]:
    """The levels of a column; a boolean has two."""
    return (False, True) if column.kind == "boolean" else column.levels


def _within(column: FormColumn, codes: Sequence[int]) -> str:
    """The predicate that a column has one of these levels."""
    levels = [shown(levels_of(column)[code]) for code in codes]
    if not levels:
        return FALSE
    listable = column.levels and not isinstance(column.levels[0], bool)
    if listable and len(levels) > 1 and all(map(SIMPLE.fullmatch, levels)):
        kind = "string" if column.is_text else "real"
        each = " ".join(f'"{escape(level)}"' if column.is_text else level for level in levels)
        listed = f"{tag('Array', '', type=kind, n=len(levels))}{each}</Array>"
        begin = tag("SimpleSetPredicate", "", field=column.name, booleanOperator="isIn")
        return f"{begin}{listed}</SimpleSetPredicate>"
    equal = [tag("SimplePredicate", field=column.name, operator="equal", value=level) for level in levels]
    return _compound("or", equal)


def _compound(operator: str, parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return f"{tag('CompoundPredicate', '', booleanOperator=operator)}{''.join(parts)}</CompoundPredicate>"


def _with_surrogates(form: Form, node: int, child: int) -> str:
    """A test or, where it names no child, its first surrogate that does, sends a row to this child."""
    test = form.tests[node]
    assert test is not None
    parts: list[str] = []
    before: list[str] = []
    for each in (test, *form.surrogates[node]):
        sides = _sides(form, each)
        own = sides[1 - child if each.reversed else child]
        parts.append(_compound("and", [*before, own]))
        before.append(_undecided(form, each))
    return _compound("or", parts)


def _undecided(form: Form, test: SplitTest) -> str:
    """The predicate that a test names no child: the value is missing, or no child lists its level."""
    column = form.columns[test.feature]
    gone = tag("SimplePredicate", field=column.name, operator="isMissing")
    listed = {code for codes in test.levels for code in codes}
    others = [code for code in range(len(column.levels)) if code not in listed] if test.is_nominal else []
    return _compound("or", [gone, _within(column, others)]) if others else gone
