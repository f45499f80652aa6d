"""The tree of least dissimilarity where that is given as a matrix: an exact search in numpy.

A split is scored by S(L)/|L| + S(R)/|R|, where S sums the dissimilarities of all pairs of a set. Along a
sorted column S(L) grows by twice the row of the matrix up to the next row. With r_i the sum of row i,
S(R) = S − 2 Σ_{i in L} r_i + S(L). So a column costs one pass over the node's part of the matrix.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...data.values import Column
from ...tree.tree import UNDEFINED, Tree
from .coding import missing_in
from .dissimilarity import BLOCK

ALL_SUBSETS = 10  # levels of a node of which every set is tried; of more, each level against the others


@dataclass(order=True)
class _Split:
    """The best split of a node; the first in this order is the best."""

    mass: float  # S(L)/|L| + S(R)/|R|
    feature: int
    threshold: float = field(compare=False)
    levels: tuple[int, ...] = field(compare=False)  # of the first child, for a nominal column
    missing_child: int = field(compare=False)
    first: Mask = field(compare=False)  # which rows of the node go to the first child


@dataclass
class _Node:
    rows: Ints
    sums: Floats  # of each row its dissimilarity to all rows of the node
    depth: int
    split: _Split | None = None
    children: tuple[int, int] | None = None

    @property
    def mass(self) -> float:
        """S / number of rows."""
        return float(self.sums.sum()) / len(self.rows)


@dataclass(frozen=True)
class MatrixLimits:
    """When to stop."""

    max_leaf_nodes: int
    min_samples_leaf: int
    max_depth: int | None


def grow_by_matrix(matrix: Floats, table: Sequence[Column], limits: MatrixLimits) -> Tree:
    """The tree; the leaf of the greatest gain is split first."""
    everything = np.arange(len(matrix))
    nodes = [_Node(everything, _row_sums(matrix, everything), 0)]
    frontier: list[tuple[float, int]] = []
    columns = [(column, missing_in(column)) for column in table]

    def consider(number: int) -> None:
        node = nodes[number]
        if limits.max_depth is not None and node.depth >= limits.max_depth:
            return
        node.split = _best_split(_Part(matrix, node.rows, node.sums), columns, limits.min_samples_leaf)
        if node.split is not None and node.mass - node.split.mass > 1e-9 * nodes[0].mass:
            heapq.heappush(frontier, (-(node.mass - node.split.mass), number))

    consider(0)
    n_leaves = 1
    while frontier and n_leaves < limits.max_leaf_nodes:
        _, number = heapq.heappop(frontier)
        node = nodes[number]
        assert node.split is not None
        node.children = (len(nodes), len(nodes) + 1)
        for side in (node.split.first, ~node.split.first):
            rows = node.rows[side]
            nodes.append(_Node(rows, _row_sums(matrix, rows), node.depth + 1))
        n_leaves += 1
        if n_leaves < limits.max_leaf_nodes:
            for child in node.children:
                consider(child)
    return _as_tree(nodes, table)


# -- the search


def _best_split(part: _Part, columns: Sequence[tuple[Column, Mask]], fewest: int) -> _Split | None:
    rows = part.rows
    if len(rows) < 2 * fewest:
        return None
    found: list[_Split] = []
    for feature, (column, missing) in enumerate(columns):
        values, absent = column.values[rows], missing[rows]
        if column.type.kind == "nominal":
            found += _by_levels(part, np.where(absent, -1, values), feature, fewest)
        else:
            found += _by_threshold(part, values, absent, feature, fewest)
    return min(found, default=None)


@dataclass
class _Part:
    """A node's part of the matrix."""

    matrix: Floats
    rows: Ints
    sums: Floats

    def masses(self, order: Ints) -> Floats:
        """S(L)/|L| + S(R)/|R| where L is the first 1, 2, … of the rows in this order; not all."""
        rows, n_rows = self.rows[order], len(order)
        before = np.empty(n_rows)  # of each row its dissimilarity to those before it
        for start in range(0, n_rows, BLOCK):
            stop = min(start + BLOCK, n_rows)
            block = np.take(self.matrix[rows[start:stop]], rows[:stop], axis=1)
            before[start:stop] = block[:, :start].sum(axis=1, dtype=np.float64)
            before[start:stop] += np.tril(block[:, start:], -1).sum(axis=1, dtype=np.float64)
        left = 2 * np.cumsum(before)[:-1]
        total = self.sums.sum()
        right = total - 2 * np.cumsum(self.sums[order])[:-1] + left
        sizes = np.arange(1, n_rows)
        return np.asarray(left / sizes + right / (n_rows - sizes))


