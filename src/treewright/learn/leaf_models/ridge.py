"""Least squares from Gram matrices, shrunk towards the node above, with cross-validation from sums alone.

The coefficients of a node minimise |y - Z b|^2 + alpha |b - b_above|^2 over its rows, where the columns of Z
are standardised and b_above are those of the node above it (0 for the root, whose intercept is free). A node
with few rows then predicts much as the node above, one with many rows as its own least squares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from .grow import Node, breadth_first

STRENGTHS = (1e-6, 0.1, 1.0, 4.0, 16.0, 64.0, 256.0)
# What a split must gain on held-out rows, in squared errors of a row: it was the best of many, so its gain in
# cross-validation, whose folds all share the split, is too good.
CHARGE = 24.0
# Of few rows the least loss is chance: the largest penalty whose loss is nearly as low is taken.
FEW_ROWS, NEARLY = 200, 0.05


class Penalty(NamedTuple):
    """How much coefficients are shrunk, and which ones each node may have (None: all)."""

    alpha: float
    allowed: Mask | None = None  # (nodes, design columns)

    def ridge(self, size: int) -> Floats:
        """A penalty per column; that of the intercept is at most that of one row."""
        found = np.full(size, self.alpha)
        found[0] = min(self.alpha, 1.0)
        return found


Solver = Callable[[Floats, list[Node], Penalty, int], Floats]


def fold_grams(values: Floats, weight: Floats, fold: Ints, n_folds: int, nodes: list[Node]) -> Floats:
    """The Gram matrix of every node and fold: (nodes, folds, columns, columns). Leaves are summed upwards."""
    size = values.shape[1]
    grams = np.zeros((len(nodes), n_folds, size, size))
    codes = fold.astype(np.uint8)
    for number in range(len(nodes) - 1, -1, -1):  # children come after their parents
        rows = nodes[number].rows
        grams[number] = (
            grams[nodes[number].children].sum(axis=0)
            if nodes[number].children
            else _core.bin_grams(values[rows], weight[rows], codes[rows], n_folds)
        )
    return grams


def levels(nodes: list[Node]) -> list[tuple[Ints, Ints]]:
    """For each level of the tree, its nodes and their parents."""
    found, above = [], [0]
    while above:
        pairs = [(child, node) for node in above for child in nodes[node].children]
        if pairs:
            found.append((np.array([c for c, _ in pairs]), np.array([p for _, p in pairs])))
        above = [c for c, _ in pairs]
    return found


def shrunk(grams: Floats, nodes: list[Node], penalty: Penalty, m: int) -> Floats:
    """The coefficients of every node from its Gram matrices (nodes, ..., columns, columns)."""
    size = grams.shape[-1] - m
    found = np.zeros((*grams.shape[:-2], size, m))
    ridge = penalty.ridge(size)
    free = ridge.copy()
    free[0] = 0.0  # the intercept of the root
    mask = np.ones((len(nodes), size), dtype=bool) if penalty.allowed is None else penalty.allowed
    found[0] = _solve(grams[0], np.zeros_like(found[0]), free, mask[0])
    for node, parent in levels(nodes):
        found[node] = _solve(grams[node], found[parent], ridge, mask[node])
    return found


def _solve(gram: Floats, above: Floats, ridge: Floats, mask: Mask) -> Floats:
    m = above.shape[-1]
    design, moment = gram[..., :-m, :-m], gram[..., :-m, -m:]
    jitter = 1e-13 * np.trace(design, axis1=-2, axis2=-1)[..., None, None] + 1e-300
    left, right = design + np.diag(ridge) + jitter * np.eye(len(ridge)), moment - design @ above
    start = above
    if not mask.all():
        wide = mask.reshape(*mask.shape[:-1], *(1,) * (gram.ndim - mask.ndim - 1), mask.shape[-1])
        start = above * wide[..., None]
        right = (moment - design @ start) * wide[..., None]
        left = np.where(wide[..., None] & wide[..., None, :], left, 0.0)
        left = left + np.eye(len(ridge)) * ~wide[..., None]
    return np.asarray(start + np.linalg.solve(left, right))


def ill_conditioned(grams: Floats, nodes: list[Node], cut: set[int], penalty: Penalty, m: int) -> bool:
    """Whether normal equations lose more than half of the digits at some node that stays."""
    kept = breadth_first(nodes, cut)
    design = grams[kept][:, :-m, :-m] + np.diag(penalty.ridge(grams.shape[-1] - m))
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
    cut: set[int]  # the nodes that become leaves
    tried: list[dict[str, float]]


def choose(
    grams: Floats, nodes: list[Node], solver: Solver, penalties: list[Penalty], n_rows: int, m: int
) -> Chosen:
    """The penalty and the pruning of least cross-validated loss, from the Gram matrices of the folds."""
    train = grams.sum(axis=1, keepdims=True) - grams
    found: list[tuple[float, Penalty, set[int]]] = []
    tried, floor = [], 1e-8 * float(np.trace(grams[0].sum(axis=0)[-m:, -m:]))  # of the targets: rounding
    for penalty in penalties:
        risk = squared_error(grams, solver(train, nodes, penalty, m)).sum(axis=1)
        noise = max(pruned(nodes, risk, 0.0)[1], floor) / n_rows
        cut, total = pruned(nodes, risk, CHARGE * noise)
        tried.append({"alpha": penalty.alpha, "loss": total / n_rows})
        found.append((total, penalty, cut))
    most = min(total for total, _, _ in found) * (1 + (NEARLY if n_rows < FEW_ROWS else 0.0))
    _, penalty, cut = max((each for each in found if each[0] <= most), key=lambda each: each[1].alpha)
    return Chosen(penalty, cut, tried)


def pruned(nodes: list[Node], risk: Floats, charge: float) -> tuple[set[int], float]:
    """The nodes that become leaves so that the risk, with a charge per split, is least; and that risk."""
    best, cut = risk.copy(), set()
    for number in range(len(nodes) - 1, -1, -1):
        children = nodes[number].children
        if children:
            below = best[children].sum() + charge
            if risk[number] <= below:
                cut.add(number)
            else:
                best[number] = below
    return cut, float(best[0])
