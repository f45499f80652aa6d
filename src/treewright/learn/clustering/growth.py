"""The tree of a `ClusteringTree`: grown by columns or by a matrix, with as many leaves as clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...data.common.errors import ParameterError
from ...data.common.random_state import random_state_of
from ...data.common.threads import threads
from ...data.values import Column
from ...tree.tree import Tree
from ..grow import limit, rows_of, tree_arrays
from ..plain import PlainRegressor
from .cluster_number import SILHOUETTE_ROWS, best_gap, best_silhouette, gaps, silhouettes, top
from .cluster_tree import with_dissimilarity
from .coding import Coding, missing_in


@dataclass(frozen=True)
class ReadRows:
    """A table of a fit: its columns, how they are coded, the coded rows, and their weights."""

    columns: _core.Columns
    table: list[Column]
    coding: Coding
    coded: Floats
    weights: Floats | None = None

    @property
    def n_rows(self) -> int:
        """How many rows weigh anything."""
        return len(self.coded) if self.weights is None else int((self.weights > 0).sum())

    def is_zero_one(self, place: int) -> bool:
        """Whether a column of numbers has no other values than 0 and 1."""
        column = self.table[place]
        return column.type.is_number and column.type.kind != "boolean" and _is_zero_one(column)

    def centres(self, labels: Ints, n_clusters: int) -> Floats:
        """The mean of the coded rows of each cluster."""
        weights = np.ones(len(labels)) if self.weights is None else self.weights
        member = (labels[:, None] == np.arange(n_clusters)) * weights[:, None]
        return np.asarray(member.T @ self.coded / member.sum(axis=0)[:, None])


def _is_zero_one(column: Column) -> bool:
    known = column.values[~missing_in(column)]
    return bool(len(known)) and bool(((known == 0) | (known == 1)).all())


def grow_clusters(model: Any, read: ReadRows, matrix: Floats | None) -> tuple[Tree, Ints]:
    """The tree with as many leaves as there are clusters, and the leaf of each row; `scores_` is set."""
    tree = _grow(model, read) if matrix is None else _grow_by_matrix(model, read, matrix)
    return _with_chosen_size(model, tree, read, matrix)


def _most(model: Any) -> int:
    """The leaves to grow: at least two, of which one may be left."""
    return max(2, int(model.max_leaf_nodes if isinstance(model.n_clusters, str) else model.n_clusters))


def _grow(model: Any, read: ReadRows) -> Tree:
    """The tree of a regressor with the coded columns as its targets."""
    regressor = PlainRegressor(
        max_leaf_nodes=_most(model),
        min_samples_leaf=model.min_samples_leaf,
        max_depth=model.max_depth,
        n_jobs=model.n_jobs,
    )
    tree = regressor.fit(read.columns, read.coded, read.weights, check_input=False).tree_
    return with_dissimilarity(tree, read.coded.shape[1], read.table)


def _grow_by_matrix(model: Any, read: ReadRows, matrix: Floats) -> Tree:
    if model.n_clusters == "gap":
        raise ParameterError(
            "n_clusters='gap' compares with tables without clusters, which a matrix of dissimilarities "
            "does not give. Use 'silhouette' or a number.",
            "n_clusters",
        )
    growth = _core.Growth()
    growth.order = "best"
    growth.max_leaf_nodes = _most(model)
    growth.max_depth = limit(model.max_depth)
    growth.min_samples_leaf = rows_of(model.min_samples_leaf, read.n_rows)
    growth.n_threads = threads(model.n_jobs)
    grown = _core.grow_by_dissimilarity(read.columns, matrix, read.weights, growth)
    types = tuple(column.type for column in read.table)
    return Tree.grown(
        **tree_arrays(grown), n_features=len(types), n_classes=np.array([1]), column_types=types
    )


def _with_chosen_size(model: Any, tree: Tree, read: ReadRows, matrix: Floats | None) -> tuple[Tree, Ints]:
    """The tree with as many leaves as there shall be clusters; and the leaf of each row."""
    _check_number(model, tree, read.n_rows)
    leaf_of = tree.apply(read.columns, threads(model.n_jobs))
    chosen = isinstance(model.n_clusters, str)
    n_clusters = _choose(model, tree, leaf_of, read, matrix) if chosen else model.n_clusters
    if n_clusters >= tree.n_leaves:
        return tree, leaf_of
    tree = tree.collapse(top(tree, n_clusters))
    return tree, tree.apply(read.columns, threads(model.n_jobs))


def _check_number(model: Any, tree: Tree, n_rows: int) -> None:
    """Reject tables that have too few different rows."""
    if tree.impurity[0] <= 0:
        raise ValueError(
            f"X must have at least 2 different rows to form clusters. Got {n_rows:,} equal rows."
        )
    if not isinstance(model.n_clusters, str) and tree.n_leaves < model.n_clusters:
        limited = model.min_samples_leaf != 1 or model.max_depth is not None
        what = "what min_samples_leaf and max_depth allow" if limited else "the number of different rows"
        raise ParameterError(
            f"n_clusters must be at most {what}, {tree.n_leaves}. Got {model.n_clusters}.", "n_clusters"
        )


def _choose(model: Any, tree: Tree, leaf_of: Ints, read: ReadRows, matrix: Floats | None) -> int:
    """The number of clusters; its scores are kept."""
    random = random_state_of(model.random_state)
    if model.n_clusters == "gap":
        most = min(model.max_leaf_nodes, tree.n_leaves)
        gap, error = gaps(read.table, read.coding, read.weights, most, random, model.n_jobs)
        model.scores_ = gap
        return best_gap(gap, error)
    rows = np.arange(len(leaf_of)) if read.weights is None else np.flatnonzero(read.weights)
    rows = np.sort(random.permutation(rows)[:SILHOUETTE_ROWS])
    if matrix is not None:
        distances = np.asarray(matrix[np.ix_(rows, rows)], dtype=np.float64)
    else:
        from scipy.spatial.distance import pdist, squareform

        distances = squareform(pdist(read.coded[rows]))
    weights = np.ones(len(rows)) if read.weights is None else read.weights[rows]
    model.scores_ = silhouettes(tree, leaf_of[rows], distances, weights, model.max_leaf_nodes)
    return best_silhouette(model.scores_)
