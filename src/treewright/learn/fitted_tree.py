"""One object for every fitted model: a tree that reads tables and predicts, without scikit-learn.

Estimators, what `treewright.fit` returns, what `treewright.load` returns and bare trees all become a
`FittedTree` by `as_model`; every function that takes a model begins with it.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from ..data.columns import columns_at_predict
from ..data.common.array_types import Array
from ..data.selection import select_columns
from ..data.typed_table import TypedTable, typed_table
from ..tree.displayed import Displayed
from ..tree.tree import Tree, named
from ..tree.tree_text import Names, TreeText, tree_text
from .classic_rules import mark_unknown
from .costs import CostsAndPrevalence
from .params import CLASSIFICATION, REGRESSION

# What a fit leaves on an estimator and a model keeps, with what each must be.
FITTED = {
    "ccp_alpha_": "a number of at least 0",
    "smoothing_strength_": "a number of at least 0",
    "max_features_": "a whole number of at least 0",
    "changed_": "text",
    "pruning_": "an object",
    "winnowing_": "an object",
    "smoothing_results_": "a list",
}

# Which of its two trees a model file has first, or has alone.
SIMPLEST, BEST = "simplest", "best"
IN_WORDS = {SIMPLEST: "simplest tree with nearly the lowest {}", BEST: "tree of the lowest {}"}  # the loss


@dataclass(frozen=True, eq=False)
class FittedTree(Displayed):
    """A fitted model: its tree with the names and classes, and what is known of how it was made."""

    task: str  # "classification" or "regression"
    tree: Tree
    estimator: str  # the name of the class
    params: dict[str, Any]  # of the constructor
    fitted: dict[str, Any]  # what the fit left: ccp_alpha_, smoothing_strength_, ...
    decision: dict[str, Any] | None = None  # see `settings.DECISION`; `tree.costs` has the effect
    target: str | None = None  # the name of the target column, if known
    training: dict[str, Any] = field(default_factory=dict)  # a free summary
    unsaved: dict[str, str] = field(default_factory=dict)  # parameters in words that no file can hold
    best: FittedTree | None = None  # the tree of the lowest loss, where this is a simpler one
    verified: bool | None = None  # whether the hash of the file was right; None: not read from a file
    source: Any = None  # the fitted estimator that this is a view of, if there is one

    @property
    def alone(self) -> FittedTree:
        """The model as one tree; ValueError where several vote."""
        return self

    @property
    def used(self) -> list[int]:
        """The places of the columns that some test or leaf uses."""
        return self.tree.used

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of the columns, if the model knows them."""
        return self.tree.feature_names

    @property
    def classes(self) -> tuple[Array, ...]:
        """The labels of each output; empty for regression."""
        found = self.tree.classes
        return () if found is None else found if isinstance(found, tuple) else (found,)

    @property
    def positive(self) -> Any:
        """The positive class, of two: that of the decision, else of the fit, else the second of `classes`."""
        labels = self.classes[0].tolist() if len(self.classes) == 1 else []
        if len(labels) != 2:
            return None
        known = ((self.decision or {}).get("positive"), self.training.get("positive"))
        return next((label for label in known if label is not None and label in labels), labels[1])

    @property
    def given_positive(self) -> Any:
        """The positive class if the user named one at fit; else None."""
        named = self.training.get("positive_given", self.training.get("positive") is not None)
        return self.positive if named else None

    @property
    def units(self) -> dict[str, str]:
        """The units of columns, as in {"area": "sqft"}, if the table was a file that has them."""
        formats = self.training.get("formats")
        known = formats.items() if isinstance(formats, dict) else ()
        units = {name: each.get("unit") for name, each in known if isinstance(each, dict)}
        return {name: unit for name, unit in units.items() if isinstance(unit, str) and unit}

    @property
    def criterion(self) -> str:
        """The impurity that the splits made smaller; "impurity" where that is not known."""
        return str(self.params.get("criterion", "impurity"))

    @property
    def costs_and_prevalence(self) -> CostsAndPrevalence | None:
        """What mistakes cost in the user's own units, at which prevalence; None where no costs decide."""
        if self.decision is None:
            return None if self.tree.costs is None else CostsAndPrevalence(self.tree.costs)
        costs, shares = self.decision["costs"], self.decision["prevalence"]
        if costs is None:  # a threshold
            return None
        return CostsAndPrevalence(
            np.array(costs, dtype=np.float64), None if shares is None else np.array(shares)
        )

    def table(self, X: Any) -> Any:
        """X, or where it is the path of a file the table in it, read as the training file was."""
        if not is_file(X):
            return X
        if not isinstance(X, str | os.PathLike):
            return X.frame
        from ..data.files import read_table
        from ..data.parts.in_memory import in_parts, read_parts
        from .later_files import check_cells

        if in_parts(X):
            return read_parts(X).frame
        found = read_table(Path(X), **self.reading())
        check_cells(self, found)
        for note in found.conversions:
            warnings.warn(note, UserWarning, stacklevel=4)
        return found.frame

    def reading(self) -> dict[str, Any]:
        """The options of `read_table` that read a file as at fit."""
        from .later_files import reading_as_at_fit

        return reading_as_at_fit(self)

    def columns(self, X: Any) -> _core.Columns:
        """A table as the tree reads it; columns that no test uses may be absent: see `columns_at_predict`."""
        tree, X = self.tree, self.table(X)
        known = (tree.feature_names, tree.column_types, tree.n_features, self.estimator)
        return mark_unknown(columns_at_predict(X, *known, tree.used), self.params.get("growth_rules"))

    def select(self, X: Any) -> Any:
        """A table with the columns of the model alone, in the order of fit: see `select_columns`."""
        found = select_columns(self.table(X), self.tree.feature_names, self.tree.n_features, self.estimator)
        of_dict = isinstance(found, dict) and not hasattr(
            found, "tocsc"
        )  # one kind of sparse matrix is a dict
        return np.stack([*found.values()], axis=1, dtype=object) if of_dict else found

    def read(self, X: Any) -> TypedTable:
        """A table as `columns` reads it, as columns that Python can look into."""
        tree, X = self.tree, self.table(X)
        known = (tree.feature_names, tree.column_types, tree.n_features, self.estimator)
        return typed_table(X, *known, tree.used)

    def words(
        self,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        decimals: int | None = None,
    ) -> TreeText:
        """The tree with the names that its reader knows: those given, or its own; and units if known."""
        found = tree_text(self.tree, feature_names, class_names, decimals, self.criterion)
        place = {name: k for k, name in enumerate(self.feature_names or ())}
        units = self.units
        binary = self.training.get("zero_one")
        return replace(
            found,
            zero_one=frozenset(place[n] for n in (binary if isinstance(binary, list) else ()) if n in place),
            units={place[name]: unit for name, unit in units.items() if name in place},
            unit=units.get(self.target or "", ""),
        )

    def apply(self, X: Any, n_threads: int = 1) -> Array:
        """The number of the leaf that each row ends in."""
        return self.tree.apply(self.columns(X), n_threads)

    def predict(self, X: Any, n_threads: int = 1) -> Array:
        """The class or the number of each row; for several outputs a column each."""
        columns = self.columns(X)
        if self.task != CLASSIFICATION:
            return self.tree.predict(columns, n_threads)[..., 0]
        places = self.tree.labels(columns, n_threads)
        found = [named(labels, places[:, k]) for k, labels in enumerate(self.classes)]
        return np.asarray(found[0]) if len(found) == 1 else np.stack(found, axis=1)

    def predict_proba(self, X: Any, n_threads: int = 1) -> Any:
        """The probability of each class for each row: (rows, classes), for several outputs a list."""
        if self.task != CLASSIFICATION:
            raise ValueError("predict_proba needs a classifier. Got a regressor; use predict.")
        shares = self.tree.predict(self.columns(X), n_threads)
        if len(self.classes) == 1:
            return shares
        return [shares[:, k, : len(labels)] for k, labels in enumerate(self.classes)]

    def vote(self, X: Any, n_threads: int = 1) -> Array:
        """For every row the probability of the class that it is predicted to have, and 0 for the others."""
        return self.tree.votes(self.columns(X), n_threads)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return int(self.tree.n_leaves)

    def training_share(self, X: Any, y: Any) -> float | None:
        """About which share of these rows the model was trained on; None where it does not know its rows.

        Models of `treewright.fit` keep a digest of their training rows, in their files too.
        """
        from .training_rows import overlap_of

        found = overlap_of(self, X, y)
        return None if found is None else found.share

    def to_estimator(self) -> Any:
        """The fitted estimator: the one this is a view of, or one made anew.

        Made from a file it lacks what no file holds: the curves and predictions of folds.
        """
        if self.source is not None:
            from .estimators import with_sklearn

            return with_sklearn(self.source)
        from .model_file.models import estimator_of

        return estimator_of(self)

    def to_plain_estimator(self) -> Any:
        """As `to_estimator`, without loading scikit-learn where that is possible."""
        from .model_file.models import estimator_of

        return estimator_of(self, plain=True) if self.source is None else self.source

    def __repr__(self) -> str:
        return f"<FittedTree {self.estimator}: {self.tree!r}>"


