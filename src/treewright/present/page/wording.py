"""Tests, branches and the paths of missing values as text, for every node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tree.equation import leaf_equation
from ...tree.tree_text import TreeText
from .subject import Subject

MOST = 12  # levels that a condition names
Parts = tuple[str, str, bool]  # sign, value, and whether missing values take the branch too


def wording(subject: Subject) -> dict[str, Any]:
    """The part "words"."""
    words = subject.words
    count = words.tree.node_count
    tests: list[str | None] = [None] * count
    edges: list[str | None] = [None] * count
    edge_parts: list[Parts | None] = [None] * count
    missing: list[str | None] = [None] * count
    extra: dict[str, list[str]] = {}
    for node in np.flatnonzero(~words.tree.is_leaf).tolist():
        here = branches(words, node)
        tests[node] = words.test(node, most=MOST)
        for child, (text, parts) in zip(words.children(node), here, strict=True):
            edges[child], edge_parts[child] = text, parts
        missing[node] = _missing(words, node, here)
        if words.surrogates(node):
            extra[str(node)] = [words.surrogate(place, 0) for place in words.surrogates(node)]
    return {
        "words": {
            "test": tests,
            "edge": edges,
            "edge_parts": edge_parts,
            "missing": missing,
            "surrogates": extra,
            "criterion": words.criterion,
            "decision": subject.explained.decides,
            **_equations(words),
            **_sums(words),
        }
    }


def _equations(words: TreeText) -> dict[str, Any]:
    """The equations of linear leaves, one per node."""
    if words.tree.leaf_models is None:
        return {}
    return {"equation": [leaf_equation(words, node, MOST) for node in range(words.tree.node_count)]}


def _sums(words: TreeText) -> dict[str, Any]:
    """The sums of columns that tests compare, as names behind those of the columns."""
    sums, first = words.tree.combinations, words.tree.n_features
    return {} if sums is None else {"sums": [words.name(first + number) for number in range(len(sums))]}


def branches(words: TreeText, node: int) -> list[tuple[str, Parts | None]]:
    """For each child the condition under which a row goes there, as text and in parts; of many levels only
    the first are named."""
    question, name = words.tree.test(node), words.feature(node)
    child = int(words.tree.missing_child[node])
    found: list[Parts | None] = []
    if words.is_presence_test(node):
        found = [("is", "present", False), ("is", "missing", False)]
    else:
        own = words.has_own_child(node, question)
        also = child >= 0 and not own and words.shows_missing(node)
        found = [(*part, also and k == child) for k, part in enumerate(words.parts(question, MOST))]
        found += [None] * (len(words.children(node)) - len(found))
        if own:
            found[child] = ("is", "missing", False)
    return [(f"{name}: no level goes here" if each is None else _text(name, each), each) for each in found]


def _text(name: str, parts: Parts) -> str:
    sign, value, missing = parts
    return f"{name} {sign} {value}{' or missing' if missing else ''}"


def _missing(words: TreeText, node: int, here: list[tuple[str, Parts | None]]) -> str:
    """What becomes of a missing value."""
    first = "follows the surrogate splits; if they are missing too, it " if words.surrogates(node) else ""
    if words.is_presence_test(node):
        return "is what the split tests"
    line = words.missing_line(node, words.short_number)
    if line:
        return first + line
    child = int(words.tree.missing_child[node])
    path = f"goes to: {here[child][0].removesuffix(' or missing')}"
    if words.has_own_child(node, words.tree.test(node)):
        path = "has a branch of its own"
    elif words.follows_rule(node):
        path = f"goes where most rows go: {here[child][0]}"
    return first + path
