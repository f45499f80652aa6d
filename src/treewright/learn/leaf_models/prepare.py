"""What a fit of leaf models begins with: terms, columns as numbers, weights, and the folds of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints
from ...tree.leaf_models import NUMBER
from ..folds import folds_of
from ..grow import limit, rows_of
from ..problem import Problem
from .bins import number_codes
from .grow import MOST_LEAVES, GrowthLimits
from .options import LeafOptions, places_of
from .search import Limits, Table
from .terms import Terms, read_terms

FEWEST_ROWS = 8  # of a leaf that has a model of its own
MOST_TERMS = 64  # of all leaves together: those most correlated with the target
IN_SEARCH = 16  # terms that are fitted on both sides of a cut while cuts are compared
GROWTH_RIDGE = 10.0
LOOK_AHEAD = 4  # columns whose best splits are compared one level further, where the depth is limited


@dataclass(frozen=True)
class Prepared:
    """A table for growing, with the terms of its leaves."""

    terms: Terms
    table: Table
    options: LeafOptions

    @property
    def used(self) -> Ints:
        """The rows of a weight above 0."""
        return np.flatnonzero(self.table.weight > 0)


def prepare(problem: Problem, options: LeafOptions, targets: Floats) -> Prepared:
    """Read the terms, keep the most promising ones, and read all columns as numbers."""
    columns, types = problem.columns, problem.types
    weight = (
        np.ones(columns.n_rows) if problem.weights is None else np.array(problem.weights, dtype=np.float64)
    )
    wanted = places_of(options.columns, problem.names, columns.n_columns)
    raw = [columns.numbers(column) for column in range(columns.n_columns)]
    terms = read_terms(raw, types, wanted, weight, targets.shape[1])
    if len(terms) > MOST_TERMS:
        with np.errstate(over="ignore"):
            shared = np.abs((terms.values[:, 1:] * weight[:, None]).T @ targets).max(axis=1)
        terms = terms.only(np.sort(np.argsort(-shared, kind="stable")[:MOST_TERMS]))
    terms.matrix[:, 1 + len(terms) :] = targets
    nominal = [False] * len(raw) if types is None else [each.kind == "nominal" for each in types]
    own = np.zeros(len(raw), dtype=np.int64)
    numbers = np.flatnonzero(terms.level == NUMBER)
    own[terms.feature[numbers]] = numbers + 1
    return Prepared(
        terms, Table(terms.values, raw, np.empty((0, 0), np.uint8), np.array(nominal), own, weight), options
    )


def sampled(table: Table, rows: Ints) -> Table:
    """Some rows as a table of their own, with their codes: those that splits are searched on."""
    raw = [x[rows] for x in table.raw]
    codes = np.zeros((len(raw), len(rows)), dtype=np.uint8)
    for column in np.flatnonzero(~table.nominal):
        codes[column] = number_codes(raw[column])
    return Table(table.design[rows], raw, codes, table.nominal, table.own, table.weight[rows])


def limits_of(problem: Problem, prepared: Prepared, n_targets: int, n_design: int) -> GrowthLimits:
    """The limits of growth as the parameters say, and those that linear leaves need."""
    params, n_rows = problem.params, len(prepared.used)
    total = float(prepared.table.weight.sum())
    least = max(rows_of(params["min_samples_leaf"], n_rows), FEWEST_ROWS)
    ridge = np.full(n_design + n_targets, GROWTH_RIDGE * total / n_rows)
    ridge[0], ridge[n_design:] = total / n_rows, 0.0
    ahead = prepared.options.look_ahead
    ahead = LOOK_AHEAD if ahead is None and params["max_depth"] is not None else max(1, ahead or 0)
    sides = Limits(least, params["min_weight_fraction_leaf"] * total, ridge, problem.n_threads, ahead)
    depth, leaves = limit(params["max_depth"]), limit(params["max_leaf_nodes"])
    return GrowthLimits(
        max_depth=2**31 if depth < 0 else depth,
        max_leaves=MOST_LEAVES if leaves < 0 else leaves,
        min_split=max(rows_of(params["min_samples_split"], n_rows), 2 * least),
        least_gain=float(params["min_impurity_decrease"]) * total,
        sides=sides,
    )


def fold_of_rows(problem: Problem, X: Any, groups: Any, prepared: Prepared) -> tuple[Ints, int]:
    """The number of the fold in which each row is held out, and how many folds there are."""
    y = problem.target.y
    n_rows, cv = len(y), problem.params["cv"]
    if isinstance(cv, int | np.integer) and groups is None:
        n_folds = int(min(cv, max(2, len(prepared.used))))
        fold = np.empty(n_rows, dtype=np.int64)
        fold[np.random.default_rng(0).permutation(n_rows)] = np.arange(n_rows) % n_folds
        return fold, n_folds
    pairs = folds_of(cv, X, y[:, 0] if y.shape[1] == 1 else y, groups, problem.is_classifier)[:255]
    fold = np.arange(n_rows) % len(pairs)
    for number, pair in enumerate(pairs):
        fold[pair.test] = number
    return fold, len(pairs)
