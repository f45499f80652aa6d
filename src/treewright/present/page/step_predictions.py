"""What every tree of the pruning sequence predicts for the held-out rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...learn.cross_validation.row_losses import Spans
from ...tree.tree import Tree
from .held_out import HeldOutPredictions, HeldOutRows

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
    for step in range(size):
        values = np.zeros((len(found.rows), found.shares.shape[2]))
        label = np.zeros(len(found.rows), dtype=np.int64)
        for (part, spans), place in zip(trees, places, strict=True):
            node = leaf_at(part.tree, spans, step)[part.reached.node]
            values[place[part.reached.row]] = part.tree.prediction[node, 0]
            if found.label is not None:
                nothing = part.tree.predicts_nothing[node]
                label[place[part.reached.row]] = np.where(nothing, -1, part.tree.label[node, 0])
        labels = None if found.label is None else label[:, None]
        yield replace(found, shares=values[:, None, :], label=labels)


def leaf_at(tree: Tree, spans: Spans, step: int) -> Ints:
    """For every node the node that predicts its rows at a step: the first leaf on the path to it."""
    is_leaf = spans.begin <= step
    found = np.arange(tree.node_count)
    for node in range(1, int(tree.max_depth) + 1):
        here = np.flatnonzero(tree.depth == node)
        above = found[tree.parent[here]]
        found[here] = np.where(is_leaf[above], above, here)
    return found
