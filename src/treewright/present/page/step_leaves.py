"""From what the page evaluates a pruned tree: the leaves at every step, and the held-out rows there.

A tree that predicts held-out rows (the model, or the trees of the folds) has a node as its leaf from one step
of the pruning sequence to another. The weight of each class there is all that a confusion matrix, a ROC curve
and a calibration plot need. Rows that stop at a node which is not a leaf yet are an entry of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significants
from ...tree.walks import class_weights, sum_below
from .held_out import HeldOutPredictions
from .step_predictions import StepTree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_NUMBERS = 120_000  # in all entries: about 600 kB
MOST_PAIRS = 2000  # of a predicted and an actual number
DIGITS = 7


def leaves_by_step(found: HeldOutPredictions, trees: list[StepTree]) -> dict[str, Any] | None:
    """For classes: lists with one entry per leaf, and of the classes one per leaf and class."""
    if found.label is None:
        return None
    size, parts = found.shares.shape[2], []
    weighted = bool((found.weight != 1.0).any())
    for part, spans in trees:
        tree, here = part.tree, np.searchsorted(found.rows, part.rows)[part.reached.row]
        code, weight = found.y[here, 0].astype(np.int64), found.weight[here]
        own, squares = (class_weights(tree, part.reached.node, code, w) for w in (weight, weight**2))
        label = np.where(tree.predicts_nothing, -1, tree.label[:, 0])
        shares = tree.prediction[:, 0, :size]
        below = (sum_below(tree, own), sum_below(tree, squares))
        stops, until = np.flatnonzero(~tree.is_leaf), np.minimum(spans.begin, spans.end)
        parts.append((spans.begin, spans.end, label, shares, *below))
        parts.append(
            (0 * until[stops], until[stops], label[stops], shares[stops], own[stops], squares[stops])
        )
    begin, end, label, shares, weight, squares = (np.concatenate(each) for each in zip(*parts, strict=True))
    kept = (begin < end) & (weight.sum(axis=1) > 0)
    if kept.sum() * (3 + (3 if weighted else 2) * size) > MOST_NUMBERS:
        return None
    return {
        "begin": begin[kept].tolist(),
        "end": end[kept].tolist(),
        "label": label[kept].tolist(),
        "probability": significants(shares[kept].ravel(), DIGITS),
        "weight": _short(weight[kept]),
        "squares": _short(squares[kept]) if weighted else None,
    }


def _short(weight: Floats) -> list[Any]:
    whole = np.array_equal(weight, np.rint(weight))
    return weight.ravel().astype(np.int64).tolist() if whole else significants(weight.ravel(), DIGITS)


def drawn_pairs(found: HeldOutPredictions) -> Ints:
    """The held-out rows of which the page has the actual and the predicted number."""
    rows = np.arange(len(found.rows))
    if len(rows) > MOST_PAIRS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST_PAIRS, replace=False))
    return rows


def pairs_by_step(found: HeldOutPredictions, trees: list[StepTree]) -> dict[str, Any] | None:
    """For numbers: the leaf of every pair before pruning, and of each leaf what predicts after it is cut.

    `above` is the entry that follows when an entry ends, -1 where none does.
    """
    if found.label is not None:
        return None
    entries: list[tuple[int, int, float, int]] = []
    drawn = drawn_pairs(found)
    at = np.full(len(found.rows), -1)
    for part, spans in trees:
        tree, here = part.tree, np.searchsorted(found.rows, part.rows)
        entry, above = np.full(tree.node_count, -1), np.full(tree.node_count, -1)
        for node in range(tree.node_count):  # parents come before their children
            if node:
                parent = int(tree.parent[node])
                above[node] = entry[parent] if entry[parent] >= 0 else above[parent]
            if spans.begin[node] < spans.end[node]:
                entry[node] = len(entries)
                span = (int(spans.begin[node]), int(spans.end[node]))
                entries.append((*span, float(tree.prediction[node, 0, 0]), int(above[node])))
        own = entry.copy()
        for node in np.unique(
            part.reached.node[~tree.is_leaf[part.reached.node]]
        ).tolist():  # rows stop there
            next_ = int(entry[node] if entry[node] >= 0 else above[node])
            own[node] = len(entries)
            until = int(min(spans.begin[node], spans.end[node]))
            entries.append((0, until, float(tree.prediction[node, 0, 0]), next_))
        at[here[part.reached.row]] = own[part.reached.node]
    if 4 * len(entries) > MOST_NUMBERS:
        return None
    begin, end, prediction, above_ = zip(*entries, strict=True)
    lists = {"begin": list(begin), "end": list(end), "above": list(above_)}
    return lists | {"prediction": significants(prediction), "at": at[drawn].tolist()}
