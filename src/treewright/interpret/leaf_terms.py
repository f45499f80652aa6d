"""Which terms of a linear leaf moved the prediction of a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _core
from ..tree.equation import significant, term_name
from ..tree.leaf_models import IS_MISSING, NUMBER, Term, link_of
from ..tree.tree_text import TreeText

LOG_ODDS = "log odds"


@dataclass(frozen=True)
class TermMoved:
    """One term: what it is, its value in the row and on average in the leaf, and what it changed."""

    column: int
    name: str
    value: float | None  # None: missing, so the term counts as its average
    centre: float
    coefficient: float
    score_change: float  # of the leaf's score: the prediction, or log odds
    change: float  # of the prediction: the number, or the probability in question

    def sentence(self, scale: str) -> str:
        """`size = 3.1, in the leaf 2.2 on average: 1.5 * 0.9 = +1.35`."""
        size, more = significant(self.coefficient), f" {scale}" if scale else ""
        if self.value is None:
            return f"{self.name}: missing, so it counts as the average {significant(self.centre)}: +0{more}"
        average = f", in the leaf {significant(self.centre)} on average" if self.centre else ""
        product = f"{size} * {significant(self.value - self.centre)} = {self.score_change:+.4g}{more}"
        return f"{self.name} = {significant(self.value)}{average}: {product}"


def moved_terms(
    words: TreeText, row: _core.Columns, node: int, output: int, about: int
) -> tuple[TermMoved, ...]:
    """The terms of the leaf for this row, those that changed most first.

    Their changes of the score add up exactly, before the prediction is limited to the range of the leaf. The
    changes of a probability are in proportion to those of the score.
    """
    tree = words.tree
    models = tree.leaf_models
    if models is None:
        return ()
    link = link_of(tree)
    score = output if link == "identity" else 0 if link == "logistic" else about
    sign = -1.0 if link == "logistic" and about == 0 else 1.0
    numbers = {column: float(row.numbers(column)[0]) for column in models.used}
    found = []
    for term in models.terms(node):
        value = _value(term, numbers[term.feature])
        size = sign * float(term.coefficient[score])
        change = 0.0 if value is None else size * (value - term.centre)
        found.append((term, value, size, change))
    before = float(tree.prediction[node, output, about])
    after = float(tree.predict(row).reshape(tree.n_outputs, -1)[output, about])
    total = sum(each[3] for each in found)
    factor = 1.0 if link == "identity" else (after - before) / total if abs(total) > 1e-12 else 0.0
    moved = [
        TermMoved(term.feature, term_name(words, term), value, term.centre, size, change, change * factor)
        for term, value, size, change in found
    ]
    return tuple(sorted(moved, key=lambda each: -abs(each.score_change)))


def _value(term: Term, x: float) -> float | None:
    """What stands before the coefficient; None for a missing number."""
    if term.level == NUMBER:
        return None if np.isnan(x) else x
    return float(np.isnan(x)) if term.level == IS_MISSING else float(x == term.level)
