"""The next-best splits: at every node, the best split of each column that was not chosen, found exactly.

They are found after the fit: at each node every column is searched alone, as a tree of one test on the rows
of the node, with the parameters, counts and weights of the fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.result import ListResult
from ...data.common.text_width import check_width, terminal_width, wrapped
from ...learn.fitted_tree import as_model
from ...tree.leaf_models import must_not_be_logistic
from ...tree.tree_text import TreeText, check_count
from ..described_model import trained_estimator
from .search import split_search
from .stored import NodeSplits

if TYPE_CHECKING:
    from ...tree.tree import Tree

STUMP = 1000  # values that could be searched in the time that one search takes to start
BUDGET = 100_000_000

# Why a next-best split may gain more than the split that was chosen.
RATIO = "The splits were chosen by gain ratio among the columns of at least average gain, so {more}."
CORRECTED = "The gains of nominal columns were compared after correction for their levels, so {more}."
LINEAR = "The splits were compared between bins, in large nodes on some of the rows, so {more}."
DRAWN = "Not every column and threshold was tried at each node ({name}={value!r}), so {more}."
CHANGED = (
    "Some splits were not chosen for these rows, so another column shows a greater gain than the chosen one."
)
TESTED = "The columns were chosen by tests of independence, so {more}."
MORE = "another column may show a greater gain than the chosen one"


@dataclass(frozen=True, repr=False)
class NextBestSplits(ListResult[NodeSplits]):
    """The next-best splits of every inner node, in the order of the nodes."""

    LISTED = "nodes"

    nodes: tuple[NodeSplits, ...]
    notes: tuple[str, ...] = ()
    skipped: str | None = None  # why nothing was searched

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per next-best split: node, feature, test and gain. JSON can hold them."""
        return [split.to_dict() for node in self.nodes for split in node.next_best]

    def text(self, width: int | None = None) -> str:
        """In lines of at most this width; None: as wide as the terminal, or 80."""
        width = terminal_width() if width is None else width
        check_width(width)
        lines = []
        for node in self.nodes:
            lines += wrapped(f"{node.test} (gain {node.gain:.4g})", width, f"node {node.node}: ", "  ")
            for split in node.next_best:
                lines += wrapped(split.text, width, "  next: ", "    ")
        for note in self._notes():
            lines += wrapped(note, width)
        return "\n".join(lines) + "\n"

    def _notes(self) -> tuple[str, ...]:
        return (*self.notes, *([self.skipped] if self.skipped else []))

    def __str__(self) -> str:
        return self.text()


def next_best_splits(
    model: Any, X: Any, y: Any, k: int | None = 3, sample_weight: Any = None, *, budget: float = BUDGET
) -> NextBestSplits:
    """Find, at every inner node, the best splits of the columns that were not chosen there.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree or path
        A fitted tree of treewright that knows its training parameters, or the path of a model file.
    X : table
        The training rows.
    y : one value per row
        Their target.
    k : int, default 3
        How many splits to return per node, those of the greatest gain. None: all.
    sample_weight : one number per row, optional
        The weights of the fit.
    budget : float, default 100,000,000
        The most values to search: the rows of all inner nodes, times the columns. Beyond it nothing is
        searched, and `skipped` of the result says so.

    Returns
    -------
    NextBestSplits
        None of them gains more than the split that was chosen, except for ties and the last bits; `notes`
        says where that does not hold, as for `gain_ratio`, which compares columns in another way. With linear
        leaves a gain is what the models of both sides leave less than that of the node.
    """
    must_not_be_logistic(as_model(model).tree, "next_best_splits")
    return searched(trained_estimator(model), as_model(model).words(), (X, y, sample_weight), k, budget)


def searched(
    model: Any, words: TreeText, rows: tuple[Any, Any, Any], k: int | None, budget: float
) -> NextBestSplits:
    """The same for an estimator, the words of its tree, and X, y and the weights of the training rows."""
    check_count("k", k)
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not budget >= 0:
        raise ValueError(f"budget must be a number of at least 0. Got {budget!r}.")
    tree, params = model.tree_, model.get_params(deep=False)
    why_not = _why_not(tree, budget)
    if why_not or k == 0:
        return NextBestSplits((), skipped=why_not)
    search = split_search(model, *rows, words)
    nodes = tuple(search.splits(node, k) for node in np.flatnonzero(~tree.is_leaf).tolist())
    notes = tuple(caveats(tree, params))
    # by more than the last bits
    beaten = any(s.gain > node.gain * (1 + 1e-6) + 1e-9 for node in nodes for s in node.next_best)
    return NextBestSplits(nodes, notes or ((CHANGED,) if beaten else ()))


def _why_not(tree: Tree, budget: float) -> str | None:
    """Why no next-best splits are searched."""
    inner = ~tree.is_leaf
    cells = float((tree.n_node_samples[inner] + STUMP).sum()) * tree.n_features
    if cells > budget:
        return (
            f"Next-best splits were not searched: {np.count_nonzero(inner):,} nodes and {tree.n_features:,} "
            f"columns make {cells:,.0f} values to search, more than the budget of {budget:,.0f}."
        )
    return None


def caveats(tree: Tree, params: dict[str, Any]) -> Iterator[str]:
    """Why a next-best split may gain more than the split that was chosen."""
    if tree.leaf_models is not None:
        yield LINEAR.format(more=MORE)
    if params["criterion"] == "gain_ratio":
        yield RATIO.format(more=MORE)
    if tree.p_value.size:
        yield TESTED.format(more=MORE)
    nominal = tree.column_types is not None and any(each.kind == "nominal" for each in tree.column_types)
    if params["level_correction"] and nominal:
        yield CORRECTED.format(more=MORE)
    for name, usual in (("splitter", "best"), ("max_features", None)):
        if params[name] != usual:
            yield DRAWN.format(name=name, value=params[name], more=MORE)
