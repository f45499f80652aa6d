"""The runners-up: at every node, the best split of each column that was not chosen, found exactly.

They are found after the fit: at each node every column is searched alone, as a tree of one test on the rows
of the node, with the settings, counts and weights of the fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.text_width import check_width, terminal_width, wrapped
from ...tree.words import check_count
from ..subject import trained_estimator
from .search import OtherWayError, search_of
from .stored import Contest

if TYPE_CHECKING:
    from ...tree.tree import Tree

STUMP = 1000  # the cells that could be searched in the time that it takes to begin
BUDGET = 100_000_000

# Why a runner-up may gain more than the split that was chosen.
RATIO = "The splits were chosen by gain ratio among the columns of at least average gain, so {more}."
CORRECTED = "The gains of nominal columns were compared after correction for their levels, so {more}."
DRAWN = "Not every column and threshold was tried at each node ({name}={value!r}), so {more}."
CHANGED = (
    "Some splits were not chosen for the rows that are there now, so a runner-up gains more than the split."
)
MORE = "a runner-up may gain more than the split"


@dataclass(frozen=True)
class NextBestSplits:
    """The runners-up of every inner node, in the order of the nodes; `to_dicts()` is what a file keeps."""

    contests: tuple[Contest, ...]
    notes: tuple[str, ...] = ()
    skipped: str | None = None  # why nothing was searched

    def __len__(self) -> int:
        return len(self.contests)

    def __iter__(self) -> Iterator[Contest]:
        return iter(self.contests)

    def __getitem__(self, place: int) -> Contest:
        return self.contests[place]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per runner-up: node, feature, test and gain. JSON can hold them."""
        return [rival.to_dict() for contest in self.contests for rival in contest.runners_up]

    def text(self, width: int | None = None) -> str:
        """To read, in lines of at most this width."""
        width = terminal_width() if width is None else width
        check_width(width)
        lines = []
        for contest in self.contests:
            lines += wrapped(
                f"{contest.test}, gain {contest.gain:.4g}", width, f"node {contest.node}: ", "  "
            )
            for rival in contest.runners_up:
                lines += wrapped(f"{rival.test}, gain {rival.gain:.4g}", width, "  then ", "    ")
        for note in (*self.notes, *([self.skipped] if self.skipped else [])):
            lines += wrapped(note, width)
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.text()


def next_best_splits(
    model: Any, X: Any, y: Any, k: int | None = 3, sample_weight: Any = None, *, budget: float = BUDGET
) -> NextBestSplits:
    """Find, at every inner node, the best splits of the columns that were not chosen there.

    Parameters
    ----------
    model : a fitted tree of treewright
    X, y, sample_weight : the rows that it was grown on
    k : int, optional
        How many to keep per node: those of the greatest gain. None: all.
    budget : float
        The most values to search: the rows of all inner nodes, times the columns. Beyond it nothing is
        searched, and `skipped` of the result says so.

    Returns
    -------
    NextBestSplits
        None of them gains more than the split that was chosen, but for ties and the last bits; `notes` says
        where that does not hold, as for `gain_ratio`, which compares columns otherwise.
    """
    model = trained_estimator(model)
    check_count("k", k)
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not budget >= 0:
        raise ValueError(f"budget must be a number of at least 0. Got {budget!r}.")
    tree, params = model.tree_, model.get_params(deep=False)
    refused = _refused(tree, params, budget)
    if refused or k == 0:
        return NextBestSplits((), skipped=refused)
    try:
        search = search_of(model, X, y, sample_weight)
    except OtherWayError as reason:
        return NextBestSplits((), skipped=str(reason))
    contests = tuple(search.contest(node, k) for node in np.flatnonzero(~tree.is_leaf).tolist())
    notes = tuple(_notes(tree, params))
    return NextBestSplits(contests, notes or ((CHANGED,) if any(map(_is_beaten, contests)) else ()))


def _is_beaten(contest: Contest) -> bool:
    """Whether a runner-up gains more, by more than the last bits."""
    return any(rival.gain > contest.gain * (1 + 1e-6) + 1e-9 for rival in contest.runners_up)


def _refused(tree: Tree, params: dict[str, Any], budget: float) -> str | None:
    """Why no runners-up are searched."""
    if params["monotonic_cst"] is not None and any(params["monotonic_cst"]):
        return (
            "Runners-up are not searched under monotonic_cst: what a node may do there depends on its "
            "ancestors."
        )
    inner = ~tree.is_leaf
    cells = float((tree.n_node_samples[inner] + STUMP).sum()) * tree.n_features
    if cells > budget:
        return (
            f"Runners-up were not searched: {np.count_nonzero(inner):,} nodes and {tree.n_features:,} "
            f"columns make {cells:,.0f} values to search, more than the budget of {budget:,.0f}."
        )
    return None


def _notes(tree: Tree, params: dict[str, Any]) -> Iterator[str]:
    if params["criterion"] == "gain_ratio":
        yield RATIO.format(more=MORE)
    nominal = tree.column_types is not None and any(each.kind == "nominal" for each in tree.column_types)
    if params["level_correction"] and nominal:
        yield CORRECTED.format(more=MORE)
    for name, usual in (("splitter", "best"), ("max_features", None)):
        if params[name] != usual:
            yield DRAWN.format(name=name, value=params[name], more=MORE)
