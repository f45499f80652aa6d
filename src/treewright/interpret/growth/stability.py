"""`lab.stability`: how far the splits and the predictions of a tree depend on the rows that were sampled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...data.columns import from_columns
from ...data.common.allowed import is_random_state, is_whole
from ...data.common.errors import ParameterError
from ...data.common.numbers import figure
from ...data.common.random_state import random_state_of
from ...data.common.result import Result
from ...data.common.tables import Column as Printed
from ...data.values import Column as Values
from ...learn.fitted_tree import as_model
from ...learn.problem import read_problem
from ...tree.tree import Tree
from ..described_model import trained_estimator, without_old_names
from ..leaves.short_rule import rounded
from ..next_best.search import with_levels
from ..next_best.training_rows import fit_weights, training_rows
from ..path import split_text
from .bootstrap import bootstrap_trees
from .column_candidates import FEW_LEVELS
from .cuts import Floats, Ints
from .same_splits import SameSplits, compared

QUANTILES = (0.1, 0.9)


class SplitStability(NamedTuple):
    """One split of the tree, and what became of it in the bootstrap samples."""

    node: int
    test: str
    chosen: float  # proportion of all samples in which it and every split above it are chosen again
    chosen_if_reached: float | None  # the same of the samples in which every split above is; None: of none
    threshold: float | None
    low: float | None  # 10 and 90 % of its thresholds, where it is chosen again
    high: float | None
    moved: (
        float | None
    )  # of groups of levels: the mean proportion of its rows that go to another branch there
    thresholds: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """As one row of a table."""
        return {name: value for name, value in self._asdict().items() if name != "thresholds"}


@dataclass(frozen=True, repr=False)
class Stability(Result):
    """The stability of a tree over bootstrap samples: of its splits, its columns and its predictions."""

    splits: tuple[SplitStability, ...]
    columns: dict[str, float]  # the proportion of samples whose tree uses the column anywhere
    row_changes: Floats  # of classes: in which proportion of samples the row is predicted another class
    row_spread: Floats | None  # of numbers: the standard deviation of the prediction of every row
    n_leaves: tuple[int, ...]  # of the tree of every sample
    repeats: int
    digest: str  # of the tree

    def __len__(self) -> int:
        return len(self.splits)

    def __iter__(self) -> Iterator[SplitStability]:
        return iter(self.splits)

    def at(self, node: int) -> SplitStability | None:
        """The split of a node; None for a leaf."""
        return next((each for each in self.splits if each.node == node), None)

    def splits_of(self, tree: Tree) -> dict[int, SplitStability]:
        """The splits by node, for a drawing or a page of the same tree."""
        if tree.digest != self.digest:
            raise ValueError(
                "stability must be that of the model. Got the stability of another tree. Call "
                "treewright.lab.stability with this model."
            )
        return {each.node: each for each in self.splits}

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per split."""
        return [each.to_dict() for each in self.splits]

    def _rows(self) -> Sequence[dict[str, Any]]:
        return [
            {
                "node": each.node,
                "test": each.test,
                "chosen_again": each.chosen,
                "if_reached": each.chosen_if_reached,
                "thresholds": _range(each.low, each.high),
                "rows_moved": each.moved,
            }
            for each in self.splits
        ]

    def _columns(self) -> Sequence[Printed]:
        moved: list[Printed] = [("rows_moved", ".0%")] if self._moves else []
        return [
            ("node", "d"),
            ("test", ""),
            ("chosen_again", ".0%"),
            ("if_reached", ".0%"),
            ("thresholds", ""),
            *moved,
        ]

    @property
    def _moves(self) -> bool:
        """Whether levels of some column go to other branches in samples."""
        return any(each.moved is not None for each in self.splits)

    def _headline(self) -> str:
        if not self.splits:
            return f"The tree is a single leaf, without a split ({self.repeats:,} bootstrap samples)"
        return f"How often each split is chosen again in {self.repeats:,} bootstrap samples"

    def _notes(self) -> Sequence[str]:
        low, high = np.quantile(self.n_leaves, QUANTILES)
        leaves = _range(low, high, ".0f")
        notes = []
        if self.splits:
            notes.append("If reached: of the samples with the same splits above. Thresholds: 10 % to 90 %.")
        if self._moves:
            notes.append("Rows moved: the rows of the node whose level goes to another branch, on average.")
        many = "leaf" if leaves == "1" else "leaves"
        notes.append(f"The trees of the samples have {leaves} {many} (10 % to 90 %).")
        if self.row_spread is None:
            mean, often = self.row_changes.mean(), (self.row_changes > 0.25).mean()
            notes.append(
                f"A row is predicted another class in {mean:.1%} of the samples on average; {often:.1%} of "
                "the rows in more than a quarter of them."
            )
        else:
            notes.append(
                "The prediction of a row varies over the samples by a standard deviation of "
                f"{figure(np.median(self.row_spread))} (median of the rows)."
            )
        return notes

    def plot(self, ax: Any = None) -> Any:
        """Draw how often each split is chosen again, the root on top; returns the axes."""
        from ...present.plots.stability import plot_stability

        return plot_stability(self, ax)


