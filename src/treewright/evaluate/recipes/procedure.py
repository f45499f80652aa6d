"""The default recipe as a procedure: fit on some rows, answer for others."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...learn.costs import Stakes, cost_matrix, prevalences
from ...learn.cross_validation.choose import CrossValidation, choose
from ...learn.params import CLASSIFICATION, PARAMETERS, REGRESSION
from ...learn.problem import read_problem
from ...learn.pruning import prune
from ...learn.smoothing import smoothed
from ..metrics import Answers
from .goal import Goal
from .scores import trivial

Array = NDArray[Any]

# One setting for all tables: types as they are, many levels do not win by chance, missing values go where
# they do best, thresholds are short numbers; pruned and smoothed by the same folds.
RECIPE: dict[str, dict[str, Any]] = {
    CLASSIFICATION: {
        "criterion": "entropy",
        "thresholds": "rounded",
        "level_correction": True,
        "min_samples_leaf": 3,
        "ccp_alpha": "cv",
        "smoothing": "hierarchical",
    },
    REGRESSION: {
        "thresholds": "rounded",
        "level_correction": True,
        "ccp_alpha": "cv",
        "smoothing": "branch",  # which lets a leaf of one row say little
    },
}
# The best leaves first, and no more than people can read: 45 for each class, 225 for numbers. Large tables
# need more: above 15,000 rows the limit rises fast, to one leaf for 32 rows.
LEAVES_PER_CLASS, LEAVES, LARGE, ROWS_PER_LEAF = 45, 225, 15_000, 32
# Of few rows one division chooses by luck: they are divided four times, or until so many were judged.
REPEATS, ENOUGH = 4, 20_000


def settings(task: str, n_rows: int, n_classes: int = 0, **params: Any) -> dict[str, Any]:
    """The parameters for a table of so many rows and classes, and those given."""
    sizes = {
        "max_leaf_nodes": _most_leaves(task, n_rows, n_classes),
        "cv": max(2, min(5, n_rows // 2)),
        "cv_repeats": max(1, min(REPEATS, ENOUGH // max(1, n_rows))),
    }
    usual = RECIPE[task] | sizes
    if "cv" in params:  # another way to divide the rows takes the place of ours
        usual["cv_repeats"] = 1
    if params.get("monotonic_cst") is not None:
        usual["smoothing"] = "hierarchical"  # which keeps the order
    if params.get("pruning") is not None:  # another way to prune takes the place of ours, too
        usual |= {"ccp_alpha": 0.0, "smoothing": None}
    if params.get("criterion") == "absolute_error" or params.get("splitter") == "random":
        usual["level_correction"] = False  # which needs sums, and all levels
    return usual | params


def _most_leaves(task: str, n_rows: int, n_classes: int) -> int:
    few = LEAVES_PER_CLASS * max(2, n_classes) if task == CLASSIFICATION else LEAVES
    return max(few, min(n_rows // ROWS_PER_LEAF, round(few * (n_rows / LARGE) ** 2)))


@dataclass(frozen=True, eq=False)
class Recipe:
    """How a goal is reached: an estimator with its parameters, and the decision to make of it."""

    goal: Goal
    given: dict[str, Any]  # parameters that the user gave
    decision: dict[str, Any]  # costs and prevalence, if any

    @property
    def params(self) -> dict[str, Any]:
        """The parameters for all rows."""
        return settings(self.goal.task, self.goal.n_rows, len(self.classes), **self.given)

    @cached_property
    def classes(self) -> Array:
        """The labels, sorted; none for numbers."""
        return np.unique(self.goal.y) if self.goal.is_classification else np.empty(0)

    def estimator(self, n_rows: int) -> Any:
        """The estimator for so many rows, not fitted."""
        from ...learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeClassifier if self.goal.is_classification else DecisionTreeRegressor
        known = {parameter.name for parameter in PARAMETERS[self.goal.task]}
        for name in self.given:
            if name not in known:
                raise ValueError(f"{name} is no parameter of a tree for {self.goal.task}. Leave it out.")
        return kind(**settings(self.goal.task, n_rows, len(self.classes), **self.given))

    def fitted(self, rows: Array | None = None) -> Any:
        """The finished model of all rows, or of some."""
        goal = self.goal
        X, y, w = goal.frame, goal.y, goal.weights
        if rows is not None:
            X, y, w = goal.rows(rows), y[rows], None if w is None else w[rows]
        return self.decided(self.estimator(len(y)).fit(X, y, sample_weight=w))

    def decided(self, model: Any) -> Any:
        """A fitted model that decides as is wanted."""
        if self.stakes is None:
            return model
        order = np.searchsorted(self.classes, model.classes_)  # which may be another, and lack some
        costs, shares = self.stakes
        how = {} if self.decision.get("costs") is None else {"costs": costs[np.ix_(order, order)]}
        how |= {} if shares is None else {"prevalence": shares[order] / shares[order].sum()}
        return model.with_decision(positive=self.goal.positive, **how)

    def nested(self, model: Any, rows: Array) -> Any:
        """The same made of some rows only, without a copy of the table: for large ones.

        `model` is that of all rows, whose names and settings it shares.
        """
        goal = self.goal
        estimator = self.estimator(len(rows))
        problem = read_problem(estimator, goal.frame, goal.y, goal.weights)
        params = estimator.get_params(deep=False)
        how = CrossValidation(params["cv"], repeats=params["cv_repeats"])
        chosen = choose(problem, how, None, rows)
        tree = prune(chosen.tree, chosen.ccp_alpha)
        if chosen.strength is not None:
            tree = smoothed(tree, params["smoothing"], chosen.strength)
        made = copy(model)
        made.tree_ = tree
        return self.decided(made)

    @property
    def can_nest(self) -> bool:
        """Whether `nested` makes the same as `fitted`: all is chosen by the folds, nothing by other rows."""
        given = self.params
        plain = given.get("pruning") is None and isinstance(given["cv"], int)
        return plain and given.get("class_weight") is None and given.get("priors") is None

    def answers(self, model: Any, rows: Array) -> Answers:
        """What a model says of some rows."""
        return self.answers_to(model, self.goal.rows(rows), self.goal.y[rows], self._weights(rows))

    def answers_to(self, model: Any, X: Any, y: Array, weight: Any = None) -> Answers:
        """What a model says of rows of any table."""
        if not self.goal.is_classification:
            return Answers(y, model.predict(X), None, weight)
        classes = self.classes
        shares = np.zeros((len(y), len(classes)))
        shares[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
        said = model.predict(X)
        silent = np.array([label is None for label in said.tolist()])  # a tree may have no answer
        codes = np.where(silent, -1, np.searchsorted(classes, np.where(silent, classes[0], said)))
        return Answers(np.searchsorted(classes, y), codes, shares, weight, self.ranked, self.stakes)

    def guess(self, train: Array, y: Array, weight: Any = None) -> Answers:
        """What the most trivial guess from some rows says of others."""
        known, size = self.goal.y[train], len(self.classes)
        if not size:
            said, _ = trivial(known, self._weights(train), 0)
            return Answers(y, np.full(len(y), said), None, weight)
        codes = np.searchsorted(self.classes, known)
        said, shares = trivial(codes, self._weights(train), size, self.stakes)
        told = np.tile(shares, (len(y), 1))
        truth = np.searchsorted(self.classes, y)
        return Answers(truth, np.full(len(y), said), told, weight, self.ranked, self.stakes)

    @property
    def ranked(self) -> int | None:
        """The place of the class that is ranked first, of two."""
        if len(self.classes) != 2:
            return None
        positive = self.goal.positive
        return 1 if positive is None else int(np.flatnonzero(self.classes == positive)[0])

    @property
    def stakes(self) -> Stakes | None:
        """The costs and the prevalence to judge by, if there are any."""
        if not self.decision:
            return None
        place, shares = 1 if self.ranked is None else self.ranked, self.decision.get("prevalence")
        costs = cost_matrix(self.decision.get("costs"), self.classes, place)
        return Stakes(costs, None if shares is None else prevalences(shares, self.classes, place))

    def _weights(self, rows: Array) -> Any:
        return None if self.goal.weights is None else self.goal.weights[rows]
