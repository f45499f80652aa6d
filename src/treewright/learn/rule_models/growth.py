"""The model tree of Cubist: where to split, which branches to keep, and what the leaves predict.

A split is of what a linear model in the columns tested above leaves of y. It makes n1 * s1 + n2 * s2 least,
where s is the standard deviation of a side, or of what a straight line in the tested column leaves of it
where that line is significant.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from .data import Data, Linear

SMALLEST, LARGEST = 3, 20  # the least rows of a branch: 1 % of the node, within these limits
SIGNIFICANT = 3.84  # r² (n - 1) of a line: above, it is used
WORTH = 0.995  # of the error of a node's own model: a branch must err less
TEST_COST, SMALL_COST = 4, 3  # parameters that a test counts as; the second of levels: two, or tested again


@dataclass(frozen=True)
class Cut:
    """x <= threshold, or a set of levels."""

    column: int
    threshold: float = np.nan
    levels: frozenset[int] | None = None

    def holds(self, x: Floats) -> Mask:
        """For which values."""
        if self.levels is None:
            return np.asarray(x <= self.threshold)
        return np.isin(x, sorted(self.levels))


@dataclass(eq=False)
class ModelNode:
    """A node with its model, and what stays of the branch below it."""

    rows: Ints
    above: ModelNode | None = None
    cut: Cut | None = None
    children: tuple[ModelNode, ...] = ()
    tested: frozenset[int] = frozenset()  # columns above
    below: frozenset[int] = frozenset()  # and here and below
    model: Linear = field(default_factory=lambda: Linear(0.0, {}))
    size: int = 1  # parameters of what stays
    errors: float = 0.0  # the sum of the absolute errors of what stays
    is_leaf: bool = True

    def error(self, size: int | None = None, errors: float | None = None) -> float:
        """The mean absolute error, with a charge for parameters."""
        n, v = len(self.rows), self.size if size is None else size
        sum_ = self.errors if errors is None else errors
        return np.inf if n <= v else sum_ / n * (n + v) / (n - v)


def grown(data: Data, most_leaves: int) -> ModelNode:
    """The pruned tree with the models of its nodes."""
    root = ModelNode(np.arange(len(data.y)))
    nodes, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        cut = _best_cut(data, node)
        if cut is None:
            continue
        left = cut.holds(data.X[node.rows, cut.column])
        tested = node.tested | {cut.column}
        node.cut, node.is_leaf = cut, False
        node.children = tuple(ModelNode(node.rows[side], node, tested=tested) for side in (left, ~left))
        waiting += node.children
    for node in reversed(nodes):
        _decide(data, node)
    _limit(data, root, most_leaves)
    return root


def _decide(data: Data, node: ModelNode) -> None:
    """The model of a node, and whether it takes the place of the branch."""
    if node.cut is not None:
        node.below = frozenset({node.cut.column}).union(*(child.below for child in node.children))
    node.model = data.centred(node.rows, data.fit(node.rows, node.tested | node.below))
    size = sum(child.size for child in node.children)
    errors = sum(child.errors for child in node.children)
    _become_leaf(data, node)
    if node.cut is None:
        return
    column = node.cut.column
    few = not data.is_number[column] and (column in node.tested or len(data.known[column]) == 2)
    size += SMALL_COST if few else TEST_COST
    if node.error(size, errors) < WORTH * node.error():
        node.is_leaf, node.size, node.errors = False, size, errors


def _become_leaf(data: Data, node: ModelNode) -> None:
    predicted = np.clip(data.predict(node.rows, node.model), *data.bounds(node.rows))
    node.is_leaf, node.size = True, node.model.size
    node.errors = float(np.abs(data.y[node.rows] - predicted).sum())


def leaves_of(root: ModelNode) -> list[ModelNode]:
    """The leaves that stay."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if node.is_leaf:
            found.append(node)
        else:
            waiting += reversed(node.children)
    return found


def _limit(data: Data, root: ModelNode, most: int) -> None:
    """Cut the branches of two leaves that help least, until there are few enough."""
    while len(leaves := leaves_of(root)) > most:
        above = dict.fromkeys(leaf.above for leaf in leaves if leaf.above is not None)
        ends = [node for node in above if all(child.is_leaf for child in node.children)]

        def gain(node: ModelNode) -> float:
            own = np.clip(data.predict(node.rows, node.model), *data.bounds(node.rows))
            return float(np.abs(data.y[node.rows] - own).sum()) - sum(c.errors for c in node.children)

        _become_leaf(data, min(ends, key=gain))


