"""What some classic programs do with tables and rows, where a growth rule needs it.

They reject tables that they cannot read ("rejects", as ID3 does), leave out rows without any value
("drop_empty_rows"), divide weights by their mean ("weights") and count rows of weight 0
("count_zero_weights").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from ..data.common.array_types import Ints, Mask
from ..data.levels import Labels
from ..data.schema import ColumnType
from ..data.table import as_array, each_column, is_frame
from ..data.target import check_weights
from ..tree.tree import STOPS, Tree
from ..tree.walks import sum_below

Rules = dict[str, Any] | None

MOST_MERGED = 1000  # levels: merging looks at every pair of groups, again and again
SINGLE = 1e-20, 1e20  # weights whose products and sums are single numbers too
MANY_LEVELS = 0.3  # of the rows: C5.0 does not test a column of so many levels

# -- tables that are rejected


def check_table(
    X: Any, n_rows: int, types: Sequence[ColumnType] | None, names: Any, params: dict[str, Any]
) -> None:
    """Reject what a table must not have under these parameters."""
    rules = params["growth_rules"] or {}
    if "numbers" in rules.get("rejects", ()):
        _check_only_levels(types, names)
    if "missing" in rules.get("rejects", ()):
        _check_no_missing(X)
    if params.get("nominal_splits") == "merged" and types is not None:
        ignored = MANY_LEVELS * n_rows if rules.get("merging") == "c5.0" else float("inf")
        _check_merging(types, names, ignored)


def _name(names: Any, place: int) -> Any:
    return repr(str(names[place])) if names is not None else place


def _check_merging(types: Sequence[ColumnType], names: Any, ignored: float) -> None:
    for place, kind in enumerate(types):
        n_levels = len(kind.levels) if kind.kind == "nominal" else 0
        if MOST_MERGED < n_levels < ignored:
            raise ValueError(
                f"Columns whose levels are merged must have at most {MOST_MERGED:,} levels. Got {n_levels:,} "
                f"in column {_name(names, place)}. Leave the column out, or do not merge: "
                "nominal_splits='multiway' (of C4.5 without -s, of C5.0 with subset=False)."
            )


def _check_only_levels(types: Sequence[ColumnType] | None, names: Any) -> None:
    """All columns must have levels, as in ID3."""
    for place, kind in enumerate([ColumnType()] if types is None else types):
        if kind.kind != "nominal":
            raise ValueError(
                f"Every column of X must hold levels, since numbers are rejected here as in ID3. Got {kind} "
                f"in column {_name(names, place)}. Use treewright.classics.c45, which takes them; or make "
                "levels of them."
            )


def _check_no_missing(X: Any) -> None:
    for read in each_column(X if is_frame(X) else as_array(X)):
        missing = np.flatnonzero(read.codes < 0) if isinstance(read, Labels) else np.empty(0)
        if missing.size:
            raise ValueError(
                "X must have no missing value, since these are rejected here as in ID3. Got one in "
                f"{read.name}, row {missing[0]}. Use treewright.classics.c45, which takes them; or leave "
                "the row out."
            )


# -- numbers that stand for missing values


def mark_unknown(columns: _core.Columns, rules: Any) -> _core.Columns:
    """The columns, in which the number of the rule "unknown_number" is a missing value."""
    number = rules.get("unknown_number") if isinstance(rules, dict) else None
    if number is not None:
        columns.take_for_missing(float(number))
    return columns


# -- weights of rows


def row_weights_by_rules(sample_weight: Any, rules: Rules, n_rows: int, X: Any) -> Any:
    """The weights of the rows by the rules.

    "weights": as they are, or w / mean of those above 0, else 1; "drop_empty_rows": 0 for rows without any
    value.
    """
    if (rules or {}).get("drop_empty_rows") and (empty := empty_rows(X, n_rows)).any():
        if empty.all():
            raise ValueError("X must have values. Got only missing ones. Give a table with some.")
        given = check_weights(sample_weight, n_rows)
        sample_weight = np.where(empty, 0.0, 1.0 if given is None else given)
    single = (rules or {}).get("choice") == "c4.5"
    if sample_weight is None or (not single and (rules or {}).get("weights", "given") == "given"):
        return sample_weight
    weights = check_weights(sample_weight, n_rows)
    assert weights is not None
    if single:
        low, high = SINGLE
        wrong = weights[(weights > 0) & ~((weights >= low) & (weights <= high))]
        if len(wrong):
            raise ValueError(
                f"sample_weight must be 0 or lie between {low:g} and {high:g}, since weights are in single "
                f"precision here as in C4.5. Got {wrong[0]:g}. Divide the weights by their mean."
            )
        return sample_weight
    some = weights > 0
    return np.where(some, weights / weights[some].mean(), 1.0)


def empty_rows(X: Any, n_rows: int) -> Mask:
    """Which rows have no value in any column; in a sparse matrix what is not stored is a zero, a value."""
    empty = np.ones(n_rows, dtype=bool)
    if hasattr(X, "tocsc"):
        return np.zeros(n_rows, dtype=bool)
    for read in each_column(X if is_frame(X) else as_array(X)):
        if isinstance(read, Labels):
            empty &= read.codes < 0
        elif read.missing is not None:
            empty &= read.missing
        else:
            empty &= np.isnan(read.values) if read.values.dtype.kind == "f" else False
        if not empty.any():
            break
    return empty


# -- rows of weight 0: they change no gain, but a program that grew the tree may have counted them


def rows_of_weight_zero(sample_weight: Any, rules: Rules) -> Ints | None:
    """The rows of weight 0 that the rule "count_zero_weights" counts; None where there are none."""
    if sample_weight is None or not (rules or {}).get("count_zero_weights"):
        return None
    rows = np.flatnonzero(np.asarray(sample_weight, dtype=np.float64) == 0)
    return rows if len(rows) else None


def count_rows_of_weight_zero(tree: Tree, at: Ints, least: int, to_more: bool) -> Tree:
    """The tree with more rows, which end at the nodes `at`; what then has fewer than `least` is a leaf.

    `to_more`: rows whose value no surrogate knows go to the child of more rows, and stop between equals.
    """
    rows = tree.n_node_samples + sum_below(tree, np.bincount(at, minlength=tree.node_count))
    missing, inner = tree.missing_child.copy(), np.flatnonzero(tree.n_children == 2)
    if to_more:
        first, second = rows[tree.first_child[inner]], rows[tree.first_child[inner] + 1]
        missing[inner] = np.where(first == second, STOPS, second > first)
    counted = replace(tree, n_node_samples=rows, missing_child=missing)
    return counted.collapse((rows < least) & ~tree.is_leaf)


# -- ties between classes

TIE = 2.0**-39  # shares are compared in units of 2**-40


def decided_for_root(tree: Tree, rules: Rules) -> Tree:
    """By the rule "ties": the class of the root has a little more than others that have as much as it."""
    if (rules or {}).get("ties", "first") == "first" or tree.costs is not None:
        return tree
    value, label = tree.value.copy(), int(tree.label[0, 0])
    first = value[:, 0].argmax(axis=1)
    tied = np.flatnonzero((first != label) & (value[:, 0, label] == value[:, 0].max(axis=1)))
    value[tied, 0, label] += TIE
    value[tied, 0, first[tied]] -= TIE
    return replace(tree, value=value) if len(tied) else tree
