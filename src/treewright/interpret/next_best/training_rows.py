"""The training rows of a model: which of them are in each node, and that they are those of the fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...learn.classic_rules import count_rows_of_weight_zero
from ...tree.invariants import STOPS
from ...tree.walks import climb, sum_below

if TYPE_CHECKING:
    from ...data.target import Target
    from ...learn.problem import Problem
    from ...tree.tree import Tree

GIVE = "Give all training rows, with their weights."


def training_rows(model: Any, problem: Problem, X: Any, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """The rows of every node: node i has the entries begin[i]:begin[i + 1] of rows and shares.

    Other rows or another target than those of the fit are rejected: their gains would say nothing beside
    those of the tree. `weights` are those of `fit_weights`; a row of weight 0 is in no node.
    """
    tree: Tree = model.tree_
    _must_have_classes_of(model, problem.target)
    to_more = bool((model.growth_rules or {}).get("missing_to_more"))
    if to_more:
        plain = np.ones(len(weights)) if problem.weights is None else problem.weights
        tree = _as_in_the_fit(tree, X, np.where(weights > 0, plain, 0.0))
    begin, row, share = _rows_of_nodes(tree, X, weights)
    found = np.diff(begin)
    if problem.zero_weight is not None:
        grown = replace(tree, n_node_samples=found)
        grown = count_rows_of_weight_zero(grown, np.empty(0, dtype=np.int64), 0, to_more)
        found = found + _counts(grown, X, problem.zero_weight)
    _check_rows(tree, found)
    plain = share if problem.weights is None else share * problem.weights[row]  # costs are not in shares
    _check_target(tree, problem, np.repeat(np.arange(tree.node_count), np.diff(begin)), row, plain)
    return begin, row, share


def fit_weights(model: Any, problem: Problem) -> Floats:
    """What every row weighs in the fit; those that pruning held out weigh nothing."""
    target = problem.target
    weights = np.ones(len(target.y)) if problem.weights is None else problem.weights
    weights = weights if target.growth_weight is None else weights * target.growth_weight[target.y[:, 0]]
    grown = (getattr(model, "pruning_", None) or {}).get("grow_rows")
    if grown is None:
        return weights
    alone = np.where(np.isin(np.arange(len(weights)), grown), weights, 0.0)
    counted = np.count_nonzero(alone) == model.tree_.n_node_samples[0]  # a program may count all again
    return alone if counted else weights


def _rows_of_nodes(tree: Tree, X: Any, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """The rows of every node, ascending, with the share of it that is there; those without weight are out."""
    ends = tree.leaves_reached(X)
    steps = [(at, ends.row[going], ends.share[going]) for going, at in climb(tree.parent, ends.node)]
    node, row, share = (np.concatenate(part) for part in zip(*steps, strict=True))
    counts = weights[row] > 0
    order = np.flatnonzero(counts)[np.lexsort((row[counts], node[counts]))]
    node, row, share = node[order], row[order], share[order]
    first = np.flatnonzero(np.diff(node, prepend=-1) | np.diff(row, prepend=-1))  # one row, many ends below
    begin = np.searchsorted(node[first], np.arange(tree.node_count + 1))
    return begin, row[first], np.add.reduceat(share, first) if len(first) else share


def _counts(tree: Tree, X: Any, rows: Ints) -> Ints:
    """How many of these rows pass each node."""
    return sum_below(tree, np.bincount(tree.apply(X)[rows], minlength=tree.node_count))


def _as_in_the_fit(tree: Tree, X: Any, weights: Floats) -> Tree:
    """A tree that at predict sends missing values to the child of more rows, with the paths of its fit.

    There they went to the heavier child, or stopped: what a child weighs tells which.
    """
    tree = replace(tree, missing_child=np.where(tree.is_leaf, tree.missing_child, STOPS))
    for depth in range(tree.max_depth):
        nodes = np.flatnonzero((tree.depth == depth) & ~tree.is_leaf)
        lacking = tree.weighted_n_node_samples - _passing(tree, X, weights)
        first, least = tree.first_child[nodes], 1e-9 * tree.weighted_n_node_samples[nodes]
        child = np.where(lacking[first] > least, 0, np.where(lacking[first + 1] > least, 1, STOPS))
        missing_child = tree.missing_child.copy()
        missing_child[nodes] = child
        tree = replace(tree, missing_child=missing_child)
    return tree


def _passing(tree: Tree, X: Any, weights: Floats) -> Floats:
    """What the rows weigh that pass each node."""
    return sum_below(tree, np.bincount(tree.apply(X), weights, tree.node_count))


def _must_have_classes_of(model: Any, target: Any) -> None:
    if not target.classes:
        return
    known = [model.classes_] if model.n_outputs_ == 1 else model.classes_
    if [part.tolist() for part in target.classes] != [np.asarray(part).tolist() for part in known]:
        raise ValueError(
            "y must be the target of the training rows, with all classes of the model. "
            f"Got the classes {[part.tolist() for part in target.classes]!r:.100}."
        )


def _check_rows(tree: Tree, found: Ints) -> None:
    """Other rows than those of the fit would give other gains, beside which the tree's say nothing."""
    inner = np.flatnonzero(~tree.is_leaf)
    wrong = inner[found[inner] != tree.n_node_samples[inner]]
    if len(wrong):
        node = int(wrong[0])
        raise ValueError(
            f"X and y must be the training rows of the model. Got {found[node]:,} rows in node {node}, where "
            f"the tree counted {tree.n_node_samples[node]:,}. {GIVE}"
        )


