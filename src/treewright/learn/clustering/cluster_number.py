"""How many clusters: the tops of one tree, compared by silhouette or by the gap statistic."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import numpy as np

from ...data.columns import from_columns
from ...data.common.array_types import Floats, Ints, Mask
from ...data.values import Column
from ...tree.tree import Tree
from ..plain import PlainRegressor
from .coding import Coding, missing_in

SILHOUETTE_ROWS = 2000  # all pairs of them are compared
GAP_ROWS = 5000
REFERENCES = 10


def splits_in_order(tree: Tree) -> Iterator[int]:
    """The inner nodes in the order in which best-first growth splits them: the greatest gain first."""
    frontier = [(-float(tree.gain[0]), 0)]
    while frontier:
        _, node = heapq.heappop(frontier)
        if tree.n_children[node] == 0:
            continue
        yield node
        first = int(tree.first_child[node])
        for child in range(first, first + int(tree.n_children[node])):
            heapq.heappush(frontier, (-float(tree.gain[child]), child))


def top(tree: Tree, n_leaves: int) -> Mask:
    """Which nodes are the leaves of the tree that growth with this limit gives, or lie below them."""
    kept = np.zeros(tree.node_count, dtype=bool)
    for node, _ in zip(splits_in_order(tree), range(n_leaves - 1), strict=False):
        kept[node] = True
    return ~kept


def silhouettes(tree: Tree, leaf_of: Ints, distances: Floats, most: int) -> dict[int, float]:
    """The mean silhouette of these rows for each number of clusters from 2 on.

    A row is compared with its own cluster (mean distance a) and the nearest other one (mean distance b):
    (b − a) / max(a, b).
    """
    from sklearn.metrics import silhouette_score

    scores = {}
    for k in range(2, min(most, tree.n_leaves) + 1):
        labels = _at_top(tree, leaf_of, k)
        n_found = len(np.unique(labels))
        usable = 2 <= n_found < len(labels)
        scores[k] = float(silhouette_score(distances, labels, metric="precomputed")) if usable else -1.0
    return scores


def _at_top(tree: Tree, leaf_of: Ints, n_leaves: int) -> Ints:
    """The leaf of each row in the top of a tree."""
    cut, at = top(tree, n_leaves), leaf_of.copy()
    while True:
        up = tree.parent[at]
        rise = (up >= 0) & cut[np.maximum(up, 0)]
        if not rise.any():
            return at
        at = np.where(rise, up, at)


def best_silhouette(scores: dict[int, float]) -> int:
    """The number of clusters with the highest silhouette, the smallest of equals; 1 where none was tried."""
    return max(scores, key=lambda k: (scores[k], -k), default=1)


def gaps(
    table: Sequence[Column], coding: Coding, most: int, random: np.random.RandomState, n_threads: int | None
) -> tuple[dict[int, float], dict[int, float]]:
    """The gap statistic (Tibshirani, Walther and Hastie 2001) for 1, 2, … clusters, and its standard errors.

    gap(k) = E log W*(k) − log W(k): W is the dissimilarity that k clusters leave, W* the same in tables
    without clusters: numbers uniform in their range, nominal columns shuffled, each column by itself.
    """
    n_rows = len(table[0].values)
    rows = np.sort(random.permutation(n_rows)[:GAP_ROWS])
    table = [column.take(rows) for column in table]
    own = _log_left(table, coding, most, n_threads)
    others = np.stack(
        [_log_left(_reference(table, random), coding, most, n_threads) for _ in range(REFERENCES)]
    )
    gap = others.mean(axis=0) - own
    error = others.std(axis=0) * np.sqrt(1 + 1 / REFERENCES)
    sizes = range(1, len(own) + 1)
    return dict(zip(sizes, gap.tolist(), strict=True)), dict(zip(sizes, error.tolist(), strict=True))


def best_gap(gap: dict[int, float], error: dict[int, float]) -> int:
    """The smallest k with gap(k) >= gap(k + 1) − s(k + 1)."""
    sizes = sorted(gap)
    return next((k for k in sizes[:-1] if gap[k] >= gap[k + 1] - error[k + 1]), sizes[-1])


def _log_left(table: Sequence[Column], coding: Coding, most: int, n_threads: int | None) -> Floats:
    n_rows = len(table[0].values)
    coded = coding.encode(table, n_rows)
    model = PlainRegressor(max_leaf_nodes=max(2, most), n_jobs=n_threads)
    tree = model.fit(from_columns(table, n_rows), coded, check_input=False).tree_
    gains = [float(tree.gain[node]) for node in splits_in_order(tree)][: most - 1]
    mass = float(tree.impurity[0] * tree.weighted_n_node_samples[0])
    left = mass - np.concatenate([[0.0], np.cumsum(gains)])
    left = np.concatenate([left, np.full(most - len(left), left[-1])])
    return np.log(np.maximum(left, 1e-12 * mass))


def _reference(table: Sequence[Column], random: np.random.RandomState) -> list[Column]:
    """A table of the same columns without clusters."""
    made = []
    for column in table:
        missing = missing_in(column)
        known = column.values[~missing]
        if column.type.kind == "nominal" or not len(known):
            made.append(column._replace(values=random.permutation(column.values)))
            continue
        low, high = float(known.min()), float(known.max())
        drawn = random.uniform(low, high, len(column.values))
        made.append(column._replace(values=drawn, missing=missing if missing.any() else None))
    return made
