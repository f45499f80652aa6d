"""Tests, branches and the ways of missing values in words, for every node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tree.words import Words
from .subject import Subject

MOST = 12  # levels that a condition names


def wording(subject: Subject) -> dict[str, Any]:
    """The part "words"."""
    words = subject.words
    count = words.tree.node_count
    tests: list[str | None] = [None] * count
    edges: list[str | None] = [None] * count
    missing: list[str | None] = [None] * count
    extra: dict[str, list[str]] = {}
    for node in np.flatnonzero(~words.tree.is_leaf).tolist():
        here = branches(words, node)
        tests[node] = words.test(node, most=MOST)
        for child, text in zip(words.children(node), here, strict=True):
            edges[child] = text
        missing[node] = _missing(words, node, here)
        if words.surrogates(node):
            extra[str(node)] = [words.surrogate(place, 0) for place in words.surrogates(node)]
    return {
        "words": {
            "test": tests,
            "edge": edges,
            "missing": missing,
            "surrogates": extra,
            "criterion": words.criterion,
            "decision": subject.explained.decides,
        }
    }


def branches(words: Words, node: int, most: int | None = MOST) -> list[str]:
    """For each child the condition under which a row goes there; of many levels only the first are named."""
    question, name = words.tree.question(node), words.feature(node)
    if words.is_presence_test(node):
        return [f"{name} is present", f"{name} is missing"]
    found = [f"{name} {sign} {value}" for sign, value in words.parts(question, most)]
    found += [f"{name}: no level goes here"] * (len(words.children(node)) - len(found))
    child = int(words.tree.missing_child[node])
    if words.has_own_child(node, question):
        found[child] = f"{name} is missing"
    elif child >= 0 and words.tells_missing(node):
        found[child] += " or missing"
    return found


def _missing(words: Words, node: int, here: list[str]) -> str:
    """What becomes of a missing value."""
    first = "asks its surrogates; if they are missing too, it " if words.surrogates(node) else ""
    if words.is_presence_test(node):
        return "is what is asked for"
    line = words.missing_line(node, words.short)
    if line:
        return first + line
    child = int(words.tree.missing_child[node])
    way = f"goes to: {here[child].removesuffix(' or missing')}"
    if words.has_own_child(node, words.tree.question(node)):
        way = "has a branch of its own"
    elif words.follows_rule(node):
        way = f"goes where most rows go: {here[child]}"
    return first + way