def _check_target(tree: Tree, problem: Problem, node: Ints, row: Ints, weight: Floats) -> None:
    """The weights of all rows and what the tree knows of the target in each node must be those of the fit."""
    total = np.bincount(node, weight, tree.node_count)
    if not np.isclose(total[0], tree.weighted_n_node_samples[0], rtol=1e-6):
        raise ValueError(
            f"sample_weight must be that of the fit. Got a total weight of {total[0]:.6g}, where the tree "
            f"counted {tree.weighted_n_node_samples[0]:.6g}. {GIVE} A fit with an exposure cannot "
            "be repeated."
        )
    filled = np.maximum(total, np.finfo(np.float64).tiny)
    absolute = problem.params["criterion"] == "absolute_error"
    parts = _absolute(tree, node, problem.target.y[row]) if absolute else _means(tree, row, problem.target)
    for what, of_row, known in parts:
        mean = np.bincount(node, weight * of_row, tree.node_count) / filled
        if len(tree.lower) and not absolute:
            mean = np.clip(mean, tree.lower, tree.upper)
        off = (total > 0) & ~np.isclose(mean, known, rtol=1e-9, atol=1e-6 * np.ptp(of_row))
        if len(tree.lower) and absolute:  # at a bound the prediction is not the median
            off &= (tree.lower < tree.value[:, 0, 0]) & (tree.value[:, 0, 0] < tree.upper)
        if off.any():
            at = int(off.argmax())
            raise ValueError(
                f"X and y must be the training rows of the model. Got {what} of {mean[at]:.6g} in node {at}, "
                f"where the tree counted {known[at]:.6g}. {GIVE}"
            )


def _means(tree: Tree, row: Ints, target: Target) -> Iterator[tuple[str, Array, Floats]]:
    """What a tree knows in words, of every row that is there, and of every node as the mean of these."""
    for k, y in enumerate(target.y.T):
        if not target.classes:
            yield "a mean", y[row], tree.value[:, k, 0]
        names = target.classes[k].tolist() if target.classes else []
        for c in range(1, len(names)):  # the shares sum to 1
            yield f"a share of {names[c]!r}", np.asarray(y[row] == c, dtype=np.float64), tree.value[:, k, c]


def _absolute(tree: Tree, node: Ints, y: Array) -> Iterator[tuple[str, Array, Floats]]:
    """The same of a tree of medians: their distance is the impurity."""
    yield "an impurity", np.abs(y - tree.value[node, :, 0]).mean(axis=1), tree.impurity
