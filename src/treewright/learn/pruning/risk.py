"""The risk of every node: what it would cost to stop there, in units of weight.

The risk of a tree is the sum over its leaves, and over the rows that stop at inner nodes for want of a value.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import STOPS, Tree
from ...tree.walks import sum_children


def node_risk(tree: Tree, loss: str = "impurity") -> Floats:
    """The risk of every node if it were a leaf: its weight times the loss of a row there.

    "impurity" is the one that the tree was grown with, which for numbers is their squared or absolute error;
    "error" the share of rows that are not of the node's class; "cost" what the node's class costs on average;
    "poisson" half the Poisson deviance of what the node predicts.
    """
    if loss not in RISKS:
        known = ", ".join(map(repr, RISKS))
        raise ValueError(f"risk must be one of {known}. Got {loss!r}.")
    if loss == "impurity" and tree.node_count > 1 and not tree.impurity.any():
        raise ValueError(
            "risk='impurity' needs the impurity of every node. Got a tree that has none, as one written by "
            "hand. Use risk='error'."
        )
    return np.asarray(tree.weighted_n_node_samples * RISKS[loss](tree))


def stopped_risk(tree: Tree, loss: str = "impurity") -> Floats:
    """The risk of the rows that stop at every inner node; 0 for leaves, and where no row stops.

    Their classes are what the node has and its children have not. Of impurity they have the node's.
    """
    weight = stopped_weight(tree)
    if loss in {"impurity", "poisson"} or not weight.any():
        return np.asarray(weight * (tree.impurity if loss != "poisson" else _poisson(tree)))
    counts = _stopped(tree, tree.value * tree.weighted_n_node_samples[:, None, None])
    return np.asarray(wrong(tree, counts) if loss == "error" else costly(tree, counts))


def stopped_weight(tree: Tree) -> Floats:
    """The weight of the rows that stop at every inner node."""
    return _stopped(tree, tree.weighted_n_node_samples)


def must_have_classes(tree: Tree, what: str) -> None:
    """Reject a tree that predicts numbers."""
    if tree.max_n_classes == 1 and tree.classes is None:
        raise ValueError(
            f"{what} needs a tree for classes. Got one for numbers. Use cost_complexity, reduced_error or "
            "leaf_budget."
        )


def wrong(tree: Tree, counts: Floats) -> Floats:
    """The weight that each node's class does not have, of `counts` per node, output and class."""
    right = np.take_along_axis(counts, tree.label[:, :, None], axis=2)[:, :, 0]
    return np.asarray((counts.sum(axis=2) - right).mean(axis=1))


def costly(tree: Tree, counts: Floats) -> Floats:
    """What each node's class costs, for `counts` per node, output and class."""
    if tree.costs is None:
        raise ValueError(
            "'cost' needs a tree with costs. Got one without. Fit with costs=..., or use 'error'."
        )
    return np.asarray((counts[:, 0] * tree.costs.T[tree.label[:, 0]]).sum(axis=1))


def _error(tree: Tree) -> Floats:
    must_have_classes(tree, "risk 'error'")
    return wrong(tree, tree.value)


def _cost(tree: Tree) -> Floats:
    must_have_classes(tree, "risk 'cost'")
    return costly(tree, tree.value)


def _poisson(tree: Tree) -> Floats:
    """Half the Poisson deviance: around the mean f the impurity, and f ln(f / r) - (f - r) more around r."""
    if tree.max_n_classes > 1 or tree.classes is not None or (tree.value < 0).any():
        raise ValueError("risk 'poisson' needs a tree for counts. Got another. Use 'impurity' or 'error'.")
    mean, rate = tree.value[:, :, 0], tree.prediction[:, :, 0]
    ratio = np.divide(mean, rate, out=np.ones_like(mean), where=(mean > 0) & (rate > 0))
    return np.asarray(tree.impurity + (mean * np.log(ratio) - (mean - rate)).mean(axis=1))


def _stopped(tree: Tree, amounts: Floats) -> Floats:
    """What of these amounts no child has, where rows may stop; rounding errors are nothing."""
    stops = (tree.missing_child == STOPS) & ~tree.is_leaf
    if not stops.any():
        return np.zeros_like(amounts)
    rest = amounts - sum_children(tree, amounts)
    some = rest > 1e-9 * amounts.max(initial=0.0)
    return np.asarray(np.where(some & stops.reshape(-1, *[1] * (amounts.ndim - 1)), rest, 0.0))


RISKS: dict[str, Callable[[Tree], Floats]] = {
    "impurity": lambda tree: tree.impurity,
    "error": _error,
    "cost": _cost,
    "poisson": _poisson,
}
