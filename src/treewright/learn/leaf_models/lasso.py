"""Lasso from Gram matrices: coordinate descent for all nodes and folds at once."""

from __future__ import annotations

import numpy as np

from ...data.common.array_types import Floats
from ...tree.tree import Tree
from .ridge import Penalty

STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
SWEEPS = 300


def lasso(grams: Floats, tree: Tree | None, penalty: Penalty, m: int) -> Floats:  # noqa: ARG001
    """The minimisers of |y - Z b|^2 / (2 n) + alpha |b|_1; the intercept is free.

    With q = Z'y - Z'Z b, coordinate j moves to soft(q_j + G_jj b_j, alpha n) / G_jj.
    """
    design, moment = grams[..., :-m, :-m], grams[..., :-m, -m:]
    size, n = design.shape[-1], grams[..., :1, :1]  # the first column is 1: its square sums to the weight
    found, rest = np.zeros_like(moment), moment.copy()
    diagonal = np.einsum("...jj->...j", design)[..., None]
    safe = np.where(diagonal > 0, diagonal, 1.0)
    mask = np.ones(size, dtype=bool) if penalty.allowed is None else penalty.allowed
    wide = mask if mask.ndim == 1 else mask.reshape(len(mask), *(1,) * (grams.ndim - 3), size)
    least = 1e-10 * np.sqrt(np.maximum(np.abs(grams[..., -m:, -m:]).max(), 1e-300))
    for _ in range(SWEEPS):
        moved = 0.0
        for j in range(size):
            old = found[..., j : j + 1, :]
            full = rest[..., j : j + 1, :] + diagonal[..., j : j + 1, :] * old
            limit = 0.0 if j == 0 else penalty.alpha * n
            new = np.sign(full) * np.maximum(np.abs(full) - limit, 0) / safe[..., j : j + 1, :]
            new = np.where((diagonal[..., j : j + 1, :] > 0) & wide[..., j, None, None], new, 0.0)
            step = new - old
            rest -= design[..., :, j : j + 1] * step
            found[..., j : j + 1, :] = new
            moved = max(moved, float(np.abs(step).max(initial=0.0)))
        if moved <= least:
            break
    return found
