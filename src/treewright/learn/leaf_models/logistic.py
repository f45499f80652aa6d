"""Fit a tree with logistic leaves: logistic regression in every node, shrunk towards the node above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from ...tree.leaf_models import LeafModels
from ...tree.tree import Tree
from ...tree.walks import sum_below
from ..impurities import impurity
from ..params import ALIASES
from ..problem import Problem
from .build import Moments, finished, leaf_models, moments
from .fit import LinearFit, allowed_terms
from .lasso import lasso
from .options import LASSO, LeafOptions, read_options
from .prepare import Grown, Prepared, fold_of_rows, grown, prepare, rows_of_nodes
from .ridge import Penalty, kept, pruned, sums_of_nodes
from .simplest import NodeLosses, allowed_errors, error_of_sum, predicting

STRENGTHS = (8.0, 1.0, 64.0, 512.0)  # the first decides which nodes the others are tried with
LASSO_STRENGTHS = (0.001, 0.01, 0.05)
# What a split must gain on held-out rows, in nats: half of what a squared error is worth over its variance.
CHARGE = 10.0
STEPS, TOLERANCE, ROUGHLY = 25, 1e-7, 1e-2  # roughly: while penalties are compared


@dataclass(frozen=True)
class Likelihood:
    """Rows with their classes: one score for two classes, else one per class."""

    values: Floats  # (rows, design and classes)
    weight: Floats
    n_scores: int

    @property
    def size(self) -> int:
        """How many columns the design has."""
        return int(self.values.shape[1]) - self.n_scores

    def scores(self, rows: Ints, coefficients: Floats) -> Floats:
        """The scores of rows."""
        return np.asarray(self.values[rows, : self.size] @ coefficients)

    def probabilities(self, rows: Ints, coefficients: Floats) -> Floats:
        """The probability of each class that has a score."""
        score = self.scores(rows, coefficients)
        if self.n_scores == 1:
            return np.asarray(1 / (1 + np.exp(-np.clip(score, -500, 500))))
        score = np.exp(score - score.max(axis=1, keepdims=True))
        return np.asarray(score / score.sum(axis=1, keepdims=True))

    def losses(self, rows: Ints, coefficients: Floats) -> Floats:
        """The log loss of each of these rows."""
        y = self.values[rows, self.size :]
        p = np.clip(self.probabilities(rows, coefficients), 1e-15, 1 - 1e-15)
        own = np.where(y[:, 0] > 0, p[:, 0], 1 - p[:, 0]) if self.n_scores == 1 else (p * y).sum(axis=1)
        return np.asarray(-np.log(np.maximum(own, 1e-15)))

    def fit(
        self, rows: Ints, above: Floats | None, penalty: Penalty, start: Floats | None, tolerance: float
    ) -> Floats:
        """The coefficients of least penalised loss, with the ridge as in `ridge`."""
        prior = np.zeros((self.size, self.n_scores)) if above is None else above
        ridge = penalty.ridge(self.size)
        if above is None:
            ridge[0] = 1e-6
        if penalty.allowed is not None:
            prior, ridge = prior * penalty.allowed[:, None], np.where(penalty.allowed, ridge, np.inf)
        start = prior if start is None else start
        return _core.logistic_solution(self.values, self.weight, rows, ridge, prior, start, tolerance)

    def fit_lasso(self, rows: Ints, penalty: Penalty) -> Floats:
        """The same with an absolute penalty: least squares steps with a bound of the curvature."""
        design, y, weight = self.values[rows, : self.size], self.values[rows, self.size :], self.weight[rows]
        found = np.zeros((self.size, self.n_scores))
        bound = 0.25 if self.n_scores == 1 else 0.5
        for _ in range(STEPS):
            p = self.probabilities(rows, found)
            values = np.concatenate([design, design @ found + (y - p) / bound], axis=1)
            gram = values.T @ (values * weight[:, None])
            strength = penalty._replace(alpha=penalty.alpha / bound)
            new = lasso(gram[None], None, strength, self.n_scores)[0]
            moved, found = float(np.abs(new - found).max()), new
            if moved < ROUGHLY / 10:
                break
        return found


def fit_logistic(problem: Problem, X: Any, groups: Any) -> LinearFit:
    """The tree with a logistic model in every node."""
    options = read_options(problem.params["leaf_options"])
    y, n_classes = problem.target.y[:, 0].astype(np.int64), problem.target.n_classes[0]
    classes = np.eye(n_classes)[y]
    classes = np.ascontiguousarray(classes[:, 1:]) if n_classes == 2 else classes
    prepared, m = prepare(problem, options, classes), classes.shape[1]
    unpruned = grown(problem, prepared, 1.0)
    tree = unpruned.tree
    fold = fold_of_rows(problem, X, groups, prepared)[0]
    n_folds = int(fold.max()) + 1
    sums = sums_of_nodes(unpruned, prepared, np.zeros_like(fold), m, problem.n_threads)
    grams = sums.grams[:, 0]
    fit = Fit(
        Likelihood(prepared.terms.values, prepared.weight, m),
        tree,
        rows_of_nodes(unpruned, prepared.weight),
        allowed_terms(prepared, tree, grams, m),
        options.penalty == LASSO,
        np.ones(tree.node_count, dtype=bool),
    )
    best, tried = None, []
    for alpha in _alphas(options):
        risk = np.sum([fit.held_out(alpha, fold == k) for k in range(n_folds)], axis=0)
        if best is None and options.prune:  # nodes that do not help even at no charge
            fit.wanted[:] = False
            fit.wanted[kept(tree, pruned(tree, risk, 0.0)[0])] = True
        risk = np.where(fit.wanted, risk, np.inf)
        cut, loss = pruned(tree, risk, CHARGE)
        tried.append({"alpha": alpha, "loss": loss / prepared.n_rows})
        if best is None or loss < best[0]:
            best = loss, alpha, cut, risk
    assert best is not None
    _, alpha, cut, risk = best
    cut = cut if options.prune else np.zeros_like(cut)
    simple, errors = cut, allowed_errors(problem.params)
    if errors > 0 and options.prune:
        losses = fit.row_losses(alpha, predicting(tree, cut)[unpruned.leaf], fold)
        slack = errors * error_of_sum(prepared.weight, losses)
        simple = NodeLosses(tree, risk, CHARGE).simplest(cut, slack)
    coefficients = fit.exactly(alpha, kept(tree, cut))
    own_moments = moments(grams[:, :-m, :-m])
    impure, shares = _loss_and_shares(problem, prepared, unpruned)

    def made(cut: Mask) -> Tree:
        models = _models(prepared, fit, kept(tree, cut), coefficients, own_moments)
        return finished(prepared, unpruned, cut, loss=impure, value=shares[:, None], leaf_models=models)

    found_alpha = None if options.penalty is None else alpha
    return LinearFit(made(simple), found_alpha, tried, made(cut) if (simple & ~cut).any() else None)


def _alphas(options: LeafOptions) -> tuple[float, ...]:
    if options.penalty is None:
        return (1e-4,)
    if options.alpha != "cv":
        return (float(options.alpha),)
    return LASSO_STRENGTHS if options.penalty == LASSO else STRENGTHS


@dataclass
class Fit:
    """The models of the wanted nodes, with any penalty."""

    model: Likelihood
    tree: Tree
    rows: list[Ints]  # of every node
    allowed: Mask | None
    is_lasso: bool
    wanted: Mask
    full: dict[float, Floats] | None = None  # by alpha: from all rows

    def all_rows(self, alpha: float) -> Floats:
        """The coefficients of every node from all its rows."""
        self.full = self.full or {}
        if alpha not in self.full:
            self.full[alpha] = self._fit(alpha, None, None, ROUGHLY)
        return self.full[alpha]

    def exactly(self, alpha: float, nodes: Ints) -> Floats:
        """The same without rounding, of the nodes that stay."""
        start = self.all_rows(alpha)
        self.wanted[:] = False
        self.wanted[nodes] = True
        return self._fit(alpha, None, start, TOLERANCE)

    def held_out(self, alpha: float, out: Mask) -> Floats:
        """The log loss of every node on its rows in `out`, fitted without them."""
        found = self._fit(alpha, out, self.all_rows(alpha), ROUGHLY)
        own = [
            float(self.model.weight[rows] @ self.model.losses(rows, found[node])) if wanted else 0.0
            for node, (rows, wanted) in enumerate(
                zip((rows[out[rows]] for rows in self.rows), self.wanted, strict=True)
            )
        ]
        return np.array(own)

    def row_losses(self, alpha: float, node: Ints, fold: Ints) -> Floats:
        """The log loss of every row by the model of its node, fitted without its fold."""
        losses = np.zeros(len(node))
        for number in range(int(fold.max()) + 1):
            found = self._fit(alpha, fold == number, self.all_rows(alpha), ROUGHLY)
            for own in np.unique(node):
                rows = np.flatnonzero((node == own) & (fold == number))
                losses[rows] = self.model.losses(rows, found[own])
        return losses

    def _fit(self, alpha: float, out: Mask | None, start: Floats | None, tolerance: float) -> Floats:
        found = np.zeros((self.tree.node_count, self.model.size, self.model.n_scores))
        for node in np.flatnonzero(self.wanted):  # parents come before their children
            rows = self.rows[node] if out is None else self.rows[node][~out[self.rows[node]]]
            penalty = Penalty(alpha, None if self.allowed is None else self.allowed[node])
            if self.is_lasso:
                found[node] = self.model.fit_lasso(rows, penalty)
                continue
            above = found[self.tree.parent[node]] if node else None
            begin = None if start is None else start[node]
            found[node] = self.model.fit(rows, above, penalty, begin, tolerance)
        return found


def _loss_and_shares(problem: Problem, prepared: Prepared, grown: Grown) -> tuple[Floats, Floats]:
    """Of every node its impurity, summed over its rows, and the share of each class."""
    tree, size = grown.tree, problem.target.n_classes[0]
    place = grown.leaf * size + problem.target.y[:, 0].astype(np.int64)
    counts = sum_below(tree, np.bincount(place, prepared.weight, tree.node_count * size).reshape(-1, size))
    mass, criterion = counts.sum(axis=1), problem.params["criterion"]
    criterion = ALIASES.get(criterion, criterion)
    impure = np.asarray(impurity(counts, "entropy" if criterion == "gain_ratio" else criterion)).reshape(-1)
    return impure * mass, counts / mass[:, None]


def _models(
    prepared: Prepared, fit: Fit, stays: Ints, coefficients: Floats, own_moments: Moments
) -> LeafModels:
    """The models of the nodes that stay, with the range of the scores of their rows."""
    m, margin = fit.model.n_scores, prepared.options.margin
    bounds = np.full((2, fit.tree.node_count, m), [[[-np.inf]], [[np.inf]]])
    for node in stays if np.isfinite(margin) else ():
        score = fit.model.scores(fit.rows[node], coefficients[node])
        least, most = score.min(axis=0), score.max(axis=0)
        bounds[:, node] = least - margin * (most - least), most + margin * (most - least)
    return leaf_models(prepared, coefficients, np.zeros(m), own_moments, tuple(bounds), stays)
