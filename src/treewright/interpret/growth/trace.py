"""`lab.trace`: the growth of a tree as a sequence of steps, each with the candidates that were compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.common.text_width import fit_line, padded, terminal_width, wrapped
from ...learn.fitted_tree import FittedTree, as_model
from ...tree.leaf_models import must_be_constant
from ...tree.tree_text import TreeText
from ..described_model import trained_estimator
from ..leaves.short_rule import rounded
from ..next_best.search import SplitSearch, split_search
from ..next_best.splits import caveats
from ..path import split_text
from ..rules.condition_text import MOST_LEVELS, printed_text
from ..rules.paths import path_to
from .candidates import place_of_column
from .column_candidates import ColumnCandidates
from .cuts import scores
from .node_candidates import FEW_LEVELS, Candidate, NodeCandidates
from .order import IN_WORDS, growth_order, order_of

MOVED = (
    "Some splits were chosen on other rows than are in their nodes now, since pruning held rows out or moved "
    "them. Another split may gain more there."
)
MONOTONE = "The splits that a node may use under monotonic_cst depend on its ancestors."


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
        return tuple(each for each in self.others if scores(each.total_gain, mass) == won)

    def column(self, column: str | int) -> ColumnCandidates:
        """Every cut of one column at this node, with its gain."""
        return self.at.column(place_of_column(column, self.at.search.words.features))

    def sentence(self) -> str:
        """Why this split was chosen, in words."""
        best = self.winner
        if not self.others:
            return f"Only {best.column} can be split."
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
        return f"{best.column} gains {self.margin:.3f} more than {second.column}."


@dataclass(frozen=True, repr=False)
class Trace(Result):
    """The growth of a tree, step by step: `trace[0]` is the split of the root."""

    steps: tuple[Step, ...]
    order: str  # "depth", "breadth" or "best"
    criterion: str
    notes: tuple[str, ...]
    model: FittedTree
    data: tuple[Any, Any]  # X and y

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __getitem__(self, place: int) -> Step:
        return self.steps[place]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per candidate of each step."""
        return [
            {"step": step.number, "node": step.node, **each.to_dict(), "chosen": each is step.winner}
            for step in self.steps
            for each in step.candidates
        ]

    def text(self, most: int = 5, width: int | None = None) -> str:
        """Every step with its best candidates, at most `most` of each."""
        width = terminal_width() if width is None else width
        lines = [self._headline()]
        for step in self.steps:
            lines += wrapped(_title(step), width, f"step {step.number}: ", "  ")
            size = max(len(each.test) for each in step.candidates[:most])
            size = min(size, max(20, width - 40))
            digits = _digits(max(each.gain for each in step.candidates))
            for each in step.candidates[:most]:
                ratio = "" if each.ratio is None else f"  ratio {each.ratio:.3f}"
                mark = "  <- chosen" if each is step.winner else ""
                test = padded(fit_line(each.test, size), size)
                lines.append(f"    {test}  {each.gain:.{digits}f}{ratio}{mark}")
            if len(step.candidates) > most:
                lines.append(f"    … and {counted(len(step.candidates) - most, 'more column')}")
            if step.ties:
                lines += wrapped(step.sentence(), width, "    ", "    ")
        lines += [line for note in self.notes for line in wrapped(note, width)]
        return "\n".join(lines)

    def _headline(self) -> str:
        steps = counted(len(self), "step")
        return f"{steps} of growth, {IN_WORDS[self.order]}. Gains are per row ({self.criterion})."

    def __str__(self) -> str:
        return self.text()

    def plot(self, step: int | None = None) -> Any:
        """Draw the tree after a step beside what the step did; returns the matplotlib figure.

        Parameters
        ----------
        step : int, optional
            The number of the step, from 1. By default the last.

        Returns
        -------
        matplotlib Figure
            With one or two columns of numbers the left part shows the regions (or the steps) of the tree so
            far. Else it shows the column that was split, with the gain of every cut.
        """
        from ...present.plots.growth import plot_step

        return plot_step(self, len(self) if step is None else step)

    def report(self, path: Any = None, title: str | None = None) -> Any:
        """The lesson page: growth played forwards and backwards in a browser. See `treewright.report`."""
        from ...present.lesson.page import lesson

        return lesson(self, path=path, title=title)

    @cached_property
    def words(self) -> TreeText:
        """The texts of the whole tree, with rounded thresholds."""
        return rounded(self.model.words())


