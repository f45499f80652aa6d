"""Trees of bootstrap samples: the same parameters, the same table, rows drawn with replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ... import _core
from ...data.columns import from_columns
from ...data.common.threads import map_in_threads, threads
from ...data.target import Target
from ...data.values import Column
from ...learn.folds import take
from ...learn.grow_and_prune import grow_and_prune
from ...learn.problem import Problem
from ...tree.tree import Tree
from .cuts import Ints


def bootstrap_trees(
    estimator: Any,
    problem: Problem,
    table: tuple[Any, list[Column]],
    repeats: int,
    generator: np.random.Generator,
) -> list[Tree]:
    """Grow a tree on each of so many bootstrap samples, side by side; the seed alone decides which rows.

    `table`: X as it was given, and its columns as they were read.
    """
    X, columns = table
    n_rows = len(problem.target.y)
    drawn = [np.sort(generator.integers(0, n_rows, n_rows)) for _ in range(repeats)]
    params = _fixed(estimator, problem.params)
    given = problem.changed(**params)

    def grown(rows: Ints) -> Tree:
        model = estimator.fresh().set_params(**params)
        sample = _sample(given, columns, rows)
        grow_and_prune(model, sample, take(X, rows), None, None)
        tree: Tree = model.tree_
        return tree

    return map_in_threads(grown, _with_weight(drawn, problem), threads(problem.params["n_jobs"]))


def _with_weight(drawn: list[Ints], problem: Problem) -> Iterator[Ints]:
    """Samples in which some row weighs something."""
    heaviest = 0 if problem.weights is None else int(np.argmax(problem.weights))
    for rows in drawn:
        if problem.weights is not None and not problem.weights[rows].any():
            rows[0] = heaviest
        yield np.sort(rows)


def _fixed(estimator: Any, params: dict[str, Any]) -> dict[str, Any]:
    """The parameters with what cross-validation chose in place of how it chose."""
    fixed: dict[str, Any] = {"n_jobs": 1}
    if isinstance(params["ccp_alpha"], str):
        fixed["ccp_alpha"] = float(estimator.ccp_alpha_)
    if params["smoothing"] is not None and hasattr(estimator, "smoothing_strength_"):
        fixed["smoothing_strength"] = float(estimator.smoothing_strength_)
    return fixed


def _sample(problem: Problem, columns: list[Column], rows: Ints) -> Problem:
    """The problem of some rows, each as often as it is drawn."""
    target: Target = problem.target
    y = np.ascontiguousarray(target.y[rows])
    weights = np.ones(len(rows)) if problem.weights is None else problem.weights[rows]
    own = None if target.own is None else np.ascontiguousarray(target.own[rows])
    growing = weights if target.growth_weight is None else weights * target.growth_weight[y[:, 0]]
    if target.classes:
        core = _core.Target.classes(y, list(target.n_classes), growing, own)
    else:
        core = _core.Target.numbers(y, growing, own)
    n_rows, weight = int(np.count_nonzero(growing)), float(growing.sum())
    drawn = replace(target, core=core, y=y, own=own, n_rows=n_rows, weight=weight)
    data = from_columns([column.take(rows) for column in columns], len(rows))
    zero = None if problem.zero_weight is None else np.flatnonzero(np.isin(rows, problem.zero_weight))
    return replace(problem, columns=data, target=drawn, weights=weights, zero_weight=zero)
