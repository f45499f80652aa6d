"""Smoothed estimates: what a node of n rows says is mixed with what is known without these rows.

With f the shares of the classes in a node (or its mean), n its weight and K the number of classes,

- laplace: (n f + k) / (n + k K), as if every class had been seen k times more;
- even: (n f + m / K) / (n + m), as if m more rows had come, of each class as many;
- m_estimate: (n f + m f_root) / (n + m), as if m more rows had come with the shares of the root;
- events: as m_estimate, with as many rows as bring this number of events at the rate of the root: of numbers
  m = events / f_root, of classes m = events (rpart's shrunken rates);
- pooled: as m_estimate, with the rows of the parent for a leaf that has none; a row that ends at several
  leaves is smoothed once, by their mean n and f (C5.0);
- hierarchical: f_root + the sum over the path down of (f_child - f_parent) / (1 + strength / n_parent), so
  that a step away from a small node counts little;
- branch: from the root down (b f + m g) / (b + m), with g the estimate of the node above and b the rows of
  its branches, as the analysis of variance counts them: (n - the sum of n_branch² / n) / (branches - 1), so
  that a split into few rows and all others says little of both.

k, all m, the events and the other one are `strength`. Every estimate depends on the node, its ancestors and
their branches alone, so pruning leaves those of the other nodes as they are. With "laplace_shares" (laplace)
and "pooled" only probabilities are smoothed: the class is decided on f.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..data.common.array_types import Floats
from ..tree.tree import Tree
from ..tree.walks import rows_behind, sum_above, sum_children


def smoothed(tree: Tree, method: str | None, strength: float) -> Tree:
    """The tree with these estimates in place of its values; without a method, with its values again."""
    if method is None:
        return tree.with_estimate(np.empty(0))
    chosen = METHODS[method]
    return tree.with_estimate(chosen.estimate(tree, strength), chosen.mark(strength))


def _weights(tree: Tree) -> Floats:
    return tree.weighted_n_node_samples[:, None, None]


def _mixed(tree: Tree, prior: Floats, amount: Floats | float, n: Floats | None = None) -> Floats:
    """(n f + amount prior) / (n + amount); f itself where nothing weighs anything."""
    n = _weights(tree) if n is None else n
    total = np.broadcast_to(n + amount, tree.value.shape)
    return np.divide(n * tree.value + amount * prior, total, out=tree.value.copy(), where=total > 0)


def _uniform(tree: Tree) -> tuple[Floats, Floats]:
    """Equal shares of the classes of each output, and their number."""
    sizes = tree.n_classes[None, :, None].astype(np.float64)
    return np.where(np.arange(tree.max_n_classes) < sizes, 1.0 / sizes, 0.0), sizes


def _laplace(tree: Tree, k: float) -> Floats:
    uniform, sizes = _uniform(tree)
    return _mixed(tree, uniform, k * sizes)


def _even(tree: Tree, m: float) -> Floats:
    return _mixed(tree, _uniform(tree)[0], m)


def _m_estimate(tree: Tree, m: float) -> Floats:
    return _mixed(tree, tree.value[:1], m)


def _events(tree: Tree, events: float) -> Floats:
    rate = tree.value[:1].sum(axis=2, keepdims=True)  # of classes 1
    m = np.divide(events, rate, out=np.zeros_like(rate), where=rate > 0)
    return _mixed(tree, tree.value[:1], m)


def _pooled(tree: Tree, m: float) -> Floats:
    return _mixed(tree, tree.value[:1], m, rows_behind(tree)[:, None, None])


def _hierarchical(tree: Tree, strength: float) -> Floats:
    n = _weights(tree)
    weight = np.divide(n, n + strength, out=np.ones_like(n), where=n + strength > 0)
    above = tree.parent[1:]
    steps = np.zeros_like(tree.value)
    steps[1:] = (tree.value[1:] - tree.value[above]) * weight[above]
    return _within(tree, tree.value[:1] + sum_above(tree, steps))


def _branch(tree: Tree, m: float) -> Floats:
    up = np.maximum(tree.parent, 0)
    b = _branch_rows(tree)[up][:, None, None]
    rest = np.divide(m, b + m, out=np.zeros_like(b), where=b + m > 0)  # the share of the estimate above
    return _within(tree, tree.value + sum_above(tree, rest * (tree.value[up] - tree.value), rest))


def _within(tree: Tree, found: Floats) -> Floats:
    return np.clip(found, 0.0, 1.0) if tree.classes is not None else np.asarray(found)  # if rounded


def _branch_rows(tree: Tree) -> Floats:
    """(n - the sum of n_branch² / n) / (branches - 1): of equal branches the rows of one; 0 at leaves."""
    n = tree.weighted_n_node_samples
    branches = sum_children(tree, np.ones_like(n))
    squares = np.divide(sum_children(tree, n * n), n, out=np.zeros_like(n), where=n > 0)
    found = np.divide(n - squares, branches - 1.0, out=np.zeros_like(n), where=branches > 1)
    return np.asarray(found)


class Smoothing(NamedTuple):
    """A smoothing method: its estimates, its usual strength, and the strengths that "cv" tries."""

    estimate: Callable[[Tree, float], Floats]
    usual: float | str
    tried: tuple[float, ...]
    for_classes: bool = False
    shares_only: bool = False  # the class is decided on what was counted
    pools: bool = False  # rows in several leaves are smoothed once

    def mark(self, strength: float) -> tuple[float, ...]:
        """The array `pooled` of the tree."""
        return (strength if self.pools else 0.0,) if self.shares_only else ()


METHODS = {
    "laplace": Smoothing(_laplace, 1.0, (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0), for_classes=True),
    "laplace_shares": Smoothing(_laplace, 1.0, (0.5, 1.0, 2.0, 4.0), for_classes=True, shares_only=True),
    "even": Smoothing(_even, 1.0, (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), for_classes=True),
    "m_estimate": Smoothing(_m_estimate, 2.0, (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)),
    "events": Smoothing(_events, 1.0, (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
    "pooled": Smoothing(_pooled, 1.0, (0.5, 1.0, 2.0, 5.0), for_classes=True, shares_only=True, pools=True),
    "hierarchical": Smoothing(_hierarchical, "cv", (1.0, 3.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0)),
    "branch": Smoothing(_branch, "cv", (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)),
}