def _by_threshold(part: _Part, values: Any, absent: Mask, feature: int, fewest: int) -> Iterator[_Split]:
    """The best threshold; missing values are tried on both sides."""
    known = np.flatnonzero(~absent)
    known = known[np.argsort(values[known], kind="stable")]
    lost = np.flatnonzero(absent)
    n_rows = len(part.rows)
    for missing_child in (0, 1) if len(lost) else (1,):
        order = np.concatenate([known, lost] if missing_child else [lost, known])
        shift = 0 if missing_child else len(lost)
        at = np.arange(shift + 1, shift + len(known))  # how many rows are in the first child
        ends = np.asarray(values[known], dtype=np.float64)
        allowed = (ends[1:] > ends[:-1]) & (at >= fewest) & (n_rows - at >= fewest)
        if not allowed.any():
            continue
        masses = np.where(allowed, part.masses(order)[at - 1], np.inf)
        place = int(masses.argmin())
        middle = ends[place] / 2 + ends[place + 1] / 2
        threshold = float(middle if ends[place] <= middle < ends[place + 1] else ends[place])
        first = np.zeros(n_rows, dtype=bool)
        first[order[: at[place]]] = True
        child = missing_child if len(lost) else int(2 * at[place] < n_rows + 1)
        yield _Split(float(masses[place]), feature, threshold, (), child, first)


def _by_levels(part: _Part, codes: Any, feature: int, fewest: int) -> Iterator[_Split]:
    """The best set of levels; a missing value counts as a level of its own."""
    levels, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if len(levels) < 2:
        return
    member = (place[:, None] == np.arange(len(levels))).astype(np.float64)
    pairs = np.zeros((len(levels), len(levels)))
    matrix, rows = part.matrix, part.rows
    for start in range(0, len(rows), BLOCK):
        block = np.take(matrix[rows[start : start + BLOCK]], rows, axis=1)
        pairs += member[start : start + BLOCK].T @ (block @ member)
    best: tuple[float, tuple[int, ...]] | None = None
    for chosen in _sets(len(levels)):
        inside = np.zeros(len(levels), dtype=bool)
        inside[list(chosen)] = True
        sizes = counts[inside].sum(), counts[~inside].sum()
        if min(sizes) < fewest:
            continue
        mass = (
            pairs[np.ix_(inside, inside)].sum() / sizes[0] + pairs[np.ix_(~inside, ~inside)].sum() / sizes[1]
        )
        if best is None or mass < best[0]:
            best = mass, chosen
    if best is None:
        return
    first = np.isin(place, best[1])
    named = tuple(int(levels[each]) for each in best[1] if levels[each] >= 0)
    if not named:  # the first child would be for missing values alone: the others are listed there
        first = ~first
        named = tuple(int(each) for each in levels if each >= 0)
    with_missing = first[codes < 0]
    child = int(not with_missing[0]) if len(with_missing) else int(2 * first.sum() < len(first) + 1)
    yield _Split(best[0], feature, np.nan, named, child, first)


def _sets(n_levels: int) -> Iterator[tuple[int, ...]]:
    """Sets of levels to try, each division once: all without the last level, or single ones."""
    most = n_levels - 1 if n_levels <= ALL_SUBSETS else 1
    others = n_levels - 1 if n_levels <= ALL_SUBSETS else n_levels
    for size in range(1, most + 1):
        yield from combinations(range(others), size)


def _row_sums(matrix: Floats, rows: Ints) -> Floats:
    sums = np.empty(len(rows))
    for start in range(0, len(rows), BLOCK):
        block = np.take(matrix[rows[start : start + BLOCK]], rows, axis=1)
        sums[start : start + BLOCK] = block.sum(axis=1, dtype=np.float64)
    return sums


# -- the tree


def _as_tree(nodes: list[_Node], table: Sequence[Column]) -> Tree:
    """The nodes as a tree, numbered level by level."""
    order = [0]
    for number in order:  # grows while it is walked
        order += nodes[number].children or ()
    place = {number: at for at, number in enumerate(order)}
    arrays: dict[str, list[Any]] = {name: [] for name in _PER_NODE}
    codes: list[int] = []
    sides: list[int] = []
    begin = [0]
    for number in order:
        node, split = nodes[number], nodes[number].split
        if node.children is None or split is None:
            entry: tuple[Any, ...] = (-1, 0, UNDEFINED, UNDEFINED, -1, 0)
        else:
            if table[split.feature].type.kind == "nominal":
                seen = np.unique(table[split.feature].values[node.rows])
                listed = [int(code) for code in seen if code >= 0]
                codes += listed
                sides += [int(code not in split.levels) for code in listed]
            absent = bool(missing_in(table[split.feature])[node.rows].any())
            entry = (place[node.children[0]], 2, split.feature, split.threshold, split.missing_child, absent)
        begin.append(len(codes))
        size = len(node.rows)
        gain = 0.0 if node.children is None or split is None else node.mass - split.mass
        for name, value in zip(_PER_NODE, (*entry, size, size, node.mass / size, gain), strict=True):
            arrays[name].append(value)
    types = tuple(column.type for column in table)
    each: dict[str, Any] = {name: np.array(values) for name, values in arrays.items()}
    return Tree(
        **each,
        integer_threshold=np.empty(0, dtype=np.int64),
        integer_exact=np.empty(0, dtype=np.uint8),
        value=np.zeros((len(order), 1, 1)),
        lower=np.empty(0),
        upper=np.empty(0),
        n_features=len(table),
        n_classes=np.array([1]),
        level_begin=np.array(begin),
        level_code=np.array(codes, dtype=np.int32),
        level_child=np.array(sides, dtype=np.int32),
        column_types=types,
    )


_PER_NODE = (
    "first_child",
    "n_children",
    "feature",
    "threshold",
    "missing_child",
    "missing_seen",
    "n_node_samples",
    "weighted_n_node_samples",
    "impurity",
    "gain",
)
