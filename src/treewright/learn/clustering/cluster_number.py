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


def silhouettes(tree: Tree, leaf_of: Ints, distances: Floats, weights: Floats, most: int) -> dict[int, float]:
    """The mean silhouette of these rows for each number of clusters from 2 on.

    A row is compared with its own cluster (mean distance a) and the nearest other one (mean distance b):
    (b − a) / max(a, b). A row of weight 2 counts as two equal rows.
    """
    sizes = range(2, min(most, tree.n_leaves) + 1)
    return {k: _silhouette(_at_top(tree, leaf_of, k), distances, weights) for k in sizes}


def _silhouette(labels: Ints, distances: Floats, weights: Floats) -> float:
    names, place = np.unique(labels, return_inverse=True)
    if not 2 <= len(names) < weights.sum():
        return -1.0
    member = (place[:, None] == np.arange(len(names))) * weights[:, None]
    size, sums, rows = member.sum(axis=0), distances @ member, np.arange(len(place))
    others = size[place] - 1  # of its own cluster, without itself
    own = sums[rows, place] / np.where(others > 0, others, 1.0)
    means = sums / size
    means[rows, place] = np.inf
    nearest = means.min(axis=1)
    wider = np.maximum(own, nearest)
    each = np.where((others > 0) & (wider > 0), (nearest - own) / np.where(wider > 0, wider, 1.0), 0.0)
    return float(np.average(each, weights=weights))


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
    table: Sequence[Column],
    coding: Coding,
    weights: Floats | None,
    most: int,
    random: np.random.RandomState,
    n_threads: int | None,
) -> tuple[dict[int, float], dict[int, float]]:
    """The gap statistic (Tibshirani, Walther and Hastie 2001) for 1, 2, … clusters, and its standard errors.

    gap(k) = E log W*(k) − log W(k): W is the dissimilarity that k clusters leave, W* the same in tables
    without clusters: numbers uniform in their range, nominal columns shuffled, each column by itself.
    """
    rows = np.arange(len(table[0].values)) if weights is None else np.flatnonzero(weights)
    rows = np.sort(random.permutation(rows)[:GAP_ROWS])
    table = [column.take(rows) for column in table]
    weights = None if weights is None else weights[rows]

    def log_left(table: Sequence[Column]) -> Floats:
        return _log_left(table, coding.encode(table, len(rows)), weights, most, n_threads)

    own = log_left(table)
    others = np.stack([log_left(_reference(table, random)) for _ in range(REFERENCES)])
    gap = others.mean(axis=0) - own
    error = others.std(axis=0) * np.sqrt(1 + 1 / REFERENCES)
    sizes = range(1, len(own) + 1)
    return dict(zip(sizes, gap.tolist(), strict=True)), dict(zip(sizes, error.tolist(), strict=True))


def best_gap(gap: dict[int, float], error: dict[int, float]) -> int:
    """The smallest k with gap(k) >= gap(k + 1) − s(k + 1)."""
    sizes = sorted(gap)
    return next((k for k in sizes[:-1] if gap[k] >= gap[k + 1] - error[k + 1]), sizes[-1])


def _log_left(
    table: Sequence[Column], coded: Floats, weights: Floats | None, most: int, n_threads: int | None
) -> Floats:
    model = PlainRegressor(max_leaf_nodes=max(2, most), n_jobs=n_threads)
    tree = model.fit(from_columns(table, len(coded)), coded, weights, check_input=False).tree_
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
