"""The estimators without scikit-learn's base classes, which take a second to load.

`treewright.fit` and the commands work with these; `estimators.py` adds the rest of scikit-learn's interface.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ..data.common.array_types import Array
from ..tree.tree import Tree, named
from .base import BaseDecisionTree
from .params import CLASSIFICATION, REGRESSION, from_table
from .parts.dask_frames import lazily
from .parts.given import Given, Limits
from .signatures import DecisionTreeClassifierSignature, DecisionTreeRegressorSignature


@from_table(CLASSIFICATION)
class PlainClassifier(DecisionTreeClassifierSignature, BaseDecisionTree):
    """A decision tree for classification."""

    task = CLASSIFICATION
    stands_for = "DecisionTreeClassifier"
    decision_: Any  # what the parameter `decision` came to
    classes_: Any
    n_classes_: Any

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
        client: Any = None,
        checkpoint: Any = None,
    ) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Or a table on disk: the path of a Parquet file, a folder or a glob of them, a
            `pyarrow.dataset.Dataset`, a `polars.LazyFrame`, or a Dask frame or array.
        y : labels of shape (n_rows,) or (n_rows, n_outputs), or the name of a column of X
            Rows without a value in a named column are left out; `notes_` says how many.
        sample_weight : array of shape (n_rows,), or the name of a column of X, optional
            A weight of 2 counts as the row twice in gains and predictions. `min_samples_split`,
            `min_samples_leaf` and `level_correction` count each row once.
        check_input : bool, default=True
            False skips the checks of names and shape.
        groups : array of shape (n_rows,), or the name of a column of X, optional
            The groups of the rows, for a `cv` that keeps groups together.
        prune_rows : row numbers or a mask, optional
            The rows to hold out and prune with, where `pruning` needs held-out rows.
        memory : int or str such as "2GB", optional
            The most memory to take for a table on disk; by default half of what is free. A table that needs
            more is coded into a scratch file, and the same tree is grown from that; `notes_` says so.
        scratch : str or path, optional
            The folder of the scratch file; by default that of temporary files.
        client : distributed.Client, optional
            Where a Dask table is fitted: by default the current client, else a local cluster for this fit.
        checkpoint : str or path, optional
            Of a Dask table: a file that keeps all replies until the tree is grown. A fit that was killed goes
            on from there.

        Returns
        -------
        self
        """
        self.fit_rows(
            Given(X, y, sample_weight, groups),
            Limits(memory, scratch, client, checkpoint),
            check_input,
            prune_rows,
        )
        if self.decision is not None:
            made = self.with_decision(**self.decision)
            self.tree_, self.decision_ = made.tree_, made.decision_
            if "best_" in vars(made):
                self.best_ = made.best_
        return self

    def _set_classes(self, classes: tuple[Array, ...]) -> None:
        one = len(classes) == 1
        self.classes_ = classes[0] if one else list(classes)
        self.n_classes_ = len(classes[0]) if one else np.array([len(labels) for labels in classes])

    @lazily
    def predict(self, X: Any, check_input: bool = True) -> Array:  # noqa: ARG002
        """Predict the class of each row: the most probable of its leaf, or what `costs` or `decision` decide.

        It is None for a row that reaches a leaf without a prediction: see the growth rule "empty_branches".
        """
        tree, columns, n_threads = self._read(X)
        labels = tree.labels(columns, n_threads)
        classes = [self.classes_] if self.n_outputs_ == 1 else self.classes_
        found = [named(names, labels[:, k]) for k, names in enumerate(classes)]
        return np.asarray(found[0]) if self.n_outputs_ == 1 else np.stack(found, axis=1)

    @lazily
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
        made._set_classes(labels)
        return made


@from_table(REGRESSION)
class PlainRegressor(DecisionTreeRegressorSignature, BaseDecisionTree):
    """A decision tree for regression."""

    task = REGRESSION
    stands_for = "DecisionTreeRegressor"

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
        client: Any = None,
        checkpoint: Any = None,
    ) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Or a table on disk: the path of a Parquet file, a folder or a glob of them, a
            `pyarrow.dataset.Dataset`, a `polars.LazyFrame`, or a Dask frame or array.
        y : numbers of shape (n_rows,) or (n_rows, n_outputs), or the name of a column of X
            Rows without a value in a named column are left out; `notes_` says how many.
        sample_weight : array of shape (n_rows,), or the name of a column of X, optional
            A weight of 2 counts as the row twice in gains and predictions. `min_samples_split`,
            `min_samples_leaf` and `level_correction` count each row once.
        check_input : bool, default=True
            False skips the checks of names and shape.
        groups : array of shape (n_rows,), or the name of a column of X, optional
            The groups of the rows, for a `cv` that keeps groups together.
        prune_rows : row numbers or a mask, optional
            The rows to hold out and prune with, where `pruning` needs held-out rows.
        exposure : array of shape (n_rows,), or the name of a column of X, optional
            The time or space in which y counts events; the tree then predicts their rate.
        memory : int or str such as "2GB", optional
            The most memory to take for a table on disk; by default half of what is free. A table that needs
            more is coded into a scratch file, and the same tree is grown from that; `notes_` says so.
        scratch : str or path, optional
            The folder of the scratch file; by default that of temporary files.
        client : distributed.Client, optional
            Where a Dask table is fitted: by default the current client, else a local cluster for this fit.
        checkpoint : str or path, optional
            Of a Dask table: a file that keeps all replies until the tree is grown. A fit that was killed goes
            on from there.

        Returns
        -------
        self
        """
        given = Given(X, y, sample_weight, groups, exposure)
        return self.fit_rows(given, Limits(memory, scratch, client, checkpoint), check_input, prune_rows)

    @lazily
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


PLAIN: dict[str, Any] = {CLASSIFICATION: PlainClassifier, REGRESSION: PlainRegressor}
