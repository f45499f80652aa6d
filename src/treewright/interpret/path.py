"""The path of one row through a tree, step by step: the test, the row's value, and what decided the branch.

The core computes where the row goes; this module finds out why. A row whose missing value is divided among
branches takes several paths at once: every step then has the share of the row that arrives there. Children
come after their parents, so the steps in the order of their nodes are a walk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..tree.split_test import SplitTest
from ..tree.tree import SHARED
from ..tree.tree_text import TreeText
from ..tree.value_text import levels_text
from ..tree.walks import climb
from .row import Row, is_gap

VALUE, SURROGATE, BRANCH = "value", "surrogate", "branch"
LEARNED, RULE, GIVEN, STOP, SHARE = "learned", "rule", "given", "stops", "shared"


class BranchTaken(NamedTuple):
    """Where a node sends a row: children with the part that goes there (none: it stops), and what decided."""

    to: tuple[tuple[int, float], ...]  # (node, part of what arrived)
    by: str
    place: int = -1  # of the surrogate that decided


@dataclass(frozen=True)
class PathStep:
    """One test on the path of a row."""

    node: int
    share: float  # of the row that arrives here
    branch: BranchTaken
    column: int  # the column whose value decided, or was missing
    before: float  # the prediction at the node: the probability of the class in question, or the number
    after: float  # the prediction where the row goes, by shares if it is divided

    @property
    def change(self) -> float:
        """What the step added to the prediction of the whole row."""
        return self.share * (self.after - self.before)


def walk(
    words: TreeText, row: Row, predicted: np.ndarray[Any, Any]
) -> tuple[list[PathStep], list[tuple[int, float]]]:
    """The path of a row, and the nodes where it ends with the share of the row that does.

    `predicted` has a number per node: what the steps change.
    """
    tree, found = words.tree, words.tree.leaves_reached(row.core)
    arrived: dict[int, float] = defaultdict(float)
    children: dict[int, set[int]] = defaultdict(set)
    for going, at in climb(tree.parent, found.node):
        for node, share in zip(at.tolist(), found.share[going].tolist(), strict=True):
            arrived[node] += share
            children[int(tree.parent[node])].add(node)
    steps = []
    for node in sorted(arrived):
        if tree.n_children[node]:
            there = ((child, arrived[child] / arrived[node]) for child in sorted(children[node]))
            to = tuple((child, part) for child, part in there if part > 0)
            branch, column = _branch(words, row, node, to)
            before = float(predicted[node])
            after = sum(part * float(predicted[child]) for child, part in to) if to else before
            steps.append(PathStep(node, arrived[node], branch, column, before, after))
    return steps, list(zip(found.node.tolist(), found.share.tolist(), strict=True))


def _branch(
    words: TreeText, row: Row, node: int, to: tuple[tuple[int, float], ...]
) -> tuple[BranchTaken, int]:
    """Why a row goes where it goes, and the column that decided."""
    tree, test = words.tree, words.tree.test(node)
    if _has_branch(words, row, test):
        return BranchTaken(to, VALUE), test.feature
    for place in words.surrogates(node):
        assert tree.surrogates is not None
        other = tree.surrogates.test(place)
        if _has_branch(words, row, other):
            return BranchTaken(to, SURROGATE, place), other.feature
    if not to:
        why = STOP
    elif int(tree.missing_child[node]) == SHARED:
        why = SHARE
    elif words.has_own_child(node, test) or words.is_presence_test(node):
        why = BRANCH
    elif tree.missing_seen[node]:
        why = LEARNED
    else:
        why = RULE if words.follows_rule(node) else GIVEN
    return BranchTaken(to, why), test.feature


def _has_branch(words: TreeText, row: Row, test: SplitTest) -> bool:
    """Whether a test has a branch for the row's value: it is not missing, nor a level that is not listed."""
    column = row.tested[test.feature]
    if not test.is_nominal:
        return not is_gap(column)
    code = int(column.values[0])
    gone = code < 0 or (column.missing is not None and bool(column.missing[0]))
    known = code < len(words.column(test.feature).levels)
    return not gone and known and any(code in codes for codes in test.levels)


# -- text


