"""The way of one row through a tree, step by step: what was asked, what the row said, and what decided.

Where the row goes is what the core says; here is why. A row whose missing value is shared out goes several
ways at once: every step then has the share of the row that arrives there. Children come after their parents,
so the steps in the order of their nodes are a walk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..tree.split_test import SplitTest
from ..tree.tree import SHARED
from ..tree.tree_text import TreeText
from ..tree.walks import climb
from .cells import Cells
from .rules.conditions import branch

VALUE, SURROGATE, BRANCH = "value", "surrogate", "branch"
LEARNED, RULE, GIVEN, STOP, SHARE = "learned", "rule", "given", "stops", "shared"
MOST_LEVELS = 8  # that a sentence names; `to_dict` has all


class Turn(NamedTuple):
    """Where a node sends a row: children with the part that goes there (none: it stops), and what decided."""

    to: tuple[tuple[int, float], ...]  # (node, part of what arrived)
    by: str
    place: int = -1  # of the surrogate that decided


@dataclass(frozen=True)
class Step:
    """One test on the way of a row."""

    node: int
    share: float  # of the row that arrives here
    turn: Turn
    column: int  # the column whose value decided, or was missing
    before: float  # the probability of the class that is told of, or the number, that the node predicts
    after: float  # the same of where the row goes, by shares if it is shared out

    @property
    def change(self) -> float:
        """What the step added to the prediction of the whole row."""
        return self.share * (self.after - self.before)


class End(NamedTuple):
    """A node where a row ends, and the share of it that does."""

    node: int
    share: float


def walk(words: TreeText, cells: Cells, predicted: np.ndarray[Any, Any]) -> tuple[list[Step], list[End]]:
    """The way of a row. `predicted` has a number per node: what the steps are to change."""
    tree, found = words.tree, words.tree.ends(cells.core)
    arrived: dict[int, float] = defaultdict(float)
    for going, at in climb(tree.parent, found.node):
        for node, share in zip(at.tolist(), found.share[going].tolist(), strict=True):
            arrived[node] += share
    steps = []
    for node in sorted(arrived):
        if tree.n_children[node]:
            there = ((child, arrived.get(child, 0.0) / arrived[node]) for child in words.children(node))
            turn = _turn(words, cells, node, tuple((child, part) for child, part in there if part > 0))
            steps.append(_step(words, node, arrived[node], turn, predicted))
    return steps, [End(*end) for end in zip(found.node.tolist(), found.share.tolist(), strict=True)]


def _step(words: TreeText, node: int, share: float, turn: Turn, predicted: np.ndarray[Any, Any]) -> Step:
    tree = words.tree
    column = int(tree.feature[node])
    if turn.by == SURROGATE and tree.surrogates is not None:
        column = int(tree.surrogates.feature[turn.place])
    before = float(predicted[node])
    after = sum(part * float(predicted[child]) for child, part in turn.to) if turn.to else before
    return Step(node, share, turn, column, before, after)


def _turn(words: TreeText, cells: Cells, node: int, to: tuple[tuple[int, float], ...]) -> Turn:
    """Why a row goes where it goes."""
    tree = words.tree
    if is_told(words, cells, tree.test(node), int(tree.n_children[node])):
        return Turn(to, VALUE)
    for place in words.surrogates(node):
        assert tree.surrogates is not None
        if is_told(words, cells, tree.surrogates.test(place), 2):
            return Turn(to, SURROGATE, place)
    if not to:
        return Turn(to, STOP)
    return Turn(to, SHARE if int(tree.missing_child[node]) == SHARED else _why(words, node))


def _why(words: TreeText, node: int) -> str:
    """Why a missing value goes to the child that it goes to."""
    if words.has_own_child(node, words.tree.test(node)) or words.is_presence_test(node):
        return BRANCH
    if words.tree.missing_seen[node]:
        return LEARNED
    return RULE if words.follows_rule(node) else GIVEN


def is_told(words: TreeText, cells: Cells, question: SplitTest, n_children: int) -> bool:
    """Whether the row answers a question: its value is neither missing nor of a level that is not listed."""
    column, known = cells.columns[question.feature], words.column(question.feature)
    return any(branch(question, known, child, 0.0).share(column)[0] > 0 for child in range(n_children))


# -- words


def condition(words: TreeText, question: SplitTest, child: int, most: int | None = None) -> str:
    """What a value must be to go to a child: `x <= 3`, `colour in {red, green}`."""
    return " ".join([words.features[question.feature], *words.parts(question, most)[child]])


def asked(words: TreeText, node: int, most: int | None = None) -> str:
    """What a node asks, as a question of its first branch; with many branches how many there are."""
    many = len(words.children(node))
    if many > 2 and words.tree.is_nominal[node]:
        return f"{words.feature(node)}: which of {many} branches?"
    return f"{words.test(node, most=most)}?"


def told(words: TreeText, cells: Cells, step: Step, most: int | None = None) -> str:
    """What the row said to a step, and what came of it."""
    tree, node, turn = words.tree, step.node, step.turn
    question = tree.test(node)
    name, value = words.feature(node), cells.texts[question.feature]
    if turn.by == VALUE:
        return said(words, question, turn.to[0][0] - int(tree.first_child[node]), value, most)
    gone = f"{name} = {value}, a level that this test does not list" if value else f"{name} is missing"
    return f"{gone}: {''.join(_missing(words, cells, step, most))}"


def said(words: TreeText, question: SplitTest, child: int, value: str, most: int | None) -> str:
    """`x = 36, and 36 > 22.5`."""
    name = words.features[question.feature]
    if question.threshold == np.inf and not question.strict:
        return f"{name} = {value}, and that is present"
    sign, bound = words.parts(question, most)[child]
    if sign in {"is", "="} and bound == value:
        return f"{name} = {value}"
    return f"{name} = {value}, and {value} {sign} {bound}"


def _missing(words: TreeText, cells: Cells, step: Step, most: int | None) -> Iterator[str]:
    """What became of a missing value."""
    tree, node, turn = words.tree, step.node, step.turn
    first, question = int(tree.first_child[node]), tree.test(node)
    if turn.by == STOP:
        yield "such a row stops here"
    elif turn.by == SHARE:
        parts = ", ".join(f"{words.short(part)} to node {child}" for child, part in turn.to)
        yield f"the row is shared out, {parts}"
    elif turn.by == SURROGATE:
        assert tree.surrogates is not None
        other = tree.surrogates.test(turn.place)
        child = turn.to[0][0] - first
        agreement = float(tree.surrogates.agreement[turn.place])
        trust = "" if np.isnan(agreement) else f" (agreement {agreement:.3g})"
        yield f"the surrogate {words.features[other.feature]} decides{trust}: "
        yield f"{said(words, other, child, cells.texts[other.feature], most)}, "
        yield f"so as if {condition(words, question, child, most)}"
    elif turn.by == BRANCH:
        yield "missing values have a branch of their own"
    else:
        child = turn.to[0][0] - first
        why = {LEARNED: "learned from the training rows", GIVEN: "as the tree says"}
        rule = "the branch with most rows, as no training row lacked it here"
        yield f"as if {condition(words, question, child, most)} ({why.get(turn.by, rule)})"
