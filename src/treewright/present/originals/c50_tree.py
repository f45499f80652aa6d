"""A tree as C5.0 prints it.

Branches stand in the order of their heights: leaves without rows, leaves, then what has more and more below
it. Sets of levels that do not fit a line are wrapped, and a branch whose own lines would not fit even so is
printed below the tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Ints
from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from .thresholds import branch_text, threshold_text

WIDTH = 79
COUNTS = 9  # what is kept free for a leaf's rows where a branch must fit
EMPTY = 0.001  # the weight up to which a leaf has no rows
DIGITS = 6  # of a share that count where classes are equal
ABOVE, BELOW, FIRST = ":   ", "    ", ":..."


class _Branch(NamedTuple):
    """A branch that is to be printed: its node, what stands before its lines, and whether it is the last."""

    node: int
    lead: str
    rest: str
    last: bool


@dataclass(frozen=True)
class C50Tree:
    """The lines of one tree."""

    words: TreeText

    @cached_property
    def heights(self) -> list[int]:
        """The levels below every node, itself included; 0 for a leaf without rows."""
        tree = self.words.tree
        found: list[int] = (tree.weighted_n_node_samples > EMPTY).astype(np.int64).tolist()
        for node in range(tree.node_count - 1, 0, -1):
            parent = int(tree.parent[node])
            found[parent] = max(found[parent], 1 + found[node])
        return found

    def text(self) -> str:
        """The whole tree, with its heading."""
        if self.words.is_leaf(0):
            return f"Decision tree:\n {self._leaf(0)}\n"
        return "\n".join(["Decision tree:", "", *self._lines()]) + "\n"

    def _lines(self) -> Iterator[str]:
        waiting, apart = [*self._branches(0, "", "")], [0]
        done = 1
        while waiting or done < len(apart):
            if not waiting:
                yield from ("", f"SubTree [S{done}]", "")
                waiting += self._branches(apart[done], "", "")
                done += 1
            branch = waiting.pop()
            if self.words.is_leaf(branch.node):
                yield from self._condition(branch, f" {self._leaf(branch.node)}")
                continue
            below = branch.rest + (BELOW if branch.last else ABOVE)
            inside = self._branches(branch.node, branch.rest + FIRST, below)
            if any(self._least_width(each) > WIDTH - COUNTS for each in inside):
                yield from self._condition(branch, f" [S{len(apart)}]")
                apart.append(branch.node)
            else:
                yield from self._condition(branch, "")
                waiting += inside

    def _least_width(self, branch: _Branch) -> int:
        """The width of a branch whose levels are each on a line; cuts and counts of rows are not measured."""
        parent = int(self.words.tree.parent[branch.node])
        if self.words.tree.is_nominal[parent]:
            start, levels = self._test(branch)
            width = len(start) + max((len(level) + 1 for level in levels), default=0)
        else:
            width = len(f"{branch.lead}{self.words.feature(parent)} <= ")
        return width + (len(self._class(branch.node)) if self.words.is_leaf(branch.node) else 0)

    def _branches(self, node: int, lead: str, rest: str) -> list[_Branch]:
        """The branches of a node, the last one first."""
        some = [child for child in self.words.children(node) if self.is_possible[child]]
        order = sorted(some, key=self.heights.__getitem__)
        made = [
            _Branch(child, lead if k == 0 else rest, rest, k == len(order) - 1)
            for k, child in enumerate(order)
        ]
        return made[::-1]

    @cached_property
    def is_possible(self) -> list[bool]:
        """Whether a row can come to a node: some branches have no level that the tests above let through."""
        tree = self.words.tree
        found = [True] * tree.node_count
        allowed: list[dict[int, set[int]]] = [{} for _ in found]
        for node in np.flatnonzero(~tree.is_leaf).tolist():  # a parent before its children
            test = tree.test(node)
            for k, child in enumerate(self.words.children(node)):
                allowed[child] = allowed[node]
                if test.is_nominal:
                    levels = set(test.levels[k]) & allowed[node].get(test.feature, set(test.levels[k]))
                    found[child] = bool(levels)
                    allowed[child] = allowed[node] | {test.feature: levels}
        return found

    # -- parts of a line

    def _condition(self, branch: _Branch, outcome: str) -> list[str]:
        start, levels = self._test(branch)
        if not levels:
            return [f"{start}:{outcome}"]
        margin = (branch.rest + (" " if branch.last else ":")).ljust(len(start))
        return wrapped(start, [*(f"{each}," for each in levels[:-1]), f"{levels[-1]}}}:{outcome}"], margin)

    def _test(self, branch: _Branch) -> tuple[str, list[str]]:
        """The condition of a branch, or its beginning and several levels."""
        tree, words = self.words.tree, self.words
        parent = int(tree.parent[branch.node])
        test, place = tree.test(parent), branch.node - int(tree.first_child[parent])
        start = f"{branch.lead}{words.feature(parent)}"
        if not test.is_nominal:
            return f"{start} {self._side(parent, place)}", []
        levels = [words.level(test.feature, code) for code in test.levels[place]]
        return (f"{start} = {levels[0]}", []) if len(levels) == 1 else (f"{start} in {{", levels)

    def _side(self, node: int, place: int) -> str:
        tree = self.words.tree
        if len(tree.soft_low) and not math.isnan(tree.soft_low[node]):
            ends = ((tree.soft_low, tree.soft_high)[place][node], tree.soft_middle[node])
            end, middle = (threshold_text(self.words, tree.test(node), x, "{:.7g}".format) for x in ends)
            return f"{('<=', '>=')[place]} {end} ({middle})"
        return branch_text(self.words, node, place, lambda x: f"{np.float32(x):.7g}")

    def _leaf(self, node: int) -> str:
        tree = self.words.tree
        weight, label = float(tree.weighted_n_node_samples[node]), int(self._labels[node])
        wrong = weight * (1 - float(tree.value[node, 0, label]))
        return f"{self._class(node)} ({covered(weight, wrong)})"

    def _class(self, node: int) -> str:
        assert self.words.classes is not None
        return str(self.words.classes[0][int(self._labels[node])])

    @cached_property
    def _labels(self) -> Ints:
        return printed_labels(self.words.tree)


def printed_labels(tree: Tree) -> Ints:
    """The class that is printed at every node: that of least cost, the first of equals, with rows or not."""
    shares = tree.value[:, 0]
    return np.asarray(np.round(-shares if tree.costs is None else shares @ tree.costs, DIGITS).argmin(axis=1))


def covered(weight: float, wrong: float) -> str:
    """The rows of a leaf or rule, and those of another class: `16.3/1.9`."""
    return weight_text(weight) + (f"/{weight_text(wrong)}" if wrong >= 0.05 else "")


def weight_text(weight: float) -> str:
    """A weight with one decimal, a whole one without; it is a number of single precision."""
    return f"{float(np.float32(weight)):.1f}".removesuffix(".0")


def wrapped(start: str, parts: list[str], margin: str) -> list[str]:
    """A line of these parts, continued below its start where it becomes too long."""
    lines = [start]
    for part in parts:
        if len(lines[-1]) + len(part) > WIDTH and lines[-1] not in (start, margin):
            lines.append(margin)
        lines[-1] += part
    return lines
