"""All pruning methods run on the same trees and folds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..data.common.progress import Progress
from ..learn import pruning
from ..learn.cross_validation.pruning_curve import RULES, Curve, FoldTrees, cv_curve, grow_fold_trees
from ..learn.folds import Fold, Rows, folds_of, held_out_fold, take
from ..learn.losses import check_loss, mean_losses, node_losses
from ..learn.problem import Problem, read_problem
from ..learn.pruning.problem_rows import rows_of_problem
from ..tree.tree import Tree
from .procedure import Data

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Entry:
    """The result of one pruning method."""

    name: str  # of the method; "none", "cv" and "1se" for the unpruned tree and both choices of alpha
    options: dict[str, Any]
    leaves: int
    depth: int
    training_loss: float  # of the tree of all rows on these rows
    cv_loss: float  # of the trees of the folds on their held-out rows
    cv_se: float  # its standard error, over rows
    seconds: float  # after growing
    tree: Tree  # of all rows, pruned
    on_curve: bool = False  # it is one of the trees of cost-complexity pruning
    ccp_alpha: float = 0.0

    @property
    def method(self) -> str:
        """The method with its options."""
        name = "cost_complexity" if self.name in RULES else self.name
        return name + "".join(f", {key}={value!r}" for key, value in self.options.items())


@dataclass(frozen=True)
class Trials:
    """The trees of all rows and of the folds, and what evaluates them."""

    data: Data
    fold_trees: FoldTrees
    curve: Curve
    seconds: float  # that growing and evaluating the folds took

    @classmethod
    def grown(cls, estimator: Any, data: Data, cv: Any, loss: str | None, say: Progress) -> Trials:
        """Grow all trees."""
        problem = read_problem(clone(estimator), data.X, data.y, data.sample_weight).unpruned
        target = problem.target
        loss = check_loss(loss, problem.is_classifier, target.costs, problem.params["criterion"])
        y = target.y[:, 0] if target.n_outputs == 1 else target.y
        folds = folds_of(cv, data.X, y, data.groups, problem.is_classifier, time=data.time)
        say(0, 1, "growing")
        start = perf_counter()
        fold_trees = grow_fold_trees(problem, folds)
        curve = cv_curve(fold_trees, loss)
        return cls(data, fold_trees, curve, perf_counter() - start)

    @property
    def problem(self) -> Problem:
        """The table and the parameters."""
        return self.fold_trees.problem

    def run(self, methods: Any, say: Progress) -> Iterator[Entry]:
        """All entries: the unpruned tree, both choices of alpha, and the other methods."""
        wanted = self._options(methods)
        yield self._on_curve("none", 0, self.fold_trees.trees[0], 0.0)
        for number, (name, options) in enumerate(wanted.items()):
            say(number, len(wanted), name)
            if name == "cost_complexity" and not options:
                for rule in RULES:
                    place = self.curve.place(rule)
                    tree = pruning.prune(self.fold_trees.trees[0], float(self.curve.ccp_alphas[place]))
                    yield self._on_curve(rule, place, tree, self.seconds)
            else:
                yield self._by_method(name, options)
        say(len(wanted), len(wanted), "done")

    def _options(self, methods: Any) -> dict[str, dict[str, Any]]:
        """The methods to run and the options of each."""
        suits = [
            name
            for name, method in pruning.METHODS.items()
            if self.problem.is_classifier or not method.for_classes
        ]
        if methods is None:
            methods = suits
        if isinstance(methods, str) or not isinstance(methods, Iterable):
            raise ValueError(
                f"methods must be a list of names, or a dict of options by name. Got {methods!r}."
            )
        wanted_options = {
            name: dict(methods[name]) if isinstance(methods, Mapping) else {} for name in methods
        }
        for name, options in wanted_options.items():
            pruning.method_of(name).checked(options)
            if name not in suits:
                raise ValueError(f"The method {name} is for classes only. Got numbers. Leave it out.")
            if name == "leaf_budget":
                options.setdefault("n_leaves", int(self.curve.n_leaves[self.curve.place("1se")]))
        return wanted_options

    def _on_curve(self, name: str, place: int, tree: Tree, seconds: float) -> Entry:
        curve = self.curve
        training, mean, se = (float(part[place]) for part in (curve.training, curve.mean, curve.se))
        options = {"alpha": name} if name in RULES else {}
        leaves, depth, alpha = tree.n_leaves, tree.max_depth, float(curve.ccp_alphas[place])
        return Entry(name, options, leaves, depth, training, mean, se, seconds, tree, True, alpha)

    # -- the other methods

    def _by_method(self, name: str, options: dict[str, Any]) -> Entry:
        method = pruning.method_of(name)
        everything = np.arange(self.problem.columns.n_rows)
        parts = [everything, *(fold.train for fold in self.fold_trees.folds)]
        start = perf_counter()
        needs = method.needs(**options)
        trees, rows = self._material(needs, parts)
        whole = method.prune(trees[0], rows[0], **options)
        seconds = perf_counter() - start
        training = self._losses(whole, everything)
        pairs = [
            (self._losses(method.prune(tree, some, **options), fold.test), fold.test)
            for tree, some, fold in zip(trees[1:], rows[1:], self.fold_trees.folds, strict=True)
        ]
        losses, places = (np.concatenate(part) for part in zip(*pairs, strict=True))
        mean, se = self._mean(losses, places)
        leaves, depth = whole.n_leaves, whole.max_depth
        first = self._mean(training, everything)[0]
        return Entry(name, options, leaves, depth, first, mean, se, seconds, whole)

    def _material(self, needs: str, parts: list[Rows]) -> tuple[list[Tree], list[Any]]:
        """The trees to prune, and the rows that the method needs for each."""
        if needs == pruning.NO_ROWS:
            return self.fold_trees.trees, [None] * len(parts)
        if needs == pruning.GROWN_ON:
            return self.fold_trees.trees, [rows_of_problem(self.problem, self.data.X, part) for part in parts]
        folds = [self._held_out(part) for part in parts]
        rows = [rows_of_problem(self.problem, self.data.X, fold.test) for fold in folds]
        return self.problem.grow(folds)[1:], rows

    def _held_out(self, part: Rows) -> Fold:
        """A third of the rows held out of growing, with groups whole groups, with time the latest."""
        groups, time = (take(each, part) for each in (self.data.groups, self.data.time))
        y, classifier = self.problem.target.y[part], self.problem.is_classifier
        fold = held_out_fold(y, 1 / 3, 0, classifier, groups, time)
        return Fold(part[fold.train], part[fold.test])

    def _losses(self, tree: Tree, rows: Rows) -> Floats:
        """What each of these rows costs."""
        y, loss = self.problem.target.y[rows], self.curve.loss
        columns, n_threads = self.problem.columns, self.problem.n_threads
        if not tree.shares_rows:
            return node_losses(tree, loss)(tree.apply(columns, n_threads)[rows], y)
        value = tree.predict(columns, n_threads)[rows].reshape(len(rows), tree.n_outputs, tree.max_n_classes)
        return mean_losses(loss, value, y, tree.costs)

    def _mean(self, losses: Floats, rows: Rows) -> tuple[float, float]:
        """The weighted mean and its standard error."""
        weights = self.problem.weights
        w = np.ones(len(rows)) if weights is None else weights[rows]
        mean = float(losses @ w / w.sum())
        return mean, float(np.sqrt((w**2 * (losses - mean) ** 2).sum()) / w.sum())
