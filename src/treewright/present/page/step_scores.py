"""The scores of every tree of the pruning sequence, on the same held-out rows as those of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significant
from ...evaluate.metrics import BETTER, Baseline, Predictions
from ...learn.cross_validation.row_losses import Spans
from ...tree.tree import Tree
from .held_out import HeldOutRows
from .subject import Subject

Ints = NDArray[np.int64]

MOST_PREDICTIONS = 4e6  # rows times steps: about five seconds


def step_scores(subject: Subject, parts: list[tuple[HeldOutRows, Spans]], size: int) -> dict[str, Any] | None:
    """Per step a list of scores, each a value and the ends of its interval; None where that takes too long.

    `parts` has for each tree of the held-out predictions the steps in which its nodes are leaves.
    """
    found, tree = subject.held_out, subject.tree
    if found is None or tree.n_outputs > 1 or tree.shares_rows or len(found.rows) * size > MOST_PREDICTIONS:
        return None
    base = (
        Baseline(tree.prediction[0, 0])
        if subject.is_classification
        else Baseline(mean=float(tree.prediction[0, 0, 0]))
    )
    places = [np.searchsorted(found.rows, part.rows) for part, _ in parts]
    listed, metrics = [], []
    for step in range(size):
        values = np.zeros((len(found.rows), found.shares.shape[2]))
        label = np.zeros(len(found.rows), dtype=np.int64)
        for (part, spans), place in zip(parts, places, strict=True):
            node = leaf_at(part.tree, spans, step)[part.reached.node]
            values[place[part.reached.row]] = part.tree.prediction[node, 0]
            if found.label is not None:
                nothing = part.tree.predicts_nothing[node]
                label[place[part.reached.row]] = np.where(nothing, -1, part.tree.label[node, 0])
        if found.label is None:
            predicted = Predictions(found.y[:, 0], values[:, 0], None, found.weight)
        else:
            how = (found.weight, subject.ranked, subject.saved.costs_and_prevalence)
            predicted = Predictions(found.y[:, 0], label, values, *how)
        scores = predicted.scores(base)
        metrics = [
            {"metric": each.metric, "better": "higher" if BETTER[each.metric] > 0 else "lower"}
            | {"baseline": significant(each.baseline, 8)}
            for each in scores
        ]
        listed.append(
            [[significant(part, 6) for part in (each.value, each.low, each.high)] for each in scores]
        )
    return {"metrics": metrics, "values": listed, "on": found.words}


def leaf_at(tree: Tree, spans: Spans, step: int) -> Ints:
    """For every node the node that predicts its rows at a step: the first leaf on the path to it."""
    is_leaf = spans.begin <= step
    found = np.arange(tree.node_count)
    for node in range(1, int(tree.max_depth) + 1):
        here = np.flatnonzero(tree.depth == node)
        above = found[tree.parent[here]]
        found[here] = np.where(is_leaf[above], above, here)
    return found
