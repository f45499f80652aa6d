"""One step of growth: a leaf that is split, with the candidates that were compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.common.numbers import gain_text
from ...data.common.plural import counted
from ...data.common.text_width import fit_line, padded, terminal_width, wrapped
from ...tree.condition_text import MOST_LEVELS, printed_text
from ...tree.paths import path_to
from ..next_best.search import SplitSearch
from .candidates import place_of_column
from .column_candidates import MOST_PRINTED, ColumnCandidates
from .cuts import scores
from .node_candidates import Candidate, NodeCandidates

OTHER_ORDER = {
    "choice",
    "better_by",
    "rounding_decides",
    "plain_sums",
    "column_costs",
}  # rules between equals


@dataclass(frozen=True)
class Step:
    """One step of growth: a leaf that is split.

    Attributes
    ----------
    number : int
        The number of the step, from 1.
    node : int
        The node that is split, as in `tree_`.
    path : str
        The conditions that lead to the node; empty for the root.
    rows : int
        The training rows of the node.
    impurity : float
        Its impurity before the split.
    winner : Candidate
        The split that was chosen.
    candidates : tuple of Candidate
        The best split of every column, the winner first, then by gain.
    waiting : dict
        With best-first growth: the other leaves that could have been split, with the total gain of each.
    """

    number: int
    node: int
    path: str
    rows: int
    impurity: float
    winner: Candidate
    candidates: tuple[Candidate, ...]
    waiting: dict[int, float]
    at: NodeCandidates
    moved: bool = False  # the split is not the best of its column for the rows that are here now
    searched: float = 0.0  # the total gain of the winner as that of the others is found: on these rows alone
    first_wins: bool = True  # of columns that gain the same, the first is taken

    @property
    def others(self) -> tuple[Candidate, ...]:
        """The candidates that lost."""
        return self.candidates[1:]

    @property
    def margin(self) -> float | None:
        """By how much the winner gains more per row than the best other column; None if there is no other."""
        return self.winner.gain - max(each.gain for each in self.others) if self.others else None

    @property
    def ties(self) -> tuple[Candidate, ...]:
        """Other columns whose best split gains exactly as much as the winner."""
        return tuple(each for each in self.others if self._ahead(each) == 0 and each.equals(self.winner))

    @property
    def beaten(self) -> bool:
        """Whether another column gains more than the winner, by more than the last bits."""
        return any(self._ahead(each) > 0 for each in self.others)

    def _ahead(self, other: Candidate) -> int:
        """By how much a candidate gains more than the winner, in the units in which growth compares gains."""
        mass = self.impurity * self.at.weight
        more = int(scores(other.total_gain, mass) - scores(self.searched, mass))
        return 0 if abs(more) <= 1 else more  # a unit may be the rounding

    def column(self, column: str | int) -> ColumnCandidates:
        """Every cut of one column at this node, with its gain."""
        if column == self.winner.column:
            return self.at.column(self.winner.place)
        return self.at.column(place_of_column(column, self.at.search.words.features))

    def sentence(self) -> str:
        """Why this split was chosen, in words."""
        best = self.winner
        if not self.others:
            return f"Only {best.column} can be split."
        if best.p_value is not None:
            least = min(self.others, key=lambda each: each.p_value or 0.0)
            if (least.p_value or 0.0) < best.p_value:
                return f"{least.column} has a smaller p-value, but was not chosen: see the notes."
            return (
                f"{best.column} has the smallest p-value ({best.p_value:.2g}) of the tests of independence."
            )
        by_ratio = self.at.by_ratio and best.ratio is not None
        second = max(self.others, key=lambda each: each.gain)
        if self.beaten and not by_ratio:
            return f"{second.column} gains more, but was not chosen: see the notes."
        if self.ties:
            names = ", ".join(each.column for each in self.ties)
            first = self.first_wins and best.place <= min(each.place for each in self.ties)
            taken = "the first in the table is taken" if first else f"{best.column} was taken"
            return f"{best.column} and {names} gain the same; {taken}."
        if by_ratio:
            return (
                f"{best.column} has the highest gain ratio ({best.ratio:.3f}) of the columns with at least "
                "average gain."
            )
        assert self.margin is not None
        return f"{best.column} gains {self.gain_text(self.margin)} more than {second.column}."

    def gain_text(self, gain: float) -> str:
        """A gain with as many digits as the others of this step."""
        return gain_text(gain, max(each.gain for each in self.candidates))

    def __str__(self) -> str:
        return "\n".join(self.lines(MOST_PRINTED, terminal_width()))

    def lines(self, most: int, width: int) -> list[str]:
        """The node and its best candidates, at most `most`."""
        where = self.path or "the root"
        impurity = gain_text(self.impurity, self.impurity)
        title = f"split node {self.node}, {where} ({counted(self.rows, 'row')}, impurity {impurity})"
        lines = wrapped(title, width, f"step {self.number}: ", "  ")
        shown = self.candidates[:most]
        size = min(max(len(each.test) for each in shown), max(20, width - 40))
        gains = [self.gain_text(each.gain) for each in shown]
        for each, gain in zip(shown, gains, strict=True):
            more = "" if each.ratio is None else f"  ratio {each.ratio:.3f}"
            more += "" if each.p_value is None else f"  p {each.p_value:.2g}"
            more += "  <- chosen" if each is self.winner else ""
            lines.append(
                f"    {padded(fit_line(each.test, size), size)}  {gain:>{max(map(len, gains))}}{more}"
            )
        if len(self.candidates) > most:
            lines.append(f"    … and {counted(len(self.candidates) - most, 'more column')}")
        return lines + (wrapped(self.sentence(), width, "    ", "    ") if self.ties else [])


def step_at(
    search: SplitSearch, node: int, number: int, waiting: dict[int, float], params: dict[str, Any]
) -> Step:
    """The split of a node as a step, with the best split of every column; `params` are those of the fit."""
    words, at = search.words, NodeCandidates(search, node)
    tree = words.tree
    total = float(tree.gain[node])
    feature = int(tree.feature[node])
    best = list(at.best)
    known = next((each for each in best if each.place == feature), None)
    winner = at.chosen()
    if known is not None:
        winner = replace(winner, ratio=known.ratio, p_value=known.p_value)
    differs = known is not None and not np.isclose(known.total_gain, total, rtol=1e-9)
    moved = differs and known is not None and (known.test, known.threshold) != (winner.test, winner.threshold)
    if differs and known is not None and not moved and params["splitter"] == "best":
        # pruning has counted the gain of the node again; the others are gains of the search
        winner = known
    others = sorted((each for each in best if each is not known), key=lambda each: each.rank)
    path = path_to(tree, node, stops=False).tidy() if node else None
    said = [] if path is None else [printed_text(each, words, MOST_LEVELS) for each in path.conditions]
    rows, impurity = int(tree.n_node_samples[node]), float(tree.impurity[node])
    same = known is not None and not moved and params["splitter"] == "best"
    searched = known.total_gain if known is not None and same else winner.total_gain
    listed, wins = (winner, *others), _first_wins(params)
    where = " and ".join(said)
    return Step(number, node, where, rows, impurity, winner, listed, waiting, at, moved, searched, wins)


def _first_wins(params: dict[str, Any]) -> bool:
    """Whether of columns that gain the same the first is taken."""
    rules = {name for name, value in (params["growth_rules"] or {}).items() if value}
    drawn = params["splitter"] != "best" or params["max_features"] is not None
    return not (drawn or params["level_correction"] or rules & OTHER_ORDER)


def waiting_leaves(search: SplitSearch, nodes: list[int], params: dict[str, Any]) -> list[dict[int, float]]:
    """Of every step the leaves that wait, with what the best split of each gains."""
    tree, most = search.words.tree, params["max_leaf_nodes"]
    gain: dict[int, float] = {node: float(tree.gain[node]) for node in nodes}
    branches: dict[int, int] = {node: int(tree.n_children[node]) for node in nodes}
    for node in np.flatnonzero(tree.is_leaf).tolist():
        deep = params["max_depth"] is not None and tree.depth[node] >= params["max_depth"]
        if not deep and tree.impurity[node] > 0:
            stumps = [search.stump(node, j) for j in range(len(search.columns))]
            best = max(
                (each for each in stumps if each is not None), key=lambda each: each.gain[0], default=None
            )
            enough = params["min_impurity_decrease"] * tree.weighted_n_node_samples[0] * (1 - 1e-12)
            if best is not None and best.gain[0] >= enough:
                gain[node], branches[node] = float(best.gain[0]), int(best.n_children[0])
    found, leaves = [], {0}
    for node in nodes:
        room = math.inf if most is None else most - len(leaves)
        leaves.discard(node)
        # of a leaf that gains more than this one, pruning has removed the split
        above = gain[node] * (1 + 1e-9) if params["pruning"] or params["ccp_alpha"] else math.inf
        waiting = [
            leaf for leaf in sorted(leaves) if 0 < gain.get(leaf, 0.0) <= above and branches[leaf] - 1 <= room
        ]
        found.append({leaf: gain[leaf] for leaf in waiting})
        first = int(tree.first_child[node])
        leaves.update(range(first, first + int(tree.n_children[node])))
    return found
