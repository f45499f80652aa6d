"""M5' as Weka's M5P builds it: model trees by Quinlan (1992) and Wang and Witten (1997).

Missing values are the mean or the most frequent level of all rows. A nominal column of k levels becomes k - 1
columns of 0 and 1: with the levels in the order of their mean target, column i is 1 for those above place i.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints
from ..problem import Problem
from .fit import LinearFit

RIDGE = 1e-8
COLLINEAR = 1.5  # a standardised coefficient above this: the column is dropped
FLAT = 0.05  # of the standard deviation of all rows: below, a node is a leaf
BETTER_BY = 1e-6


class Attribute(NamedTuple):
    """A column as the program sees it: a number, or whether a level is in a set."""

    feature: int
    values: Floats
    levels: tuple[Ints, Ints] | None = None  # those with 0, and those with 1
    usual: float = 0.0  # what a missing value counts as


class Model(NamedTuple):
    """intercept + coefficients of some attributes; `size` counts parameters."""

    intercept: float
    coefficients: dict[int, float]

    @property
    def size(self) -> int:
        """How many parameters it has."""
        return len(self.coefficients) + 1


@dataclass
class M5Node:
    """A node with its model, and what it would err as a leaf or as a branch."""

    rows: Ints
    cut: tuple[int, float] | None = None  # attribute and threshold
    children: list[M5Node] = field(default_factory=list)
    model: Model = field(default_factory=lambda: Model(0.0, {}))
    error: float = 0.0  # root mean squared error of what stays below
    size: int = 1  # parameters of what stays below


SMOOTHING = 15.0  # rows


def fit_m5(problem: Problem, options: dict[str, Any]) -> LinearFit:
    """The tree of M5P with these options."""
    y = np.asarray(problem.target.y[:, 0], dtype=np.float64)
    attributes = _attributes(problem, y)
    data = M5Data(attributes, np.stack([each.values for each in attributes], axis=1) if attributes else
                  np.empty((len(y), 0)), y)  # fmt: skip
    constant = bool(options.get("regression_tree"))
    root = data.grow(float(options.get("min_rows", 4)))
    order = below(root)
    used: dict[int, set[int]] = {}
    for node in reversed(order):
        own = set() if node.cut is None else {node.cut[0]}
        used[id(node)] = own.union(*(used[id(child)] for child in node.children))
        node.model = data.fit(node.rows, [] if constant else sorted(used[id(node)]))
        _judge(data, node, not options.get("unpruned"))
    from .m5_tree import m5_tree

    return LinearFit(m5_tree(problem, data, root, 0.0 if options.get("unsmoothed") else SMOOTHING), None, [])


def _judge(data: M5Data, node: M5Node, prune: bool) -> None:
    """Keep a branch only if it errs less than the model of the node, both counted with their parameters."""
    n = len(node.rows)
    own = data.error(node.rows, node.model)
    if node.children:
        squares = sum(len(child.rows) * child.error**2 for child in node.children)
        below, size = float(np.sqrt(squares / n)), sum(child.size for child in node.children) + 1
        if not prune or own * _factor(n, node.model.size) > below * _factor(n, size):
            node.error, node.size = below, size
            return
        node.children = []
    node.error, node.size = own, node.model.size


def _factor(n: int, v: int) -> float:
    """The pessimism of an error of v parameters on n rows."""
    return 10.0 if n <= v else (n + 2 * v) / (n - v)


@dataclass(frozen=True)
class M5Data:
    """All rows as numbers."""

    attributes: list[Attribute]
    X: Floats
    y: Floats

    def grow(self, least: float) -> M5Node:
        """The whole tree."""
        root = M5Node(np.arange(len(self.y)))
        spread = float(self.y.std())
        for node in (order := [root]):
            if len(node.rows) < least or self.y[node.rows].std() < FLAT * spread:
                continue
            node.cut = self._best(node.rows)
            if node.cut is not None:
                left = self.X[node.rows, node.cut[0]] <= node.cut[1]
                node.children = [M5Node(node.rows[left]), M5Node(node.rows[~left])]
                order += node.children
        return root

    def _best(self, rows: Ints) -> tuple[int, float] | None:
        """The cut that lowers the fifth root of the variance most; a later column must be clearly better."""
        n = len(rows)
        if n < 4:
            return None
        side = n // 5 + 1 if n >= 5 else 2
        y, best, found = self.y[rows], 0.0, None
        y = y - y.mean()
        whole = float(np.mean(y**2)) ** 0.2
        for j in range(self.X.shape[1]):
            x = self.X[rows, j]
            order = np.argsort(x, kind="stable")
            x, t = x[order], y[order]
            left = np.arange(side, n - side + 1)
            left = left[x[left - 1] < x[np.minimum(left, n - 1)]]
            if not len(left):
                continue
            sums, squares = np.cumsum(t), np.cumsum(t**2)
            s, q, right = sums[left - 1], squares[left - 1], n - left
            var_left = np.maximum(q / left - (s / left) ** 2, 0)
            var_right = np.maximum((squares[-1] - q) / right - ((sums[-1] - s) / right) ** 2, 0)
            gain = whole - (left * var_left**0.2 + right * var_right**0.2) / n
            k = int(gain.argmax())
            if gain[k] > best + BETTER_BY:
                best, found = float(gain[k]), (j, float((x[left[k] - 1] + x[left[k]]) / 2))
        return found

    def fit(self, rows: Ints, columns: list[int]) -> Model:
        """Least squares, without collinear columns, and without those that are not worth a parameter."""
        y = self.y[rows]
        columns = [j for j in columns if np.ptp(self.X[rows, j]) > 0]
        model = self._solve(rows, columns)
        spread = float(y.std())
        while columns and spread > 0:
            size = {j: abs(model.coefficients[j]) * float(self.X[rows, j].std()) / spread for j in columns}
            worst = max(columns, key=size.__getitem__)
            if size[worst] <= COLLINEAR:
                break
            columns = [j for j in columns if j != worst]
            model = self._solve(rows, columns)
        if not columns or not spread > 0:
            return Model(float(y.mean()), {})
        return self._eliminated(rows, columns, model)

    def _eliminated(self, rows: Ints, columns: list[int], model: Model) -> Model:
        """Drop the smallest standardised coefficient as long as SSE / SSE_full * (n - p) + 2 k falls."""
        n, full = len(rows), self._squares(rows, model)
        p = len(columns) + 1
        best = n - p + 2.0 * p
        while columns:
            least = min(columns, key=lambda j: abs(model.coefficients[j]) * float(self.X[rows, j].std()))
            fewer = [j for j in columns if j != least]
            smaller = self._solve(rows, fewer)
            ratio = self._squares(rows, smaller) / full if full > 0 else np.inf
            worth = ratio * (n - p) + 2.0 * (len(fewer) + 1)
            if not worth < best:
                break
            best, columns, model = worth, fewer, smaller
        return model

    def _solve(self, rows: Ints, columns: list[int]) -> Model:
        y, X = self.y[rows], self.X[rows][:, columns]
        middle, mean = float(y.mean()), X.mean(axis=0)
        spread = X.std(axis=0)
        Z = (X - mean) / spread
        solved = np.linalg.solve(Z.T @ Z + RIDGE * np.eye(len(columns)), Z.T @ (y - middle)) / spread
        return Model(middle - float(mean @ solved), dict(zip(columns, solved.tolist(), strict=True)))

    def predict(self, rows: Ints, model: Model) -> Floats:
        """What a model predicts for rows."""
        found = np.full(len(rows), model.intercept)
        for j, size in model.coefficients.items():
            found += size * self.X[rows, j]
        return found

    def _squares(self, rows: Ints, model: Model) -> float:
        return float(((self.y[rows] - self.predict(rows, model)) ** 2).sum())

    def error(self, rows: Ints, model: Model) -> float:
        """The root mean squared error."""
        return float(np.sqrt(self._squares(rows, model) / len(rows)))


def _attributes(problem: Problem, y: Floats) -> list[Attribute]:
    found = []
    for column in range(problem.columns.n_columns):
        x = problem.columns.numbers(column)
        missing = np.isnan(x)
        if missing.all():
            continue
        types = problem.types
        if types is None or types[column].kind != "nominal":
            usual = float(x[~missing].mean())
            found.append(Attribute(column, np.where(missing, usual, x), None, usual))
            continue
        count = np.bincount(x[~missing].astype(np.int64), minlength=len(types[column].levels))
        usual = float(count.argmax())
        full = np.where(missing, usual, x).astype(np.int64)
        found += _indicators(column, full, usual, y, len(count))
    return [each for each in found if np.ptp(each.values) > 0]


def _indicators(column: int, level: Ints, usual: float, y: Floats, n_levels: int) -> list[Attribute]:
    count = np.bincount(level, minlength=n_levels)
    total = np.bincount(level, y, n_levels)
    mean = np.where(count > 0, total / np.maximum(count, 1), y.mean())
    order = np.argsort(mean, kind="stable")
    found = []
    for place in range(1, n_levels):
        low, high = np.sort(order[:place]), np.sort(order[place:])
        found.append(Attribute(column, np.isin(level, high).astype(np.float64), (low, high), usual))
    return found


def below(root: M5Node) -> list[M5Node]:
    """All nodes, a parent before its children."""
    order = [root]
    for node in order:
        order += node.children
    return order
