"""The tree of a `ClusteringTree`: grown by the core or by a matrix, with as many leaves as clusters."""

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
from ..grow import rows_of
from ..plain import PlainRegressor
from .cluster_number import SILHOUETTE_ROWS, best_gap, best_silhouette, gaps, silhouettes, top
from .cluster_tree import with_dissimilarity
from .coding import Coding
from .matrix_tree import MatrixLimits, grow_by_matrix


@dataclass(frozen=True)
class ReadRows:
    """A table of a fit: its columns, how they are coded, and the coded rows."""

    columns: _core.Columns
    table: list[Column]
    coding: Coding
    coded: Floats


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
    tree = regressor.fit(read.columns, read.coded, check_input=False).tree_
    return with_dissimilarity(tree, read.coded.shape[1], read.table)


def _grow_by_matrix(model: Any, read: ReadRows, matrix: Floats) -> Tree:
    if model.n_clusters == "gap":
        raise ParameterError(
            "n_clusters='gap' compares with tables without clusters, which a matrix of dissimilarities "
            "does not give. Use 'silhouette' or a number.",
            "n_clusters",
        )
    least = rows_of(model.min_samples_leaf, len(matrix))
    return grow_by_matrix(matrix, read.table, MatrixLimits(_most(model), least, model.max_depth))


def _with_chosen_size(model: Any, tree: Tree, read: ReadRows, matrix: Floats | None) -> tuple[Tree, Ints]:
    """The tree with as many leaves as there shall be clusters; and the leaf of each row."""
    _check_number(model, tree, len(read.coded))
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
        gap, error = gaps(read.table, read.coding, most, random, model.n_jobs)
        model.scores_ = gap
        return best_gap(gap, error)
    rows = np.sort(random.permutation(len(leaf_of))[:SILHOUETTE_ROWS])
    if matrix is not None:
        distances = np.asarray(matrix[np.ix_(rows, rows)], dtype=np.float64)
    else:
        from scipy.spatial.distance import pdist, squareform

        distances = squareform(pdist(read.coded[rows]))
    model.scores_ = silhouettes(tree, leaf_of[rows], distances, model.max_leaf_nodes)
    return best_silhouette(model.scores_)
