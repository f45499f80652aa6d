"""`ClusteringTree`: a tree that divides rows without a target, each leaf a cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin

from ...data.columns import columns_at_fit, columns_at_predict
from ...data.common.array_types import Floats, Ints
from ...data.common.threads import threads
from ...data.target import check_weights
from ...data.typed_table import typed_table
from ...tree.displayed import DisplayedWhenFitted
from ..fitted_tree import FittedTree
from ..params import CLASSIFICATION
from ..problem import must_be_fitted
from .cluster_list import Clusters, describe, traits_by_cluster
from .cluster_tree import leaves_in_order, with_clusters
from .coding import learn_coding
from .dissimilarity import check_matrix
from .gower import gower
from .growth import ReadRows, grow_clusters
from .parameters import PARAMETERS


class ClusteringTree(
    DisplayedWhenFitted, ClusterMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Cluster rows by a tree: every cluster is a leaf, and its path says what the rows have in common.

    The split of a node is the one that leaves the least dissimilarity: Σ |Dⱼ| / |D| · Dis(Dⱼ), where Dis is
    the mean dissimilarity of all pairs of rows in a child. The leaf that gains most is split next.

    Parameters
    ----------
    n_clusters : int, 'silhouette' or 'gap', default='silhouette'
        The number of clusters, or how it is chosen: 'silhouette' takes the number with the highest mean
        silhouette (of at most 2,000 rows), 'gap' follows the gap statistic (of at most 5,000 rows), which may
        find that there is only one cluster.
    max_leaf_nodes : int, default=10
        The most clusters, where the number is chosen.
    min_samples_leaf : int or float, default=1
        The fewest rows of a cluster; a float is a fraction of all rows.
    max_depth : int, optional
        The most tests on the path to a cluster.
    dissimilarity : 'standardized', 'sqeuclidean' or 'gower', default='standardized'
        'standardized': squared differences of numbers divided by their standard deviation; for a nominal
        column 2 where the levels differ, as much as two random rows differ in a number. 'sqeuclidean':
        numbers as they are. For both, a missing value counts as the mean of its column. 'gower': the mean
        over the columns that are known in both rows, of the difference of numbers divided by their range,
        and 1 where levels differ; all pairs are compared, so at most 20,000 rows. Any other dissimilarity is
        given to `fit` as a matrix.
    categorical_features : 'from_dtype', 'unordered', list or None, default='from_dtype'
        Which columns are nominal, as in the other trees.
    random_state : int, RandomState or None, default=0
        Seeds the rows and the reference tables with which the number of clusters is chosen. The tree itself
        has nothing random.
    n_jobs : int, optional
        The number of threads. Their number never changes the result.

    Attributes
    ----------
    labels_ : array of int, one per row
        The cluster of each training row. Clusters are numbered from 0, in the order of the printed tree.
    n_clusters_ : int
        The number of clusters.
    cluster_centers_ : array (n_clusters, n_coded_columns)
        The mean of the coded rows of each cluster; absent for 'gower' and where a matrix was given.
    scores_ : dict
        Where the number of clusters was chosen: its silhouette or gap for each number.
    tree_ : Tree
        The tree. `show`, `draw`, `rules` and `explain` of treewright take the model.

    Examples
    --------
    >>> import treewright
    >>> model = treewright.ClusteringTree(n_clusters=2).fit([[0], [1], [8], [9]])
    >>> model.labels_.tolist()
    [0, 0, 1, 1]
    >>> model.predict([[3]]).tolist()
    [0]
    """

    def __init__(  # noqa: PLR0913
        self,
        n_clusters: Any = "silhouette",
        *,
        max_leaf_nodes: int = 10,
        min_samples_leaf: float = 1,
        max_depth: int | None = None,
        dissimilarity: str = "standardized",
        categorical_features: Any = "from_dtype",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.dissimilarity = dissimilarity
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        *,
        dissimilarity: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Cluster the rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The columns that the tests may use. Without a matrix they also say how unlike two rows are.
        y : ignored
        dissimilarity : array of shape (n_rows, n_rows), optional
            The dissimilarity of each pair of rows: symmetric, at least 0, and 0 on the diagonal. Up to about
            20,000 rows.
        sample_weight : array of shape (n_rows,), optional
            A row of weight 2 counts as two equal rows, except in `min_samples_leaf`, which counts it once.
            Rows of weight 0 do not count; `labels_` has their clusters too.

        Returns
        -------
        self
        """
        for parameter in PARAMETERS:
            parameter.check(getattr(self, parameter.name))
        for name in ("scores_", "cluster_centers_", "_coding"):
            self.__dict__.pop(name, None)
        read = self._read_at_fit(X, sample_weight)
        matrix = None
        if dissimilarity is not None:
            matrix = check_matrix(dissimilarity, len(read.coded))
        elif self.dissimilarity == "gower":
            matrix = gower(read.table, read.weights)
        tree, leaf_of = grow_clusters(self, read, matrix)
        tree = replace(tree, feature_names=self._known(None)[0])
        cluster_of = np.full(tree.node_count, -1)
        leaves = leaves_in_order(tree)
        cluster_of[leaves] = np.arange(len(leaves))
        self.n_clusters_, self.labels_ = len(leaves), cluster_of[leaf_of]
        if matrix is None:
            centres = tree.value[leaves, :, 0]
            self.cluster_centers_, self._coding = centres, read.coding
        else:
            centres = read.centres(self.labels_, len(leaves))
        self.tree_ = with_clusters(tree, leaves)
        self._traits = traits_by_cluster(read.coding, centres)
        names = tree.feature_names or ()
        self._zero_one = [names[place] for place in tree.used if names and read.is_zero_one(place)]
        return self

    def predict(self, X: Any) -> Ints:
        """The cluster of each row."""
        must_be_fitted(self)
        return np.asarray(self.tree_.value[:, 0].argmax(axis=1)[self.apply(X)])

    def transform(self, X: Any) -> Floats:
        """The Euclidean distance of each coded row to the centre of each cluster: (rows, clusters)."""
        coded = self._encode(X, "transform")
        squares = [((coded - centre) ** 2).sum(axis=1) for centre in self.cluster_centers_]
        return np.asarray(np.sqrt(np.stack(squares, axis=1)))

    def plot(self, X: Any, y: Any = None) -> Any:
        """Plot the rows coloured by cluster, the tree, and what other clusterings make of the same rows.

        The rows lie in their two columns, or in their first two principal components. Beside the tree are
        scikit-learn's KMeans and AgglomerativeClustering with as many clusters, and DBSCAN. Each has its
        silhouette and, with `y`, its adjusted Rand index. At most 2,000 rows are drawn and compared.

        Parameters
        ----------
        X : table with the columns of the fit
        y : labels, one per row, optional
            Known groups of the rows, to compare the clusters with.

        Returns
        -------
        array of matplotlib axes
            The rows, the tree, and the three other clusterings.
        """
        coded = self._encode(X, "plot")
        from ...present.plots.clusters import plot_clusters

        return plot_clusters(self, X, coded, y)

    def _encode(self, X: Any, who: str) -> Floats:
        """The rows of a table as numbers: see `coding`."""
        must_be_fitted(self)
        if "_coding" not in vars(self):
            raise ValueError(
                f"{who} needs clusters with centres, but the tree was fitted with a matrix of "
                "dissimilarities or with 'gower'. Use dissimilarity='standardized', or predict."
            )
        read = typed_table(X, *self._known(self.tree_.column_types))
        return self._coding.encode(read.columns, read.n_rows)

    def apply(self, X: Any) -> Ints:
        """Return the node number of the leaf that each row reaches."""
        must_be_fitted(self)
        columns = columns_at_predict(X, *self._known(self.tree_.column_types), self.tree_.used)
        return np.asarray(self.tree_.apply(columns, threads(self.n_jobs)))

    def describe(self) -> Clusters:
        """What each cluster is: its rows, its path, and the columns in which it differs most."""
        must_be_fitted(self)
        return describe(self.fitted_tree.words(decimals=None), leaves_in_order(self.tree_), self._traits)

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        must_be_fitted(self)
        return self.tree_.n_leaves

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        must_be_fitted(self)
        return self.tree_.max_depth

    @property
    def feature_importances_(self) -> Floats:
        """The proportion of the total gain of all splits that each column has; they sum to 1."""
        must_be_fitted(self)
        return self.tree_.compute_feature_importances()

    @property
    def fitted_tree(self) -> FittedTree:
        """The model as every function of treewright sees it: a classifier whose classes are the clusters."""
        must_be_fitted(self)
        changed = {name: getattr(self, name) for name in ("min_samples_leaf", "max_depth", "dissimilarity")}
        changed = {
            each.name: changed[each.name]
            for each in PARAMETERS
            if changed.get(each.name, each.default) != each.default
        }
        about: dict[str, Any] = {"clusters": {"n_clusters": self.n_clusters_, **changed}}
        about |= {"zero_one": self._zero_one} if self._zero_one else {}
        return FittedTree(CLASSIFICATION, self.tree_, "Tree", {}, {}, training=about)

    def save(self, path: Any) -> Any:
        """Write the tree to a model file, as a classifier whose classes are the clusters."""
        from ..model_file import save

        return save(self.fitted_tree, path)

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    # -- the fit

    def _known(self, types: Any) -> tuple[Any, Any, int, str]:
        """What the readers of tables need: names, types, number of columns, and who reads."""
        names = getattr(self, "feature_names_in_", None)
        return (
            None if names is None else tuple(map(str, names)),
            types,
            self.n_features_in_,
            type(self).__name__,
        )

    def _read_at_fit(self, X: Any, sample_weight: Any) -> ReadRows:
        columns, types = columns_at_fit(self, X, True, self.categorical_features)
        if columns.n_rows < 2:
            raise ValueError("X must have at least 2 rows to form clusters. Got 1 row (n_samples = 1).")
        weights = check_weights(sample_weight, columns.n_rows)
        table = typed_table(X, *self._known(types)).columns
        coding = learn_coding(table, self.dissimilarity != "sqeuclidean", weights)
        return ReadRows(columns, table, coding, coding.encode(table, columns.n_rows), weights)
