"""The default procedure: which parameters suit a table, how to fit on some rows and predict others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.labels import distinct
from ...data.table import is_frame, is_plain
from ...learn.costs import CostsAndPrevalence, cost_matrix, prevalences
from ...learn.params import CLASSIFICATION, PARAMETERS, REGRESSION
from ...learn.plain import PLAIN
from ..metrics import Baseline, Predictions
from ..procedure import Data, run
from .dataset import Dataset

Array = NDArray[Any]

# One setting for all tables: types as they are, many levels do not win by chance, missing values go where
# they do best, thresholds are short numbers; pruned and smoothed by the same folds. The tree is the simplest
# within a fifth of a standard error: what is simplest by these folds loses about one on other rows.
DEFAULTS: dict[str, dict[str, Any]] = {
    CLASSIFICATION: {
        "criterion": "entropy",
        "thresholds": "rounded",
        "level_correction": True,
        "min_samples_leaf": 3,
        "ccp_alpha": "0.2se",
        "smoothing": "hierarchical",
    },
    REGRESSION: {
        "thresholds": "rounded",
        "level_correction": True,
        "ccp_alpha": "0.2se",
        "smoothing": "branch",  # which lets a leaf of one row count little
    },
}
# Of trees with linear leaves the simplest within half a standard error: over 31 tables its mean R² was not
# below that of the tree of least loss, with two thirds of the leaves.
NEARLY = "0.5se"
# The best leaves first, and no more than people can read: 45 for each class, 225 for numbers. Large tables
# need more: above 15,000 rows the limit rises fast, to one leaf for 32 rows, and at most 10,000.
LEAVES_PER_CLASS, LEAVES, LARGE, ROWS_PER_LEAF, MOST_LEAVES = 45, 225, 15_000, 32, 10_000
# With few rows, one set of folds chooses by luck: rows are divided four times, or until so many were tested;
# of very wide tables less often, until so many cells were. Of more than 7,500 rows once: a second set changed
# the scores of six tables of 8,192 to 9,568 rows in the fourth digit.
REPEATS, ENOUGH, ENOUGH_CELLS, ONCE_ABOVE = 4, 20_000, 2_500_000, 7_500
VOTES = {"n_estimators", "early_stopping", "rule_set"}  # parameters of what votes, beside those of a tree
MANY_ROWS = 100_000  # beyond, three folds choose as well as five


def settings(task: str, n_rows: int, n_classes: int = 0, n_columns: int = 1, **params: Any) -> dict[str, Any]:
    """The parameters for a table of so many rows, columns and classes, and those given."""
    often = min(ENOUGH // max(1, n_rows), ENOUGH_CELLS // max(1, n_rows * n_columns))
    often = 1 if n_rows > ONCE_ABOVE else often
    sizes = {
        "max_leaf_nodes": _most_leaves(task, n_rows, n_classes),
        "cv": max(2, min(5 if n_rows <= MANY_ROWS else 3, n_rows // 2)),
        "cv_repeats": max(1, min(REPEATS, often)),
    }
    usual = DEFAULTS[task] | sizes
    if params.get("leaf_model", "constant") != "constant":
        by_itself = bool((params.get("leaf_options") or {}).get("m5"))  # M5P has a pruning of its own
        rule = 0.0 if by_itself else NEARLY
        usual = {"cv": sizes["cv"], "thresholds": "rounded", "ccp_alpha": rule}
    if "cv" in params:  # a given cv is used once
        usual["cv_repeats"] = 1
    if params.get("monotonic_cst") is not None:
        usual["smoothing"] = "hierarchical"  # which preserves the order
    if params.get("pruning") is not None:  # another pruning method replaces the default one
        usual |= {"ccp_alpha": 0.0, "smoothing": None}
    if params.get("criterion") == "absolute_error" or params.get("splitter") == "random":
        usual["level_correction"] = False  # which needs sums, and all levels
    return usual | params


def _most_leaves(task: str, n_rows: int, n_classes: int) -> int:
    few = LEAVES_PER_CLASS * max(2, n_classes) if task == CLASSIFICATION else LEAVES
    return max(few, min(n_rows // ROWS_PER_LEAF, round(few * (n_rows / LARGE) ** 2), MOST_LEAVES))


def _checking(task: str) -> Any:
    """The estimators with scikit-learn, which checks other tables: sparse ones, lists, arrays of objects."""
    from ...learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

    return DecisionTreeClassifier if task == CLASSIFICATION else DecisionTreeRegressor


def _rule_model(options: dict[str, Any]) -> Any:
    from ...learn.rule_models.estimator import RuleModelRegressor

    return RuleModelRegressor(**options)


def _voting(tree: Any, rule_set: bool = False, n_estimators: int = 1, early_stopping: bool = True) -> Any:
    """The tree itself, rules made of it, or several of either that vote."""
    if rule_set:
        from ...learn.rule_sets.estimator import RuleSetClassifier

        tree = RuleSetClassifier(tree)
    if n_estimators == 1:
        return tree
    from ...learn.boosting.estimator import BoostedTreeClassifier

    return BoostedTreeClassifier(tree, n_estimators, early_stopping=early_stopping)


@dataclass(frozen=True, eq=False)
class Procedure:
    """An estimator with its parameters for a dataset, and the costs and prevalence to decide by."""

    dataset: Dataset
    given: dict[str, Any]  # parameters that the user gave
    decision: dict[str, Any]  # costs and prevalence, if any

    @property
    def params(self) -> dict[str, Any]:
        """The parameters for all rows."""
        return self._settings(self.dataset.n_rows, self.given)

    def _settings(self, n_rows: int, given: dict[str, Any]) -> dict[str, Any]:
        dataset = self.dataset
        return settings(dataset.task, n_rows, len(self.classes), dataset.n_columns, **given)

    @cached_property
    def classes(self) -> Array:
        """The labels, sorted; none for numbers."""
        return distinct(self.dataset.y) if self.dataset.is_classification else np.empty(0)

    def estimator(self, n_rows: int, **params: Any) -> Any:
        """The estimator for so many rows, not fitted."""
        task = self.dataset.task
        known = {parameter.name for parameter in PARAMETERS[task]}
        if "rule_model" in self.given:
            return _rule_model(self.given["rule_model"])
        for name in self.given.keys() - (VOTES if task == CLASSIFICATION else set()):
            if name not in known:
                raise ParameterError(f"{name} is not a parameter of a tree for {task}. Leave it out.", name)
        kind = (
            PLAIN[task] if is_frame(self.dataset.data.X) or is_plain(self.dataset.data.X) else _checking(task)
        )
        given = {name: value for name, value in self.given.items() if name not in VOTES}
        tree = kind(**self._settings(n_rows, given | params))
        return _voting(tree, **{name: value for name, value in self.given.items() if name in VOTES})

    def fitted(self, rows: Array | None = None, n_jobs: int | None = None) -> Any:
        """The finished model of all rows, or of some.

        A `cv` of pairs names rows of the whole table; models of some rows use the default folds.
        """
        data: Data = self.dataset.data if rows is None else self.dataset.data.rows(rows)
        given = self.given.get("cv")
        other = given is not None and not is_whole(given) and not hasattr(given, "split")
        given = {} if not other or rows is None else {"cv": 5}
        estimator = self.estimator(data.n_rows, **given)
        usual = getattr(estimator, "n_jobs", None)
        if n_jobs is not None and hasattr(estimator, "n_jobs"):
            estimator.set_params(n_jobs=n_jobs)
        model = run(estimator, data)
        if hasattr(model, "n_jobs"):
            model.set_params(n_jobs=usual)
        if "best_" in vars(model):
            model.best_.set_params(n_jobs=usual)
        return self._decided(model)

    def _decided(self, model: Any) -> Any:
        """A fitted model that decides by the costs and the prevalence."""
        if self.costs_and_prevalence is None:
            return model
        votes = [name for name in VOTES if name in self.given]
        if votes:
            raise ParameterError(
                f"costs and prevalence decide for a single tree. Got {votes[0]}. Leave one of them out.",
                "costs",
            )
        order = np.searchsorted(self.classes, model.classes_)  # which may be another, and lack some
        costs, prevalence = self.costs_and_prevalence
        how = {} if self.decision.get("costs") is None else {"costs": costs[np.ix_(order, order)]}
        how |= {} if prevalence is None else {"prevalence": prevalence[order] / prevalence[order].sum()}
        return model.with_decision(positive=self.dataset.given_positive, **how)

    def predictions(self, model: Any, rows: Array) -> Predictions:
        """What a model predicts for some rows, beside the truth."""
        return self.predictions_for(model, self.dataset.data.rows(rows))

    def predictions_for(self, model: Any, data: Data) -> Predictions:
        """What a model predicts for rows of any table, beside the truth."""
        y, weight = np.asarray(data.y), data.sample_weight
        predicted = np.asarray(model.predict(data.X))
        if not self.dataset.is_classification:
            return Predictions(y, predicted, None, weight)
        classes = self.classes
        probabilities = np.zeros((len(y), len(classes)))
        probabilities[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(data.X)
        none = np.array([label is None for label in predicted.tolist()])  # some trees predict nothing
        codes = np.where(none, -1, np.searchsorted(classes, np.where(none, classes[0], predicted)))
        true = np.searchsorted(classes, y)
        return Predictions(true, codes, probabilities, weight, self.ranked, self.costs_and_prevalence)

    def baseline(self, train: Array) -> Baseline:
        """The constant predictions that are best for some rows."""
        y = self.dataset.y[train]
        codes = np.searchsorted(self.classes, y) if len(self.classes) else y
        return Baseline.of(codes, self.dataset.weights_of(train), len(self.classes))

    @property
    def ranked(self) -> int | None:
        """The place of the class that is ranked first, of two."""
        if len(self.classes) != 2:
            return None
        positive = self.dataset.given_positive
        return 1 if positive is None else int(np.flatnonzero(self.classes == positive)[0])

    @property
    def costs_and_prevalence(self) -> CostsAndPrevalence | None:
        """The costs and the prevalence to score by, if there are any."""
        if not self.decision:
            return None
        place, prevalence = 1 if self.ranked is None else self.ranked, self.decision.get("prevalence")
        costs = cost_matrix(self.decision.get("costs"), self.classes, place)
        return CostsAndPrevalence(
            costs, None if prevalence is None else prevalences(prevalence, self.classes, place)
        )

    def on(self, data: Data) -> Procedure:
        """The same procedure on other rows."""
        return replace(self, dataset=replace(self.dataset, data=data))