def stability(
    model: Any,
    X: Any,
    y: Any,
    *,
    repeats: int = 100,
    sample_weight: Any = None,
    random_state: Any = 0,
) -> Stability:
    """Measure how stable a tree is: refit it on bootstrap samples and compare.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree or path
        A fitted tree that knows its training parameters.
    X : table
        The training rows.
    y : one value per row
        Their target.
    repeats : int, default 100
        How many bootstrap samples: as many rows as the table has, drawn with replacement.
    sample_weight : one number per row, optional
        The weights of the fit.
    random_state : int or RandomState, default 0
        The seed of the samples.

    Returns
    -------
    Stability
        `splits`: for every split how often it is chosen again (the same column below the same splits) and how
        far it moves: the range of its threshold, or the share of rows whose level goes to another branch.
        `columns`: how often a column is used at all. `row_changes`: how often each row is predicted another
        class. `plot()`; `treewright.draw(model, stability=...)` shows it at the nodes.

    Notes
    -----
    A value that cross-validation chose, such as `ccp_alpha="1se"`, is kept as it was chosen.
    """
    if not is_whole(repeats) or repeats < 2:
        raise ParameterError(f"repeats must be an int of at least 2. Got {repeats!r}.", "repeats")
    if random_state is not None and not is_random_state(random_state):
        raise ParameterError(
            f"random_state must be an int in [0, 2**32), a RandomState or None. Got {random_state!r}.",
            "random_state",
        )
    fitted = as_model(model)
    if fitted.tree.leaf_models is not None:
        raise ValueError("stability needs a tree with constant leaves. Got linear leaves.")
    estimator = trained_estimator(model)
    table = fitted.read(X)
    own = fitted.select(X)
    problem = read_problem(without_old_names(estimator), own, y, sample_weight)
    training_rows(estimator, problem, table.core, fit_weights(estimator, problem))
    columns = [with_levels(*pair) for pair in zip(table.given, table.columns, strict=True)]
    generator = np.random.default_rng(random_state_of(random_state).randint(2**31 - 1))
    trees = bootstrap_trees(estimator, problem, (own, columns), repeats, generator)
    found = compared(fitted.tree, trees, _rows_by_level(fitted.tree, columns, table.n_rows))
    words = rounded(fitted.words())
    splits = tuple(_split(words, node, found) for node in np.flatnonzero(~fitted.tree.is_leaf).tolist())
    used = np.array([np.isin(np.arange(fitted.tree.n_features), tree.used) for tree in trees]).mean(axis=0)
    shares = dict(zip(words.features, used.tolist(), strict=True))
    changes, spread = _rows(
        fitted.tree, trees, from_columns(columns, table.n_rows), bool(problem.target.classes)
    )
    return Stability(
        splits, shares, changes, spread, tuple(tree.n_leaves for tree in trees), repeats, fitted.tree.digest
    )


def _range(low: float | None, high: float | None, form: str = ".4g") -> str | None:
    """Two ends in words; one number where they are alike, and None where they are not known."""
    if low is None or high is None:
        return None
    ends = [figure(low, form), figure(high, form)]
    return " to ".join(dict.fromkeys(ends))


def _rows_by_level(tree: Tree, columns: list[Values], n_rows: int) -> dict[int, Ints]:
    """For every node that tests groups of levels, how many of its rows have each level."""
    nodes = np.flatnonzero(tree.is_nominal & ~tree.is_leaf)
    if not len(nodes):
        return {}
    passed = tree.decision_path(from_columns(columns, n_rows)).tocsc()
    codes = {node: columns[tree.feature[node]].values[passed[:, [node]].indices] for node in nodes.tolist()}
    return {node: np.bincount(found[found >= 0]) for node, found in codes.items()}


def _split(words: Any, node: int, found: SameSplits) -> SplitStability:
    tree: Tree = words.tree
    parent = int(tree.parent[node])
    again = found.same[:, node]
    reached = np.ones_like(again) if parent < 0 else found.same[:, parent]
    test = tree.test(node)
    cuts = found.cuts[again, node]
    cuts = np.sort(cuts[np.isfinite(cuts)])
    numeric = not test.is_nominal and np.isfinite(test.threshold)
    low, high = np.quantile(cuts, QUANTILES).tolist() if numeric and len(cuts) else (None, None)
    moved = found.moved[again, node]
    moved = moved[~np.isnan(moved)]
    return SplitStability(
        node,
        split_text(words, node, FEW_LEVELS),
        float(again.mean()),
        float(again[reached].mean()) if reached.any() else None,
        float(test.threshold) if numeric else None,
        low,
        high,
        float(moved.mean()) if len(moved) else None,
        tuple(cuts.tolist()) if numeric else (),
    )


def _rows(tree: Tree, trees: list[Tree], X: Any, classes: bool) -> tuple[Floats, Floats | None]:
    """For every row, how often its prediction changes, and of numbers by how much."""
    if classes:
        own = tree.labels(X)[:, 0]
        return np.mean([other.labels(X)[:, 0] != own for other in trees], axis=0), None
    now = np.asarray(tree.predict(X)).reshape(-1, tree.n_outputs)[:, 0]
    found = np.array([other.predict(X).reshape(-1, tree.n_outputs)[:, 0] for other in trees])
    return np.mean(found != now, axis=0), np.asarray(found.std(axis=0, ddof=1))
