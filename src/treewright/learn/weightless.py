"""Rows of weight 0: they change no gain, but a program that grew the tree may have counted them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tree.tree import STOPS, Tree
from ..tree.walks import sum_below

Ints = NDArray[np.int64]


def weightless_rows(sample_weight: Any, rules: dict[str, Any] | None) -> Ints | None:
    """The rows of weight 0 that the rule "count_weightless" counts; None where there are none."""
    if sample_weight is None or not (rules or {}).get("count_weightless"):
        return None
    rows = np.flatnonzero(np.asarray(sample_weight, dtype=np.float64) == 0)
    return rows if len(rows) else None


def with_weightless(tree: Tree, at: Ints, least: int, to_more: bool) -> Tree:
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