def _digits(most: float) -> int:
    """Digits after the point that tell the gains of a step apart: three, or more where all are small."""
    return 3 if most >= 0.1 or most <= 0 else min(8, 2 - math.floor(math.log10(most)))


def _title(step: Step) -> str:
    where = "the root" if not step.path else step.path
    return f"split node {step.node}, {where} ({counted(step.rows, 'row')}, impurity {step.impurity:.3f})"


def trace(model: Any, X: Any, y: Any, *, sample_weight: Any = None) -> Trace:
    """Replay the growth of a tree: which node was split, which candidates were compared, and what won.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree or path
        A fitted tree of treewright that knows its training parameters, or the path of a model file.
    X : table
        The training rows.
    y : one value per row
        Their target.
    sample_weight : one number per row, optional
        The weights of the fit.

    Returns
    -------
    Trace
        The steps in the order of growth: with `max_leaf_nodes` the leaf of the greatest gain first, else
        depth first. Each step has the best split of every column (`candidates`), the `winner`, its `margin`
        and `ties`; `step.column(name)` has every cut. `plot(step)` draws one, `report(path)` makes a page.

    Notes
    -----
    The steps are those that led to the tree as it is. Splits that pruning has removed are not shown.
    """
    fitted = as_model(model)
    must_be_constant(fitted.tree, "trace", "Use next_best_splits for linear leaves.")
    estimator = trained_estimator(model)
    params = estimator.get_params(deep=False)
    if params["monotonic_cst"] is not None and np.any(np.asarray([*_signs(params["monotonic_cst"])]) != 0):
        raise ValueError(f"trace needs a tree without monotonic_cst. {MONOTONE}")
    words = rounded(fitted.words())
    search = split_search(estimator, X, y, sample_weight, words)
    order = order_of(params)
    nodes = growth_order(fitted.tree, order)
    waiting = _waiting(search, nodes, params) if order == "best" else [{} for _ in nodes]
    steps = tuple(
        _step(search, node, number, words, left)
        for number, (node, left) in enumerate(zip(nodes, waiting, strict=True), 1)
    )
    notes = [*caveats(fitted.tree, params)]
    if params["splitter"] == "best" and any(step.moved for step in steps):
        notes.append(MOVED)
    if params.get("pruning") or params.get("ccp_alpha"):
        notes.append("The tree was pruned. Splits that pruning removed are not shown.")
    return Trace(steps, order, words.criterion, tuple(notes), fitted, (X, y))


def _signs(given: Any) -> Sequence[int]:
    return list(given.values()) if isinstance(given, dict) else list(given)


def _step(search: SplitSearch, node: int, number: int, words: TreeText, waiting: dict[int, float]) -> Step:
    at, tree = NodeCandidates(search, node), words.tree
    total = float(tree.gain[node])
    feature = int(tree.feature[node])
    best = list(at.best)
    known = next((each for each in best if each.place == feature), None)
    cut = float(tree.threshold[node])
    winner = Candidate(
        words.feature(node),
        split_text(words, node, FEW_LEVELS),
        total / at.weight,
        total,
        None if known is None else known.ratio,
        cut if np.isfinite(cut) and not tree.is_nominal[node] else None,
        feature if feature < tree.n_features else -1,
    )
    differs = known is not None and not np.isclose(known.total_gain, total, rtol=1e-9)
    moved = differs and known is not None and known.test != winner.test
    if differs and known is not None and not moved:
        winner = known  # pruning has counted the gain of the node again; the others are gains of the search
    others = sorted((each for each in best if each is not known), key=lambda each: -(each.ratio or each.gain))
    path = path_to(tree, node, stops=False).tidy() if node else None
    said = [] if path is None else [printed_text(each, words, MOST_LEVELS) for each in path.conditions]
    rows, impurity = int(tree.n_node_samples[node]), float(tree.impurity[node])
    return Step(
        number, node, " and ".join(said), rows, impurity, winner, (winner, *others), waiting, at, moved
    )


def _waiting(search: SplitSearch, nodes: list[int], params: dict[str, Any]) -> list[dict[int, float]]:
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
