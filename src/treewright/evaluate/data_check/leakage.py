"""How well one column alone predicts the target, on rows that it was not fitted to.

A table of levels and, for what has an order, a small tree are fitted to two thirds of the rows and evaluated
on the rest, three times. A key does not do well here: its values do not come back. A key that counts the
rows of a table sorted by its target does, and rightly: a tree would use it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .reading import Coded, Codes

MOST_ROWS = 20_000  # a column that predicts almost perfectly does so on a sample too
FEWEST_ROWS = 20  # below, perfect prediction may well be chance
FEWEST_OTHERS = 5  # rows outside the largest class
FOLDS = 3
LEAVES, FEW_LEAVES = 64, 4
BINS = 32  # of equally many rows, to screen ordered columns
MOST_CELLS = 1_000_000  # of a table of counts by level and class
SCREEN = 0.35  # how far the bins may be below what a tree reaches: they do not follow its thresholds
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

    @cached_property
    def ranks(self) -> Floats:
        """The ranks of a target of numbers."""
        return np.unique(self.y, return_inverse=True)[1].astype(np.float64)

    def score(self, column: Coded, limit: float, levels_only: bool = False) -> float:
        """The share of the errors (or of the variance) that the column removes; 1 is perfect."""
        x = column.codes[self.rows] + 1
        n_levels = len(np.unique(x))
        if n_levels < 2:
            return 0.0
        tries: list[Fit] = []
        few = n_levels <= max(self.n_distinct / 2, len(x) / 20)
        if few and self._in_sample(x) >= limit:
            tries.append(self._by_level)
        ordered = column.is_ordered and n_levels > LEAVES and not levels_only
        if ordered and self._in_bins(column, x) >= limit - SCREEN:
            tries += [self._by_tree, self._by_small_tree]
        return max((self._validated(fit, x, limit) for fit in tries), default=0.0)

    def _in_bins(self, column: Coded, x: Codes) -> float:
        """The share that bins of equally many rows remove on the rows that they are made from: cheap."""
        ends = np.concatenate([[0], np.cumsum(column.counts)])
        bins = ends * BINS // max(int(ends[-1]), 1) + 1
        return self._in_sample(np.where(x > 0, np.minimum(bins[x - 1], BINS), 0))

    def _in_sample(self, place: Codes) -> float:
        """The share that groups of rows remove on these rows: more than on others."""
        if not self.is_class:
            return max(_explained(place, self.y), _explained(place, self.ranks))
        n_classes = int(self.y.max()) + 1
        if (int(place.max()) + 1) * n_classes > MOST_CELLS:
            return 1.0
        counts = np.bincount(place * n_classes + self.y.astype(np.int64))
        counts = np.append(counts, np.zeros(-len(counts) % n_classes, dtype=np.int64)).reshape(-1, n_classes)
        base = len(place) - counts.sum(axis=0).max()
        return float(1 - (len(place) - counts.max(axis=1).sum()) / max(base, 1))

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

    def _by_level(self, x: Codes, y: Floats | Codes, tested: Codes) -> Floats | Codes:
        """What rows of the same level had: the most frequent class, or the mean."""
        size = int(max(x.max(), tested.max())) + 1
        if not self.is_class:
            n = np.bincount(x, minlength=size)
            mean = np.bincount(x, weights=y, minlength=size) / np.maximum(n, 1)
            return np.where(n[tested] > 0, mean[tested], y.mean())
        n_classes = int(y.max()) + 1
        pairs, counts = np.unique(x * n_classes + y.astype(np.int64), return_counts=True)
        best = np.full(size, _most_frequent(y))
        order = np.argsort(counts, kind="stable")  # of each level the heaviest class is written last
        best[pairs[order] // n_classes] = pairs[order] % n_classes
        return best[tested]

    def _by_small_tree(self, x: Codes, y: Floats | Codes, tested: Codes) -> Floats | Codes:
        """A tree that does not fit the errors of a copy."""
        return self._by_tree(x, y, tested, FEW_LEAVES)

    def _by_tree(self, x: Codes, y: Floats | Codes, tested: Codes, leaves: int = LEAVES) -> Floats | Codes:
        from ...learn.params import CLASSIFICATION, REGRESSION
        from ...learn.plain import PLAIN

        leaves = max(leaves, 2 * len(np.unique(y))) if self.is_class else leaves
        model = PLAIN[CLASSIFICATION if self.is_class else REGRESSION](max_leaf_nodes=leaves)
        model.fit(_with_gaps(x), y)
        return np.asarray(model.predict(_with_gaps(tested)))


def _explained(place: Codes, y: Floats | Codes) -> float:
    """The share of the variance that the means of bins explain."""
    n, total = np.bincount(place), float(((y - y.mean()) ** 2).sum())
    means = np.bincount(place, y) / np.maximum(n, 1)
    return 1 - float(((y - means[place]) ** 2).sum()) / total if total > 0 else 0.0


def _with_gaps(x: Codes) -> Floats:
    """Ranks as numbers, 0 as missing."""
    return np.where(x > 0, x, np.nan)[:, None]


def _most_frequent(y: Floats | Codes) -> int:
    return int(np.bincount(y.astype(np.int64)).argmax())
