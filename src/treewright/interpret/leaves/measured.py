"""The rows of every leaf: their class proportions or mean there, with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from ...data.classes import codes_of
from ...data.target import row_weights
from ...evaluate.intervals import Interval, effective, mean_interval, share_interval
from ...evaluate.procedure import Data
from ...learn.fitted_tree import as_model
from ...learn.params import ALIASES

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
    if is_classifier(model):
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
        w = self.weight[self.row] * self.share
        mean = self._mean(values[self.row], w)
        spread = None
        if not self.n_classes:
            away = (self.y[self.row] - mean[self.place, 0]) ** 2
            spread = self._mean(away[:, None], w)[:, 0]
        return self._measured(mean, w, spread, intervals)

    def out_of_fold(self, predictions: Floats, intervals: IntervalMethod) -> Measured:
        """What models trained without a row predict for it; rows without a prediction are NaN."""
        known = ~np.isnan(predictions[:, 0])
        w = np.where(known, self.weight, 0.0)[self.row] * self.share
        filled = np.where(known[:, None], predictions, 0.0)
        spread = None
        if not self.n_classes:
            away = ((self.y - filled[:, 0]) ** 2)[self.row]
            spread = self._mean(away[:, None], w)[:, 0]
        return self._measured(self._mean(filled[self.row], w), w, spread, intervals)

    def _sum(self, values: Floats) -> Floats:
        return np.bincount(self.place, values, minlength=self.n_leaves).astype(np.float64)

    def _mean(self, values: Floats, w: Floats) -> Floats:
        """The weighted mean in every leaf, column by column."""
        total = self._sum(w)
        sums = np.stack([self._sum(column * w) for column in values.T], axis=1)
        nothing = np.full_like(sums, np.nan)
        return np.divide(sums, total[:, None], out=nothing, where=total[:, None] > 0)

    def _measured(
        self, value: Floats, w: Floats, spread: Floats | None, intervals: IntervalMethod
    ) -> Measured:
        total, n = self._sum(w), effective(self._sum(w), self._sum(w * w))
        rows = np.bincount(self.place[w > 0], minlength=self.n_leaves)
        return Measured(rows, total, value, *intervals.of(value, n, spread))


def read_sample(model: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> Sample:
    """Read rows and find their leaves. They weigh as in the fit: by class_weight and priors too."""
    fitted = as_model(model)
    columns = fitted.columns(X)
    target = np.asarray(y)
    if target.ndim == 2 and target.shape[1] == 1:
        target = target[:, 0]
    if target.shape != (columns.n_rows,):
        raise ValueError(
            f"y must have one entry per row of X: shape ({columns.n_rows},). Got shape {target.shape}."
        )
    classes = [np.asarray(model.classes_)] if is_classifier(model) else []
    codes = codes_of(target, classes[0]) if classes else numbers_of(target)
    weight = row_weights(model.get_params(deep=False), classes, codes[:, None], sample_weight)
    tree = model.tree_
    row, node, share = tree.ends(columns)
    stays = tree.is_leaf[node]
    place = (np.cumsum(tree.is_leaf) - 1)[node[stays]]
    return Sample(
        data=Data(fitted.select(X), target, groups, sample_weight),
        y=codes,
        weight=np.ones(columns.n_rows) if weight is None else weight,
        place=place,
        row=row[stays],
        share=share[stays],
        n_leaves=tree.n_leaves,
        n_classes=len(classes[0]) if classes else 0,
        stopped=len(np.unique(row[~stays])),
    )


def numbers_of(y: Array) -> Floats:
    """y as finite numbers."""
    try:
        found = y.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"y must hold numbers for a regressor. Got {y.dtype} values.") from None
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        raise ValueError(f"y must be finite. Got {found[wrong[0]]} in row {wrong[0]}. Leave such rows out.")
    return found
