"""Minimum-error pruning (Cestnik & Bratko 1991): the error to expect with a prior worth m rows in every node.

A class with weight n_c of n in a node and the prior p_c is expected with probability (n_c + p_c m) / (n + m).
From the leaves up, a node is cut if it is expected to err no more than its branch. A greater m prunes more.
"""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree
from .bottom_up import cut_if_no_worse
from .rebuild import Pruned, rebuild
from .risk import costly, must_have_classes, stopped_weight, wrong

PRIORS = ("root", "uniform")


def minimum_error(tree: Tree, *, m: float = 2.0, prior: str = "root") -> Pruned:
    """Prune by the m-estimate of error, or of cost if the tree has costs.

    The prior is the share of each class in the root, or the same for all; uniform with m as the number of
    classes is the error by Laplace's rule (Niblett & Bratko 1986).
    """
    must_have_classes(tree, "Minimum-error pruning")
    if prior not in PRIORS:
        raise ValueError(f"prior must be one of {PRIORS}. Got {prior!r}.")
    rate, weight = _rate(tree, m, prior), tree.weighted_n_node_samples
    expected = weight * rate
    ended = np.where(tree.is_leaf, expected, stopped_weight(tree) * rate)
    decision, total, _ = cut_if_no_worse(tree, expected, ended, 1e-12 * max(float(expected[0]), 0.0))
    return Pruned(rebuild(tree, decision), decision, {"expected": total / max(float(weight[0]), 1e-300)})


def _rate(tree: Tree, m: float, prior: str) -> Floats:
    """The error, or the cost, to expect of a row in every node."""
    known = np.arange(tree.max_n_classes) < tree.n_classes[:, None]
    prior_of = tree.value[:1] if prior == "root" else (known / tree.n_classes[:, None])[None]
    n = tree.weighted_n_node_samples[:, None, None]
    smooth = (n * tree.value + m * prior_of) / np.where(n + m > 0, n + m, 1.0)
    return wrong(tree, smooth) if tree.costs is None else costly(tree, smooth)
