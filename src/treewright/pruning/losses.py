"""What rows would cost at every node on their way: the loss of a tree on data that it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tree import Tree
from .rows import Rows
from .tallies import ends
from .walks import climb, sum_below

Floats = NDArray[np.float64]


class Losses(NamedTuple):
    """Per node: the loss of all rows that pass it, as if it were a leaf; of those that end there; weights."""

    leaf: Floats
    ended: Floats
    weight: Floats

    def branch(self, tree: Tree) -> Floats:
        """The loss of the branch below every node as it stands."""
        return sum_below(tree, self.ended)


def losses(tree: Tree, rows: Rows, loss: str | None = None) -> Losses:
    """The loss of rows at every node: each is judged by all nodes on its way, with its share of weight.

    `loss` is "error", "cost", "squared" or "absolute"; None is "cost" if the tree has costs, else "error" for
    classes and "squared" for numbers.
    """
    judge = LOSSES[_known(tree, loss)]
    at = ends(tree, rows.columns, rows.weight)
    leaf, ended = np.zeros(tree.node_count), np.zeros(tree.node_count)
    for step, (going, node) in enumerate(climb(tree, at.node)):
        each = at.weight[going] * judge(tree, node, rows.y[at.row[going]])
        found = np.bincount(node, each, tree.node_count)
        leaf += found
        ended += found if step == 0 else 0.0
    weight = np.bincount(at.node, weights=at.weight, minlength=tree.node_count)
    return Losses(leaf, ended, sum_below(tree, weight))


def _known(tree: Tree, loss: str | None) -> str:
    classes = tree.classes is not None
    if loss is None:
        return "squared" if not classes else "error" if tree.costs is None else "cost"
    allowed = ("error", "cost") if classes else ("squared", "absolute")
    if loss not in allowed:
        kind = "classes" if classes else "numbers"
        raise ValueError(f"loss must be one of {allowed} for a tree of {kind}. Got {loss!r}.")
    if loss == "cost" and tree.costs is None:
        raise ValueError(
            "'cost' needs a tree with costs. Got one without. Fit with costs=..., or use 'error'."
        )
    return loss


def _error(tree: Tree, node: NDArray[Any], y: NDArray[Any]) -> Floats:
    return np.asarray((tree.label[node] != y).mean(axis=1))


def _cost(tree: Tree, node: NDArray[Any], y: NDArray[Any]) -> Floats:
    assert tree.costs is not None
    return np.asarray(tree.costs[y[:, 0], tree.label[node, 0]])


def _squared(tree: Tree, node: NDArray[Any], y: NDArray[Any]) -> Floats:
    return np.asarray(((tree.value[node, :, 0] - y) ** 2).mean(axis=1))


def _absolute(tree: Tree, node: NDArray[Any], y: NDArray[Any]) -> Floats:
    return np.asarray(np.abs(tree.value[node, :, 0] - y).mean(axis=1))


LOSSES: dict[str, Callable[[Tree, NDArray[Any], NDArray[Any]], Floats]] = {
    "error": _error,
    "cost": _cost,
    "squared": _squared,
    "absolute": _absolute,
}
