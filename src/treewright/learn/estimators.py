"""The estimators of scikit-learn's interface: read the table, grow, prune, smooth, decide."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils import Bunch, metadata_routing
from sklearn.utils.validation import check_is_fitted

from .. import _core
from ..data.columns import columns_at_predict
from ..data.common.array_types import Array
from ..data.common.threads import threads
from ..tree.displayed import DisplayedWhenFitted
from ..tree.tree import Tree, named
from .fit_rows import fit_rows, set_classes
from .fitted_tree import FittedTree, is_file, of_estimator
from .grow import features_of
from .params import CLASSIFICATION, REGRESSION, from_table
from .parts.fit import Given, Limits
from .problem import read_problem
from .pruning import pruning_path
from .signatures import (
    DecisionTreeClassifierSignature,
    DecisionTreeRegressorSignature,
    ExtraTreeClassifierSignature,
    ExtraTreeRegressorSignature,
)


class BestOrItself:
    """`best_` of a model whose alpha cross-validation chose, where that is the tree of least loss: itself."""

    def __get__(self, model: Any, owner: Any = None) -> Any:
        if model is None:
            return self
        if "tree_" not in vars(model) or not isinstance(vars(model).get("ccp_alpha"), str):
            raise AttributeError(f"{type(model).__name__!r} object has no attribute 'best_'")
        return model


class BaseDecisionTree(DisplayedWhenFitted, MultiOutputMixin, BaseEstimator, ABC):
    """What classifier and regressor share."""

    task: ClassVar[str]
    tree_: Tree
    n_features_in_: int
    n_outputs_: int
    max_features_: int
    max_features: Any
    n_jobs: Any
    ccp_alpha_: float  # as given, or as cross-validation chose it
    best_: Any = BestOrItself()  # the fitted estimator of least loss, where cross-validation chose alpha
    pruning_curve_: Any  # the losses by alpha that it was chosen from
    cv_results_: dict[str, Array]  # the same as a dictionary of arrays
    pruning_: dict[str, Any]  # what the method of `pruning` did, and why
    smoothing_strength_: float  # as given, or as cross-validation chose it
    smoothing_results_: list[dict[str, Any]]  # the strengths that it tried
    out_of_fold_: Any  # what the trees of the folds predicted for their held-out rows
    changed_: str  # what was done to the tree after it was fitted
    notes_: tuple[str, ...]  # of a table that was named: how it was read
    unused_surrogates_: Any  # its surrogates, where the growth rules say that they are not used

    # `check_input` is never routed. The others are passed on only where the user requests it, as in
    # `set_fit_request(groups=True)`: the groups of a grid search are for its own `cv`.
    __metadata_request__fit: ClassVar = {
        "check_input": metadata_routing.UNUSED,
        "memory": metadata_routing.UNUSED,
        "scratch": metadata_routing.UNUSED,
        "groups": False,
        "prune_rows": False,
    }
    __metadata_request__predict: ClassVar = {"check_input": metadata_routing.UNUSED}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    @property
    def fitted_tree(self) -> FittedTree:
        """The fitted model as every function of treewright sees it."""
        check_is_fitted(self, "tree_")
        return of_estimator(self)

    def _read(self, X: Any) -> tuple[Tree, _core.Columns, int]:
        """The tree, the columns of X, and the threads to use."""
        if "tree_" not in self.__dict__:
            check_is_fitted(self, "tree_")
        tree, names = self.tree_, self.__dict__.get("feature_names_in_")
        if is_file(X):
            X = self.fitted_tree.table(X)
        known = (names, tree.column_types, self.n_features_in_, type(self).__name__)
        columns = columns_at_predict(X, *known, tree.used)
        return tree, columns, threads(self.n_jobs)

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
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Array:
        """The proportion of the total gain of all splits that each column has; they sum to 1."""
        check_is_fitted(self, "tree_")
        return self.tree_.compute_feature_importances()

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Fit the full tree; return the `ccp_alphas` at which pruning shrinks it, and the `impurities`."""
        grown = read_problem(clone(self), X, y, sample_weight).unpruned.grow()[0]
        return Bunch(**pruning_path(grown)._asdict())

    def save(self, path: Any) -> Any:
        """Write the model to a JSON file, which `treewright.load` reads, and return the path.

        The file is written completely or not at all. Loading it runs no code from it.
        """
        check_is_fitted(self, "tree_")
        from .model_file import save

        return save(self, path)

    def to_sklearn(self) -> Any:
        """Return a fitted scikit-learn estimator with the same tree."""
        check_is_fitted(self, "tree_")
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


