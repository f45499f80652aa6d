"""Thresholds that are values of the table, for a tree that was grown on some of its rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import _core
from ..tree.tree import Tree


def recorded_in_table(tree: Tree, columns: _core.Columns) -> Tree:
    """Move each threshold to the greatest value of all rows that is not above it, if there is one."""
    threshold = tree.threshold.copy()
    whole = tree.integer_exact if len(tree.integer_exact) else np.zeros(tree.node_count)
    moved = ~tree.is_leaf & np.isfinite(threshold) & (whole == 0)
    for column in np.unique(tree.feature[moved]).tolist():
        nodes = np.flatnonzero(moved & (tree.feature == column))
        values = np.sort(np.asarray(columns.numbers(column), dtype=np.float64))  # missing ones last
        place = np.searchsorted(values, threshold[nodes], side="right") - 1
        threshold[nodes] = np.where(place < 0, threshold[nodes], values[place])
    return replace(tree, threshold=threshold)
