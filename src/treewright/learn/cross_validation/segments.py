"""Rows that share one prediction: all that a ranking, a calibration or a decision needs to know of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...tree.tree import Tree
from ...tree.walks import class_weights
from ..pruning import prune
from .pruning_curve import FoldTrees, OnGrid


@dataclass(frozen=True, eq=False)
class Segments:
    """Rows that share one prediction: its class probabilities, and how much of each class is there."""

    score: Floats  # (segments, classes): the probabilities; no two rows are equal
    weight: Floats  # (segments, classes): the weight of the rows of each true class
    squares: Floats  # (segments, classes): the same of their squared weights
    source: str  # "training", "held out" or "out of fold"
    classes: Array  # the labels, in the order of the columns

    def __repr__(self) -> str:
        total = f"{self.weight.sum():,.6g}"
        return f"<Segments: {len(self.score)} predictions for rows of weight {total}, {self.source}>"


def joined(parts: Iterable[tuple[Floats, Floats, Floats]], source: str, classes: Array) -> Segments:
    """Segments of scores, weights and squared weights, of which equal scores become one."""
    score, weight, squares = (np.concatenate(part) for part in zip(*parts, strict=True))
    there = weight.sum(axis=1) > 0
    order = np.lexsort(score[there].T[::-1])
    in_order = score[there][order]
    begins = np.append(True, (in_order[1:] != in_order[:-1]).any(axis=1))[: len(order)]
    which = np.empty(len(order), dtype=np.int64)
    which[order] = np.cumsum(begins) - 1
    distinct = in_order[begins]
    sums = [np.zeros_like(distinct), np.zeros_like(distinct)]
    for total, part in zip(sums, (weight, squares), strict=True):
        np.add.at(total, which, part[there])
    return Segments(distinct, sums[0], sums[1], source, classes)


def by_rows(tree: Tree, columns: Any, y: Ints, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """What a tree predicts for rows, and their weights by class: per node where its rows are predicted alike.

    Rows that end at several nodes, or at leaves with a model, each have a prediction of their own.
    """
    size = tree.max_n_classes
    if tree.shares_rows or tree.leaf_models is not None:
        score = tree.predict(columns).reshape(len(y), size)
        one_hot = np.eye(size)[y] * weight[:, None]
        return score, one_hot, one_hot * weight[:, None]
    total, squares = (class_weights(tree, tree.apply(columns), y, w) for w in (weight, weight**2))
    return tree.prediction[:, 0], total, squares


def out_of_fold(fold_trees: FoldTrees, trees: list[Tree], on: OnGrid, place: int) -> Segments:
    """What the trees of the folds, pruned as at one place of the grid, predict for their held-out rows.

    Rows count as much as they weigh themselves: what `class_weight` and `priors` made of that is undone, and
    one that is held out several times counts once.
    """
    classes = fold_trees.classes
    parts, factor, times = [], fold_trees.class_factors, fold_trees.times
    everything = zip(fold_trees.evaluation_rows, trees, on.spans, fold_trees.rows(), strict=True)
    for rows_of_tree, tree, spans, rows in [*everything][1:]:
        if tree.shares_rows:
            pruned, columns = prune(tree, float(on.grid[place])), fold_trees.problem.columns
            score = pruned.predict(columns.of_rows(rows)).reshape(len(rows), -1)
            one_hot = np.eye(score.shape[1])[rows_of_tree.y[:, 0]] * rows_of_tree.weight[:, None]
            parts.append(
                (score, one_hot / factor / times, one_hot * rows_of_tree.weight[:, None] / factor**2 / times)
            )
            continue
        passes, stops = rows_of_tree.by_class
        now = (spans.begin <= place) & (place < spans.end)
        stopped = ~tree.is_leaf & (place < np.minimum(spans.begin, spans.end))
        here = np.flatnonzero(now | stopped)
        weight, squares = np.where(now[here, None], passes[:, here], stops[:, here])
        parts.append((tree.prediction[here, 0], weight / factor / times, squares / factor**2 / times))
    return joined(parts, "out of fold", classes)