def smoothed(data: Data, leaf: ModelNode) -> Linear:
    """The model of a leaf, mixed with those above it in the shares that make the least variance."""
    found, node = leaf.model, leaf
    y = data.y[leaf.rows]
    while node.above is not None:
        node = node.above
        own = y - data.predict(leaf.rows, found)
        other = y - np.clip(data.predict(leaf.rows, node.model), *data.bounds(node.rows))
        apart = float((other - own).var())
        if apart > 1e-12 * data.y_spread**2:
            share = float(np.mean((other - own) * (other - other.mean()))) / apart
            found = found.mixed(node.model, min(max(share, 0.0), 1.0))
    return found


# -- splits


def _best_cut(data: Data, node: ModelNode) -> Cut | None:
    rows = node.rows
    least = int(min(LARGEST, max(SMALLEST, 0.01 * len(rows))))
    if len(rows) < 2 * least:
        return None
    rest = data.y[rows] - data.predict(rows, data.fit(rows, node.tested))
    whole = len(rows) * float(rest.std(ddof=1))
    if not whole > 1e-9 * len(rows) * data.y_spread:
        return None
    best, found = whole, None
    for j in range(data.X.shape[1]):
        x = data.X[rows, j]
        score, cut = _threshold(data, j, x, rest, least) if data.is_number[j] else _levels(j, x, rest, least)
        if cut is not None and score < best:
            best, found = score, cut
    return found


def _threshold(data: Data, j: int, x: Floats, rest: Floats, least: int) -> tuple[float, Cut | None]:
    """The best threshold: the largest value of the table that is not above the middle of its gap."""
    n, order = len(x), np.argsort(x, kind="stable")
    ordered = x[order]
    k = np.arange(least, n - least + 1)
    k = k[ordered[k - 1] < ordered[k]]
    if not len(k):
        return np.inf, None
    u, v = ordered - ordered.mean(), rest[order] - rest.mean()
    sums = [np.cumsum(part) for part in (u, v, u * u, u * v, v * v)]
    left = [part[k - 1] for part in sums]
    right = [part[-1] - part[k - 1] for part in sums]
    score = _side(k, left, float(sums[2][-1])) + _side(n - k, right, float(sums[2][-1]))
    place = int(k[score.argmin()])
    middle = ordered[place - 1] / 2 + ordered[place] / 2
    values = data.known[j]
    return float(score.min()), Cut(j, float(values[np.searchsorted(values, middle, side="right") - 1]))


def _side(n: Ints, sums: list[Floats], scale: float) -> Floats:
    """n * standard deviation of what is left on one side, by a line where one is significant."""
    u, v, uu, uv, vv = sums
    xx, xy, yy = uu - u * u / n, uv - u * v / n, np.maximum(vv - v * v / n, 0.0)
    by_line = np.where(xx > SAME_X * scale, xy * xy / np.where(xx > 0, xx, 1.0), 0.0)
    by_line = np.minimum(by_line, yy)
    left = np.where(by_line * (n - 1) > SIGNIFICANT * yy, yy - by_line, yy)
    return np.asarray(n * np.sqrt(left / (n - 1)))


SAME_X = 1e-10  # of the squares of a column: values of a side that count as equal


def _levels(j: int, x: Floats, rest: Floats, least: int) -> tuple[float, Cut | None]:
    """The best division of the levels, in the order of their means."""
    codes = x.astype(np.int64)
    count = np.bincount(codes)
    here = np.flatnonzero(count)
    if len(here) < 2:
        return np.inf, None
    sums, squares = np.bincount(codes, rest), np.bincount(codes, rest**2)
    order = here[np.argsort(sums[here] / count[here], kind="stable")]
    n = np.cumsum(count[order])[:-1]
    total = len(x) - n
    s, q = np.cumsum(sums[order]), np.cumsum(squares[order])
    allowed = (n >= least) & (total >= least)
    if not allowed.any():
        return np.inf, None
    left = np.maximum(q[:-1] - s[:-1] ** 2 / n, 0.0)
    right = np.maximum(q[-1] - q[:-1] - (s[-1] - s[:-1]) ** 2 / total, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        score = n * np.sqrt(left / (n - 1)) + total * np.sqrt(right / (total - 1))
    place = int(np.where(allowed, score, np.inf).argmin())
    return float(score[place]), Cut(j, levels=frozenset(order[: place + 1].tolist()))
