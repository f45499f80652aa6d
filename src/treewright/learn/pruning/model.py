"""Pruning a fitted estimator, and pruning while fitting."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from ...data.priors import check_costs, cost_weights
from ...data.target import row_weights
from ...tree.decided import must_be_crisp
from ...tree.leaf_models import must_be_constant
from ...tree.tree import Tree
from ..fitted_tree import as_estimator, as_model
from ..growth_rules import empty_leaves
from ..smoothing import smoothed
from . import HELD_OUT, NO_ROWS, method_of
from .problem_rows import rows_of_problem
from .rebuild import Pruned
from .rows import Parts, Rows, held_out, rows_for
from .weka_folds import weka_fold

WHICH_ROWS = ("rows", "fraction", "folds", "fold", "seed")  # of pruning_options: what is held out


# The methods for linear leaves: by impurities, or by what nodes predict for rows.
FOR_MODELS = ("cost_complexity", "leaf_budget", "reduced_error")


def prune(
    model: Any,
    method: str = "cost_complexity",
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    **options: Any,
) -> Any:
    """Prune a fitted tree. The model itself is left as it is.

    Parameters
    ----------
    model : a fitted estimator, the result of `treewright.fit`, a FittedTree, a Tree, or a path
    method : str, default="cost_complexity"
        'cost_complexity', 'reduced_error', 'pessimistic', 'collapse', 'minimum_error', 'leaf_budget' or
        'merge'.
    X, y, sample_weight : array-like, optional
        Held-out rows for 'reduced_error'; the training rows for 'pessimistic' with raising.
    **options
        Those of the method; `treewright.learn.pruning.METHODS[method].options` describes them.

    Returns
    -------
    DecisionTreeClassifier or DecisionTreeRegressor
        A new fitted estimator; its `pruning_` says what was decided.

    Examples
    --------
    >>> small = treewright.prune(model, "leaf_budget", n_leaves=6)  # doctest: +SKIP
    """
    return prune_estimator(as_estimator(model), method, X, y, sample_weight, **options)


def prune_estimator(
    model: Any, method: str, X: Any = None, y: Any = None, sample_weight: Any = None, **options: Any
) -> Any:
    """As `prune`, for a fitted estimator of any class."""
    must_be_crisp(model.tree_, "Pruning")
    if method not in FOR_MODELS:
        instead = f"Use {', '.join(map(repr, FOR_MODELS[:-1]))} or {FOR_MODELS[-1]!r}."
        must_be_constant(model.tree_, f"prune by {method!r}", instead)
    elif options.get("backfit"):
        must_be_constant(model.tree_, "backfit=True", "Leave it out: linear leaves are not fitted again.")
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together. Got one of them.")
    rows = None if X is None else _rows(model, as_model(model).select(X), y, sample_weight)
    pruned = method_of(method)(model.tree_, rows, **options)
    made = copy(model)
    made.pruning_, made.tree_ = pruned.report, pruned.tree
    made.changed_ = f"pruned by {method}"
    for name in (
        "best_",
        "out_of_fold_",
        "of_file_",
        "unused_surrogates_",
    ):  # what was found out of another tree
        made.__dict__.pop(name, None)
    if len(model.tree_.estimate):  # counted anew, or not: what is predicted follows from what is there
        strength = getattr(model, "smoothing_strength_", None)
        if strength is None:
            raise ValueError(
                "A smoothed model must know by how much, to be pruned. Got one without smoothing_strength_. "
                "Fit it again."
            )
        made.tree_ = smoothed(pruned.tree, model.smoothing, strength)
    return made


def _rows(model: Any, X: Any, y: Any, sample_weight: Any) -> Rows:
    """The rows with the weights that they have in growing."""
    rows = rows_for(model.tree_, X, y, sample_weight, model.criterion)
    params = model.get_params(deep=False)
    rows = replace(rows, empty=empty_leaves(params))
    if model.tree_.classes is None:
        return rows
    classes = [model.classes_] if model.n_outputs_ == 1 else model.classes_
    weights = row_weights(params, classes, rows.y, sample_weight)
    weights = rows.weight if weights is None else weights
    costs = factor = None  # of growth; those of a decision do not change what nodes count
    if model.costs is not None and (params["growth_rules"] or {}).get("costs") != "decision":
        costs, codes = check_costs(model.costs, np.asarray(model.classes_)), rows.y[:, 0]
        factor = cost_weights(costs, codes, weights)[codes]
    return replace(rows, weight=weights, growth_costs=costs, factor=factor)


def evaluates_predictions(params: dict[str, Any]) -> bool:
    """Whether pruning looks at what the nodes predict, so that smoothing comes first."""
    return (params["pruning_options"] or {}).get("risk") == "poisson"


def held_out_of(problem: Any, prune_rows: Any = None) -> Parts | None:
    """The rows to fit on and those to prune with, where the method of `pruning` holds rows out; else None.

    Which, `prune_rows` says, or `pruning_options`: "rows", a "fraction" (a third, drawn by class), or
    "folds", "fold" and "seed" for folds as Weka makes them.
    """
    params, target = problem.params, problem.target
    name, options = params["pruning"], params["pruning_options"] or {}
    if name is None or method_of(name).rows != HELD_OUT:
        if prune_rows is not None:
            raise ValueError(
                f"prune_rows are for a pruning method that holds rows out. Got pruning={name!r}. "
                "Use pruning='reduced_error', or leave prune_rows out."
            )
        return None
    chosen, n_rows = options.get("rows") if prune_rows is None else prune_rows, len(target.y)
    if chosen is not None:
        return _given(chosen, n_rows, '"rows" of pruning_options' if prune_rows is None else "prune_rows")
    if "folds" in options:
        codes = target.y[:, 0] if problem.is_classifier else None
        return weka_fold(codes, n_rows, options["folds"], options.get("fold", 0), options.get("seed"))
    fraction, seed = options.get("fraction", 1 / 3), params["random_state"] or 0
    return held_out(target.y, fraction, seed, by_class=problem.is_classifier)


def prune_while_fitting(problem: Any, X: Any, tree: Tree, parts: Parts | None = None) -> Pruned:
    """Prune a tree just grown as the parameters `pruning` and `pruning_options` say.

    `parts` are those of `held_out_of`: the tree was grown on the first of them.
    """
    params = problem.params
    method, options = method_of(params["pruning"]), dict(params["pruning_options"] or {})
    if method.rows == HELD_OUT:
        options = {name: value for name, value in options.items() if name not in WHICH_ROWS}
    if method.needs(**method.checked(options)) == NO_ROWS:
        return method(tree, **options)
    if parts is None:
        return method(tree, rows_of_problem(problem, X), **options)
    weights = np.zeros(len(problem.target.y))
    weights[parts.prune] = 1.0 if problem.weights is None else problem.weights[parts.prune]
    pruned = method(tree, rows_of_problem(problem, X, weights=weights), **options)
    return pruned._replace(report=pruned.report | {"grow_rows": parts.grow, "prune_rows": parts.prune})


def _given(chosen: Any, n_rows: int, what: str) -> Parts:
    """The rows to fit on and those named to prune with."""
    marked = np.asarray(chosen)
    rows = np.flatnonzero(marked) if marked.dtype == bool and len(marked) == n_rows else np.unique(marked)
    whole = rows.dtype.kind in "iu" and len(rows)
    if not whole or rows.min() < 0 or rows.max() >= n_rows or len(rows) == n_rows:
        raise ValueError(
            f"{what} must name some but not all of the {n_rows} rows by their numbers, or mark them. "
            f"Got {chosen!r:.100}."
        )
    return Parts(np.setdiff1d(np.arange(n_rows), rows), rows)
