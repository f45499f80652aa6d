"""The equation of a linear leaf as text: exact for following by hand, or short for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .leaf_models import IS_MISSING, NUMBER, LeafModels, Term, link_of
from .value_text import levels_text

if TYPE_CHECKING:
    from .tree_text import TreeText

MOST_TERMS = 4  # of a short equation; the rest are counted
CLIPPED = "A prediction beyond the range of its leaf (from … to …) is moved to the end of that range."
CENTRED = "In a leaf, (x - c) is 0 where x is missing, and [a condition] is 1 where it holds, else 0."


def term_name(words: TreeText, term: Term) -> str:
    """What a coefficient stands before: `x`, `[colour = red]` or `[x is missing]`."""
    name = words.features[term.feature]
    if term.level == NUMBER:
        return name
    if term.level == IS_MISSING:
        return f"[{name} is missing]"
    return f"[{name} = {levels_text([words.column(term.feature).levels[term.level]])}]"


def equation(words: TreeText, node: int, score: int = 0) -> str:
    """The score of a node, with which `predict` can be followed by hand, without its range."""
    models = _models(words)
    found = words.number(float(models.constant[node, score]))
    for term in models.terms(node):
        size = float(term.coefficient[score])
        name = term_name(words, term)
        if term.level == NUMBER:
            centre = float(term.centre)
            name = f"({name} {'-' if centre >= 0 else '+'} {words.number(abs(centre))})"
        found += f" {'-' if size < 0 else '+'} {words.number(abs(size))} * {name}"
    return found


def range_text(words: TreeText, node: int, score: int = 0, short: bool = False) -> str:
    """`(from 1.5 to 3)`, or nothing where predictions are not limited."""
    models, number = _models(words), significant if short else words.number
    low, high = float(models.lower[node, score]), float(models.upper[node, score])
    if np.isinf(low) and np.isinf(high):
        return ""
    return f" (from {number(low)} to {number(high)})"


def short_equation(words: TreeText, node: int, score: int = 0, most: int = MOST_TERMS) -> str:
    """`1.22 + 2.43 x + … 3 more`: rounded, with x itself, the terms that move the prediction most first."""
    models = _models(words)
    terms = models.terms(node)
    order = np.argsort([-influence(words, models, term, score) for term in terms], kind="stable")
    found = significant(float(models.intercept(node)[score]))
    for place in order[:most]:
        size = float(terms[place].coefficient[score])
        found += f" {'-' if size < 0 else '+'} {significant(abs(size))} {term_name(words, terms[place])}"
    rest = len(terms) - most
    return found + (f" + … {rest} more" if rest > 0 else "")


def leaf_equation(words: TreeText, node: int, most: int = MOST_TERMS) -> str:
    """The short equation of a linear leaf; of a logistic one its class with most rows, and the log odds."""
    models, link = words.tree.leaf_models, link_of(words.tree)
    assert models is not None
    found = [short_equation(words, node, k, most) for k in range(models.n_scores)]
    if link == "identity":
        return ", ".join(found)
    if link == "logistic":
        assert words.classes is not None
        return f"log odds of {words.classes[0][1]} = {found[0]}"
    return f"{words.predicted(node)} {words.tree.value[node, 0, words.tree.label[node, 0]]:.2f}, by the row"


def influence(words: TreeText, models: LeafModels, term: Term, score: int) -> float:
    """How much a term moves predictions: its coefficient times the spread of its centres over the nodes."""
    size = abs(float(term.coefficient[score]))
    if term.level != NUMBER:
        return size
    same = (models.feature == term.feature) & (models.level == NUMBER)
    centres = models.centre[same]
    cuts = words.tree.threshold[words.tree.feature == term.feature]
    known = np.concatenate([centres, cuts[np.isfinite(cuts)]])
    return size * (float(np.ptp(known)) or abs(term.centre) or 1.0)


def significant(number: float, digits: int = 4) -> str:
    """A number with so many digits, and commas between thousands."""
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text
    return f"{number:,.0f}" if 1 <= abs(number) < 1e12 else text


def _models(words: TreeText) -> LeafModels:
    assert words.tree.leaf_models is not None
    return words.tree.leaf_models
