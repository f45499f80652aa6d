"""How well one column alone predicts the target, on rows that it was not fitted to.

A table of levels and, for what has an order, a small tree are fitted to two thirds of the rows and judged on
the rest, three times. A key does not do well here: its values do not come back. A key that counts the rows of
a table sorted by its target does, and rightly: a tree would use it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .reading import Coded, Codes

MOST_ROWS = 20_000  # a column that predicts almost perfectly does so on a sample too
FEWEST_ROWS = 20  # below, perfect prediction may well be chance
FEWEST_OTHERS = 5  # rows outside the largest class
FOLDS = 3
LEAVES = 64
HOPELESS = 0.1  # a column that misses the limit by this much on one third is not evaluated on the others

Floats = NDArray[np.float64]
Fit = Callable[[Codes, Floats | Codes, Codes], Floats | Codes]


class OneColumn:
    """The target and the rows on which columns are evaluated."""

    def __init__(self, y: Floats | Codes, is_class: bool, known: NDArray[np.intp], n_distinct: int):
        order = np.random.default_rng(0).permutation(len(known))[:MOST_ROWS]
        self.rows = known[order]
        self.y = y[self.rows]
        self.is_class = is_class
        self.n_distinct = n_distinct * len(self.rows) / max(len(known), 1)
        self.fold = np.arange(len(self.rows)) % FOLDS

    def can_tell(self) -> bool:
        """Whether there are enough rows, and something to predict in them."""
        n = len(self.y)
        if n < FEWEST_ROWS:
            return False
        if not self.is_class:
            return bool(np.isfinite(self.y).all() and self.y.min() < self.y.max())
        counts = np.bincount(self.y.astype(np.int64))
        return bool(n - counts.max() >= FEWEST_OTHERS and 2 * np.count_nonzero(counts) <= n)

    def score(self, column: Coded, limit: float) -> float:
        """The share of the errors (or of the variance) that the column takes away; 1 is perfect."""
        x = column.codes[self.rows] + 1
        n_levels = len(np.unique(x))
        if n_levels < 2:
            return 0.0
        tries: list[Fit] = []
        if n_levels <= max(self.n_distinct / 2, len(x) / 20):
            tries.append(self._by_level)
        if column.is_ordered and n_levels > LEAVES:
            tries.append(self._by_tree)
        return max((self._validated(fit, x, limit) for fit in tries), default=0.0)

    def _validated(self, fit: Fit, x: Codes, limit: float) -> float:
        lost = base = 0.0
        for fold in range(FOLDS):
            test, train = self.fold == fold, self.fold != fold
            y = self.y[train]
            lost += self._loss(fit(x[train], y, x[test]), self.y[test])
            base += self._loss(_most_frequent(y) if self.is_class else y.mean(), self.y[test])
            if base > 0 and 1 - lost / base < limit - HOPELESS:
                break
        return 1 - lost / base if base > 0 else 0.0

    def _loss(self, predicted: Floats | Codes | float, y: Floats | Codes) -> float:
        return float(np.count_nonzero(predicted != y) if self.is_class else ((predicted - y) ** 2).sum())

    def _by_level(self, x: Codes, y: Floats | Codes, asked: Codes) -> Floats | Codes:
        """What rows of the same level had: the most frequent class, or the mean."""
        size = int(max(x.max(), asked.max())) + 1
        if not self.is_class:
            n = np.bincount(x, minlength=size)
            mean = np.bincount(x, weights=y, minlength=size) / np.maximum(n, 1)
            return np.where(n[asked] > 0, mean[asked], y.mean())
        n_classes = int(y.max()) + 1
        pairs, counts = np.unique(x * n_classes + y.astype(np.int64), return_counts=True)
        best = np.full(size, _most_frequent(y))
        order = np.argsort(counts, kind="stable")  # of each level the heaviest class is written last
        best[pairs[order] // n_classes] = pairs[order] % n_classes
        return best[asked]

    def _by_tree(self, x: Codes, y: Floats | Codes, asked: Codes) -> Floats | Codes:
        from ...learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

        leaves = max(LEAVES, 2 * len(np.unique(y))) if self.is_class else LEAVES
        model = (DecisionTreeClassifier if self.is_class else DecisionTreeRegressor)(max_leaf_nodes=leaves)
        model.fit(_with_gaps(x), y)
        return np.asarray(model.predict(_with_gaps(asked)))


def _with_gaps(x: Codes) -> Floats:
    """Ranks as numbers, 0 as missing."""
    return np.where(x > 0, x, np.nan)[:, None]


def _most_frequent(y: Floats | Codes) -> int:
    return int(np.bincount(y.astype(np.int64)).argmax())
