"""The texts of a drawing: on cards, on lines, and in full in tooltips."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...data.common.numbers import figure, percent
from ...data.common.plural import counted
from ...interpret.growth.stability import SplitStability, Stability
from ...learn.fitted_tree import as_model
from ...tree.equation import leaf_equation
from ...tree.tree import SHARED, STOPS, Tree
from ...tree.tree_text import Names, TreeText
from ...tree.value_text import shortest

MOST_LEVELS = 4  # of a list of levels on a card or a line
MOST_CLASSES = 8  # classes in a tooltip
SIGNS = {"<=": "≤", ">=": "≥"}


@dataclass(frozen=True)
class Brief(TreeText):
    """Text with short numbers: five significant digits, unless `decimals` is given."""

    rounded: list[float] = field(default_factory=list)  # the numbers that were rounded

    def number(self, value: float) -> str:
        """A number in few digits."""
        full = shortest(value)
        if self.decimals is not None:
            text = f"{value:.{self.decimals}f}"
        else:
            text = (
                full
                if len(full.lstrip("-")) <= 7 or not math.isfinite(value)
                else figure(value, ".5g").replace(",", "")
            )
        if float(text) != value:
            self.rounded.append(value)
        return text


@dataclass(frozen=True)
class CardLabels:
    """The texts of one model: in full, in brief, and its name."""

    full: TreeText
    brief: Brief
    name: str  # of the target, or the kind of model
    again: dict[int, SplitStability] = field(default_factory=dict)  # by node, where stability is drawn
    repeats: int = 0  # bootstrap samples of it

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.full.tree

    def branch_labels(self, node: int, *, brief: bool = True) -> list[str]:
        """The condition of each branch, without the name of the column."""
        words = self.brief if brief else self.full
        most = MOST_LEVELS if brief else None
        if words.is_presence_test(node):
            return ["present", "missing"]
        found, child = words.branch_labels(node, most), int(self.tree.missing_child[node])
        if found:
            if child >= 0 and words.follows_rule(node):
                found[child] = found[child].removesuffix(" or missing")
        else:
            found = [f"{sign} {value}" for sign, value in words.parts(words.tree.test(node), most)]
            if child >= 0 and words.shows_missing(node):
                found[child] += " or missing"
        return [_signed(text) for text in found]

    def test(self, node: int) -> tuple[str, str]:
        """The column that a node tests, and the rest of the test."""
        name = self.brief.feature(node)
        return name, self.brief.test(node, "≤", MOST_LEVELS).removeprefix(name)

    def missing(self, node: int) -> str:
        """Where missing values go, if no line to a child says it."""
        extra = len(self.full.surrogates(node))
        if extra:
            return f"missing: {counted(extra, 'surrogate')}"
        where = {STOPS: "missing: ends here", SHARED: "missing: all branches"}
        return where.get(int(self.tree.missing_child[node]), "")

    def stability(self, node: int) -> str:
        """How often the split is chosen again in bootstrap samples; "" where that is not drawn."""
        found = self.again.get(node)
        return "" if found is None else f"chosen again: {percent(found.chosen)}"

    def dashed(self, node: int) -> list[bool]:
        """For each child whether missing values go there and the common rule does not say so."""
        child, count = int(self.tree.missing_child[node]), int(self.tree.n_children[node])
        if child == SHARED:
            return [True] * count
        return [child == k and not self.full.follows_rule(node) for k in range(count)]

    def rows(self, node: int) -> str:
        """The number of training rows of a node; "" if the tree does not count rows."""
        return counted(int(self.tree.n_node_samples[node]), "row") if self.full.counts_rows else ""

    def share(self, node: int) -> float:
        """The share of the training rows in a node; 1 if the tree does not count rows."""
        rows = self.tree.n_node_samples
        return min(float(rows[node] / rows[0]), 1.0) if rows[0] else 1.0

    def prediction(self, node: int) -> str:
        """The class or number that a node predicts; several outputs are joined by commas."""
        if self.brief.classes is None:
            if self.tree.leaf_models is not None and self.full.is_leaf(node):
                return leaf_equation(self.brief, node, 2)
            return ", ".join(self.brief.number(float(value)) for value in self.tree.prediction[node, :, 0])
        return ", ".join(self.brief.predicted(node, output) for output in range(self.tree.n_outputs))

    def certainty(self, node: int) -> str:
        """The probability of the predicted class, or the standard deviation; "" for several outputs."""
        tree = self.tree
        if tree.n_outputs > 1 or tree.predicts_nothing[node]:
            return ""
        if self.full.classes is not None:
            return percent(float(tree.prediction[node, 0, tree.label[node, 0]]))
        spread = self.spread(node)
        return "" if spread is None else f"± {figure(spread, '.3g')}"

    def spread(self, node: int) -> float | None:
        """The standard deviation of the numbers of a node, if the tree knows it."""
        known = self.full.criterion in {"squared_error", "friedman_mse"} and self.tree.n_outputs == 1
        return math.sqrt(max(float(self.tree.impurity[node]), 0.0)) if known else None

    def tooltip(self, node: int) -> str:
        """Everything about a node, in full."""
        full, tree = self.full, self.tree
        lines = [f"node {node}: " + (full.outcome(node) if full.is_leaf(node) else full.test(node))]
        if full.counts_rows:
            lines.append(f"{full.rows(node).strip()[1:-1]}, {percent(self.share(node))} of all")
        if not full.is_leaf(node):
            lines.append(f"predicts {full.outcome(node)}")
            lines += [text for text in [self._stability(node)] if text]
            lines += [f"missing {text}" for text in [full.missing_line(node, full.short_number)] if text]
            lines += [full.surrogate(place, 0) for place in full.surrogates(node)]
        if full.classes is not None:
            lines += [self._tallies(node, output) for output in range(tree.n_outputs)]
        return "\n".join([*lines, f"{full.criterion} {full.short_number(float(tree.impurity[node]))}"])

    def _stability(self, node: int) -> str:
        """The same with how far the split moves."""
        found = self.again.get(node)
        if found is not None and found.moved is not None:
            return f"{self.stability(node)}, {percent(found.moved)} of its rows in another branch"
        if found is None or found.low is None:
            return self.stability(node)
        ends = " to ".join(self.brief.number(end) for end in (found.low, found.high or found.low))
        return f"{self.stability(node)}, threshold {ends}"

    def _tallies(self, node: int, output: int) -> str:
        assert self.full.classes is not None
        names, weights = self.full.classes[output], self.full.weights(node, output)
        order = [int(k) for k in np.argsort(-weights, kind="stable") if weights[k] > 0]
        shown = ", ".join(
            f"{names[k]} {self.full.short_number(float(weights[k]))}" for k in order[:MOST_CLASSES]
        )
        more = f", … and {len(order) - MOST_CLASSES} more classes" if len(order) > MOST_CLASSES else ""
        return shown + more


def card_labels(
    model: Any,
    features: Names | None,
    classes: Names | None,
    decimals: int | None,
    stability: Stability | None = None,
) -> CardLabels:
    """The texts of any fitted model."""
    found = as_model(model)
    full = found.words(features, classes, decimals)
    kind = "Decision tree" if found.estimator == "Tree" else found.estimator
    brief = Brief(full.tree, full.features, full.classes, full.criterion, decimals)
    again = {} if stability is None else stability.splits_of(full.tree)
    name = kind if found.target is None else found.target
    repeats = 0 if stability is None else stability.repeats
    return CardLabels(replace(full, decimals=None), brief, name, again, repeats)


def _signed(text: str) -> str:
    sign, _, rest = text.partition(" ")
    return f"{SIGNS[sign]} {rest}" if sign in SIGNS else text
