"""Fit a tree with linear leaves: grow, choose penalty and size by cross-validation, build the tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ..problem import Problem
from .build import Fitted, as_tree
from .grow import GrowthLimits, Modeller, Node, grow, send_down
from .lasso import STRENGTHS as LASSO_STRENGTHS
from .lasso import lasso
from .options import LASSO, LeafOptions, read_options
from .prepare import IN_SEARCH, Prepared, fold_of_rows, limits_of, prepare, sampled
from .ridge import STRENGTHS, Penalty, choose, fold_grams, ill_conditioned, shrunk
from .search import Table

GROW_ROWS, ROWS_PER_LEAF = 16_384, 128  # at most so many rows, or so many per leaf, are searched for splits


class LinearFit(NamedTuple):
    """A fitted tree, and what cross-validation tried."""

    tree: Tree
    alpha: float | None
    tried: list[dict[str, float]]


def fit_regression(problem: Problem, X: Any, groups: Any) -> LinearFit:
    """The tree with linear leaves, or that of M5P."""
    m5 = read_options(problem.params["leaf_options"]).m5
    if m5 is None:
        return fit_linear(problem, X, groups)
    from .m5 import fit_m5

    return fit_m5(problem, m5)


def fit_linear(problem: Problem, X: Any, groups: Any) -> LinearFit:
    """The tree with a linear model in every node."""
    options = read_options(problem.params["leaf_options"])
    y = np.asarray(problem.target.y, dtype=np.float64)
    weight = np.ones(len(y)) if problem.weights is None else problem.weights
    mean = np.average(y, axis=0, weights=weight)
    scale = np.sqrt(np.average((y - mean) ** 2, axis=0, weights=weight))
    scale[~(scale > 0)] = 1.0
    targets = (y - mean) / scale
    prepared = prepare(problem, options, targets)
    nodes = _grown(problem, prepared, targets)
    m, n_rows = targets.shape[1], len(prepared.used)
    values = prepared.terms.matrix
    fold, n_folds = fold_of_rows(problem, X, groups, prepared)
    grams = fold_grams(values, prepared.table.weight, fold, n_folds, nodes)
    allowed = allowed_terms(prepared, nodes, grams.sum(axis=1), m)
    solver = lasso if options.penalty == LASSO else shrunk
    penalties = [Penalty(alpha, allowed) for alpha in _alphas(options)]
    penalties = (
        [p._replace(alpha=p.alpha * _unit(prepared)) for p in penalties] if solver is shrunk else penalties
    )
    chosen = choose(grams, nodes, solver, penalties, n_rows, m)
    cut = chosen.cut if options.prune else set()
    total = grams.sum(axis=1)
    coefficients = solver(total, nodes, chosen.penalty, m)
    if solver is shrunk and ill_conditioned(total, nodes, cut, chosen.penalty, m):
        _solve_rows(values, prepared.table.weight, nodes, cut, chosen.penalty, coefficients)
    fitted = Fitted(nodes, cut, coefficients, mean, scale, total)
    alpha = None if options.penalty is None else chosen.penalty.alpha
    return LinearFit(as_tree(problem, prepared, fitted, y), alpha, chosen.tried)


def _unit(prepared: Prepared) -> float:
    """The weight of a row, in which a penalty is measured."""
    return float(prepared.table.weight.sum()) / len(prepared.used)


def _alphas(options: LeafOptions) -> tuple[float, ...]:
    if options.penalty is None:
        return (0.0,)
    if options.alpha != "cv":
        return (float(options.alpha),)
    return LASSO_STRENGTHS if options.penalty == LASSO else STRENGTHS


def _grown(problem: Problem, prepared: Prepared, targets: Floats) -> list[Node]:
    """Grow with ridge regression in every node, its search limited to the terms that matter most."""
    m, used = targets.shape[1], prepared.used
    limits = limits_of(problem, prepared, m, prepared.table.design.shape[1])
    step = max(1, len(used) // max(GROW_ROWS, ROWS_PER_LEAF * limits.max_leaves))
    table, targets = sampled(prepared.table, used[::step]), targets[used[::step]]
    design, weight = table.design, table.weight
    penalty = limits.sides.ridge[: design.shape[1]]
    path, unweighted = prepared.options.columns == "path", bool((weight == 1).all())

    def model(rows: Ints, own: Floats, above: Floats | None) -> tuple[Floats, Floats]:
        left = penalty.copy()
        start = np.zeros((design.shape[1], m)) if above is None else above
        if above is None:
            left[0] = 0.0
        if path:
            left[1:] = 1e300
        weighted = own if unweighted else own * weight[rows, None]
        gram = own.T @ weighted
        gram[np.diag_indices_from(gram)] += left + 1e-13 * np.trace(gram)
        residual = targets[rows] - own @ start
        found = start + np.linalg.solve(gram, weighted.T @ residual)
        return found, targets[rows] - own @ found

    return grown_on(table, model, limits, prepared)


def grown_on(table: Table, model: Modeller, limits: GrowthLimits, prepared: Prepared) -> list[Node]:
    """The nodes of a tree that is grown on some rows, with the rows of the whole table that reach them."""
    root, _ = model(np.arange(len(table.design)), table.design, None)
    nodes = grow(table, model, limits, search_columns(root, prepared.options))
    if len(table.design) < len(prepared.used):
        send_down(nodes, prepared.table)
    else:
        for node in nodes:
            node.rows = prepared.used[node.rows]
    return nodes


def search_columns(root: Floats, options: LeafOptions) -> Ints:
    """The columns of the design that are fitted while cuts are compared: the largest ones of the root."""
    order = np.argsort(-np.abs(root[1:]).max(axis=1, initial=0.0), kind="stable") + 1
    return np.concatenate([[0], np.sort(order[: 0 if options.columns == "path" else IN_SEARCH])])


def allowed_terms(prepared: Prepared, nodes: list[Node], grams: Floats, m: int) -> Mask | None:
    """Which terms each node may have, where that is limited."""
    options, terms = prepared.options, prepared.terms
    if options.columns != "path" and options.max_columns is None:
        return None
    found = np.ones((len(nodes), 1 + len(terms)), dtype=bool)
    if options.columns == "path":
        above: list[set[int]] = [set() for _ in nodes]
        for number, node in enumerate(nodes):
            found[number, 1:] = np.isin(terms.feature, list(above[number]))
            for child in node.children:
                assert node.split is not None
                above[child] = above[number] | {node.split.feature}
    if options.max_columns is not None:
        coefficients = shrunk(grams, nodes, Penalty(16.0, found), m)
        spread = np.sqrt(np.maximum(np.einsum("njj->nj", grams)[:, : found.shape[1]], 0))
        size = np.abs(coefficients).max(axis=2) * spread
        for number in range(len(nodes)):
            by_column = np.zeros(int(terms.feature.max(initial=0)) + 1)
            np.maximum.at(by_column, terms.feature, size[number, 1:])
            keep = np.argsort(-by_column, kind="stable")[: options.max_columns]
            found[number, 1:] &= np.isin(terms.feature, keep)
    return found


def _solve_rows(
    values: Floats,
    weight: Floats,
    nodes: list[Node],
    cut: set[int],
    penalty: Penalty,
    coefficients: Floats,
) -> None:
    """Solve the nodes that stay from their rows, where normal equations would lose digits."""
    (size, m), alpha, allowed = coefficients.shape[1:], penalty.alpha, penalty.allowed
    waiting: list[tuple[int, Floats]] = [(0, np.zeros((size, m)))]
    while waiting:
        number, above = waiting.pop()
        node = nodes[number]
        keep = np.ones(size, dtype=bool) if allowed is None else allowed[number]
        root = np.sqrt(weight[node.rows])[:, None]
        design, targets = values[node.rows, :size][:, keep] * root, values[node.rows, size:] * root
        start = above * keep[:, None] if alpha else np.zeros_like(above)
        ridge = np.sqrt(penalty.ridge(size)[keep])
        ridge[0] = ridge[0] if number else 0.0
        stacked = np.concatenate([design, np.diag(ridge)]) if alpha else design
        rest = targets - design @ start[keep]
        rest = np.concatenate([rest, np.zeros((len(ridge), m))]) if alpha else rest
        scale = np.sqrt(
            (stacked**2).sum(axis=0)
        )  # columns of equal length: the rank does not depend on units
        scale[scale == 0] = 1.0
        solved = np.linalg.lstsq(stacked / scale, rest, rcond=1e-11)[0] / scale[:, None]
        coefficients[number] = start
        coefficients[number][keep] += solved
        if number not in cut:
            waiting += [(child, coefficients[number]) for child in node.children]
