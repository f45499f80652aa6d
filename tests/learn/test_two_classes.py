"""Two classes in long columns: the classics cut where a sum over every cut gains most."""

import numpy as np
import pytest

from treewright import classics

LEAST = 25  # rows of each side, in nodes of at least 500
UNPRUNED = {
    "c45": lambda: classics.c45(pruned=False),
    "c50": lambda: classics.c50(noGlobalPruning=True),
    "j48": lambda: classics.j48("-U"),
}


def bits(*counts):
    """Weight times entropy of rows of several classes, for every cut."""
    total = sum(counts)
    return sum(n * np.log2(np.where(n > 0, total / np.maximum(n, 1), 1.0)) for n in counts)


def gains(x, y):
    """The thresholds between distinct values that leave enough on both sides, and what each gains in bits."""
    order = np.argsort(x, kind="stable")
    values, second = x[order], np.cumsum(y[order])
    after = np.flatnonzero(np.diff(values) > 1e-3)
    after = after[(after + 1 >= LEAST) & (len(x) - after - 1 >= LEAST)]
    left, low, total = after + 1, second[after], second[-1]
    within = bits(low, left - low) + bits(total - low, len(x) - left - (total - low))
    return values[after], bits(total, len(x) - total) - within


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [500, 511, 3000])
@pytest.mark.parametrize("name", UNPRUNED)
def test_the_first_test_gains_most(name, n, seed):
    rng = np.random.default_rng(seed)
    x = rng.permutation(n) * 1.0 if seed % 2 else rng.integers(0, n // 8, n) * 1.0
    share = [0.6, 0.7, 0.9, 1.0][seed]  # of the second class above the step
    y = (rng.random(n) < np.where(x > np.quantile(x, rng.uniform(0.1, 0.9)), share, share / 8)).astype(int)
    tree = UNPRUNED[name]().fit(x[:, None], y).tree_
    lower, gained = gains(x, y)
    chosen = gained[np.searchsorted(lower, tree.threshold[0], side="right") - 1]
    assert chosen >= gained.max() - 1e-5 * n
