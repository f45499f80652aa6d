"""Where a row ends: how many training rows did, what they answer, how sure that is, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..learn.params import ALIASES
from .rules.paths import ends_of
from .rules.text import clause_text
from .subject import Subject

LEVEL = 0.95
NO_ROWS = "The tree counts no rows here, so there is no interval."
OPTIMISTIC = "by the training rows, by which the leaf was chosen: too good, and too narrow"
NO_SPREAD = {
    "absolute_error": "The tree remembers the median, so there is no interval of the mean.",
    "poisson": "The tree remembers no variance, so there is no interval of the mean.",
}


@dataclass(frozen=True)
class Leaf:
    """One node where a row ends."""

    node: int
    share: float  # of the row that ends here
    is_leaf: bool  # False: an inner node, where a missing value stops the row
    rows: int | None  # of the training table; None where the tree counts none
    of: int | None  # all rows of it
    support: float | None  # the share of all weight
    predicted: tuple[float, ...]  # the probability of every class, or one number
    counted: tuple[float, ...]  # the same before smoothing
    spread: float | None  # the standard deviation of the numbers, where it is known
    low: float | None  # the interval of the share of the class that is told of, or of the mean
    high: float | None
    no_interval: str  # why there is none
    rule: tuple[str, ...]  # what a row must meet to end here, one condition per column

    @property
    def is_smoothed(self) -> bool:
        """Whether it predicts something else than it counted."""
        return self.predicted != self.counted


def leaf_of(subject: Subject, node: int, share: float, about: int, output: int) -> Leaf:
    """The facts of a node, with the interval of the class that is told of."""
    tree, many = subject.tree, int(subject.tree.n_classes[output])
    counts = subject.words.counts_rows
    rows, weight = int(tree.n_node_samples[node]), float(tree.weighted_n_node_samples[0])
    value = tree.value[node, output, :many]
    low, high, why = _interval(subject, node, float(value[about]))
    return Leaf(
        node=node,
        share=share,
        is_leaf=bool(tree.is_leaf[node]),
        rows=rows if counts else None,
        of=int(tree.n_node_samples[0]) if counts else None,
        support=float(tree.weighted_n_node_samples[node]) / weight if weight > 0 else None,
        predicted=tuple(tree.prediction[node, output, :many].tolist()),
        counted=tuple(value.tolist()),
        spread=_spread(subject, node),
        low=low,
        high=high,
        no_interval=why,
        rule=rule_to(subject, node),
    )


def _criterion(subject: Subject) -> str:
    return ALIASES.get(subject.criterion, subject.criterion)


def _spread(subject: Subject, node: int) -> float | None:
    """The standard deviation of one output; a tree made by hand may have no impurities."""
    tree = subject.tree
    known = tree.n_outputs == 1 and (tree.impurity.any() or np.ptp(tree.value) == 0)
    if subject.labels is not None or _criterion(subject) != "squared_error" or not known:
        return None
    return float(np.sqrt(max(float(tree.impurity[node]), 0.0)))


def _interval(subject: Subject, node: int, value: float) -> tuple[float | None, float | None, str]:
    """Jeffreys' interval of a share, Student's of a mean, by the rows that the tree counted."""
    from ..evaluate.intervals import mean_interval, share_interval  # scipy is slow to load

    rows = int(subject.tree.n_node_samples[node])
    if not rows:
        return None, None, NO_ROWS
    if subject.labels is not None:
        share = min(max(value, 0.0), 1.0)
        found = share_interval(share * rows, rows, LEVEL)
        return float(found.low), float(found.high), ""
    spread = _spread(subject, node)
    if spread is None:
        why = NO_SPREAD.get(_criterion(subject), "The tree does not tell the variance here: no interval.")
        return None, None, why
    if rows < 2:
        return None, None, "One training row has no spread, so there is no interval."
    found = mean_interval(value, spread**2, rows, LEVEL)
    return float(found.low), float(found.high), ""


def rule_to(subject: Subject, node: int) -> tuple[str, ...]:
    """The conditions on the way to a node, those of one column made one.

    Everything beside the way is cut off first, so that a large tree costs no more than its depth.
    """
    tree = subject.tree
    way = np.zeros(tree.node_count, dtype=bool)
    at = node
    while at >= 0:
        way[at] = True
        at = int(tree.parent[at])
    kept = np.concatenate([[True], way[tree.parent[1:]]])
    small, number = tree.collapse(~way & ~tree.is_leaf), int(np.count_nonzero(kept[:node]))
    for end in ends_of(small, small.is_leaf):
        if end.node == number and end.stopped == bool(tree.n_children[node]):
            return tuple(clause_text(clause, subject.words) for clause in end.way.tidy().clauses)
    return ()


def plain(value: Any) -> Any:
    """A value that JSON can hold; what is no number is None."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
