"""What every tree of the pruning sequence predicts for the held-out rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...learn.cross_validation.row_losses import Spans
from ...tree.node_predictions import predictions_at
from ...tree.tree import Tree, cheapest
from .held_out import HeldOutPredictions, HeldOutRows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class StepTree(NamedTuple):
    """A tree that predicts held-out rows, with the steps in which its nodes are leaves."""

    part: HeldOutRows
    spans: Spans


def predictions_by_step(
    found: HeldOutPredictions, trees: list[StepTree], size: int
) -> Iterator[HeldOutPredictions]:
    """The predictions at every step, from the first; for one output and rows that end in one leaf each."""
    places = [np.searchsorted(found.rows, part.rows) for part, _ in trees]
    last = [np.full(len(part.reached.node), -1) for part, _ in trees]
    values = np.zeros((len(found.rows), found.shares.shape[2]))
    label = np.zeros(len(found.rows), dtype=np.int64)
    for step in range(size):
        for number, ((part, spans), place) in enumerate(zip(trees, places, strict=True)):
            node = leaf_at(part.tree, spans, step)[part.reached.node]
            new = np.flatnonzero(node != last[number])  # the others are predicted as before
            row, node, last[number] = part.reached.row[new], node[new], node
            shares = predictions_at(part.tree, part.columns, row, node)
            values[place[row]] = shares[:, 0]
            if found.label is not None:
                label[place[row]] = _labels(part.tree, node, shares)
        labels = None if found.label is None else label[:, None].copy()
        yield replace(found, shares=values[:, None, :].copy(), label=labels)


def _labels(tree: Tree, node: Ints, shares: Floats) -> Ints:
    """The class that each of these nodes predicts for its row, as `Tree.labels` decides; -1 for none."""
    if tree.leaf_models is not None:
        return np.asarray(cheapest(np.round(shares * 2.0**40) / 2.0**40, tree.costs)[:, 0])
    return np.where(tree.predicts_nothing[node], -1, tree.label[node, 0])


def leaf_at(tree: Tree, spans: Spans, step: int) -> Ints:
    """For every node the node that predicts its rows at a step: the first leaf on the path to it."""
    is_leaf = spans.begin <= step
    found = np.arange(tree.node_count)
    for node in range(1, int(tree.max_depth) + 1):
        here = np.flatnonzero(tree.depth == node)
        above = found[tree.parent[here]]
        found[here] = np.where(is_leaf[above], above, here)
    return found
