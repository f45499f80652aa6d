"""The gain ratio of a split (Quinlan 1993): its gain over the entropy of the sizes of its branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...data.columns import from_columns
from ...tree.tree import Tree
from ..next_best.search import SplitSearch
from .cuts import Cuts, Floats, Mask


def ratio_of(search: SplitSearch, node: int, j: int, stump: Tree, gain: float) -> float:
    """The gain ratio; 0 where all rows go to one branch. Rows that a test leaves out are a branch too."""
    rows, share = search.rows_at(node)
    column = search.columns[j].take(rows)
    weight = search.weights[rows] * share
    gone = column.gaps()
    if search.params["missing"] in {"learned", "branch"}:
        gone = np.zeros(len(rows), dtype=bool)  # they go to a branch as any other row
    at = stump.apply(from_columns([column], len(rows)))
    sizes = np.bincount(at[~gone], weight[~gone], minlength=stump.node_count)
    return float(_ratios(gain, [*sizes, weight[gone].sum()]))


def ratios_of(cuts: Cuts, weight: Floats, gone: Mask) -> Floats:
    """The gain ratio of every cut of rows of such weight; some go to neither of its branches."""
    total, outside = weight.sum(), weight[gone].sum()
    return _ratios(cuts.gain / total, [cuts.left_weight, total - outside - cuts.left_weight, outside])


def _ratios(gain: Any, sizes: Sequence[Any]) -> Floats:
    parts = np.stack(np.broadcast_arrays(*sizes)).astype(np.float64)
    parts = np.maximum(parts, 0.0) / parts.sum(axis=0)
    information = -(parts * np.log2(parts, where=parts > 0, out=np.zeros_like(parts))).sum(axis=0)
    return np.asarray(np.divide(gain, information, where=information > 0, out=np.zeros_like(information)))


def printed_criterion(criterion: str) -> str:
    """The impurity whose gains are printed: the gain ratio divides gains of the entropy."""
    return "entropy" if criterion == "gain_ratio" else criterion
