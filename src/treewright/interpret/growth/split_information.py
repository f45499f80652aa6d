"""The gain ratio of a split (Quinlan 1993): its gain over the entropy of the sizes of its branches."""

from __future__ import annotations

import numpy as np

from ...data.columns import from_columns
from ...tree.tree import Tree
from ..next_best.search import SplitSearch


def ratio_of(search: SplitSearch, node: int, j: int, stump: Tree, gain: float) -> float:
    """The gain ratio; 0 where all rows go to one branch. Rows that a test leaves out are a branch too."""
    rows, share = search.rows_at(node)
    column = search.columns[j].take(rows)
    weight = search.weights[rows] * share
    gone = column.missing if column.missing is not None else np.zeros(len(rows), dtype=bool)
    if column.type.kind == "nominal":
        gone = column.values < 0
    elif column.values.dtype.kind == "f":
        gone = gone | np.isnan(column.values)
    if search.params["missing"] in {"learned", "branch"}:
        gone = np.zeros(len(rows), dtype=bool)  # they go to a branch as any other row
    at = stump.apply(from_columns([column], len(rows)))
    sizes = np.bincount(at[~gone], weight[~gone], minlength=stump.node_count)
    parts = np.append(sizes, weight[gone].sum())
    parts = parts[parts > 0] / parts.sum()
    information = float(-(parts * np.log2(parts)).sum())
    return gain / information if information > 0 else 0.0
