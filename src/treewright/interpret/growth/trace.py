"""`lab.trace`: the growth of a tree as a sequence of steps, each with the candidates that were compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.plural import counted
from ...data.common.result import ListResult
from ...data.common.text_width import check_width, terminal_width, wrapped
from ...learn.fitted_tree import FittedTree, as_model
from ...tree.decided import must_be_crisp
from ...tree.leaf_models import must_be_constant
from ...tree.tree_text import TreeText
from ..described_model import trained_estimator
from ..leaves.short_rule import rounded
from ..next_best.search import split_search
from ..next_best.splits import CHANGED, caveats
from ..next_best.training_rows import GIVE
from .order import IN_WORDS, growth_order, order_of
from .split_information import printed_criterion
from .step import Step, step_at, waiting_leaves

MOST_PRINTED = 20  # steps
MOVED = (
    "Some splits were chosen on other rows than are in their nodes now, since pruning held rows out or moved "
    "them. Another split may gain more there."
)


@dataclass(frozen=True, repr=False)
class Trace(ListResult[Step]):
    """The growth of a tree, step by step: `trace[0]` is the split of the root."""

    LISTED = "steps"

    steps: tuple[Step, ...]
    order: str  # "depth", "breadth" or "best"
    criterion: str
    notes: tuple[str, ...]
    model: FittedTree
    data: tuple[Any, Any]  # X and y

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per candidate of each step."""
        return [
            {"step": step.number, "node": step.node, **each.to_dict(), "chosen": each is step.winner}
            for step in self.steps
            for each in step.candidates
        ]

    def text(self, most: int = 5, width: int | None = None) -> str:
        """Every step with its best candidates, at most `most` of each."""
        if not is_whole(most) or most < 1:
            raise ParameterError(f"most must be an int of at least 1. Got {most!r:.80}.", "most")
        width = terminal_width() if width is None else width
        check_width(width)
        lines = [self._headline()]
        for step in self.steps:
            lines += step.lines(most, width)
        lines += [line for note in self.notes for line in wrapped(note, width)]
        return "\n".join(lines)

    def _headline(self) -> str:
        steps, criterion = counted(len(self), "step"), printed_criterion(self.criterion)
        return f"{steps} of growth, {IN_WORDS[self.order]}. Gains are per row ({criterion})."

    @property
    def rule(self) -> str:
        """What chooses among the candidates, in words."""
        if self.model.tree.p_value.size:
            by_p = (self.model.params.get("growth_rules") or {}).get("adjustment") != "statistic"
            wins = "the smallest p-value wins" if by_p else "the greatest statistic wins"
            return (
                f"The column is chosen by a test of independence: {wins}. Then the cut is taken where the "
                "two sides differ most."
            )
        if self.criterion == "gain_ratio":
            return "The highest gain ratio wins: the gain divided by how many bits the branches need."
        return "The greatest gain wins."

    def __str__(self) -> str:
        if len(self) <= MOST_PRINTED:
            return self.text()
        left = counted(len(self) - MOST_PRINTED, "more step")
        rest = f"… and {left}. print(trace[k]) prints one, print(trace.text()) all."
        shown = replace(self, steps=self.steps[:MOST_PRINTED], notes=(rest, *self.notes)).text()
        return shown.replace(f"{MOST_PRINTED} steps", f"{len(self):,} steps", 1)

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
    must_be_crisp(fitted.tree, "trace")
    must_be_constant(fitted.tree, "trace", "Grow a tree with leaf_model='constant'.")
    estimator = trained_estimator(model)
    params = estimator.get_params(deep=False)
    words = rounded(fitted.words())
    search = split_search(estimator, X, y, sample_weight, words)
    order = order_of(params)
    nodes = growth_order(fitted.tree, order)
    waiting = waiting_leaves(search, nodes, params) if order == "best" else [{} for _ in nodes]
    steps = tuple(
        step_at(search, node, number, left, params)
        for number, (node, left) in enumerate(zip(nodes, waiting, strict=True), 1)
    )
    notes = [*caveats(fitted.tree, params)]
    pruned = bool(params.get("pruning") or params.get("ccp_alpha"))
    if hasattr(estimator, "ccp_alpha_") and not (
        notes or pruned or params["growth_rules"] or params["oblique"]
    ):
        _must_be_the_best(
            steps, 1e-9 * float(fitted.tree.impurity[0] * fitted.tree.weighted_n_node_samples[0])
        )
    grown = (getattr(estimator, "pruning_", None) or {}).get("grow_rows", slice(None))
    if held := int(np.count_nonzero(np.delete(search.weights, grown) == 0)):
        notes.append(f"Pruning held out {counted(held, 'row')}: the steps are those of the other rows.")
    if not notes and any(step.beaten for step in steps):
        notes.append(CHANGED)
    if params["splitter"] == "best" and any(step.moved for step in steps):
        notes.append(MOVED)
    if pruned:
        notes.append("The tree was pruned. Splits that pruning removed are not shown.")
    return Trace(steps, order, words.criterion, tuple(notes), fitted, (X, y))


def _must_be_the_best(steps: Sequence[Step], rounding: float) -> None:
    """Where the greatest gain wins and nothing was pruned, no column of the rows of the fit gains more."""
    for step in steps:
        best = max(step.at.best, key=lambda each: each.total_gain, default=step.winner)
        if best.total_gain - step.searched > rounding + 1e-6 * step.impurity * step.at.weight:
            raise ValueError(
                f"X and y must be the training rows of the model. Got a gain of {best.gain:.6g} for "
                f"{best.test} in node {step.node}, where the tree chose {step.winner.test} with "
                f"{step.winner.gain:.6g}. {GIVE}"
            )
