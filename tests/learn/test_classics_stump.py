"""Stumps of large tables are counted in bins; last bits of entropy decide between equals as when sorted."""

import numpy as np
import pytest

from treewright.learn.classics import stump


def mirrored(seed, n=5000):
    """Columns with their mirror images, whose cuts gain the same: only rounding tells them apart.

    Near the best cut, which may lie within a bin, the classes are pure, so that no cut could gain more.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2000, (n, 3)).astype(float)
    away = X[:, 1] - rng.integers(500, 1500)
    y = ((away > 0) ^ ((abs(away) > 40) & (rng.random(n) < 0.2))).astype(int)
    X[rng.random((n, 3)) < 0.1 * (seed % 2)] = np.nan
    return np.column_stack([-X, X]), y + (y > 0) * (seed % 3 > 1) * (rng.random(n) < 0.5)


@pytest.mark.parametrize("seed", range(24))
def test_large_tables_are_counted_to_the_same_stump(seed, sort_all):
    X, y = mirrored(seed)
    counted = stump().fit(X, y)
    sort_all()
    by_order = stump().fit(X, y)
    assert counted.tree_ == by_order.tree_


def test_rounding_decides_among_mirror_images():
    first = {int(stump().fit(*mirrored(seed)).tree_.feature[0]) for seed in range(24)}
    assert min(first) < 3 <= max(first)  # the order of the columns alone would give the first half
