"""Count the nodes of a tree anew, from rows sent down its tests; the tests stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Floats, Mask
from ...data.priors import cost_factors
from ...tree.tree import Tree
from ...tree.walks import climb, sum_children
from ..impurities import impurity
from ..params import ALIASES
from .rows import Rows
from .tallies import Arrivals, Tallies, arrivals, tallies


def refit(tree: Tree, rows: Rows, only: Mask | None = None) -> Tree:
    """The tree with rows, weights, values and impurities of these rows, in all nodes or `only` in some.

    Where missing values are shared out, so are the shares. A node that no row reaches has no impurity and its
    parent's value.
    """
    at = arrivals(tree, rows.columns, rows.weight, rows.growth_factor, rows.n_threads)
    return _counted(tree, rows, at, np.zeros(tree.node_count), only)


def backfitted(tree: Tree, rows: Rows) -> Tree:
    """The tree with these rows counted in addition to those that it has; shares stay."""
    at = arrivals(tree, rows.columns, rows.weight, n_threads=rows.n_threads)
    return _counted(tree, rows, at, tree.weighted_n_node_samples, None)


class _Nodes(NamedTuple):
    """What is known of every node after counting."""

    weight: Floats
    value: Floats
    impurity: Floats


def _counted(tree: Tree, rows: Rows, at: Arrivals, before: Floats, only: Mask | None) -> Tree:
    criterion = ALIASES.get(rows.criterion_for(tree), rows.criterion_for(tree))
    seen = tallies(tree, at, rows.y)
    weight = before + seen.weight
    if tree.classes is None:
        value, phi = _numbers(tree, rows, at, before, criterion)
    else:
        value, phi = _classes(tree, rows, seen, before)
    impure = np.divide(phi, weight, out=np.zeros_like(phi), where=weight > 0)
    nodes = _Nodes(weight, _inherited(tree, value, weight > 0, rows.empty), impure)
    n = seen.n + np.where(before > 0, tree.n_node_samples, 0)
    return _replaced(tree, nodes, n, at.share, np.ones(tree.node_count, dtype=bool) if only is None else only)


def _replaced(tree: Tree, nodes: _Nodes, n: Array, share: Floats, only: Mask) -> Tree:
    kept: dict[str, Any] = {
        "n_node_samples": np.where(only, n, tree.n_node_samples),
        "weighted_n_node_samples": np.where(only, nodes.weight, tree.weighted_n_node_samples),
        "impurity": np.where(only, nodes.impurity, tree.impurity),
        "value": np.where(only[:, None, None], nodes.value, tree.value),
        "estimate": [],  # it was made of what has now changed
        "pooled": [],
    }
    mass = kept["weighted_n_node_samples"] * kept["impurity"]
    gain = np.maximum(mass - sum_children(tree, mass), 0.0)
    kept["gain"] = np.where(only & ~tree.is_leaf, gain, tree.gain)
    if len(tree.share):
        kept["share"] = np.where(only[np.maximum(tree.parent, 0)], share, tree.share)
        kept["share"][0] = 1.0
    return replace(tree, **kept)


def _inherited(tree: Tree, value: Floats, some: Mask, empty: str) -> Floats:
    """Values in which a node without rows predicts as its parent does; so the root.

    One that predicts a class has the class that its parent had when it was grown, as "kept" has its value.
    """
    if not some[0]:
        return tree.value
    if empty in {"kept", "class"}:
        return np.where(some[:, None, None], value, tree.value)
    found = value.copy()
    for node in np.flatnonzero(~some):  # a parent comes before its children
        found[node] = found[tree.parent[node]]
    if empty == "nothing" and tree.classes is not None:
        found[~some] = 0.0
    return found


def _classes(tree: Tree, rows: Rows, seen: Tallies, before: Floats) -> tuple[Floats, Floats]:
    """Shares of the classes, and weight times impurity."""
    counts = seen.sums + before[:, None, None] * tree.value
    total = counts.sum(axis=2, keepdims=True)
    value = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if tree.shares_rows:  # the last bits of a sum of shares must not decide between equal classes
        value = np.round(value * 2.0**40) / 2.0**40
    criterion = rows.criterion_for(tree)
    name = "entropy" if criterion == "gain_ratio" else ALIASES.get(criterion, criterion)
    costs = rows.growth_costs
    if costs is not None:  # a tree with costs is grown with the weights of the classes changed
        counts = counts * cost_factors(costs, counts[0, 0])
    each = [np.atleast_1d(impurity(counts[:, k, :size], name)) for k, size in enumerate(tree.n_classes)]
    return value, np.asarray(np.mean(each, axis=0) * counts[:, 0].sum(axis=1))


def _numbers(tree: Tree, rows: Rows, at: Arrivals, before: Floats, criterion: str) -> tuple[Floats, Floats]:
    """Means or medians, and weight times impurity: what was there before moves to the new middle."""
    seen = tallies(tree, at, rows.y)
    total = (before + seen.weight)[:, None]
    if criterion == "absolute_error":
        if before.any():
            raise ValueError(
                "backfit needs means. Got criterion='absolute_error', whose medians cannot be added to. "
                "Set backfit=False."
            )
        middle = _medians(tree, rows, at)
    else:
        sums = seen.sums[:, :, 0] + before[:, None] * tree.value[:, :, 0]
        middle = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    phi = before * (tree.impurity + _apart(tree.value[:, :, 0], middle, criterion))
    for going, node in climb(tree.parent, at.node):
        each = at.weight[going] * _apart(rows.y[at.row[going]], middle[node], criterion)
        phi = phi + np.bincount(node, weights=each, minlength=tree.node_count)
    return middle[:, :, None], np.maximum(phi, 0.0)


def _apart(y: Floats, middle: Floats, criterion: str) -> Floats:
    """How far numbers lie from the middle of a node, as the criterion measures; the mean over outputs."""
    if criterion == "poisson":
        ratio = np.divide(y, middle, out=np.ones_like(y), where=(y > 0) & (middle > 0))
        return np.asarray((y * np.log(ratio)).mean(axis=1))
    apart = np.abs(y - middle)
    return np.asarray((apart if criterion == "absolute_error" else apart**2).mean(axis=1))


def _medians(tree: Tree, rows: Rows, at: Arrivals) -> Floats:
    """The middle of the lower and the upper weighted median of every node and output; 0 without rows."""
    steps = [(at.row[going], node, at.weight[going]) for going, node in climb(tree.parent, at.node)]
    row, node, weight = (np.concatenate(part) for part in zip(*steps, strict=True))
    there = weight > 0
    row, node, weight = row[there], node[there], weight[there]
    found = np.zeros((tree.node_count, tree.n_outputs))
    for k in range(tree.n_outputs):
        y = rows.y[row, k]
        order = np.lexsort((y, node))
        begin = np.searchsorted(node[order], np.arange(tree.node_count + 1))
        for t in np.flatnonzero(np.diff(begin)):
            here = order[begin[t] : begin[t + 1]]
            below = np.cumsum(weight[here])
            lower, upper = (np.searchsorted(below, below[-1] / 2, side) for side in ("left", "right"))
            found[t, k] = (y[here[lower]] + y[here[min(upper, len(here) - 1)]]) / 2
    return found
