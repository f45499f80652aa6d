"""Shapley values of linear leaves, in closed form.

Given which columns S are known, a tree with linear leaves predicts the sum over its leaves of

    p(S) * (constant + sum over terms j of coefficient_j * u_j(S)),

where p is a product over the columns of the path: 1 or 0 for a known column (whether the row goes that way),
the leaf's share of training weight for an unknown one. u_j is x_j - centre_j if the column of term j is
known, else 0: the average of the leaf. Every summand is a product of one factor per column, o_k if it is
known and z_k if not, and the Shapley value of column k in such a product is the integral over t in 0..1 of

    (o_k - z_k) * product over the other columns l of (t o_l + (1 - t) z_l),

a polynomial that Gauss and Legendre's rule integrates exactly. With background rows, z_k is what the
background row itself has, and the results are averaged.
"""

from __future__ import annotations

import numpy as np

from ... import _core
from ...data.common.array_types import Floats
from ...tree.leaf_models import IS_MISSING, NUMBER
from ...tree.tree import Tree
from .combined import children_of


def linear_shapley(
    tree: Tree, columns: _core.Columns, cover: Floats, background: _core.Columns | None
) -> tuple[Floats, Floats]:
    """Values (rows, columns, scores) and base (scores) of scores before they are limited to a range."""
    models = tree.leaf_models
    assert models is not None
    used = tree.used
    rows = {column: columns.numbers(column) for column in used}
    usual = None if background is None else {column: background.numbers(column) for column in used}
    found = np.zeros((columns.n_rows, tree.n_features, models.n_scores))
    base = np.zeros(models.n_scores)
    n_usual = 1 if background is None else background.n_rows
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        steps = _steps(tree, leaf)
        known = _along(tree, steps, rows)
        for place in range(n_usual):
            other = None if usual is None else {c: x[place : place + 1] for c, x in usual.items()}
            unknown = _covers(steps, cover) if other is None else _along(tree, steps, other)
            constant = models.constant[leaf]
            _add(found, base, known, unknown, np.asarray(constant))
            for term in models.terms(leaf):
                j = term.feature
                own = _value(term.level, term.centre, rows[j])
                off = np.zeros(1) if other is None else _value(term.level, term.centre, other[j])
                one = known.get(j, np.ones(columns.n_rows)) * own
                zero = unknown.get(j, np.ones(1)) * off
                _add(found, base, known | {j: one}, unknown | {j: zero}, term.coefficient)
    return found / n_usual, base / n_usual


def _add(
    found: Floats, base: Floats, known: dict[int, Floats], unknown: dict[int, Floats], value: Floats
) -> None:
    """Add the Shapley values of one product of factors."""
    places = sorted(known)
    nothing = np.prod([unknown[c] for c in places], axis=0) if places else np.ones(1)
    base += value * float(np.asarray(nothing).reshape(-1)[0])
    if not places:
        return
    points, weights = np.polynomial.legendre.leggauss(len(places) // 2 + 1)
    one = np.stack([known[c] for c in places])  # (columns, rows)
    zero = np.stack([np.broadcast_to(unknown[c], one.shape[1:]) for c in places])
    total = np.zeros_like(one)
    for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factor = t * one + (1 - t) * zero
        before = np.cumprod(np.concatenate([np.ones_like(factor[:1]), factor[:-1]]), axis=0)
        after = np.cumprod(np.concatenate([np.ones_like(factor[:1]), factor[:0:-1]]), axis=0)[::-1]
        total += weight * before * after
    total *= one - zero
    for k, column in enumerate(places):
        found[:, column] += total[k][:, None] * value


def _steps(tree: Tree, leaf: int) -> dict[int, list[tuple[int, int]]]:
    """By column, the nodes on the path to a leaf and the child that is taken at each."""
    found: dict[int, list[tuple[int, int]]] = {}
    node = leaf
    while node:
        above = int(tree.parent[node])
        found.setdefault(int(tree.feature[above]), []).append((above, node))
        node = above
    return found


def _covers(steps: dict[int, list[tuple[int, int]]], cover: Floats) -> dict[int, Floats]:
    return {column: np.prod([[cover[child]] for _, child in each], axis=0) for column, each in steps.items()}


def _along(tree: Tree, steps: dict[int, list[tuple[int, int]]], rows: dict[int, Floats]) -> dict[int, Floats]:
    """By column, 1 for the rows that take all its tests on the path, else 0."""
    found = {}
    for column, each in steps.items():
        x = rows[column]
        taken = np.ones(len(x))
        for node, child in each:
            taken *= children_of(tree, node, x) == child
        found[column] = taken
    return found


def _value(level: int, centre: float, x: Floats) -> Floats:
    """What a term is worth before its coefficient, less its centre."""
    if level == NUMBER:
        return np.where(np.isnan(x), 0.0, x - centre)
    return (np.isnan(x) if level == IS_MISSING else x == level) - centre
