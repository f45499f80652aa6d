"""Raising sends down only the rows that move; the tree is the one that sending all of them down makes."""

import numpy as np
import pytest

from treewright.classics import c45, j48
from treewright.pruning.raising import Raiser

pd = pytest.importorskip("pandas")


def table(seed, n=150):
    """Numbers and levels, some of them rare, so that a raised test meets levels that it does not list."""
    random = np.random.default_rng(seed)
    letters = np.array(list("abcdefgh"))
    X = pd.DataFrame(
        {
            "x": random.normal(size=n).round(1),
            "u": pd.Categorical(letters[random.geometric(0.4, n).clip(1, 8) - 1]),
            "v": pd.Categorical(letters[random.integers(0, 5, n)]),
        }
    )
    y = np.where(random.random(n) < 0.25, random.integers(0, 3, n), (X["x"] > 0) + (X["u"] == "b"))
    return X, y


@pytest.mark.parametrize("make", [lambda: c45("-g"), lambda: c45("-s"), lambda: j48("-B"), j48])
@pytest.mark.parametrize("seed", range(12))
def test_only_the_rows_that_move_are_sent_down(make, seed, monkeypatch):
    X, y = table(seed)
    quick = make().fit(X, y).tree_
    monkeypatch.setattr(Raiser, "_joined", lambda *_: None)
    assert make().fit(X, y).tree_ == quick
