"""Fit a tree with logistic leaves: logistic regression in every node, shrunk towards the node above it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.tree import Tree
from ..impurities import impurity
from ..params import ALIASES
from ..problem import Problem
from .build import leaf_models, moments, tests
from .fit import GROW_ROWS, ROWS_PER_LEAF, LinearFit, allowed_terms, grown_on
from .grow import GrowthLimits, Node, breadth_first
from .lasso import lasso
from .options import LASSO, read_options
from .prepare import GROWTH_RIDGE, Prepared, fold_of_rows, limits_of, prepare, sampled
from .ridge import Penalty, fold_grams, pruned

STRENGTHS = (8.0, 1.0, 64.0, 512.0)  # the first decides which nodes the others are tried with
LASSO_STRENGTHS = (0.001, 0.01, 0.05)
# What a split must gain on held-out rows, in nats: half of what a squared error is worth over its variance.
CHARGE = 10.0
MOST_LEAVES = 64
STEPS, TOLERANCE, ROUGHLY = 25, 1e-7, 1e-2  # roughly: while penalties are compared
LEAST_CURVATURE = 0.02  # of a row: a step of Newton's method stays bounded where all rows are certain


@dataclass(frozen=True)
class Likelihood:
    """Rows with their classes: one score for two classes, else one per class."""

    design: Floats
    classes: Floats  # (rows, scores): 1 for the class of the row
    weight: Floats

    @property
    def n_scores(self) -> int:
        """How many scores there are."""
        return int(self.classes.shape[1])

    def probabilities(self, rows: Ints, coefficients: Floats) -> Floats:
        """The probability of each class that has a score."""
        score = self.design[rows] @ coefficients
        if self.n_scores == 1:
            return np.asarray(1 / (1 + np.exp(-np.clip(score, -500, 500))))
        score = np.exp(score - score.max(axis=1, keepdims=True))
        return np.asarray(score / score.sum(axis=1, keepdims=True))

    def loss(self, rows: Ints, coefficients: Floats) -> float:
        """The log loss, summed over the weights of the rows."""
        p, y = np.clip(self.probabilities(rows, coefficients), 1e-15, 1 - 1e-15), self.classes[rows]
        own = np.where(y[:, 0] > 0, p[:, 0], 1 - p[:, 0]) if self.n_scores == 1 else (p * y).sum(axis=1)
        return float(-(self.weight[rows] * np.log(np.maximum(own, 1e-15))).sum())

    def fit(
        self,
        rows: Ints,
        above: Floats | None,
        penalty: Penalty,
        start: Floats | None = None,
        tolerance: float = ROUGHLY,
    ) -> Floats:
        """The coefficients of least penalised loss, by Newton's method with the ridge as in `ridge`.

        Of several classes the curvature is bounded by half of that of least squares (Böhning 1992).
        """
        design, y, weight = self.design[rows], self.classes[rows], self.weight[rows][:, None]
        size = design.shape[1]
        prior = np.zeros((size, self.n_scores)) if above is None else above
        found, ridge = (prior if start is None else start).copy(), penalty.ridge(size)
        if above is None:
            ridge[0] = 1e-6
        keep = np.ones(size, dtype=bool) if penalty.allowed is None else penalty.allowed
        found, prior = found * keep[:, None], prior * keep[:, None]
        bound = 0.5 * design.T @ (design * weight) if self.n_scores > 1 else np.empty(0)
        every = np.arange(len(rows))
        own = Likelihood(design, y, weight[:, 0])
        for _ in range(STEPS if self.n_scores == 1 else 4 * STEPS):
            p = own.probabilities(every, found)
            slope = design.T @ (weight * (y - p)) - ridge[:, None] * (found - prior)
            curved = (
                design.T @ (design * (weight * np.maximum(p * (1 - p), LEAST_CURVATURE)))
                if self.n_scores == 1
                else bound
            )
            matrix = (curved + np.diag(ridge + 1e-10))[np.ix_(keep, keep)]
            step = np.linalg.solve(matrix, slope[keep])
            found[keep] += step
            if np.abs(step).max(initial=0.0) < tolerance:
                break
        return found

    def fit_lasso(self, rows: Ints, penalty: Penalty) -> Floats:
        """The same with an absolute penalty: least squares steps with a bound of the curvature."""
        design, y, weight = self.design[rows], self.classes[rows], self.weight[rows]
        found = np.zeros((design.shape[1], self.n_scores))
        bound = 0.25 if self.n_scores == 1 else 0.5
        every, own = np.arange(len(rows)), Likelihood(design, y, weight)
        for _ in range(STEPS):
            p = own.probabilities(every, found)
            values = np.concatenate([design, design @ found + (y - p) / bound], axis=1)
            gram = values.T @ (values * weight[:, None])
            strength = penalty._replace(alpha=penalty.alpha / bound)
            new = lasso(gram[None], [], strength, self.n_scores)[0]
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
    prepared = prepare(problem, options, classes - classes.mean(axis=0))
    model = Likelihood(prepared.table.design, classes, prepared.table.weight)
    nodes = _grown(problem, prepared, model)
    fold, n_folds = fold_of_rows(problem, X, groups, prepared)
    prepared.terms.matrix[:, 1 + len(prepared.terms) :] = classes
    weight, one = prepared.table.weight, np.zeros(len(y), dtype=np.int64)
    total = fold_grams(prepared.terms.matrix, weight, one, 1, nodes)[:, 0]
    allowed = allowed_terms(prepared, nodes, total, classes.shape[1])
    is_lasso = options.penalty == LASSO
    strengths = LASSO_STRENGTHS if is_lasso else STRENGTHS
    alphas = strengths if options.alpha == "cv" else (float(options.alpha),)
    alphas = (1e-4,) if options.penalty is None else alphas
    best, tried = None, []
    for alpha in alphas:
        fit = Fit(model, nodes, alpha, allowed, is_lasso)
        risk = sum(fit.held_out(fold == k) for k in range(n_folds))
        unit = float(prepared.table.weight.sum()) / len(prepared.used)
        if best is None and options.prune:
            promising = breadth_first(nodes, pruned(nodes, np.asarray(risk), 0.0)[0])
            nodes, allowed, total, fit, risk = _only(nodes, promising, allowed, total, fit, np.asarray(risk))
        cut, loss = pruned(nodes, np.asarray(risk), CHARGE * unit)
        tried.append({"alpha": alpha, "loss": loss / float(prepared.table.weight.sum())})
        if best is None or loss < best[0]:
            best = loss, fit, cut
    assert best is not None
    _, fit, cut = best
    cut = cut if options.prune else set()
    tree = _as_tree(problem, prepared, nodes, cut, fit.exactly(cut), total)
    return LinearFit(tree, None if options.penalty is None else fit.alpha, tried)


@dataclass
class Fit:
    """The models of all nodes with one penalty."""

    model: Likelihood
    nodes: list[Node]
    alpha: float
    allowed: Mask | None
    is_lasso: bool
    full: Floats | None = None
    tolerance: float = ROUGHLY

    def all_rows(self) -> Floats:
        """The coefficients of every node from all its rows."""
        if self.full is None:
            self.full = self._fit(np.zeros(len(self.model.weight), dtype=bool), None)
        return self.full

    def exactly(self, cut: set[int]) -> Floats:
        """The same without rounding, of the nodes that stay."""
        start, self.tolerance = self.all_rows(), TOLERANCE
        kept = set(breadth_first(self.nodes, cut))
        return self._fit(np.zeros(len(self.model.weight), dtype=bool), start, kept)

    def held_out(self, out: Mask) -> Floats:
        """The log loss of every node on its rows in `out`, fitted without them."""
        found = self._fit(out, self.all_rows())
        return np.array(
            [self.model.loss(node.rows[out[node.rows]], found[k]) for k, node in enumerate(self.nodes)]
        )

    def _fit(self, out: Mask, start: Floats | None, only: set[int] | None = None) -> Floats:
        size = self.model.design.shape[1]
        found = np.zeros((len(self.nodes), size, self.model.n_scores))
        parent = {child: number for number, node in enumerate(self.nodes) for child in node.children}
        for number, node in enumerate(self.nodes):  # parents come before their children
            if only is not None and number not in only:
                continue
            rows = node.rows[~out[node.rows]]
            penalty = Penalty(self.alpha, None if self.allowed is None else self.allowed[number])
            above = found[parent[number]] if number else None
            if self.is_lasso:
                found[number] = self.model.fit_lasso(rows, penalty)
            else:
                begin = None if start is None else start[number]
                found[number] = self.model.fit(rows, above, penalty, begin, self.tolerance)
        return found


def _only(
    nodes: list[Node], kept: list[int], allowed: Mask | None, grams: Floats, fit: Fit, risk: Floats
) -> tuple[list[Node], Mask | None, Floats, Fit, Floats]:
    """All that is known of some nodes, which are a tree of their own."""
    place = {number: i for i, number in enumerate(kept)}
    smaller = [
        replace(node, children=[place[child] for child in node.children if child in place])
        for node in (nodes[number] for number in kept)
    ]
    allowed = None if allowed is None else allowed[kept]
    full = None if fit.full is None else fit.full[kept]
    return smaller, allowed, grams[kept], replace(fit, nodes=smaller, allowed=allowed, full=full), risk[kept]


def _grown(problem: Problem, prepared: Prepared, model: Likelihood) -> list[Node]:
    """Grow on what the model of a node leaves of the classes: y - p, by least squares on both sides."""
    m, used = model.n_scores, prepared.used
    limits = _limits(limits_of(problem, prepared, m, prepared.table.design.shape[1]), problem)
    step = max(1, len(used) // max(GROW_ROWS, ROWS_PER_LEAF * limits.max_leaves))
    rows = used[::step]
    table = sampled(prepared.table, rows)
    own = Likelihood(table.design, model.classes[rows], table.weight)
    penalty = Penalty(GROWTH_RIDGE / 4)
    if prepared.options.columns == "path":
        penalty = penalty._replace(allowed=np.arange(table.design.shape[1]) == 0)

    def fit(at: Ints, design: Floats, above: Floats | None) -> tuple[Floats, Floats]:  # noqa: ARG001
        found = own.fit(at, above, penalty)
        return found, own.classes[at] - own.probabilities(at, found)

    return grown_on(table, fit, limits, prepared)


def _limits(limits: GrowthLimits, problem: Problem) -> GrowthLimits:
    """Fewer leaves than for numbers, unless the user says how many."""
    leaves = limits.max_leaves if problem.params["max_leaf_nodes"] is not None else MOST_LEAVES
    return GrowthLimits(limits.max_depth, leaves, limits.min_split, limits.least_gain, limits.sides)


def _as_tree(
    problem: Problem,
    prepared: Prepared,
    nodes: list[Node],
    cut: set[int],
    coefficients: Floats,
    grams: Floats,
) -> Tree:
    order = breadth_first(nodes, cut)
    kept, weight = [nodes[number] for number in order], prepared.table.weight
    y, size = problem.target.y[:, 0].astype(np.int64), problem.target.n_classes[0]
    counts = np.stack([np.bincount(y[node.rows], weight[node.rows], size) for node in kept])
    mass = counts.sum(axis=1)
    criterion = ALIASES.get(problem.params["criterion"], problem.params["criterion"])
    impure = np.asarray(impurity(counts, "entropy" if criterion == "gain_ratio" else criterion)).reshape(-1)
    m, margin = coefficients.shape[2], prepared.options.margin
    lower, upper = np.full((2, len(order), m), [[[-np.inf]], [[np.inf]]])
    for i, node in enumerate(kept if np.isfinite(margin) else ()):
        score = prepared.table.design[node.rows] @ coefficients[order[i]]
        least, most = score.min(axis=0), score.max(axis=0)
        lower[i], upper[i] = least - margin * (most - least), most + margin * (most - least)
    models = leaf_models(
        prepared, coefficients[order], np.zeros(m), moments(grams[order][:, :-m, :-m]), (lower, upper)
    )
    return Tree(
        **tests(problem, kept, [number in cut for number in order], impure * mass),
        impurity=impure,
        weighted_n_node_samples=mass,
        value=(counts / mass[:, None])[:, None],
        leaf_models=models,
    )