@from_table(CLASSIFICATION)
class DecisionTreeClassifier(DecisionTreeClassifierSignature, ClassifierMixin, BaseDecisionTree):
    """A decision tree for classification."""

    task = CLASSIFICATION
    decision_: Any  # what the parameter `decision` came to
    classes_: Any
    n_classes_: Any
    __metadata_request__predict_proba: ClassVar = {"check_input": metadata_routing.UNUSED}

    def fit(  # noqa: PLR0913
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        check_input: bool = True,
        groups: Any = None,
        *,
        prune_rows: Any = None,
        memory: Any = None,
        scratch: Any = None,
    ) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Or a table on disk: the path of a Parquet file, a folder or a glob of them, a
            `pyarrow.dataset.Dataset`, or a `polars.LazyFrame`.
        y : labels of shape (n_rows,) or (n_rows, n_outputs), or the name of a column of X
        sample_weight : array of shape (n_rows,), or the name of a column of X, optional
            A weight of 2 counts as the row twice in gains and predictions. `min_samples_split`,
            `min_samples_leaf` and `level_correction` count each row once.
        check_input : bool, default=True
            False skips the checks of names and shape.
        groups : array of shape (n_rows,), optional
            The groups of the rows, for a `cv` that keeps groups together.
        prune_rows : row numbers or a mask, optional
            The rows to hold out and prune with, where `pruning` needs held-out rows.
        memory : int or str such as "2GB", optional
            The most memory to take for a table on disk; by default half of what is free. A table that needs
            more is coded into a scratch file, and the same tree is grown from that; `notes_` says so.
        scratch : str or path, optional
            The folder of the scratch file; by default that of temporary files.

        Returns
        -------
        self
        """
        given = Given(X, y, sample_weight, groups)
        fit_rows(self, given, Limits(memory, scratch), check_input, prune_rows)
        if self.decision is not None:
            made = self.with_decision(**self.decision)
            self.tree_, self.decision_ = made.tree_, made.decision_
            if "best_" in vars(made):
                self.best_ = made.best_
        return self

    def predict(self, X: Any, check_input: bool = True) -> Array:  # noqa: ARG002
        """Predict the class of each row: the most probable of its leaf, or what `costs` or `decision` decide.

        It is None for a row that reaches a leaf without a prediction: see the growth rule "empty_branches".
        """
        tree, columns, n_threads = self._read(X)
        labels = tree.labels(columns, n_threads)
        classes = [self.classes_] if self.n_outputs_ == 1 else self.classes_
        found = [named(names, labels[:, k]) for k, names in enumerate(classes)]
        return np.asarray(found[0]) if self.n_outputs_ == 1 else np.stack(found, axis=1)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:  # noqa: ARG002
        """Predict the probability of each class: (rows, classes); for several outputs a list of these.

        It is the proportion of the class in the leaf of the row, smoothed by `smoothing`.
        """
        tree, columns, n_threads = self._read(X)
        shares = tree.predict(columns, n_threads)
        if self.n_outputs_ == 1:
            return shares
        return [shares[:, k, :n] for k, n in enumerate(self.n_classes_)]

    def with_decision(self, decision: Any = None, **options: Any) -> Self:
        """Return a copy with the parameter `decision` set and applied to the same tree, without refitting.

        Parameters
        ----------
        decision : OperatingPoint, optional
            What `treewright.operating_point` returned; its threshold becomes the parameter.
        **options
            One of threshold, costs and/or prevalence, recall, precision or capacity (with population); with
            `positive` (a label) and `merge` (merge sibling leaves that now predict the same class). For
            recall, precision, capacity and costs, X and y are held-out rows to find the threshold on.

        Returns
        -------
        DecisionTreeClassifier
            `decision_` says what was decided. This model is left as it is.

        Examples
        --------
        >>> model.with_decision(threshold=0.3, positive="bad").predict(X)  # doctest: +SKIP
        """
        from ..evaluate.decision import with_decision

        made: Self = with_decision(self, decision, **options)
        return made

    def predict_log_proba(self, X: Any) -> Any:
        """Predict the logarithm of the probability of each class."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(shares) if self.n_outputs_ == 1 else [np.log(part) for part in shares]

    @classmethod
    def from_tree(cls, tree: Tree, classes: Any = None, feature_names: Any = None, **params: Any) -> Self:
        """Make a fitted classifier from a Tree.

        `classes` are the labels in the order of `tree.value`, one list per output if there are several.
        """
        made = cls(**params)
        given = tree.classes if classes is None else classes
        if given is None:
            raise ValueError("classes must name the classes in the order of the tree's values. Got None.")
        labels = tuple(map(np.asarray, given if tree.n_outputs > 1 else [given]))
        if [len(part) for part in labels] != tree.n_classes.tolist():
            wanted, got = tree.n_classes.tolist(), [len(part) for part in labels]
            raise ValueError(f"classes must have {wanted} labels, one number per output. Got {got}.")
        totals = tree.value[tree.is_leaf & ~tree.predicts_nothing].sum(axis=2)
        if (tree.value < 0).any() or not np.allclose(totals, 1):
            raise ValueError(
                'The "value" of every leaf must hold shares of the classes: none negative, sum 1.'
            )
        made._take_tree(tree, feature_names)
        set_classes(made, labels)
        return made

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


