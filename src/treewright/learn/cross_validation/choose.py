"""What cross-validation chooses: the alpha of pruning, the strength of smoothing, or both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree.tree import Tree
from ..folds import Fold, folds_of
from ..losses import check_loss
from ..problem import Problem
from ..pruning import HELD_OUT, NO_ROWS, method_of
from ..smoothing import METHODS, smoothed
from .pruning_curve import Curve, FoldTrees, cv_curves, grow_fold_trees
from .row_losses import leaves_reached_by
from .segments import Segments, out_of_fold


class CrossValidation(NamedTuple):
    """How to divide the rows, and what to measure."""

    cv: Any = 5
    groups: Any = None
    loss: str | None = None
    repeats: int = 1


class Pick(NamedTuple):
    """An alpha of the curve."""

    ccp_alpha: float
    strength: float | None  # of smoothing: the one of least loss at this alpha
    n_leaves: int
    out_of_fold: Segments | None  # what the trees of the folds predict for their held-out rows


@dataclass(frozen=True)
class Chosen:
    """What was chosen, the curve it was read from, and the tree of all rows, neither pruned nor smoothed."""

    pick: Pick  # by the rule of the parameter
    best: Pick  # of the least loss
    curve: Curve  # of the strength of the best
    tree: Tree
    tried: list[dict[str, Any]]  # per strength the least loss, and where


def strengths_of(params: dict[str, Any]) -> tuple[float, ...]:
    """The strengths of smoothing to try: one, unless cross-validation shall choose."""
    method = params["smoothing"]
    if method is None:
        return ()
    given = METHODS[method].usual if params["smoothing_strength"] is None else params["smoothing_strength"]
    return METHODS[method].tried if given == "cv" else (float(given),)


def measure_of(params: dict[str, Any], loss: str | None, is_classifier: bool, costs: Any) -> str:
    """The loss to use: where a strength is chosen, that of probabilities, since labels hardly change."""
    if loss is None and is_classifier and costs is None and len(strengths_of(params)) > 1:
        loss = "log_loss"
    return check_loss(loss, is_classifier, costs, params["criterion"])


def choose(
    problem: Problem, how: CrossValidation, X: Any = None, rows: NDArray[np.int64] | None = None
) -> Chosen:
    """Grow, cross-validate, and choose what the parameters leave open.

    With `rows` only these count, as if there were no others; `how.cv` is then a number.
    """
    params, target = problem.params, problem.target
    loss = measure_of(params, how.loss, problem.is_classifier, target.costs)
    y = target.y[:, 0] if target.n_outputs == 1 else target.y
    if rows is None:
        folds = folds_of(how.cv, X, y, how.groups, problem.is_classifier, how.repeats)
    else:
        folds = folds_of(how.cv, None, y[rows], None, problem.is_classifier, how.repeats)
        folds = [Fold(rows[fold.train], rows[fold.test]) for fold in folds]
    grown = grow_fold_trees(problem, folds, whole=rows)
    has_segments = problem.is_classifier and target.n_outputs == 1
    return choose_among(_by_method(grown), grown.trees[0], params, loss, has_segments)


def choose_among(
    fold_trees: FoldTrees, whole: Tree, params: dict[str, Any], loss: str, has_segments: bool
) -> Chosen:
    """Choose what the parameters leave open, by the trees of the folds. `whole` is the tree of all rows."""
    rule, method, strengths = params["ccp_alpha"], params["smoothing"], strengths_of(params)
    on = fold_trees.spans(None if isinstance(rule, str) else np.array([float(rule)]))
    rule = rule if isinstance(rule, str) else "cv"

    def smoothed_trees(strength: float | None) -> list[Tree]:
        return (
            fold_trees.trees
            if strength is None
            else [smoothed(t, method, strength) for t in fold_trees.trees]
        )

    tried = strengths or (None,)
    curves = list(cv_curves(fold_trees, loss, map(smoothed_trees, tried), on))
    least = [curve.mean[curve.place("cv")] for curve in curves]
    best = int(np.argmin(least))
    curve = curves[best]
    if loss in {"log_loss", "brier"}:
        errors = next(cv_curves(fold_trees, "error", [smoothed_trees(tried[best])], on))
        curve = replace(curve, errors=errors)

    def picked(place: int) -> Pick:
        strength = tried[int(np.argmin([each.mean[place] for each in curves]))]
        segments = out_of_fold(fold_trees, smoothed_trees(strength), on, place) if has_segments else None
        return Pick(float(on.grid[place]), strength, int(curve.n_leaves[place]), segments)

    places = [curve.place(name) for name in (rule, "cv")]
    pick = picked(places[0])
    return Chosen(
        pick=pick,
        best=pick if places[0] == places[1] else picked(places[1]),
        curve=curve,
        tree=whole,
        tried=[_row(strength, curve) for strength, curve in zip(strengths, curves, strict=False)],
    )


def _by_method(fold_trees: FoldTrees) -> FoldTrees:
    """The same trees, pruned by the method of the parameter `pruning`; it needs no rows."""
    params = fold_trees.problem.params
    if params["pruning"] is None:
        return fold_trees
    method, options = method_of(params["pruning"]), params["pruning_options"] or {}
    if method.rows == HELD_OUT or method.needs(**method.checked(options)) != NO_ROWS:
        raise ValueError(
            "smoothing_strength='cv' needs a pruning method that works without rows. Got "
            f"pruning={params['pruning']!r}. Give a number, or use ccp_alpha='cv'."
        )
    trees = [method(tree, **options).tree for tree in fold_trees.trees]
    columns, n_threads = fold_trees.problem.columns, fold_trees.problem.n_threads
    reached = [
        leaves_reached_by(tree, columns, fold.test, n_threads)
        for tree, fold in zip(trees[1:], fold_trees.folds, strict=True)
    ]
    return replace(fold_trees, trees=trees, reached=reached)


def _row(strength: float, curve: Curve) -> dict[str, Any]:
    place = curve.place("cv")
    return {
        "smoothing_strength": strength,
        "ccp_alpha": float(curve.ccp_alphas[place]),
        "leaves": int(curve.n_leaves[place]),
        "cv_loss": float(curve.mean[place]),
        "cv_se": float(curve.se[place]),
    }
