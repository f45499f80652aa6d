"""One rule: its conditions, its prediction, and the training rows that support it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...tree.condition_text import condition_text, joined, printed_text
from ...tree.paths import PathConditions
from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from ...tree.value_sets import Floats
from .merging import Draft

SQUARED = {"squared_error", "friedman_mse"}
SPREADS = {
    **dict.fromkeys(SQUARED, "standard deviation"),
    "absolute_error": "mean absolute deviation",
    "poisson": "half the Poisson deviance",
}


@dataclass(frozen=True)
class Rule:
    """A rule of a tree. With several outputs, the fields about predictions are tuples of one each.

    What is not known of the training rows is None: a tree made by hand may count no rows.
    """

    prediction: Any  # the label of a class, or a number; None: a class, but no training row came here
    rows: int | None  # training rows
    weight: float | None
    support: float | None  # the proportion of all weight
    confidence: Any  # the proportion of the predicted class in the weight; None for regression
    lift: Any  # confidence over the proportion of that class among all training rows; None for regression
    proportions: Any  # of all classes in the weight, by label; None for regression
    probability: Any  # of the predicted class by the model, smoothed if it smooths; None for regression
    spread: float | None  # of the target about the prediction, for regression
    leaf: int  # the node where the rows end; of a merged rule the first
    leaves: tuple[int, ...]
    path: PathConditions  # the conditions, to be evaluated
    predicts: tuple[float, ...]  # the place of the class (-1: no prediction), or the number, per output
    words: TreeText = field(repr=False)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """As text, all of which must hold; none: the rule always holds."""
        return self.texts()

    def texts(self, most: int | None = None) -> tuple[str, ...]:
        """The conditions as text; of more levels than `most` only the first are named."""
        return tuple(condition_text(each, self.words, most) for each in self.path.conditions)

    @property
    def text(self) -> str:
        """The conditions in one line."""
        return joined(self.conditions, " and ") or "always"

    @property
    def short_text(self) -> str:
        """The same with long lists of levels cut short."""
        found = [printed_text(each, self.words) for each in self.path.conditions]
        return joined(found, " and ") or "always"

    def __str__(self) -> str:
        what = "no prediction" if self.prediction is None else self.prediction
        return f"if {self.short_text} then {what}" if self.path.conditions else f"always {what}"


class _Counts(NamedTuple):
    """The training rows of a rule: how many, their weight, and the weight of every class."""

    rows: int
    weight: float
    classes: Floats  # (outputs, classes)


def rule_of(draft: Draft, words: TreeText, labels: Sequence[Sequence[Any]] | None) -> Rule:
    """The rule of a draft, with its facts. `labels` are those of every output; None for regression."""
    tree, nodes = words.tree, tuple(node for node, _ in draft.nodes)
    counts = _counts(tree, draft.nodes)
    counted = bool(tree.weighted_n_node_samples[0] > 0)
    proportions = None if labels is None else _proportions(tree, draft.nodes, counts, labels)
    confidence, lift = _confidence(tree, draft, proportions, labels)
    return Rule(
        prediction=_one([_label(labels, k, each) for k, each in enumerate(draft.predicts)]),
        rows=counts.rows if words.counts_rows else None,
        weight=counts.weight if counted else None,
        support=counts.weight / float(tree.weighted_n_node_samples[0]) if counted else None,
        confidence=confidence,
        lift=lift,
        proportions=None if proportions is None else _one(proportions),
        probability=None if labels is None else _probability(tree, draft),
        spread=_spread(tree, draft.nodes, words.criterion) if labels is None else None,
        leaf=nodes[0],
        leaves=nodes,
        path=draft.path,
        predicts=draft.predicts,
        words=words,
    )


def _label(labels: Sequence[Sequence[Any]] | None, output: int, place: Any) -> Any:
    if labels is None:
        return place
    return labels[output][place] if place >= 0 else None


def _one(values: Sequence[Any]) -> Any:
    """The value of the one output, or those of several."""
    return values[0] if len(values) == 1 else tuple(values)


def _counts(tree: Tree, nodes: Sequence[tuple[int, bool]]) -> _Counts:
    """Rows that stop at an inner node are all of its rows but those of its children."""
    rows, weight, classes = 0, 0.0, np.zeros(tree.value.shape[1:])
    for node, stopped in nodes:
        n, w = int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[node])
        each = tree.value[node] * w
        if stopped:
            below = slice(first := int(tree.first_child[node]), first + int(tree.n_children[node]))
            weights = tree.weighted_n_node_samples[below]
            n, w = n - int(tree.n_node_samples[below].sum()), w - float(weights.sum())
            each = each - np.tensordot(weights, tree.value[below], axes=1)
        if w <= 1e-9 * float(tree.weighted_n_node_samples[node]):  # nothing but the error of rounding
            w, each = 0.0, np.zeros_like(classes)
        rows, weight, classes = rows + max(n, 0), weight + w, classes + np.maximum(each, 0)
    return _Counts(rows, weight, classes)


def _proportions(
    tree: Tree, nodes: Sequence[tuple[int, bool]], counts: _Counts, labels: Sequence[Sequence[Any]]
) -> list[Mapping[Any, float]] | None:
    """The proportions of the classes, per output and by label."""
    if counts.weight > 0:
        found = counts.classes / counts.weight
    elif len(nodes) == 1 and not nodes[0][1]:
        found = tree.value[nodes[0][0]]  # a leaf without rows, of which the tree says this much
    else:
        return None
    return [dict(zip(names, found[k].tolist(), strict=False)) for k, names in enumerate(labels)]


def _confidence(
    tree: Tree, draft: Draft, proportions: Any, labels: Sequence[Sequence[Any]] | None
) -> tuple[Any, Any]:
    """Confidence and lift, per output."""
    if labels is None or proportions is None or min(draft.predicts) < 0:
        return None, None
    sure = [proportions[k][labels[k][each]] for k, each in enumerate(draft.predicts)]
    usual = [float(tree.value[0, k, each]) for k, each in enumerate(draft.predicts)]
    return _one(sure), _one([a / b if b > 0 else None for a, b in zip(sure, usual, strict=True)])


def _probability(tree: Tree, draft: Draft) -> Any:
    """The probability of the predicted class, per output; None where merged nodes may have different ones."""
    node, stopped = draft.nodes[0]
    if len(draft.nodes) > 1 or min(draft.predicts) < 0 or not (stopped or tree.is_leaf[node]):
        return None
    return _one([float(tree.prediction[node, k, each]) for k, each in enumerate(draft.predicts)])


def _spread(tree: Tree, nodes: Sequence[tuple[int, bool]], criterion: str) -> float | None:
    if len(nodes) > 1 or nodes[0][1]:
        return None
    impurity = float(tree.impurity[nodes[0][0]])
    return float(np.sqrt(max(impurity, 0.0))) if criterion in SQUARED else impurity
