"""M5' as Weka's M5P builds it: model trees by Quinlan (1992) and Wang and Witten (1997).

Missing values are the mean or the most frequent level of all rows. A nominal column of k levels becomes k - 1
columns of 0 and 1: with the levels in the order of their mean target, column i is 1 for those above place i.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints
from ..problem import Problem
from .fit import LinearFit
from .terms import not_finite

RIDGE = 1e-8
COLLINEAR = 1.5  # a standardised coefficient above this: the column is dropped
FLAT = 0.05  # of the standard deviation of all rows: below, a node is a leaf


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
    children: tuple[int, ...] = ()
    model: Model = field(default_factory=lambda: Model(0.0, {}))
    used: set[int] = field(default_factory=set)  # attributes tested here and below
    error: float = 0.0  # root mean squared error of what stays below
    size: int = 1  # parameters of what stays below
    is_cut: bool = False  # a leaf, once it is pruned


SMOOTHING = 15.0  # rows


def fit_m5(problem: Problem, options: dict[str, Any]) -> LinearFit:
    """The tree of M5P with these options."""
    y = np.ascontiguousarray(problem.target.y[:, 0], dtype=np.float64)
    attributes = _attributes(problem, y)
    values = [each.values for each in attributes]
    data = M5Data(attributes, np.stack(values, axis=1) if values else np.empty((len(y), 0)), y)
    grown, nodes = data.grow(float(options.get("min_rows", 4)), problem.n_threads)
    for number in range(len(nodes) - 1, -1, -1):  # children come after their parents
        node = nodes[number]
        if node.cut is not None:
            node.used = {node.cut[0]}.union(*(nodes[child].used for child in node.children))
        node.model = data.fit(node.rows, [] if options.get("regression_tree") else sorted(node.used))
        _decide(data, nodes, node, not options.get("unpruned"))
    from .m5_tree import m5_tree

    smoothing = 0.0 if options.get("unsmoothed") else SMOOTHING
    return LinearFit(m5_tree(problem, data, grown, nodes, smoothing), None, [])


def _decide(data: M5Data, nodes: list[M5Node], node: M5Node, prune: bool) -> None:
    """Keep a branch only if it errs less than the model of the node, both counted with their parameters."""
    n, own = len(node.rows), data.error(node.rows, node.model)
    if node.children:
        below = [nodes[child] for child in node.children]
        squares = sum(len(child.rows) * child.error**2 for child in below)
        error, size = float(np.sqrt(squares / n)), sum(child.size for child in below) + 1
        if not prune or own * _factor(n, node.model.size) > error * _factor(n, size):
            node.error, node.size = error, size
            return
        node.is_cut = True
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

    def grow(self, least: float, n_threads: int) -> tuple[dict[str, Any], list[M5Node]]:
        """What the core has grown, and all nodes, a parent before its children."""
        grown = _core.grow_m5(self.X, self.y, least, FLAT, n_threads)
        nodes = [M5Node(np.arange(len(self.y)))] + [M5Node(np.empty(0, int)) for _ in grown["feature"][1:]]
        for number, node in enumerate(nodes):
            first = int(grown["first_child"][number])
            if first < 0:
                continue
            node.cut = int(grown["feature"][number]), float(grown["threshold"][number])
            node.children = first, first + 1
            left = self.X[node.rows, node.cut[0]] <= node.cut[1]
            nodes[first].rows, nodes[first + 1].rows = node.rows[left], node.rows[~left]
        return grown, nodes

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
            if np.isinf(x).any():
                raise not_finite(column)
            usual = float(x[~missing].mean())
            found.append(Attribute(column, np.where(missing, usual, x), None, usual))
            continue
        full, usual = with_usual_level(x)
        found += _indicators(column, full, usual, y, len(types[column].levels))
    return [each for each in found if np.ptp(each.values) > 0]


def with_usual_level(x: Floats) -> tuple[Ints, float]:
    """The codes of levels, where the most frequent one stands for missing values; and that."""
    missing = np.isnan(x)
    usual = float(np.bincount(x[~missing].astype(np.int64)).argmax())
    return np.where(missing, usual, x).astype(np.int64), usual


def by_mean_target(level: Ints, y: Floats, n_levels: int) -> Ints:
    """The codes of all levels in the order of their mean target; one without rows has that of all."""
    count = np.bincount(level, minlength=n_levels)
    total = np.bincount(level, y, n_levels)
    return np.argsort(np.where(count > 0, total / np.maximum(count, 1), y.mean()), kind="stable")


def _indicators(column: int, level: Ints, usual: float, y: Floats, n_levels: int) -> list[Attribute]:
    order, found = by_mean_target(level, y, n_levels), []
    for place in range(1, n_levels):
        low, high = np.sort(order[:place]), np.sort(order[place:])
        found.append(Attribute(column, np.isin(level, high).astype(np.float64), (low, high), usual))
    return found
