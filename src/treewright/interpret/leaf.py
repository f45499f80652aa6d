"""Where a row ends: how many training rows did, the prediction, its confidence interval, and the rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..learn.params import ALIASES
from ..tree.condition_text import condition_text, printed_text
from ..tree.paths import PathConditions, path_to
from .described_model import DescribedModel

CONFIDENCE = 0.95
NO_ROWS = "The tree counts no training rows here, so there is no confidence interval."
OPTIMISTIC = "from the training rows, for which the leaf was chosen: optimistic, and too narrow"
NO_SPREAD = {
    "absolute_error": "The tree stores the median, so there is no confidence interval of the mean.",
    "poisson": "The tree stores no variance, so there is no confidence interval of the mean.",
}


@dataclass(frozen=True)
class LeafReached:
    """One node where a row ends."""

    node: int
    share: float  # of the row that ends here
    is_leaf: bool  # False: an inner node, where a missing value stops the row
    rows: int | None  # training rows; None where the tree counts none
    of: int | None  # all training rows
    support: float | None  # the proportion of all weight
    predicted: tuple[float, ...]  # the probability of every class, or one number
    counted: tuple[float, ...]  # the same before smoothing
    spread: float | None  # the standard deviation of the target, where it is known
    low: float | None  # the interval around the estimate: the probability of a class, or the mean
    high: float | None
    no_interval: str  # why there is none
    path: PathConditions
    model: DescribedModel

    @property
    def is_smoothed(self) -> bool:
        """Whether the prediction differs from what was counted."""
        return self.predicted != self.counted

    @property
    def rule(self) -> tuple[str, ...]:
        """What a row must meet to end here, one condition per column."""
        return self.rule_text()

    def rule_text(self, most: int | None = None) -> tuple[str, ...]:
        """The same; with `most` for a reader, of more levels only the first are named."""
        text_of = condition_text if most is None else printed_text
        return tuple(text_of(each, self.model.words, most) for each in self.path.conditions)


def leaf_of(model: DescribedModel, node: int, share: float, about: int, output: int) -> LeafReached:
    """The facts of a node, with the interval of the class in question."""
    tree, many = model.tree, int(model.tree.n_classes[output])
    counts = model.words.counts_rows
    rows, weight = int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[0])
    value = tree.value[node, output, :many]
    low, high, why = _interval(model, node, float(tree.prediction[node, output, about]))
    return LeafReached(
        node=node,
        share=share,
        is_leaf=bool(tree.is_leaf[node]),
        rows=rows if counts else None,
        of=int(tree.n_node_samples[0]) if counts else None,
        support=float(tree.weighted_n_node_samples[node]) / weight if weight > 0 else None,
        predicted=tuple(tree.prediction[node, output, :many].tolist()),
        counted=tuple(value.tolist()),
        spread=_spread(model, node),
        low=low,
        high=high,
        no_interval=why,
        path=path_to(tree, node).tidy(),
        model=model,
    )


def _criterion(model: DescribedModel) -> str:
    return ALIASES.get(model.words.criterion, model.words.criterion)


def _spread(model: DescribedModel, node: int) -> float | None:
    """The standard deviation of one output; a tree made by hand may have no impurities."""
    tree = model.tree
    known = tree.n_outputs == 1 and (tree.impurity.any() or np.ptp(tree.value) == 0)
    if model.labels is not None or _criterion(model) != "squared_error" or not known:
        return None
    return float(np.sqrt(max(float(tree.impurity[node]), 0.0)))


def _interval(model: DescribedModel, node: int, value: float) -> tuple[float | None, float | None, str]:
    """Jeffreys' interval around a probability, Student's around a mean, of as many rows as the node has."""
    from ..evaluate.intervals import estimate_interval, mean_interval  # scipy is slow to load

    rows = int(model.tree.n_node_samples[node])
    if model.tree.leaf_models is not None:
        return None, None, "The leaf predicts by an equation, so it has no confidence interval of a mean."
    if not rows:
        return None, None, NO_ROWS
    if model.labels is not None:
        found = estimate_interval(value, rows, CONFIDENCE)
        return float(found.low), float(found.high), ""
    spread = _spread(model, node)
    if spread is None:
        unknown = "The variance is not known here, so there is no confidence interval."
        return None, None, NO_SPREAD.get(_criterion(model), unknown)
    if rows < 2:
        return None, None, "One training row has no spread, so there is no confidence interval."
    found = mean_interval(value, spread**2, rows, CONFIDENCE)
    return float(found.low), float(found.high), ""


def to_json(value: Any) -> Any:
    """A value that JSON can hold; a number that is not finite is None."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
