"""What is written on the cards and lines of a drawing, and in full in its tooltips."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...data.common.plural import counted
from ...learn.fitted_tree import as_model
from ...tree.tree import SHARED, STOPS, Tree
from ...tree.value_words import shortest
from ...tree.words import Names, Words

MOST_LEVELS = 4  # of a list of levels on a card or a line
MOST_TOLD = 8  # classes in a tooltip
SIGNS = {"<=": "≤", ">=": "≥"}


@dataclass(frozen=True)
class Brief(Words):
    """Words whose numbers are short: five digits, unless decimals are asked for."""

    rounded: list[float] = field(default_factory=list)  # what was not written in full

    def number(self, value: float) -> str:
        """A number in few digits."""
        full = shortest(value)
        if self.decimals is not None:
            text = f"{value:.{self.decimals}f}"
        else:
            text = full if len(full.lstrip("-")) <= 7 or not math.isfinite(value) else f"{value:.5g}"
        if float(text) != value:
            self.rounded.append(value)
        return text


@dataclass(frozen=True)
class Told:
    """A model as a drawing tells it: in full, in brief, and what it is called."""

    full: Words
    brief: Brief
    name: str  # of the target, or the kind of model

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.full.tree

    def answers(self, node: int, *, brief: bool = True) -> list[str]:
        """What a value must be to take each branch; the column is not named."""
        words = self.brief if brief else self.full
        most = MOST_LEVELS if brief else None
        if words.is_presence_test(node):
            return ["present", "missing"]
        found = words.answers(node, most)
        if found:
            child = int(self.tree.missing_child[node])
            if child >= 0 and words.follows_rule(node):
                found[child] = found[child].removesuffix(" or missing")
        else:
            found = [f"{sign} {value}" for sign, value in words.parts(words.tree.question(node), most)]
            child = int(self.tree.missing_child[node])
            if child >= 0 and words.tells_missing(node):
                found[child] += " or missing"
        return [_signed(text) for text in found]

    def test(self, node: int) -> tuple[str, str]:
        """The name of the column that is asked for, and the rest of the question."""
        name = self.brief.feature(node)
        return name, self.brief.test(node, "≤", MOST_LEVELS).removeprefix(name)

    def missing(self, node: int) -> str:
        """What becomes of missing values, where no line to a child says it."""
        extra = len(self.full.surrogates(node))
        if extra:
            return f"missing: {counted(extra, 'surrogate')}"
        where = {STOPS: "missing: ends here", SHARED: "missing: all branches"}
        return where.get(int(self.tree.missing_child[node]), "")

    def dashed(self, node: int) -> list[bool]:
        """Whether missing values are known to go to each child."""
        child, count = int(self.tree.missing_child[node]), int(self.tree.n_children[node])
        if child == SHARED:
            return [True] * count
        told = child >= 0 and not self.full.follows_rule(node)
        return [told and k == child for k in range(count)]

    def rows(self, node: int) -> str:
        """How many rows came to a node; nothing where none are counted."""
        return counted(int(self.tree.n_node_samples[node]), "row") if self.full.counts_rows else ""

    def share(self, node: int) -> float:
        """The share of all rows that came to a node; 1 where none are counted."""
        rows = self.tree.n_node_samples
        return min(float(rows[node] / rows[0]), 1.0) if rows[0] else 1.0

    def answer(self, node: int) -> str:
        """The class or the number that a node predicts; those of several outputs side by side."""
        if self.brief.classes is None:
            return ", ".join(self.brief.number(float(value)) for value in self.tree.prediction[node, :, 0])
        return ", ".join(self.brief.predicted(node, output) for output in range(self.tree.n_outputs))

    def sure(self, node: int) -> str:
        """The probability of the class, or the spread of the numbers; nothing for several outputs."""
        tree = self.tree
        if tree.n_outputs > 1 or tree.answers_nothing[node]:
            return ""
        if self.full.classes is not None:
            return percent(float(tree.prediction[node, 0, tree.label[node, 0]]))
        spread = self.spread(node)
        return "" if spread is None else f"± {spread:.3g}"

    def spread(self, node: int) -> float | None:
        """The standard deviation of the numbers of a node, if the tree knows it."""
        known = self.full.criterion in {"squared_error", "friedman_mse"} and self.tree.n_outputs == 1
        return math.sqrt(max(float(self.tree.impurity[node]), 0.0)) if known else None

    def tooltip(self, node: int) -> str:
        """All of a node, in full."""
        full, tree = self.full, self.tree
        lines = [f"node {node}: " + (full.outcome(node) if full.is_leaf(node) else full.test(node))]
        if full.counts_rows:
            lines.append(f"{full.rows(node).strip()[1:-1]}, {percent(self.share(node))} of all")
        if not full.is_leaf(node):
            lines.append(f"predicts {full.outcome(node)}")
            lines += [f"missing {text}" for text in [full.missing_line(node, full.short)] if text]
            lines += [full.surrogate(place, 0) for place in full.surrogates(node)]
        if full.classes is not None:
            lines += [self._tallies(node, output) for output in range(tree.n_outputs)]
        return "\n".join([*lines, f"{full.criterion} {full.short(float(tree.impurity[node]))}"])

    def _tallies(self, node: int, output: int) -> str:
        assert self.full.classes is not None
        names, weights = self.full.classes[output], self.full.weights(node, output)
        order = [int(k) for k in np.argsort(-weights, kind="stable") if weights[k] > 0]
        told = ", ".join(f"{names[k]} {self.full.short(float(weights[k]))}" for k in order[:MOST_TOLD])
        more = f", … and {len(order) - MOST_TOLD} more classes" if len(order) > MOST_TOLD else ""
        return told + more


def percent(share: float) -> str:
    """A share in whole percents, which is 0 or 100 only if it is all or nothing."""
    text = f"{100 * share:.0f}%"
    if text == "0%" and share > 0:
        return "<1%"
    return ">99%" if text == "100%" and share < 1 else text


def told_of(model: Any, features: Names | None, classes: Names | None, decimals: int | None) -> Told:
    """Put any fitted model into words."""
    found = as_model(model)
    full = found.words(features, classes, decimals)
    kind = "Decision tree" if found.estimator == "Tree" else found.estimator
    brief = Brief(full.tree, full.features, full.classes, full.criterion, decimals)
    return Told(replace(full, decimals=None), brief, kind if found.target is None else found.target)


def _signed(text: str) -> str:
    sign, _, rest = text.partition(" ")
    return f"{SIGNS[sign]} {rest}" if sign in SIGNS else text
