"""Fit a tree with linear leaves: grow, choose penalty and size by cross-validation, build the tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ..problem import Problem
from .build import finished, leaf_models, moments
from .lasso import STRENGTHS as LASSO_STRENGTHS
from .lasso import lasso
from .options import LASSO, LeafOptions, read_options
from .prepare import Prepared, fold_of_rows, grown, prepare, rows_of_nodes
from .ridge import STRENGTHS, Penalty, choose, ill_conditioned, kept, shrunk, squared_error, sums_of_nodes
from .simplest import NodeLosses, allowed_errors, error_of_sum, predicting

SOME_ROWS = 16_384  # that are predicted at a time


class LinearFit(NamedTuple):
    """A fitted tree, and what cross-validation tried."""

    tree: Tree
    alpha: float | None
    tried: list[dict[str, float]]
    best: Tree | None = None  # of least loss, where the tree is a simpler one


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
    mean, scale = standard(y, problem.weights)
    prepared, m = prepare(problem, options, (y - mean) / scale), y.shape[1]
    unit = float(np.mean(scale**2)) / m
    unpruned = grown(problem, prepared, unit)
    tree = unpruned.tree
    folds = fold_of_rows(problem, X, groups, prepared)
    by_division = [sums_of_nodes(unpruned, prepared, fold, m, problem.n_threads) for fold in folds]
    sums = by_division[0]
    total = sums.grams.sum(axis=1)
    allowed = allowed_terms(prepared, tree, total, m)
    solver = lasso if options.penalty == LASSO else shrunk
    penalties = [Penalty(alpha, allowed) for alpha in _alphas(options)]
    divided = [each.grams for each in by_division]
    chosen = choose(divided, tree, solver, penalties, m, problem.n_threads)
    penalty, cut = chosen.penalty, chosen.cut if options.prune else np.zeros_like(chosen.cut)
    simple, errors = cut, allowed_errors(problem.params)
    if errors > 0 and options.prune:
        held_out = solver(total[:, None] - sums.grams, tree, penalty, m)
        losses = _row_losses(prepared, predicting(tree, cut)[unpruned.leaf], folds[0], held_out)
        slack = errors * error_of_sum(prepared.weight, losses)
        simple = NodeLosses(tree, chosen.risk, chosen.charge).simplest(cut, slack)
    coefficients, stays = solver(total, tree, penalty, m), kept(tree, cut)
    if solver is shrunk and ill_conditioned(total[stays], penalty, m):
        rows = rows_of_nodes(unpruned, prepared.weight)
        _solve_rows(prepared, tree, rows, stays, penalty, coefficients)
    margin = options.margin * (sums.most - sums.least) if np.isfinite(options.margin) else np.inf
    bounds = tuple(mean + scale * each for each in (sums.least - margin, sums.most + margin))
    loss = np.maximum(squared_error(total, coefficients), 0) * unit
    value = mean + scale * total[:, 0, -m:] / total[:, :1, 0]

    def made(cut: Mask) -> Tree:
        stays = kept(tree, cut)
        models = leaf_models(prepared, coefficients * scale, mean, moments(total), bounds, stays)
        return finished(prepared, unpruned, cut, loss=loss, value=value[:, :, None], leaf_models=models)

    alpha = None if options.penalty is None else penalty.alpha
    return LinearFit(made(simple), alpha, chosen.tried, made(cut) if (simple & ~cut).any() else None)


def _row_losses(prepared: Prepared, node: Ints, fold: Ints, coefficients: Floats) -> Floats:
    """The squared error of every row by the coefficients of its node without its fold."""
    values, size = prepared.terms.values, coefficients.shape[2]
    found = np.empty(len(values))
    for begin in range(0, len(values), SOME_ROWS):
        part = slice(begin, begin + SOME_ROWS)
        fitted = np.einsum("ij,ijt->it", values[part, :size], coefficients[node[part], fold[part]])
        found[part] = ((values[part, size:] - fitted) ** 2).sum(axis=1)
    return found


def standard(y: Floats, weight: Floats | None) -> tuple[Floats, Floats]:
    """Mean and scale of the targets; the scale of a constant one is 1."""
    mean = np.average(y, axis=0, weights=weight)
    scale = np.sqrt(np.average((y - mean) ** 2, axis=0, weights=weight))
    scale[~(scale > 0)] = 1.0
    return mean, scale


def _alphas(options: LeafOptions) -> tuple[float, ...]:
    if options.penalty is None:
        return (0.0,)
    if options.alpha != "cv":
        return (float(options.alpha),)
    return LASSO_STRENGTHS if options.penalty == LASSO else STRENGTHS


def allowed_terms(prepared: Prepared, tree: Tree, grams: Floats, m: int) -> Mask | None:
    """Which terms each node may have, where that is limited."""
    options, terms = prepared.options, prepared.terms
    if options.columns != "path" and options.max_columns is None:
        return None
    found = np.ones((tree.node_count, 1 + len(terms)), dtype=bool)
    if options.columns == "path":
        found[0, 1:] = False
        for node in range(1, tree.node_count):
            above = tree.parent[node]
            found[node, 1:] = found[above, 1:] | (terms.feature == tree.feature[above])
    if options.max_columns is not None:
        coefficients = shrunk(grams, tree, Penalty(16.0, found), m)
        spread = np.sqrt(np.maximum(np.einsum("njj->nj", grams)[:, : found.shape[1]], 0))
        size = np.abs(coefficients).max(axis=2) * spread
        for number in range(tree.node_count):
            by_column = np.zeros(int(terms.feature.max(initial=0)) + 1)
            np.maximum.at(by_column, terms.feature, size[number, 1:])
            keep = np.argsort(-by_column, kind="stable")[: options.max_columns]
            found[number, 1:] &= np.isin(terms.feature, keep)
    return found


def _solve_rows(
    prepared: Prepared, tree: Tree, rows: list[Ints], stays: Ints, penalty: Penalty, coefficients: Floats
) -> None:
    """Solve the nodes that stay from their rows, where normal equations would lose digits."""
    (size, m), alpha, allowed = coefficients.shape[1:], penalty.alpha, penalty.allowed
    for node in stays:
        own = prepared.terms.values[rows[node]] * np.sqrt(prepared.weight[rows[node]])[:, None]
        keep = np.ones(size, dtype=bool) if allowed is None else allowed[node]
        design, targets = own[:, :size][:, keep], own[:, size:]
        above = coefficients[tree.parent[node]] if node and alpha else np.zeros((size, m))
        start = above * keep[:, None]
        ridge = np.sqrt(penalty.ridge(size)[keep])
        ridge[0] = ridge[0] if node else 0.0
        stacked = np.concatenate([design, np.diag(ridge)]) if alpha else design
        rest = targets - design @ start[keep]
        rest = np.concatenate([rest, np.zeros((len(ridge), m))]) if alpha else rest
        lengths = np.sqrt((stacked**2).sum(axis=0))  # columns of equal length: rank does not depend on units
        lengths[lengths == 0] = 1.0
        solved = np.linalg.lstsq(stacked / lengths, rest, rcond=1e-11)[0] / lengths[:, None]
        coefficients[node] = start
        coefficients[node][keep] += solved
