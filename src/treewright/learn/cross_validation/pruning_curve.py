"""Cross-validation of cost-complexity pruning: the loss on held-out rows for every alpha at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Floats, Ints
from ...data.common.progress import Progress, reporter
from ...data.common.result import Result
from ...data.target import check_weights
from ...tree.tree import LeavesReached, Tree
from ..alpha_rule import standard_errors
from ..folds import Fold
from ..problem import Problem
from ..pruning import stop_alphas
from .loss_sums import CountedRows, EvaluationRows, Sums
from .row_losses import Spans, leaves_reached_by, reached_at_top, spans_of

RULES = ("cv", "1se")  # the two that tables and plots show


@dataclass(frozen=True, eq=False)
class Curve(Result):
    """The loss of the pruned trees over alpha: on their training rows, and on held-out rows.

    The alphas are 0 and the middles, on a logarithmic scale, between those at which the tree of all rows
    shrinks; the last one leaves only a root, in all folds.
    """

    loss: str  # its name
    ccp_alphas: Floats  # rising
    n_leaves: Ints  # of the tree of all rows
    training: Floats  # its loss on these rows
    mean: Floats  # loss of the held-out rows
    se: Floats  # standard error of that mean, over rows
    by_fold: Floats  # (folds, alphas): the mean in each; NaN where no row of the fold weighs anything
    errors: Curve | None = None  # the error rates of the same trees, where the loss is one of probabilities

    @property
    def n_folds(self) -> int:
        """How many folds there were."""
        return len(self.by_fold)

    def place(self, rule: str) -> int:
        """Where "cv" (the least loss) stands, or "1se": the largest alpha within one standard error of it.

        Any number may stand before "se". Of equal losses the largest alpha counts, which has the fewest
        leaves. With `errors`, "1se" holds for the error rate too: probabilities alone would allow trees whose
        classes are clearly worse.
        """
        reach = standard_errors(rule)
        if np.isnan(self.mean).any():  # no held-out row weighs anything: nothing speaks for a split
            return len(self.mean) - 1
        rounding = 1e-12 * float(np.abs(self.mean).max())
        least = int(np.flatnonzero(self.mean <= self.mean.min() + rounding)[-1])
        if reach == 0:
            return least
        near = self.mean <= self.mean[least] + reach * self.se[least] + rounding
        if self.errors is not None:
            near &= self.errors.mean <= self.errors.mean[least] + reach * self.errors.se[least] + 1e-12
        return int(np.flatnonzero(near)[-1])

    def choose(self, rule: str) -> float:
        """The alpha that a rule picks."""
        return float(self.ccp_alphas[self.place(rule)])

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per alpha, of which any library makes a frame."""
        arrays = self._arrays()
        rows = zip(*(array.tolist() for array in arrays.values()), strict=True)
        return [dict(zip(arrays, row, strict=True)) for row in rows]

    def as_cv_results(self) -> dict[str, Array]:
        """Arrays over alpha by name, as scikit-learn's searches have them, with the loss of each fold."""
        return self._arrays() | {f"split{k}_loss": losses for k, losses in enumerate(self.by_fold)}

    def _arrays(self) -> dict[str, Array]:
        return {
            "ccp_alpha": self.ccp_alphas,
            "n_leaves": self.n_leaves,
            "training_loss": self.training,
            "mean_loss": self.mean,
            "std_error": self.se,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the losses over the number of leaves, with both choices; returns the axes."""
        from .plot import plot_curve

        return plot_curve(self, ax)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        best, simple = (self.place(rule) for rule in RULES)
        shown = "; ".join(
            f"{rule}: alpha {self.ccp_alphas[k]:.4g}, {self.n_leaves[k]} leaves, {self.loss} "
            f"{self.mean[k]:.4g} ± {self.se[k]:.2g}"
            for rule, k in zip(RULES, (best, simple), strict=True)
        )
        return f"<Curve of {len(self.ccp_alphas)} alphas, {self.n_folds} folds; {shown}>"


class OnGrid(NamedTuple):
    """Alphas, and when each node of each tree is a leaf."""

    grid: Floats
    spans: list[Spans]


@dataclass(frozen=True)
class FoldTrees:
    """A tree of all rows, the trees of the folds, and the leaves that their held-out rows reach."""

    problem: Problem
    folds: tuple[Fold, ...]
    trees: list[Tree]  # of all rows, and one per fold
    reached: list[LeavesReached]  # of the held-out rows of each fold
    whole: Ints | None = None  # "all rows", if they are only some of the problem's

    def top(self, depth: int | None) -> FoldTrees:
        """The same for trees that end at a depth. A tree grown to this depth is the top of the full one."""
        if depth is None or all(tree.max_depth <= depth for tree in self.trees):
            return self
        trees = [tree.collapse(tree.depth >= depth) for tree in self.trees]
        pairs = zip(self.trees[1:], self.reached, strict=True)
        return replace(self, trees=trees, reached=[reached_at_top(*pair, depth) for pair in pairs])

    def rows(self) -> list[Ints]:
        """The rows on which each tree is evaluated."""
        whole = np.arange(len(self.problem.target.y)) if self.whole is None else self.whole
        return [whole, *(fold.test for fold in self.folds)]

    @property
    def classes(self) -> Array:
        """The labels of the only output."""
        return self.problem.target.classes[0]

    @property
    def class_factors(self) -> Floats:
        """What the weights of rows of each class were multiplied with."""
        y, weights = self.problem.target.y[:, 0], self.problem.weights
        size = len(self.classes)
        if weights is None:
            return np.ones(size)
        before = np.bincount(y, check_weights(self.problem.sample_weight, len(y)), size)
        after = np.bincount(y, weights, size)
        return np.divide(after, before, out=np.ones(size), where=(before > 0) & (after > 0))

    @cached_property
    def times(self) -> float:
        """How often a row is held out: once, unless the folds overlap."""
        ever = np.zeros(len(self.problem.target.y), dtype=bool)
        for fold in self.folds:
            ever[fold.test] = True
        return sum(len(fold.test) for fold in self.folds) / int(ever.sum())

    @cached_property
    def evaluation_rows(self) -> list[EvaluationRows]:
        """The same rows with what is known of them."""
        pairs = zip(self.trees[1:], self.reached, self.folds, strict=True)
        held_out = [self._evaluated(tree, reached, fold.test) for tree, reached, fold in pairs]
        return [self._training_rows(), *held_out]

    def _training_rows(self) -> EvaluationRows:
        problem, tree = self.problem, self.trees[0]
        unweighted_classes = (
            problem.is_classifier and problem.target.n_outputs == 1 and problem.weights is None
        )
        if unweighted_classes and not tree.shares_rows:
            return CountedRows.of(tree)
        rows = self.rows()[0]
        return self._evaluated(tree, leaves_reached_by(tree, problem.columns, rows, problem.n_threads), rows)

    def _evaluated(self, tree: Tree, reached: LeavesReached, rows: Ints) -> EvaluationRows:
        y, weights = self.problem.target.y, self.problem.weights
        weight = np.broadcast_to(1.0, len(rows)) if weights is None else weights[rows]
        return EvaluationRows(tree, reached, y[rows], weight)

    def spans(self, grid: Floats | None = None) -> OnGrid:
        """When each node is a leaf, over these alphas; None is the grid of the tree of all rows."""
        stops = [stop_alphas(tree) for tree in self.trees]
        known = middles([alphas for alphas, _ in stops]) if grid is None else grid
        spans = [spans_of(tree, stop, known) for tree, (_, stop) in zip(self.trees, stops, strict=True)]
        return OnGrid(known, spans)


def grow_fold_trees(
    problem: Problem, folds: Sequence[Fold], progress: Progress | None = None, whole: Ints | None = None
) -> FoldTrees:
    """Grow the tree of all rows (or of `whole`) and those of the folds, and send the rows down."""
    say = reporter(progress)
    say(0, len(folds) + 1, "growing")
    trees = problem.grow(folds, whole)
    reached = []
    for number, (tree, fold) in enumerate(zip(trees[1:], folds, strict=True)):
        say(number + 1, len(trees), "evaluating")
        reached.append(leaves_reached_by(tree, problem.columns, fold.test, problem.n_threads))
    say(len(trees), len(trees), "evaluating")
    return FoldTrees(problem, tuple(folds), trees, reached, whole)


def cv_curve(fold_trees: FoldTrees, loss: str, grid: Floats | None = None) -> Curve:
    """The curve over these alphas, which must rise; None is the grid of the tree of all rows."""
    return next(cv_curves(fold_trees, loss, [fold_trees.trees], fold_trees.spans(grid)))


def cv_curves(
    fold_trees: FoldTrees, loss: str, smoothings: Iterable[list[Tree]], on: OnGrid
) -> Iterator[Curve]:
    """A curve for each list of trees, which are those of `fold_trees` with maybe other predictions."""
    for trees in smoothings:
        sums = [
            rows_of_tree.sums(tree, spans, loss, len(on.grid))
            for rows_of_tree, tree, spans in zip(fold_trees.evaluation_rows, trees, on.spans, strict=True)
        ]
        held_out = Sums(*(sum(part) for part in zip(*sums[1:], strict=True)))
        yield Curve(
            loss=loss,
            ccp_alphas=on.grid,
            n_leaves=on.spans[0].n_leaves(len(on.grid)),
            training=sums[0].mean(),
            mean=held_out.mean(),
            se=held_out.standard_error()
            * np.sqrt(fold_trees.times),  # a row that is held out twice adds little
            by_fold=np.array([part.mean() for part in sums[1:]]),
        )


def middles(paths: Sequence[Floats]) -> Floats:
    """0, the geometric means of neighbouring alphas of the first path, and one that leaves only roots."""
    alphas = paths[0]
    if len(alphas) == 1:
        return np.zeros(1)
    between = np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:])
    inside = (between > alphas[:-1]) & (between < alphas[1:])
    last = max(float(path[-1]) for path in paths)
    return np.append(np.where(inside, between, alphas[:-1]), last)