def is_file(X: Any) -> bool:
    """Whether X is the path of a file, or what `read_table` made of one."""
    return isinstance(X, str | os.PathLike) or type(X).__name__ == "ReadTable"


def as_model(model: Any) -> FittedTree:
    """Any fitted tree alike: an estimator, the result of `fit`, a loaded model, a Tree, or a path.

    ValueError for several trees that vote and for sets of rules; `as_fitted` takes these too.
    """
    return as_fitted(model).alone


def as_fitted(model: Any) -> FittedTree:
    """As `as_model`, for what works with several trees that vote, or with a set of rules, too."""
    if isinstance(model, FittedTree):
        return model
    if isinstance(model, Tree):
        task = REGRESSION if model.classes is None and model.max_n_classes == 1 else CLASSIFICATION
        return FittedTree(task, model, "Tree", {}, {})
    if isinstance(model, str | os.PathLike):
        from .model_file.reader import read

        return read(model)
    inside = getattr(type(model), "fitted_tree", None)
    if inside is not None:
        found: FittedTree = model.fitted_tree
        return found
    raise TypeError(_no_model(model))


def as_estimator(model: Any) -> Any:
    """The fitted estimator of any model: for what needs its parameters, or fits it again."""
    return as_model(model).to_estimator()


def _no_model(model: Any) -> str:
    kind = type(model)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    hint = " Call it, and fit it." if isinstance(model, type) else ""
    return (
        "model must be a fitted tree of treewright: an estimator, what treewright.fit or treewright.load "
        f"returned, a Tree, or the path of a model file. Got {name}.{hint}"
    )


