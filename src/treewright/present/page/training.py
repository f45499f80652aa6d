"""The loss of each pruned tree on the training rows, from what the tree stores of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...learn.cross_validation.loss_sums import Judges
from ...learn.cross_validation.row_ends import Spans
from ...learn.losses import CLASS_LOSSES, class_table
from ...tree.tree import Tree
from ...tree.walks import sum_children
from .subject import Subject

Floats = NDArray[np.float64]

# The criteria whose impurity is the mean loss of a node that predicts its own value.
SPREADS = {"squared": {"squared_error", "friedman_mse", "mse"}, "absolute": {"absolute_error", "mae"}}


def training_losses(subject: Subject, loss: str, spans: Spans, size: int) -> Floats:
    """The mean loss at every step; NaN where neither the tree nor rows can tell."""
    given, tree = subject.given, subject.tree
    if given is not None and given.y is not None and given.origin.made_the_tree:
        rows = Judges(tree, given.ends, given.codes, given.weights)
        return rows.sums(tree, spans, loss, size).mean()
    lost = None if _sums_differ(subject) else node_losses(tree, loss, subject.words.criterion)
    weight = tree.weighted_n_node_samples
    if lost is None or not weight[0] > 0:
        return np.full(size, np.nan)
    return _along(tree, spans, lost, size) / float(weight[0])


def _sums_differ(subject: Subject) -> bool:
    """Whether sums over leaves are no loss of rows as they are.

    A row that is shared out is answered by the mean of its leaves, and class weights or priors make rows
    weigh what they do not weigh when they judge.
    """
    params = subject.saved.params
    weighed = any(params.get(name) is not None for name in ("class_weight", "priors"))
    return weighed or subject.tree.shares_rows


def node_losses(tree: Tree, loss: str, criterion: str) -> Floats | None:
    """The summed loss of every node's rows if the node answers them; None where the tree does not know."""
    weight = tree.weighted_n_node_samples
    if loss in CLASS_LOSSES:
        table = class_table(loss, tree.prediction, tree.label, tree.costs)
        real = np.arange(tree.max_n_classes) < tree.n_classes[:, None]
        return np.asarray(weight * (tree.value * np.where(real, table, 0.0)).sum(axis=2).mean(axis=1))
    if criterion not in SPREADS[loss] or not (tree.impurity.any() or np.ptp(tree.value) == 0):
        return None
    moved = (tree.prediction - tree.value)[:, :, 0]
    if loss == "absolute" and moved.any():
        return None
    return np.asarray(weight * (tree.impurity + (moved**2).mean(axis=1)))


def _along(tree: Tree, spans: Spans, lost: Floats, size: int) -> Floats:
    """Add up what nodes lose while they are leaves, and before that what those rows lose that stop there."""
    change = np.zeros(size + 1)
    there = spans.begin < spans.end
    np.add.at(change, spans.begin[there], lost[there])
    np.subtract.at(change, spans.end[there], lost[there])
    stops = ~tree.is_leaf & (tree.missing_child == -1)
    if stops.any():
        _add_stopped(tree, spans, lost, stops, change)
    return np.cumsum(change)[:size]


def _add_stopped(tree: Tree, spans: Spans, lost: Floats, stops: Any, change: Floats) -> None:
    """Rows that stop at an inner node: its own rows but those of its children, at its mean loss."""
    weight = tree.weighted_n_node_samples
    own = np.maximum(weight - sum_children(tree, weight), 0.0)
    each = np.divide(lost, weight, out=np.zeros_like(lost), where=weight > 0) * own
    until = np.minimum(spans.begin, spans.end)
    change[0] += each[stops].sum()
    np.subtract.at(change, until[stops], each[stops])
