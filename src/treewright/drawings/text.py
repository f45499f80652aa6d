"""A tree as text that can be followed by hand: every test, count and outcome, on one line per branch."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO

import numpy as np

from ..tree import Tree
from .words import Names, Words, check_count, put_into_words

# Deeper lines carry their level as a number instead of bars: a tree may be 100,000 levels deep, and bars
# would make its text grow with the square of that.
MOST_BARS = 40
RULE = "A missing value takes the branch that says so, else the one with more rows (the second if equal)."


def export_text(
    decision_tree: Any,
    *,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    max_depth: int | None = None,
    spacing: int = 3,
    decimals: int | None = None,
    show_weights: bool = True,
) -> str:
    """Write a fitted estimator or a Tree as text.

    The parameters are those of scikit-learn's function of this name. By default the whole tree is written,
    with thresholds and values in full (the fewest digits that read back as the same number) and the class
    weights of every leaf. `max_depth` ends the text below that level, `decimals` rounds, `show_weights=False`
    leaves the class weights out.
    """
    check_count("max_depth", max_depth)
    check_count("decimals", decimals)
    check_count("spacing", spacing)
    if not spacing:
        raise ValueError("spacing must be an int of at least 1. Got 0.")
    words = put_into_words(decision_tree, feature_names, class_names, decimals)
    return "\n".join(_lines(words, max_depth, spacing, show_weights)) + "\n"


def show(model: Any, *, file: TextIO | None = None, **options: Any) -> None:
    """Print a fitted estimator or a Tree; the options are those of `export_text`."""
    print(export_text(model, **options), end="", file=file or sys.stdout)


def _lines(words: Words, max_depth: int | None, spacing: int, show_weights: bool) -> Iterator[str]:
    """The lines of the tree, from a stack of (node, level, the line that leads here)."""
    heights = None if max_depth is None else _heights(words.tree)
    by_rule = False
    stack = [(0, 0, "")]
    while stack:
        node, level, lead = stack.pop()
        if lead:
            yield lead
        prefix = _prefix(level, spacing)
        if words.is_leaf(node):
            yield prefix + _leaf(words, node, show_weights)
        elif heights is not None and max_depth is not None and level > max_depth:
            yield f"{prefix} truncated branch of depth {heights[node] + 1}{words.rows(node)}"
        else:
            by_rule |= not words.tells_missing(node)
            branches = [
                (child, level + 1, f"{prefix} {words.branch(node, k)}{words.rows(child)}")
                for k, child in enumerate(words.children(node))
            ]
            stack += reversed(branches)
    if by_rule:
        yield RULE


def _prefix(level: int, spacing: int) -> str:
    if level <= MOST_BARS:
        return ("|" + " " * spacing) * level + "|" + "-" * spacing
    return f"(level {level}) |" + "-" * spacing


def _leaf(words: Words, node: int, show_weights: bool) -> str:
    tallies = words.tallies(node) if show_weights else ""
    return f" {words.outcome(node)}" + (f"  [{tallies}]" if tallies else "")


def _heights(tree: Tree) -> np.ndarray[Any, Any]:
    """The number of levels below every node; children come after their parents, so walk backwards."""
    heights = np.zeros(len(tree.first_child), dtype=np.int64)
    for node in range(len(heights) - 1, -1, -1):
        first, count = tree.first_child[node], tree.n_children[node]
        if count:
            heights[node] = heights[first : first + count].max() + 1
    return heights
