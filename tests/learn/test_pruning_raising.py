"""Raising judges many branches at once, and sends down the rows that move: as one by one, with all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier
from treewright.learn.classics import c45, j48
from treewright.learn.pruning.pessimistic import useless
from treewright.learn.pruning.raising import Raiser, Ways
from treewright.learn.pruning.rebuild import COLLAPSE, KEEP
from treewright.learn.pruning.rounds import decided_in_rounds, stretches
from treewright.learn.pruning.rows import rows_for

pd = pytest.importorskip("pandas")


def table(seed, n=150, n_outputs=1):
    """Numbers and levels, some of them rare, so that a raised test meets levels that it does not list."""
    random = np.random.default_rng(seed)
    letters = np.array(list("abcdefgh"))
    X = pd.DataFrame(
        {
            "x": random.normal(size=n).round(1),
            "u": pd.Categorical(letters[random.geometric(0.4, n).clip(1, 8) - 1]),
            "v": pd.Categorical(letters[random.integers(0, 5, n)]),
            "w": random.integers(0, 30, n),
        }
    )
    base = (X["x"] > 0).to_numpy() + (X["u"] == "b").to_numpy()
    noise = random.random((n, n_outputs)) < 0.3
    y = np.where(noise, random.integers(0, 3, (n, n_outputs)), base[:, None])
    return X, y


def both(tree, X, y, ways, weight=None, collapse=True):
    rows = rows_for(tree, X, y, weight)
    start = np.full(tree.node_count, KEEP)
    if collapse:
        start[useless(tree)] = COLLAPSE
    return decided_in_rounds(tree, rows, start, ways), Raiser(tree, rows, start, ways).decide()


@examples(0.8)
@given(
    seed=st.integers(0, 10**6),
    n_outputs=st.integers(1, 2),
    columns=st.sampled_from([["x", "w"], ["x"], ["w", "x", "u"]]),
    ways=st.builds(
        Ways,
        CF=st.sampled_from([0.05, 0.25, 0.5]),
        bound=st.sampled_from(["exact", "table", "normal"]),
        pool=st.just(0.0),
    ),
    weighted=st.booleans(),
    collapse=st.booleans(),
)
def test_many_at_once_are_decided_as_one_by_one(seed, n_outputs, columns, ways, weighted, collapse):
    X, y = table(seed, n_outputs=n_outputs)
    weight = np.random.default_rng(seed).integers(0, 3, len(y)) / 2 if weighted else None
    model = DecisionTreeClassifier(missing="learned").fit(X[columns], y, sample_weight=weight)
    at_once, one_by_one = both(model.tree_, X[columns], y, ways, weight, collapse)
    if at_once is None:
        assert "u" in columns  # a raised test met a level that it does not list
    else:
        assert_array_equal(at_once, one_by_one)


@pytest.mark.parametrize("make", [lambda: c45("-g"), lambda: c45("-s"), lambda: j48("-B"), j48])
@pytest.mark.parametrize("seed", range(6))
def test_the_classics_too(make, seed):
    X, y = table(seed)
    grown = make().set_params(pruning=None, pruning_options=None).fit(X, y.ravel()).tree_
    at_once, one_by_one = both(grown, X, y, Ways(0.25, "table"))
    assert_array_equal(at_once, one_by_one)


def test_something_is_raised_at_once():
    X, y = table(3, 600)
    tree = DecisionTreeClassifier().fit(X[["x", "w"]], y).tree_
    at_once, _ = both(tree, X[["x", "w"]], y, Ways(0.25, "normal"), collapse=False)
    assert (at_once >= 0).any()
    assert (at_once == COLLAPSE).any()


def test_a_chain_of_a_thousand_levels():
    n = 2000
    X = np.arange(n, dtype=float)[:, None]
    model = DecisionTreeClassifier(growth="depth").fit(X, np.arange(n) % 2)
    at_once, one_by_one = both(model.tree_, X, np.arange(n) % 2, Ways(0.25, "table"))
    assert_array_equal(at_once, one_by_one)


def test_a_stretch_is_what_is_below():
    X, y = table(0)
    tree = DecisionTreeClassifier().fit(X[["x", "w"]], y).tree_
    begin, end = stretches(tree)
    for node in range(1, tree.node_count):
        parent = tree.parent[node]
        assert begin[parent] < begin[node] < end[node] <= end[parent]
    assert sorted(begin) == list(range(tree.node_count))
