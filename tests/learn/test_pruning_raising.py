"""The oracle sends all rows down for every decision; raising decides the same with less work."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.oracle.raising import Raiser
from tests.oracle.regrowing import Regrower
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier
from treewright.learn.classics import c45, c50, j48
from treewright.learn.problem import read_problem
from treewright.learn.pruning.pessimistic import useless
from treewright.learn.pruning.problem_rows import rows_of_problem
from treewright.learn.pruning.raising import ErrorOptions, raised, regrown
from treewright.learn.pruning.rebuild import COLLAPSE, KEEP
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


def both(tree, X, y, error_options, weight=None, collapse=True):
    rows = rows_for(tree, X, y, weight)
    start = np.full(tree.node_count, KEEP)
    if collapse:
        start[useless(tree)] = COLLAPSE
    return raised(tree, rows, start, error_options).decision, Raiser(
        tree, rows, start, error_options
    ).decide()


@examples(0.8)
@given(
    seed=st.integers(0, 10**6),
    n_outputs=st.integers(1, 2),
    columns=st.sampled_from([["x", "w"], ["x"], ["w", "x", "u"]]),
    error_options=st.builds(
        ErrorOptions,
        CF=st.sampled_from([0.05, 0.25, 0.5]),
        bound=st.sampled_from(["exact", "table", "normal"]),
        pool=st.sampled_from([0.0, 3.0]),
    ),
    missing=st.sampled_from(["learned", "branch", "surrogate", "fractional"]),
    weighted=st.booleans(),
    collapse=st.booleans(),
)
def test_decisions_are_those_of_the_oracle(
    *, seed, n_outputs, columns, error_options, missing, weighted, collapse
):
    X, y = table(seed, n_outputs=n_outputs)
    X = X[columns].mask(np.random.default_rng(seed).random((len(X), len(columns))) < 0.05)
    weight = np.random.default_rng(seed).integers(0, 3, len(y)) / 2 if weighted else None
    model = DecisionTreeClassifier(missing=missing).fit(X, y, sample_weight=weight)
    found, wanted = both(model.tree_, X, y, error_options, weight, collapse)
    assert_array_equal(found, wanted)


@pytest.mark.parametrize("make", [lambda: c45("-g"), lambda: c45("-s"), lambda: j48("-B"), j48])
@pytest.mark.parametrize("seed", range(6))
def test_the_classics_too(make, seed):
    X, y = table(seed)
    grown = make().set_params(pruning=None, pruning_options=None).fit(X, y.ravel()).tree_
    found, wanted = both(grown, X, y, ErrorOptions(0.25, "table"))
    assert_array_equal(found, wanted)


def test_something_is_raised():
    X, y = table(3, 600)
    tree = DecisionTreeClassifier().fit(X[["x", "w"]], y).tree_
    found, _ = both(tree, X[["x", "w"]], y, ErrorOptions(0.25, "normal"), collapse=False)
    assert (found >= 0).any()
    assert (found == COLLAPSE).any()


def test_a_chain_of_hundreds_of_levels():
    n = 600
    X = np.arange(n, dtype=float)[:, None]
    model = DecisionTreeClassifier(growth="depth").fit(X, np.arange(n) % 2)
    found, wanted = both(model.tree_, X, np.arange(n) % 2, ErrorOptions(0.25, "table"))
    assert_array_equal(found, wanted)


# -- branches grown anew


def with_oracle(model, X, y, weight=None):
    """The tree with regrown branches, by the core and by the oracle."""
    problem = read_problem(model, X, y, weight)
    tree, rows, error_options = (
        problem.grow()[0],
        rows_of_problem(problem, X),
        ErrorOptions(0.25, "table", 2.0),
    )
    unpruned = model.set_params(pruning=None, pruning_options=None, smoothing=None, smoothing_strength=None)

    def grow(row, weight):
        alone = np.zeros(len(y))
        alone[row] = weight
        return unpruned.fit(X, y, sample_weight=alone).tree_

    start = np.full(tree.node_count, KEEP)
    slow = Regrower(tree, rows, start, error_options, grow)
    decision = slow.decide()[: tree.node_count]
    found = regrown(tree, rows, start, error_options)
    assert_array_equal(found.decision, decision)
    wanted, _, n_raised = slow.standing()
    assert found.report["raised"] == n_raised
    return found, wanted


@examples(0.3)
@given(
    seed=st.integers(0, 10**6),
    missing=st.sampled_from(["learned", "surrogate", "fractional"]),
    holes=st.booleans(),
    weighted=st.booleans(),
)
def test_regrown_branches_are_those_of_the_oracle(seed, missing, holes, weighted):
    X, y = table(seed, 120)
    random = np.random.default_rng(seed)
    if holes:
        X = X.mask(random.random(X.shape) < 0.05)
    weight = random.integers(1, 4, len(y)) / 2 if weighted else None
    model = DecisionTreeClassifier(criterion="entropy", missing=missing, min_samples_leaf=2)
    found, wanted = with_oracle(model, X, y.ravel(), weight)
    tests = [
        [repr(tree.test(node)) for node in np.flatnonzero(~tree.is_leaf)] for tree in (found.tree, wanted)
    ]
    assert tests[0] == tests[1]
    assert_array_equal(found.tree.first_child, wanted.first_child)
    assert_array_equal(found.tree.share, wanted.share)


def words(seed, n=4601, n_columns=54):
    """Counts of words in texts of six topics: many tests are about as good, so that much is raised."""
    random = np.random.default_rng(seed)
    topic, of_class = random.integers(0, 6, n), random.random(6) < 0.5
    y = np.where(random.random(n) < 0.05, random.integers(0, 2, n), of_class[topic]).astype(int)
    columns = []
    for _ in range(n_columns):
        present = random.random(n) < 0.5 * random.beta(0.6, 4, 6)[topic]
        often = random.gamma(1.0, 0.6, n) * np.exp(random.normal(0, 0.5, 6)[topic])
        columns.append(np.where(present, often.round(2), 0.0))
    columns += [np.exp(random.normal(1 + 0.5 * y, 1)).round(3) for _ in range(3)]
    return np.column_stack(columns), y


def test_a_branch_of_the_same_rows_is_grown_once():
    """Regrown branches are regrown inside, and the same rows come again: J48's choice makes large trees."""
    X, y = words(3)
    model = c50()
    model.set_params(growth_rules={**model.growth_rules, "choice": "j48"})
    report = model.fit(X, y).pruning_
    assert report["regrown"] > 300
    assert report["n_regrowths"] < report["regrown"] / 2
    assert report["n_routings"] < 2500