def branch_parts(words: TreeText, test: SplitTest, child: int, most: int | None = None) -> tuple[str, str]:
    """A sign and a value: what a value must be to go to a child."""
    if not test.is_nominal:
        return words.parts(test, most)[child]
    levels = words.column(test.feature).levels
    named = [levels[code] for code in test.levels[child]]
    return "=" if len(named) == 1 else "in", levels_text(named, most)


def branch_text(words: TreeText, test: SplitTest, child: int, most: int | None = None) -> str:
    """What a value must be to go to a child: `x <= 3`, `colour in {red, green}`."""
    return " ".join([words.name(test.feature), *branch_parts(words, test, child, most)])


def split_text(words: TreeText, node: int, most: int | None = None) -> str:
    """The test of a node: the condition of its first branch; of many branches, how many."""
    many, test = len(words.children(node)), words.tree.test(node)
    if many > 2 and test.is_nominal:
        return f"{words.feature(node)} in {many} branches"
    if test.is_nominal and words.has_own_child(node, test):
        return f"{words.feature(node)} is present"
    if test.is_nominal:
        return branch_text(words, test, 0, most)
    return words.test(node, most=most)


def value_sentence(words: TreeText, row: Row, step: PathStep, most: int | None = None) -> str:
    """The row's value at a step, and which branch follows from it."""
    tree, node, branch = words.tree, step.node, step.branch
    test = tree.test(node)
    name, value = words.feature(node), row.texts[test.feature]
    if branch.by == VALUE:
        said = _comparison(words, test, branch.to[0][0] - int(tree.first_child[node]), value, most)
        parts = ", ".join(f"{words.features[column]} = {row.texts[column]}" for column in test.columns)
        return f"{parts}: {said}" if test.terms else said
    if test.terms and not value:
        lacking = [words.features[column] for column in test.columns if not row.texts[column]]
        name = " and ".join(lacking) or name
    are = "are" if " and " in name and test.terms else "is"
    gone = f"{name} = {value}, a level that this test does not list" if value else f"{name} {are} missing"
    return f"{gone}: {''.join(_missing(words, row, step, most))}"


def _comparison(words: TreeText, test: SplitTest, child: int, value: str, most: int | None) -> str:
    """`x = 36, and 36 > 22.5`."""
    name = words.name(test.feature)
    if test.threshold == np.inf and not test.strict:
        return f"{name} = {value}, and that is present"
    if value not in {"0", "1"} and test.feature in words.zero_one:
        words = replace(words, zero_one=frozenset())  # another value is compared with the threshold
    sign, bound = branch_parts(words, test, child, most)
    if sign in {"is", "="} and bound == value:
        return f"{name} = {value}"
    return f"{name} = {value}, and {value} {sign} {bound}"


def _missing(words: TreeText, row: Row, step: PathStep, most: int | None) -> Iterator[str]:
    """What becomes of a missing value."""
    tree, node, branch = words.tree, step.node, step.branch
    first, test = int(tree.first_child[node]), tree.test(node)
    if branch.by == STOP:
        yield "such a row stops here"
    elif branch.by == SHARE:
        parts = ", ".join(f"{words.short_number(part)} to node {child}" for child, part in branch.to)
        yield f"the row is divided among the branches, {parts}"
    elif branch.by == SURROGATE:
        assert tree.surrogates is not None
        other = tree.surrogates.test(branch.place)
        child = branch.to[0][0] - first
        agreement = float(tree.surrogates.agreement[branch.place])
        trust = "" if np.isnan(agreement) else f" (agreement {agreement:.3g})"
        yield f"the surrogate {words.features[other.feature]} decides{trust}: "
        yield f"{_comparison(words, other, child, row.texts[other.feature], most)}, "
        yield f"so the row is treated as if {branch_text(words, test, child, most)}"
    elif branch.by == BRANCH:
        yield "missing values have a branch of their own"
    else:
        child = branch.to[0][0] - first
        why = {LEARNED: "learned from the training rows", GIVEN: "as the tree says"}
        rule = "the branch with most training rows, as no training row lacked it here"
        yield f"treated as if {branch_text(words, test, child, most)} ({why.get(branch.by, rule)})"
