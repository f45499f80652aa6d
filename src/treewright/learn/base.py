"""What classifier and regressor share: parameters, reading rows, growing. Nothing here needs scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from .. import _core
from ..data.columns import columns_at_predict
from ..data.common.array_types import Array
from ..data.common.threads import threads
from ..tree.tree import Tree
from .classic_rules import mark_unknown
from .fitted_tree import FittedTree, is_file, of_estimator
from .grow import features_of
from .grow_and_prune import grow_and_prune, take_chosen
from .params import PARAMETERS
from .parts.dask_frames import lazily
from .parts.fit import is_named, read_named
from .parts.given import FromParts, Given, Limits
from .problem import Problem, must_be_fitted, read_problem
from .pruning import pruning_path
from .signatures import SharedParameters

# Attributes that only some fits set, so that each fit begins by removing them.
OF_LAST_FIT = (
    "best_",
    "cv_results_",
    "pruning_curve_",
    "out_of_fold_",
    "smoothing_results_",
    "smoothing_strength_",
    "pruning_",
    "winnowing_",
    "decision_",
    "changed_",
    "of_file_",
    "unused_surrogates_",
    "notes_",
    "leaf_alpha_",
    "leaf_results_",
)


class BestOrItself:
    """`best_` of a model whose alpha cross-validation chose, where that is the tree of least loss: itself."""

    def __get__(self, model: Any, owner: Any = None) -> Any:
        if model is None:
            return self
        if "tree_" not in vars(model) or not isinstance(vars(model).get("ccp_alpha"), str):
            raise AttributeError(f"{type(model).__name__!r} object has no attribute 'best_'")
        return model


class BaseDecisionTree(SharedParameters):
    """What classifier and regressor share."""

    task: ClassVar[str]
    tree_: Tree
    n_features_in_: int
    n_outputs_: int
    max_features_: int
    ccp_alpha_: float  # as given, or as cross-validation chose it
    best_: Any = BestOrItself()  # the fitted estimator of least loss, where cross-validation chose alpha
    pruning_curve_: Any  # the losses by alpha that it was chosen from
    cv_results_: dict[str, Array]  # the same as a dictionary of arrays
    pruning_: dict[str, Any]  # what the method of `pruning` did, and why
    winnowing_: dict[str, Any]  # which columns the growth rule "winnow" left out
    smoothing_strength_: float  # as given, or as cross-validation chose it
    smoothing_results_: list[dict[str, Any]]  # the strengths that it tried
    out_of_fold_: Any  # what the trees of the folds predicted for their held-out rows
    changed_: str  # what was done to the tree after it was fitted
    notes_: tuple[str, ...]  # of a table that was named: how it was read
    leaf_alpha_: float | None  # the penalty of the leaf models, as given or as cross-validation chose it
    leaf_results_: list[dict[str, float]]  # the penalties that it tried
    unused_surrogates_: Any  # its surrogates, where the growth rules say that they are not used

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """The parameters by name, as scikit-learn has it."""
        return {name: getattr(self, name) for name in sorted(each.name for each in PARAMETERS[self.task])}

    def set_params(self, **params: Any) -> Self:
        """Set parameters; returns self."""
        vars(self).update(params)
        return self

    def fresh(self) -> Self:
        """An estimator with the same parameters that is not fitted."""
        return type(self)(**self.get_params(deep=False))

    def fit_rows(
        self, given: Given, limits: Limits, check_input: bool = True, prune_rows: Any = None
    ) -> Self:
        """Fit rows that are given or named."""
        notes: tuple[str, ...] = ()
        if is_named(given):
            found = read_named(self, given, limits, prune_rows)
            if isinstance(found, FromParts):
                return self._take_grown(found)
            given, notes = found
        X, y, sample_weight, groups, exposure, _ = given
        problem = read_problem(self, X, y, sample_weight, exposure=exposure, check_input=check_input)
        self.fit_problem(problem, X, groups, prune_rows)
        if notes:
            self.notes_ = notes
        return self

    def _take_grown(self, found: FromParts) -> Self:
        """Become the model of a tree that was grown from parts."""
        for name in OF_LAST_FIT:
            self.__dict__.pop(name, None)
        names, classes = found.description.names, found.description.classes
        self.feature_names_in_ = np.asarray(names, dtype=object)
        self.tree_, self.n_features_in_, self.n_outputs_ = found.tree, len(names), 1
        self.max_features_, self.notes_ = len(names), found.notes
        self._set_classes(() if classes is None else (classes,))
        if found.strength is not None:
            self.smoothing_strength_ = found.strength
        if found.chosen is not None:
            take_chosen(self, found.chosen)
        else:
            self.ccp_alpha_ = float(vars(self)["ccp_alpha"])
        return self

    def fit_problem(self, problem: Problem, X: Any, groups: Any = None, prune_rows: Any = None) -> Self:
        """Fit a table that is read."""
        target = problem.target
        self.n_outputs_ = target.n_outputs
        self.max_features_ = features_of(problem.params["max_features"], problem.columns.n_columns)
        self._set_classes(target.classes)
        for name in OF_LAST_FIT:
            self.__dict__.pop(name, None)
        grow_and_prune(self, problem, X, groups, prune_rows)
        return self

    def _set_classes(self, classes: tuple[Array, ...]) -> None:
        """Set `classes_` and `n_classes_`; a regressor has none."""

    @property
    def fitted_tree(self) -> FittedTree:
        """The fitted model as every function of treewright sees it."""
        must_be_fitted(self)
        return of_estimator(self)

    def _read(self, X: Any) -> tuple[Tree, _core.Columns, int]:
        """The tree, the columns of X, and the threads to use."""
        must_be_fitted(self)
        tree, names = self.tree_, self.__dict__.get("feature_names_in_")
        if is_file(X):
            X = self.fitted_tree.table(X)
        known = (names, tree.column_types, self.n_features_in_, type(self).__name__)
        columns = mark_unknown(columns_at_predict(X, *known, tree.used), self.growth_rules)
        return tree, columns, threads(self.n_jobs)

    @lazily
    def apply(self, X: Any, check_input: bool = True) -> Array:  # noqa: ARG002
        """Return the node number of the leaf that each row reaches."""
        tree, columns, n_threads = self._read(X)
        return tree.apply(columns, n_threads)

    def decision_path(self, X: Any, check_input: bool = True) -> Any:  # noqa: ARG002
        """Return the nodes on the path of each row, as a sparse matrix (rows, nodes) of ones."""
        tree, columns, n_threads = self._read(X)
        return tree.decision_path(columns, n_threads)

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        must_be_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        must_be_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Array:
        """The proportion of the total gain of all splits that each column has; they sum to 1."""
        must_be_fitted(self)
        return self.tree_.compute_feature_importances()

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the full tree; return the `ccp_alphas` at which pruning shrinks it, and the `impurities`."""
        from sklearn.utils import Bunch

        grown = read_problem(self.fresh(), X, y, sample_weight).unpruned.grow()[0]
        return Bunch(**pruning_path(grown)._asdict())

    def save(self, path: Any) -> Any:
        """Write the model to a JSON file, which `treewright.load` reads, and return the path.

        The file is written completely or not at all. Loading it runs no code from it.
        """
        must_be_fitted(self)
        from .model_file import save

        return save(self, path)

    def to_sklearn(self) -> Any:
        """Return a fitted scikit-learn estimator with the same tree."""
        must_be_fitted(self)
        from ..present.export.sklearn import to_sklearn

        return to_sklearn(self)

    def _take_tree(self, tree: Tree, feature_names: Any) -> None:
        """Become a fitted estimator around a tree that was not grown here."""
        names = tree.feature_names if feature_names is None else feature_names
        if names is not None:
            if len(names) != tree.n_features:
                raise ValueError(f"feature_names must have {tree.n_features} names. Got {len(names)}.")
            self.feature_names_in_ = np.asarray(names, dtype=object)
        self.tree_, self.n_features_in_, self.n_outputs_ = tree, tree.n_features, tree.n_outputs
        self.max_features_ = features_of(self.max_features, tree.n_features)