@from_table(REGRESSION)
class DecisionTreeRegressor(DecisionTreeRegressorSignature, RegressorMixin, BaseDecisionTree):
    """A decision tree for regression."""

    task = REGRESSION
    __metadata_request__fit: ClassVar = {"exposure": False}

    def fit(  # noqa: PLR0913
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        check_input: bool = True,
        groups: Any = None,
        *,
        prune_rows: Any = None,
        exposure: Any = None,
        memory: Any = None,
        scratch: Any = None,
    ) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Or a table on disk: the path of a Parquet file, a folder or a glob of them, a
            `pyarrow.dataset.Dataset`, or a `polars.LazyFrame`.
        y : numbers of shape (n_rows,) or (n_rows, n_outputs), or the name of a column of X
        sample_weight : array of shape (n_rows,), or the name of a column of X, optional
            A weight of 2 counts as the row twice in gains and predictions. `min_samples_split`,
            `min_samples_leaf` and `level_correction` count each row once.
        check_input : bool, default=True
            False skips the checks of names and shape.
        groups : array of shape (n_rows,), optional
            The groups of the rows, for a `cv` that keeps groups together.
        prune_rows : row numbers or a mask, optional
            The rows to hold out and prune with, where `pruning` needs held-out rows.
        exposure : array of shape (n_rows,), optional
            The time or space in which y counts events; the tree then predicts their rate.
        memory : int or str such as "2GB", optional
            The most memory to take for a table on disk; by default half of what is free. A table that needs
            more is coded into a scratch file, and the same tree is grown from that; `notes_` says so.
        scratch : str or path, optional
            The folder of the scratch file; by default that of temporary files.

        Returns
        -------
        self
        """
        given = Given(X, y, sample_weight, groups, exposure)
        fit_rows(self, given, Limits(memory, scratch), check_input, prune_rows)
        return self

    def predict(self, X: Any, check_input: bool = True) -> Array:  # noqa: ARG002
        """Predict the value of each row: (rows,), or (rows, outputs) for several outputs."""
        tree, columns, n_threads = self._read(X)
        return tree.predict(columns, n_threads)[..., 0]

    @classmethod
    def from_tree(cls, tree: Tree, feature_names: Any = None, **params: Any) -> Self:
        """Make a fitted regressor from a Tree."""
        if tree.max_n_classes > 1:
            raise ValueError(
                f"Leaves must hold one number per output. Got {tree.max_n_classes} shares of classes."
            )
        made = cls(**params)
        made._take_tree(tree, feature_names)
        return made


@from_table(CLASSIFICATION, splitter="random", max_features="sqrt")
class ExtraTreeClassifier(ExtraTreeClassifierSignature, DecisionTreeClassifier):
    """A decision tree classifier with random splits, for ensembles."""


@from_table(REGRESSION, splitter="random", max_features=1.0)
class ExtraTreeRegressor(ExtraTreeRegressorSignature, DecisionTreeRegressor):
    """A decision tree regressor with random splits, for ensembles."""
