"""The rows of every leaf: their class proportions or mean there, with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.checked_target import checked_target
from ...data.target import row_weights
from ...evaluate.intervals import Interval, effective, mean_interval, share_interval
from ...evaluate.procedure import Data
from ...learn.fitted_tree import as_model
from ...learn.params import ALIASES, CLASSIFICATION

Array = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """Statistics of some rows, one entry per leaf; NaN where nothing is known.

    `value`, `low` and `high` have a column per class: its proportion and the interval of that. For regression
    there is one column: the mean.
    """

    rows: Ints
    weight: Floats
    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class IntervalMethod:
    """The confidence intervals that are wanted."""

    confidence: float
    method: str

    def of(self, value: Floats, n: Floats, spread: Floats | None) -> Interval:
        """Intervals of proportions, or with a spread those of means."""
        if spread is not None:
            return mean_interval(value, spread[:, None], n[:, None], self.confidence)
        share = np.clip(np.where(n[:, None] > 0, value, 0.0), 0.0, 1.0)  # a sum of shares may pass 1 by a bit
        return share_interval(share * n[:, None], n[:, None], self.confidence, self.method)


# -- training rows


def from_tree(model: Any, intervals: IntervalMethod) -> Measured:
    """What the tree stores of its training rows: how many they are, not how unequal their weights."""
    tree = model.tree_
    leaf = tree.is_leaf
    rows, weight, value = tree.n_node_samples[leaf], tree.weighted_n_node_samples[leaf], tree.value[leaf, 0]
    known = np.where(rows[:, None] > 0, value, np.nan)
    if model.task == CLASSIFICATION:
        return Measured(rows, weight, known, *intervals.of(known, rows.astype(np.float64), None))
    criterion = ALIASES.get(model.criterion, model.criterion)
    spread = np.full(len(rows), np.nan)
    recorded = tree.impurity.any() or np.ptp(tree.value) == 0  # a tree made by hand may have no impurities
    if criterion == "squared_error" and recorded:
        spread = np.maximum(tree.impurity[leaf], 0.0)
    if criterion == "absolute_error":
        known = np.full_like(known, np.nan)  # it is the median
    return Measured(rows, weight, known, *intervals.of(known, rows.astype(np.float64), spread))


# -- held-out rows, or training rows with out-of-fold predictions


@dataclass(frozen=True)
class Sample:
    """Rows, coded as the model has them, and the leaves they end in."""

    data: Data
    y: Array  # places of the labels among the classes, or numbers
    weight: Floats
    place: Ints  # of the leaf among the leaves; one entry per end of a row
    row: Ints
    share: Floats
    n_leaves: int
    n_classes: int  # 0 for regression
    stopped: int  # rows that stop at an inner node, with all or some of them

    def held_out(self, intervals: IntervalMethod) -> Measured:
        """The rows as they are."""
        values = np.eye(self.n_classes)[self.y] if self.n_classes else self.y[:, None]
        return self._measured(values, self.weight, intervals)

    def out_of_fold(self, predictions: Floats, intervals: IntervalMethod) -> Measured:
        """What models trained without a row predict for it; rows without a prediction are NaN."""
        known = ~np.isnan(predictions[:, 0])
        values = np.where(known[:, None], predictions, 0.0)
        return self._measured(values, np.where(known, self.weight, 0.0), intervals, values[:, 0])

    def _sum(self, values: Floats) -> Floats:
        return np.bincount(self.place, values, minlength=self.n_leaves).astype(np.float64)

    def _mean(self, values: Floats, w: Floats) -> Floats:
        """The weighted mean in every leaf, column by column."""
        total = self._sum(w)
        sums = np.stack([self._sum(column * w) for column in values.T], axis=1)
        nothing = np.full_like(sums, np.nan)
        return np.divide(sums, total[:, None], out=nothing, where=total[:, None] > 0)

    def _measured(
        self, values: Floats, weight: Floats, intervals: IntervalMethod, centre: Floats | None = None
    ) -> Measured:
        """The means in every leaf. For regression y spreads about `centre`, or without it about the mean."""
        w = weight[self.row] * self.share
        mean, spread = self._mean(values[self.row], w), None
        if not self.n_classes:
            away = self.y[self.row] - (mean[self.place, 0] if centre is None else centre[self.row])
            spread = self._mean(away[:, None] ** 2, w)[:, 0]
        total, n = self._sum(w), effective(self._sum(w), self._sum(w * w))
        rows = np.bincount(self.place[w > 0], minlength=self.n_leaves)
        return Measured(rows, total, mean, *intervals.of(mean, n, spread))


def read_sample(model: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> Sample:
    """Read rows and find their leaves. They weigh as in the fit: by class_weight and priors too."""
    fitted = as_model(model)
    columns = fitted.columns(X)
    classes = [np.asarray(model.classes_)] if model.task == CLASSIFICATION else []
    codes = checked_target(y, columns.n_rows, classes[0].tolist() if classes else None)
    weight = row_weights(model.get_params(deep=False), classes, codes[:, None], sample_weight)
    tree = model.tree_
    row, node, share = tree.leaves_reached(columns)
    stays = tree.is_leaf[node]
    place = (np.cumsum(tree.is_leaf) - 1)[node[stays]]
    return Sample(
        data=Data(fitted.select(X), np.asarray(y).reshape(-1), groups, sample_weight),
        y=codes,
        weight=np.ones(columns.n_rows) if weight is None else weight,
        place=place,
        row=row[stays],
        share=share[stays],
        n_leaves=tree.n_leaves,
        n_classes=len(classes[0]) if classes else 0,
        stopped=len(np.unique(row[~stays])),
    )
