"""Which columns and rows C5.0 grows on: `winnow` leaves columns out, `sample` rows.

Winnowing grows a tree on one half of the rows. A column of it goes if the tree, with that column's values
taken away, makes fewer errors on the other half; unless the tree grown without all of these makes more. Then
the columns go that the tree did not use even before it was pruned.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..data.common.array_types import Floats, Ints
from ..tree.tree import Tree
from .problem import Problem
from .pruning.model import prune_while_fitting
from .pruning.pessimistic import collapse
from .pruning.rows import held_out


def prepared(problem: Problem, X: Any) -> tuple[Problem, dict[str, Any] | None]:
    """The problem that is grown under the rules "sample" and "winnow", and what winnowing found."""
    rules = problem.params["growth_rules"] or {}
    share = rules.get("sample", 0.0)
    if share:
        seed = problem.params["random_state"] or 0
        rows = held_out(problem.target.y, share, seed, by_class=True).prune
        problem = on_rows(problem, rows)
    if not rules.get("winnow"):
        return problem, None
    gone, report = winnowed(problem, X)
    return without_columns(problem, gone), report


def on_rows(problem: Problem, rows: Ints, weights: Floats | None = None) -> Problem:
    """The problem where only these rows weigh anything."""
    given = problem.weights if weights is None else weights
    weight = np.zeros(len(problem.target.y))
    weight[rows] = 1.0 if given is None else given[rows]
    target = replace(
        problem.target.only(rows, weight), n_rows=int(np.count_nonzero(weight)), weight=float(weight.sum())
    )
    return replace(problem, target=target, weights=weight)


def without_columns(problem: Problem, places: list[int]) -> Problem:
    """The problem where these columns have no values."""
    return replace(problem, columns=problem.columns.without(places)) if places else problem


def winnowed(problem: Problem, X: Any) -> tuple[list[int], dict[str, Any]]:
    """The places of the columns that go, and what is known of the others.

    `importance` of a column is by how much the errors on the other half rise without it, as a share of them.
    """
    first, second = halves(problem)
    if not len(first):  # a single row
        return [], {"removed": [], "importance": {}}
    half = on_rows(problem, first)
    grown, pruned = _tree(half, X)
    base = _errors(pruned, problem, second)
    without = {column: _errors(pruned, without_columns(problem, [column]), second) for column in pruned.used}
    gone = [column for column, errors in without.items() if errors < base]
    if gone and _errors(_tree(without_columns(half, gone), X)[1], problem, second) > base:
        gone = []
    gone = sorted({*gone, *(j for j in range(problem.columns.n_columns) if j not in grown.used)})
    names = problem.names if problem.names is not None else range(problem.columns.n_columns)
    rise = {j: (without.get(j, base) - base) / max(base, 1.0) for j in grown.used if j not in gone}
    importance = {str(names[j]): share for j, share in rise.items()}
    return gone, {"removed": [str(names[j]) for j in gone], "importance": importance}


def halves(problem: Problem) -> tuple[Ints, Ints]:
    """Rows of each class go in turn to the front and to the back of one list, which is cut in the middle."""
    codes = problem.target.y[:, 0]
    rows = np.arange(len(codes)) if problem.weights is None else np.flatnonzero(problem.weights > 0)
    turn = np.zeros(len(rows), dtype=np.int64)
    for code in np.unique(codes):
        of_class = codes[rows] == code
        turn[of_class] = np.arange(of_class.sum()) % 2
    order = np.concatenate([rows[turn == 0], rows[turn == 1][::-1]])
    return np.sort(order[: len(rows) // 2]), np.sort(order[len(rows) // 2 :])


def _tree(problem: Problem, X: Any) -> tuple[Tree, Tree]:
    """The tree of one half before and after pruning: any gain will do, and nothing is pruned globally.

    Before pruning, branches that make no fewer errors than a leaf are gone already.
    """
    params = problem.params
    least = max(int(params["min_samples_leaf"]) // 2, 2)
    options = (params["pruning_options"] or {}) | {"within": 0.0, "pool": float(least)}
    changed = problem.changed(
        min_samples_leaf=least,
        min_samples_split=2 * least,
        growth_rules=params["growth_rules"] | {"mean_gain": False, "winnow": False},
        pruning_options=options,
    )
    grown = changed.grow()[0]
    return collapse(grown).tree, prune_while_fitting(changed, X, grown).tree


def _errors(tree: Tree, problem: Problem, rows: Ints) -> float:
    """The weight of the rows that the tree predicts wrongly."""
    wrong = tree.labels(problem.columns, problem.n_threads)[rows, 0] != problem.target.y[rows, 0]
    return float(wrong.sum() if problem.weights is None else problem.weights[rows][wrong].sum())
