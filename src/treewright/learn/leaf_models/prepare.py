"""What a fit of leaf models begins with: terms, weights, the folds of rows, and the grown tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...tree.leaf_models import NUMBER
from ...tree.tree import Tree
from ..folds import folds_of
from ..grow import as_tree, settings
from ..problem import Problem
from .options import LeafOptions, places_of
from .terms import Terms, read_terms

FEWEST_ROWS = 8  # of a leaf that has a model of its own
MOST_LEAVES = {"linear": 256, "logistic": 64}  # before pruning, where the user sets no limit
FEW_ROWS, MOST_REPEATS = 4000, 10  # fewer rows are divided into folds several times
MANY_ROWS = 20_000
LOOK_AHEAD = 4  # columns whose best splits are compared one level further, where the depth is limited


@dataclass(frozen=True)
class Prepared:
    """A table with the terms of its leaves.

    `weight` counts rows: whole weights are repeated rows, others are taken over their mean, `row_weight`.
    """

    terms: Terms
    weight: Floats
    row_weight: float
    options: LeafOptions

    @property
    def n_rows(self) -> float:
        """The weight of all rows, in rows."""
        return float(self.weight.sum())


def prepare(problem: Problem, options: LeafOptions, targets: Floats) -> Prepared:
    """Read the terms, and weights as numbers of rows."""
    columns = problem.columns
    given = np.ones(columns.n_rows) if problem.weights is None else np.asarray(problem.weights, np.float64)
    whole = bool((given == np.floor(given)).all())
    row_weight = 1.0 if whole else float(given[given > 0].mean())
    wanted = places_of(options.columns, problem.names, columns.n_columns)
    weight = given / row_weight
    return Prepared(read_terms(problem, wanted, weight, targets), weight, row_weight, options)


class Grown(NamedTuple):
    """A tree before pruning, without models, and the leaf of each row."""

    tree: Tree
    leaf: Ints


def grown(problem: Problem, prepared: Prepared, unit: float) -> Grown:
    """The tree before pruning; `unit` is what a squared error of the targets counts."""
    params, terms, options = problem.params, prepared.terms, prepared.options
    growth = settings(params, problem.target, problem.columns.n_columns)
    growth.order = "best"
    if params["max_leaf_nodes"] is None:
        growth.max_leaf_nodes = MOST_LEAVES[params["leaf_model"]]
    growth.min_weight_leaf = max(growth.min_weight_leaf, FEWEST_ROWS * prepared.row_weight)
    own = np.zeros(problem.columns.n_columns, dtype=np.int32)
    numbers = np.flatnonzero(terms.level == NUMBER)
    own[terms.feature[numbers]] = numbers + 1
    how = _core.LinearSettings()
    how.n_targets = terms.values.shape[1] - 1 - len(terms)
    how.logistic = problem.is_classifier
    how.intercept_only = options.columns == "path"
    ahead = options.look_ahead
    how.look_ahead = LOOK_AHEAD if ahead is None and params["max_depth"] is not None else max(1, ahead or 0)
    how.row_weight, how.user_unit = prepared.row_weight, unit
    arrays = _core.grow_linear(problem.columns, terms.values, prepared.weight, own, how, growth)
    names = None if problem.names is None else tuple(map(str, problem.names))
    target = replace(problem.target, growth_weight=None)
    tree = as_tree(arrays, problem.columns, target, names, problem.types)
    return Grown(tree, tree.apply(problem.columns, problem.n_threads))


def rows_of_nodes(grown: Grown, weight: Floats) -> list[Ints]:
    """The rows of every node that weigh something."""
    tree, leaf = grown
    used = np.flatnonzero(weight > 0)
    order = used[np.argsort(leaf[used], kind="stable")]
    ends = np.searchsorted(leaf[order], np.arange(tree.node_count + 1))
    found = [order[ends[node] : ends[node + 1]] for node in range(tree.node_count)]
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:
        first = int(tree.first_child[node])
        found[node] = np.sort(np.concatenate(found[first : first + 2]))
    return found


def fold_of_rows(problem: Problem, X: Any, groups: Any, prepared: Prepared) -> Ints:
    """The number of the fold in which each row is held out: (divisions, rows), the more of few rows.

    A number of folds divides rows by their values: equal rows are in one fold, so that a weight is the same
    as repeated rows, and the order of the rows does not matter.
    """
    y, used = problem.target.y, prepared.weight > 0
    cv = problem.params["cv"]
    if isinstance(cv, int | np.integer) and groups is None:
        key = prepared.terms.row_hash ^ _scattered(y)
        if len(y) > MANY_ROWS:  # chance divides them evenly
            return (key % np.uint64(cv)).astype(np.int64)[None]
        distinct, place = np.unique(key[used], return_inverse=True)
        n_folds = int(min(cv, max(2, len(distinct))))
        classes = np.zeros(len(distinct), dtype=np.int64)
        if problem.is_classifier:  # one after the other: every fold has its share of each
            classes[place] = y[used, 0]
        repeats = int(np.clip(FEW_ROWS // len(distinct), 1, MOST_REPEATS))
        folds = np.zeros((repeats, len(y)), dtype=np.int64)
        for number in range(repeats):
            shuffled = (
                distinct if number == 0 else _scattered((distinct >> np.uint64(11)) + np.uint64(number))
            )
            of_distinct = np.empty(len(distinct), dtype=np.int64)
            of_distinct[np.lexsort((shuffled.reshape(-1), classes))] = np.arange(len(distinct)) % n_folds
            folds[number, used] = of_distinct[place]
        return folds
    pairs = folds_of(cv, X, y[:, 0] if y.shape[1] == 1 else y, groups, problem.is_classifier)[:255]
    fold = np.arange(len(y)) % len(pairs)
    for number, pair in enumerate(pairs):
        fold[pair.test] = number
    return fold[None]


def _scattered(numbers: Any) -> NDArray[np.uint64]:
    """The bits of the numbers of each row, scattered over 64."""
    bits = np.ascontiguousarray(numbers, dtype=np.float64).reshape(len(numbers), -1) + 0.0
    odd = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        found = (bits.view(np.uint64) ^ (bits.view(np.uint64) >> np.uint64(29))) * odd
        found = (found ^ (found >> np.uint64(32))) * odd
        return np.asarray(found.sum(axis=1, dtype=np.uint64))
