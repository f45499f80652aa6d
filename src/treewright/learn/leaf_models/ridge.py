"""Least squares from Gram matrices, shrunk towards the node above, with cross-validation from sums alone.

The coefficients of a node minimise |y - Z b|^2 + alpha |b - b_above|^2 over its rows, where the columns of Z
are standardised and b_above are those of the node above it (0 for the root, whose intercept is free). A node
with few rows then predicts much as the node above, one with many rows as its own least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from ...data.common.threads import map_in_threads
from ...tree.tree import Tree
from .prepare import Grown, Prepared

STRENGTHS = (1e-6, 0.1, 1.0, 4.0, 16.0, 64.0, 256.0)
# What a split must gain on held-out rows, in squared errors of a row: it was the best of many, so its gain in
# cross-validation, whose folds all share the split, is too good.
CHARGE = 16.0
# Of few rows the least loss is chance: the largest penalty whose loss is nearly as low is taken.
FEW_ROWS, NEARLY = 200, 0.02
WORTH_THREADS = 100_000  # numbers of Gram matrices


class Penalty(NamedTuple):
    """How much coefficients are shrunk, and which ones each node may have (None: all)."""

    alpha: float
    allowed: Mask | None = None  # (nodes, design columns)

    def ridge(self, size: int) -> Floats:
        """A penalty per column; that of the intercept is at most that of one row."""
        found = np.full(size, self.alpha)
        found[0] = min(self.alpha, 1.0)
        return found


Solver = Callable[[Floats, Tree, Penalty, int], Floats]


class Sums(NamedTuple):
    """Of every node: Gram matrices by fold, and the least and the greatest of the targets."""

    grams: Floats  # (nodes, folds, columns, columns)
    least: Floats  # (nodes, targets)
    most: Floats


def sums_of_nodes(grown: Grown, prepared: Prepared, fold: Ints, m: int, n_threads: int) -> Sums:
    """One pass over the rows; the leaves are summed upwards."""
    tree, leaf = grown
    codes, n_folds = fold.astype(np.uint8), int(fold.max()) + 1
    values, weight = prepared.terms.values, prepared.weight
    found = _core.leaf_sums(values, weight, leaf, codes, m, tree.node_count, n_folds, n_threads)
    grams, least, most = found
    for node in range(tree.node_count - 1, 0, -1):  # children come after their parents
        above = tree.parent[node]
        grams[above] += grams[node]
        np.minimum(least[above], least[node], out=least[above])
        np.maximum(most[above], most[node], out=most[above])
    return Sums(*found)


def levels(tree: Tree) -> Iterator[Ints]:
    """The nodes of each level below the root."""
    begin = np.searchsorted(tree.depth, np.arange(1, tree.max_depth + 2))
    for level in range(tree.max_depth):
        yield np.arange(begin[level], begin[level + 1])


def shrunk(grams: Floats, tree: Tree, penalty: Penalty, m: int) -> Floats:
    """The coefficients of every node from its Gram matrices (nodes, ..., columns, columns)."""
    size = grams.shape[-1] - m
    found = np.zeros((*grams.shape[:-2], size, m))
    ridge = penalty.ridge(size)
    free = ridge.copy()
    free[0] = 0.0  # the intercept of the root
    mask = np.ones((len(grams), size), dtype=bool) if penalty.allowed is None else penalty.allowed
    found[0] = solve(grams[0], np.zeros_like(found[0]), free, mask[0])
    for node in levels(tree):
        found[node] = solve(grams[node], found[tree.parent[node]], ridge, mask[node])
    return found


def solve(gram: Floats, above: Floats, ridge: Floats, mask: Mask) -> Floats:
    """The coefficients of the allowed columns, shrunk towards those above."""
    size, m = above.shape[-2:]
    allowed = None
    if not mask.all():
        wide = mask.reshape(*mask.shape[:-1], *(1,) * (gram.ndim - mask.ndim - 1), size)
        allowed = np.broadcast_to(wide, above.shape[:-1]).reshape(-1, size).astype(np.uint8)
    grams, start = gram.reshape(-1, size + m, size + m), above.reshape(-1, size, m)
    found = _core.ridge_solutions(np.ascontiguousarray(grams), np.ascontiguousarray(start), ridge, allowed)
    return found.reshape(above.shape)


def ill_conditioned(grams: Floats, penalty: Penalty, m: int) -> bool:
    """Whether normal equations lose more than half of the digits at some of these nodes."""
    design = grams[:, :-m, :-m] + np.diag(penalty.ridge(grams.shape[-1] - m))
    size = np.sqrt(np.einsum("njj->nj", design))
    size[size == 0] = 1.0
    lengths = np.linalg.eigvalsh(design / size[:, :, None] / size[:, None, :])
    return bool((lengths[:, 0] < 1e-6 * lengths[:, -1]).any())


def squared_error(gram: Floats, coefficients: Floats) -> Floats:
    """The squared error of these coefficients on the rows of a Gram matrix, summed over the targets."""
    m = coefficients.shape[-1]
    moment = gram[..., :-m, -m:]
    targets = np.trace(gram[..., -m:, -m:], axis1=-2, axis2=-1)
    fitted = gram[..., :-m, :-m] @ coefficients
    return np.asarray(targets + (coefficients * (fitted - 2 * moment)).sum(axis=(-2, -1)))


class Chosen(NamedTuple):
    """What cross-validation chose."""

    penalty: Penalty
    cut: Mask  # the nodes that become leaves
    risk: Floats  # of every node, on held-out rows
    charge: float  # per split
    tried: list[dict[str, float]]


def choose(
    divisions: list[Floats], tree: Tree, solver: Solver, penalties: list[Penalty], m: int, n_threads: int = 1
) -> Chosen:
    """The penalty and the pruning of least cross-validated loss, from the Gram matrices of the folds.

    Of several divisions into folds, the loss is their mean.
    """
    whole = divisions[0][0].sum(axis=0)
    n_rows = float(whole[0, 0])  # the first column is 1
    train = [grams.sum(axis=1, keepdims=True) - grams for grams in divisions]
    floor = 1e-8 * float(np.trace(whole[-m:, -m:]))  # of the targets: rounding

    def risk_of(penalty: Penalty) -> Floats:
        losses = [
            squared_error(grams, solver(rest, tree, penalty, m)).sum(axis=1)
            for grams, rest in zip(divisions, train, strict=True)
        ]
        return np.asarray(np.mean(losses, axis=0))

    found: list[tuple[float, Chosen]] = []
    tried: list[dict[str, float]] = []
    worth_it = train[0].size > WORTH_THREADS  # the core solves without the lock of Python
    risks = map_in_threads(risk_of, penalties, n_threads if worth_it else 1)
    for penalty, risk in zip(penalties, risks, strict=True):
        noise = max(pruned(tree, risk, 0.0)[1], floor) / n_rows
        cut, total = pruned(tree, risk, CHARGE * noise)
        tried.append({"alpha": penalty.alpha, "loss": total / n_rows})
        found.append((total, Chosen(penalty, cut, risk, CHARGE * noise, tried)))
    most = min(total for total, _ in found) * (1 + (NEARLY if n_rows < FEW_ROWS else 0.0))
    return max((each for total, each in found if total <= most), key=lambda each: each.penalty.alpha)


def pruned(tree: Tree, risk: Floats, charge: float) -> tuple[Mask, float]:
    """The nodes that become leaves so that the risk, with a charge per split, is least; and that risk."""
    best, below = risk.tolist(), [charge] * tree.node_count
    leaf, parent, cut = tree.is_leaf.tolist(), tree.parent.tolist(), np.zeros(tree.node_count, dtype=bool)
    for node in range(tree.node_count - 1, -1, -1):
        if not leaf[node]:
            cut[node] = best[node] <= below[node]
            best[node] = min(best[node], below[node])
        if node:
            below[parent[node]] += best[node]
    return cut, best[0]


def kept(tree: Tree, cut: Mask) -> Ints:
    """The nodes that stay where these become leaves."""
    gone = tree.over_ancestors(np.logical_or, cut)[np.maximum(tree.parent, 0)]
    gone[0] = False
    return np.flatnonzero(~gone)
