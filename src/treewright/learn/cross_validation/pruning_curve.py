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
from ...tree.tree import Ends, Tree
from ..folds import Fold
from ..problem import Problem
from .loss_sums import Judges, Sums
from .row_ends import Spans, ends_of, spans_of, stop_alphas, top_of

RULES = ("cv", "1se")


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

    @property
    def n_folds(self) -> int:
        """How many folds there were."""
        return len(self.by_fold)

    def place(self, rule: str) -> int:
        """Where "cv" (the least loss) or "1se" (the largest alpha within one standard error of it) stands.

        Of equal losses the largest alpha counts, which has the fewest leaves.
        """
        if rule not in RULES:
            raise ValueError(f"rule must be 'cv' or '1se'. Got {rule!r}.")
        rounding = 1e-12 * float(np.abs(self.mean).max())
        least = int(np.flatnonzero(self.mean <= self.mean.min() + rounding)[-1])
        if rule == "cv":
            return least
        return int(np.flatnonzero(self.mean <= self.mean[least] + self.se[least] + rounding)[-1])

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
class Judged:
    """A tree of all rows, the trees of the folds, and where the rows end that judge each of them."""

    problem: Problem
    folds: tuple[Fold, ...]
    trees: list[Tree]  # of all rows, and one per fold
    ends: list[Ends]  # of all rows, and of the held-out rows of each fold
    whole: Ints | None = None  # "all rows", if they are only some of the problem's

    def top(self, depth: int | None) -> Judged:
        """The same for trees that end at a depth. A tree grown to this depth is the top of the full one."""
        if depth is None or all(tree.max_depth <= depth for tree in self.trees):
            return self
        pairs = [top_of(tree, ends, depth) for tree, ends in zip(self.trees, self.ends, strict=True)]
        return replace(self, trees=[tree for tree, _ in pairs], ends=[ends for _, ends in pairs])

    def rows(self) -> list[Ints]:
        """The rows that judge each tree."""
        whole = np.arange(len(self.problem.target.y)) if self.whole is None else self.whole
        return [whole, *(fold.test for fold in self.folds)]

    @cached_property
    def times(self) -> float:
        """How often a held-out row judges: once, unless the folds overlap."""
        judges = np.zeros(len(self.problem.target.y), dtype=bool)
        for fold in self.folds:
            judges[fold.test] = True
        return sum(len(fold.test) for fold in self.folds) / int(judges.sum())

    @cached_property
    def judges(self) -> list[Judges]:
        """The same rows with what is known of them."""
        y, weights = self.problem.target.y, self.problem.weights
        return [
            Judges(tree, ends, y[rows], np.broadcast_to(1.0, len(rows)) if weights is None else weights[rows])
            for tree, ends, rows in zip(self.trees, self.ends, self.rows(), strict=True)
        ]

    def spans(self, grid: Floats | None = None) -> OnGrid:
        """When each node is a leaf, over these alphas; None is the grid of the tree of all rows."""
        stops = [stop_alphas(tree) for tree in self.trees]
        known = middles([alphas for alphas, _ in stops]) if grid is None else grid
        spans = [spans_of(tree, stop, known) for tree, (_, stop) in zip(self.trees, stops, strict=True)]
        return OnGrid(known, spans)


def grow_and_judge(
    problem: Problem, folds: Sequence[Fold], progress: Progress | None = None, whole: Ints | None = None
) -> Judged:
    """Grow the tree of all rows (or of `whole`) and those of the folds, and find where the rows end."""
    say = reporter(progress)
    say(0, len(folds) + 1, "growing")
    trees = problem.grow(folds, whole)
    judged = Judged(problem, tuple(folds), trees, [], whole)
    for number, (tree, rows) in enumerate(zip(trees, judged.rows(), strict=True)):
        judged.ends.append(ends_of(tree, problem.columns, rows, problem.n_threads))
        say(number + 1, len(trees), "judging")
    return judged


def cv_curve(judged: Judged, loss: str, grid: Floats | None = None) -> Curve:
    """The curve over these alphas, which must rise; None is the grid of the tree of all rows."""
    return next(cv_curves(judged, loss, [judged.trees], judged.spans(grid)))


def cv_curves(judged: Judged, loss: str, answers: Iterable[list[Tree]], on: OnGrid) -> Iterator[Curve]:
    """A curve for each list of trees, which are those that were judged with maybe other predictions."""
    for trees in answers:
        sums = [
            judges.sums(tree, spans, loss, len(on.grid))
            for judges, tree, spans in zip(judged.judges, trees, on.spans, strict=True)
        ]
        held_out = Sums(*(sum(part) for part in zip(*sums[1:], strict=True)))
        yield Curve(
            loss=loss,
            ccp_alphas=on.grid,
            n_leaves=on.spans[0].n_leaves(len(on.grid)),
            training=sums[0].mean(),
            mean=held_out.mean(),
            se=held_out.standard_error() * np.sqrt(judged.times),  # a row that judges twice says little more
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
