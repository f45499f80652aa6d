"""What a fit does after the table is read: grow the tree, prune it and smooth it as the parameters say."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

from ..tree.tree import Tree
from .classic_columns import prepared
from .classic_rules import decided_for_root
from .cross_validation.choose import Chosen, CrossValidation, choose, strengths_of
from .problem import Problem
from .pruning import prune
from .pruning.model import evaluates_predictions, held_out_of, prune_while_fitting
from .smoothing import smoothed
from .soft_thresholds import softened


def grow_and_prune(estimator: Any, problem: Problem, X: Any, groups: Any, prune_rows: Any) -> None:
    """Set the tree of an estimator, and what was chosen on the way."""
    if problem.params["leaf_model"] != "constant":
        _fit_leaf_models(estimator, problem, X, groups)
        return
    problem, winnowing = prepared(problem, X)
    if winnowing is not None:
        estimator.winnowing_ = winnowing
    params, parts = problem.params, held_out_of(problem, prune_rows)
    rule, strengths = params["ccp_alpha"], strengths_of(params)
    if isinstance(rule, str) or len(strengths) > 1:
        chosen = choose(problem, CrossValidation(params["cv"], groups, repeats=params["cv_repeats"]), X)
        strength, tree = _set_chosen(estimator, chosen), chosen.tree
    else:
        estimator.ccp_alpha_, strength = float(rule), next(iter(strengths), None)
        tree = problem.grow()[0] if parts is None else problem.grow_on(parts.grow)
    _finish(estimator, problem, X, tree, strength, parts)
    if rule != "cv" and isinstance(rule, str) and chosen.best.n_leaves > chosen.pick.n_leaves:
        estimator.best_ = copy(estimator).set_params(ccp_alpha="cv")
        estimator.best_.ccp_alpha_, strength, _, estimator.best_.out_of_fold_ = chosen.best
        _finish(estimator.best_, problem, X, tree, strength, parts)


@cache
def _controller() -> ThreadpoolController:
    """It finds the libraries of the process once, which takes milliseconds."""
    return ThreadpoolController()


def _fit_leaf_models(estimator: Any, problem: Problem, X: Any, groups: Any) -> None:
    """Set a tree with linear or logistic leaves, which chooses its own size."""
    if problem.is_classifier:
        from .leaf_models.logistic import fit_logistic as fit
    else:
        from .leaf_models.fit import fit_regression as fit
    with _controller().limit(limits=1, user_api="blas"):  # many small matrices: threads would wait
        found = fit(problem, X, groups)
    estimator.ccp_alpha_, estimator.tree_ = 0.0, found.tree
    estimator.leaf_alpha_, estimator.leaf_results_ = found.alpha, found.tried
    if found.best is not None:
        estimator.best_ = copy(estimator).set_params(ccp_alpha="cv")
        estimator.best_.tree_ = found.best


def _set_chosen(estimator: Any, chosen: Chosen) -> float | None:
    """Set what cross-validation found; return the strength of smoothing."""
    estimator.pruning_curve_, estimator.cv_results_ = chosen.curve, chosen.curve.as_cv_results()
    estimator.smoothing_results_ = chosen.tried
    estimator.ccp_alpha_, strength, _, estimator.out_of_fold_ = chosen.pick
    return strength


def take_chosen(estimator: Any, chosen: Chosen) -> None:
    """Set the tree that cross-validation chose, and the best one, of a table whose rows are not in memory."""
    rule, method = estimator.ccp_alpha, estimator.smoothing
    strengths = [_set_chosen(estimator, chosen)]
    models = [estimator]
    if rule != "cv" and isinstance(rule, str) and chosen.best.n_leaves > chosen.pick.n_leaves:
        estimator.best_ = copy(estimator).set_params(ccp_alpha="cv")
        estimator.best_.ccp_alpha_, strength, _, estimator.best_.out_of_fold_ = chosen.best
        models.append(estimator.best_)
        strengths.append(strength)
    for model, strength in zip(models, strengths, strict=True):
        model.tree_ = prune(chosen.tree, model.ccp_alpha_)
        if strength is not None:
            model.smoothing_strength_ = strength
            model.tree_ = smoothed(model.tree_, method, strength)


def _finish(estimator: Any, problem: Problem, X: Any, tree: Tree, strength: float | None, parts: Any) -> None:
    """Prune by `ccp_alpha_` and by the method of the parameter `pruning` if there is one, and smooth."""
    params, tree = problem.params, prune(tree, estimator.ccp_alpha_)
    if params["pruning"] is not None:
        if strength is not None and evaluates_predictions(params):
            tree = smoothed(tree, params["smoothing"], strength)
        pruned = prune_while_fitting(problem, X, tree, parts)
        tree, estimator.pruning_ = pruned.tree, pruned.report
    if tree.surrogates is not None and (params["growth_rules"] or {}).get("use_surrogates") is False:
        estimator.unused_surrogates_ = tree.surrogates
        tree = replace(tree, surrogates=None)
    tree = decided_for_root(tree, params["growth_rules"])
    if strength is not None:
        estimator.smoothing_strength_ = strength
        tree = smoothed(tree, params["smoothing"], strength)
    if (params["growth_rules"] or {}).get("soft_thresholds"):
        tree = softened(tree, problem.columns, problem.target.y[:, 0], problem.weights)
    estimator.tree_ = tree