def of_estimator(model: Any) -> FittedTree:
    """The view of a fitted estimator; its own names and classes rule where it was made around a tree."""
    known = vars(model)
    fitted = {name: known[name] for name in FITTED if name in known}
    before = known.get("of_file_", {})
    tree, params = _named(model), model.get_params(deep=False)
    kind = type(model)
    task, name = model.task, vars(kind).get("stands_for", kind.__name__)
    target, training = before.get("target"), dict(before.get("training", {}))
    best = of_estimator(model.best_) if "best_" in known else None
    return FittedTree(
        task, tree, name, params, fitted, _decision(model), target, training, best=best, source=model
    )


def _named(model: Any) -> Tree:
    """The tree, with the names that the estimator has."""
    tree: Tree = model.tree_
    changes: dict[str, Any] = {}
    names = getattr(model, "feature_names_in_", None)
    if names is not None and tuple(names.tolist()) != tree.feature_names:
        changes["feature_names"] = tuple(names.tolist())
    labels = getattr(model, "classes_", None)
    if labels is not None:
        ours = tuple(labels) if tree.n_outputs > 1 else labels
        same = tree.classes is ours or replace(tree, classes=ours) == tree
        changes |= {} if same else {"classes": ours}
    return replace(tree, **changes) if changes else tree


def _decision(model: Any) -> dict[str, Any] | None:
    made = getattr(model, "decision_", None)
    if made is None:
        return None
    costs, prevalence = (None, None) if made.costs_and_prevalence is None else made.costs_and_prevalence
    return {
        "words": made.words,
        "threshold": made.threshold,
        "positive": made.positive,
        "leaves": list(made.leaves),
        "costs": costs,
        "prevalence": prevalence,
    }
