"""One step of growth: a leaf that is split, with the candidates that were compared."""

from __future__ import annotations

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
        mass = self.impurity * self.at.weight
        won = scores(self.winner.total_gain, mass)
        equal = [each for each in self.others if scores(each.total_gain, mass) == won]
        return tuple(each for each in equal if (each.ratio, each.p_value) == (self.winner.ratio, None))

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
        if self.ties:
            names = ", ".join(each.column for each in self.ties)
            return f"{best.column} and {names} gain the same; the first in the table is taken."
        assert self.margin is not None
        if self.at.by_ratio and best.ratio is not None:
            return (
                f"{best.column} has the highest gain ratio ({best.ratio:.3f}) of the columns with at least "
                "average gain."
            )
        if self.margin < 0:
            second = max(self.others, key=lambda each: each.gain)
            return f"{second.column} gains more, but was not chosen: see the notes."
        second = max(self.others, key=lambda each: each.gain)
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


def step_at(search: SplitSearch, node: int, number: int, waiting: dict[int, float]) -> Step:
    """The split of a node as a step, with the best split of every column."""
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
    moved = differs and known is not None and known.test != winner.test
    if differs and known is not None and not moved:
        winner = known  # pruning has counted the gain of the node again; the others are gains of the search
    others = sorted((each for each in best if each is not known), key=lambda each: each.rank)
    path = path_to(tree, node, stops=False).tidy() if node else None
    said = [] if path is None else [printed_text(each, words, MOST_LEVELS) for each in path.conditions]
    rows, impurity = int(tree.n_node_samples[node]), float(tree.impurity[node])
    return Step(
        number, node, " and ".join(said), rows, impurity, winner, (winner, *others), waiting, at, moved
    )


def waiting_leaves(search: SplitSearch, nodes: list[int], params: dict[str, Any]) -> list[dict[int, float]]:
    """Of every step the leaves that wait, with what the best split of each gains."""
    tree = search.words.tree
    gain: dict[int, float] = {node: float(tree.gain[node]) for node in nodes}
    for node in np.flatnonzero(tree.is_leaf).tolist():
        deep = params["max_depth"] is not None and tree.depth[node] >= params["max_depth"]
        if not deep and tree.impurity[node] > 0:
            best = [search.best(node, j) for j in range(len(search.columns))]
            gain[node] = max((each.gain for each in best if each is not None), default=0.0)
    found, leaves = [], {0}
    for node in nodes:
        leaves.discard(node)
        found.append({leaf: gain[leaf] for leaf in sorted(leaves) if gain.get(leaf, 0.0) > 0})
        first = int(tree.first_child[node])
        leaves.update(range(first, first + int(tree.n_children[node])))
    return found
