"""One rule: what must hold, what is decided then, and how far the training rows bear it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from .conditions import Floats
from .merging import Draft
from .paths import Way

SQUARED = {"squared_error", "friedman_mse"}
SPREADS = {
    **dict.fromkeys(SQUARED, "standard deviation"),
    "absolute_error": "mean absolute deviation",
    "poisson": "half the Poisson deviance",
}


@dataclass(frozen=True)
class Rule:
    """A rule of a tree. With several outputs, decision, confidence, lift and shares are tuples of one each.

    What the training rows do not tell is None: a tree made by hand may count no rows.
    """

    conditions: tuple[str, ...]  # in words, all of which must hold; none: the rule always holds
    decision: Any  # the label of a class, or a number
    rows: int | None  # of the training table
    weight: float | None
    support: float | None  # the share of all weight
    confidence: Any  # the share of the decided class in the weight; None for numbers
    lift: Any  # confidence over the share of that class in the whole table; None for numbers
    shares: Any  # of all classes in the weight, by label; None for numbers
    probability: Any  # what the model says of the decided class: smoothed if it is; None for numbers
    spread: float | None  # of the numbers about the decision, for a tree of numbers
    leaf: int  # the node where the rows end; of a merged rule the first
    leaves: tuple[int, ...]
    way: Way  # what must hold, to be evaluated
    decides: tuple[float, ...]  # the index of the class, or the number, per output

    @property
    def text(self) -> str:
        """The conditions in one line."""
        return joined(self.conditions, " and ") or "always"

    def __str__(self) -> str:
        return f"if {self.text} then {self.decision}" if self.conditions else f"always {self.decision}"


def joined(conditions: Sequence[str], word: str) -> str:
    """Conditions in one line, with brackets around those of which an `or` could be misread."""
    if len(conditions) == 1:
        return conditions[0]
    return word.join(f"({each})" if " or " in each or ": " in each else each for each in conditions)


class _Tally(NamedTuple):
    """The training rows of a rule: how many, their weight, and the weight of every class."""

    rows: int
    weight: float
    classes: Floats  # (outputs, classes)


def rule_of(
    draft: Draft, words: TreeText, labels: Sequence[Sequence[Any]] | None, text: tuple[str, ...]
) -> Rule:
    """The rule of a draft, with its facts. `labels` are those of every output; None for numbers."""
    tree, nodes = words.tree, tuple(node for node, _ in draft.ends)
    tally = _tally(tree, draft.ends)
    counted = bool(tree.weighted_n_node_samples[0] > 0)
    shares = None if labels is None else _shares(tree, draft.ends, tally, labels)
    confidence, lift = _believed(tree, draft, shares, labels)
    decides: Any = draft.decides
    return Rule(
        conditions=text,
        decision=_one([each if labels is None else labels[k][each] for k, each in enumerate(decides)]),
        rows=tally.rows if words.counts_rows else None,
        weight=tally.weight if counted else None,
        support=tally.weight / float(tree.weighted_n_node_samples[0]) if counted else None,
        confidence=confidence,
        lift=lift,
        shares=None if shares is None else _one(shares),
        probability=None if labels is None else _said(tree, draft),
        spread=_spread(tree, draft.ends, words.criterion) if labels is None else None,
        leaf=nodes[0],
        leaves=nodes,
        way=draft.way,
        decides=decides,
    )


def _one(values: Sequence[Any]) -> Any:
    """The value of the one output, or those of several."""
    return values[0] if len(values) == 1 else tuple(values)


def _tally(tree: Tree, ends: Sequence[tuple[int, bool]]) -> _Tally:
    """Those that stop at an inner node are all of its rows but those of its children."""
    rows, weight, classes = 0, 0.0, np.zeros(tree.value.shape[1:])
    for node, stopped in ends:
        parts = [(node, 1)]
        if stopped:
            first = int(tree.first_child[node])
            parts += [(child, -1) for child in range(first, first + int(tree.n_children[node]))]
        n = sum(sign * int(tree.n_node_samples[k]) for k, sign in parts)
        w = sum(sign * float(tree.weighted_n_node_samples[k]) for k, sign in parts)
        each = sum(sign * tree.value[k] * tree.weighted_n_node_samples[k] for k, sign in parts)
        if w <= 1e-9 * float(tree.weighted_n_node_samples[node]):  # nothing but the error of rounding
            w, each = 0.0, np.zeros_like(classes)
        rows, weight, classes = rows + max(n, 0), weight + w, classes + np.maximum(each, 0)
    return _Tally(rows, weight, classes)


def _shares(
    tree: Tree, ends: Sequence[tuple[int, bool]], tally: _Tally, labels: Sequence[Sequence[Any]]
) -> list[Mapping[Any, float]] | None:
    """The shares of the classes, per output and by label."""
    if tally.weight > 0:
        found = tally.classes / tally.weight
    elif len(ends) == 1 and not ends[0][1]:
        found = tree.value[ends[0][0]]  # a leaf without rows, of which the tree says this much
    else:
        return None
    return [dict(zip(names, found[k].tolist(), strict=False)) for k, names in enumerate(labels)]


def _believed(
    tree: Tree, draft: Draft, shares: Any, labels: Sequence[Sequence[Any]] | None
) -> tuple[Any, Any]:
    """Confidence and lift, per output."""
    if labels is None or shares is None:
        return None, None
    decides: Any = draft.decides
    sure = [shares[k][labels[k][each]] for k, each in enumerate(decides)]
    usual = [float(tree.value[0, k, each]) for k, each in enumerate(decides)]
    return _one(sure), _one([a / b if b > 0 else None for a, b in zip(sure, usual, strict=True)])


def _said(tree: Tree, draft: Draft) -> Any:
    """The probability of the decided class, per output; None where merged nodes may say different ones."""
    decides: Any = draft.decides
    if len(draft.ends) > 1 or not (draft.ends[0][1] or tree.is_leaf[draft.ends[0][0]]):
        return None
    return _one([float(tree.prediction[draft.ends[0][0], k, each]) for k, each in enumerate(decides)])


def _spread(tree: Tree, ends: Sequence[tuple[int, bool]], criterion: str) -> float | None:
    if len(ends) > 1 or ends[0][1]:
        return None
    impurity = float(tree.impurity[ends[0][0]])
    return float(np.sqrt(max(impurity, 0.0))) if criterion in SQUARED else impurity
