"""Pages, bins, memory limits and the order of rows change how a tree is grown, never the tree.

And what growing costs: memory of waiting leaves and inner nodes, and the time of medians.
"""

import json
import os
import subprocess
import sys
import textwrap
import time

import numpy as np
import pandas as pd
import pytest

from tests.learn.test_budgets import nominal, same, with_growth
from treewright import DecisionTreeClassifier, DecisionTreeRegressor


def mixed(seed, n_rows=300, missing=0.1):
    """Numbers and levels with missing values; three classes that depend on them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)).round(1), columns=list("abc"))
    codes = rng.integers(-1 if missing else 0, 5, size=n_rows)
    X["level"] = pd.Categorical.from_codes(codes, list("pqrstu"))  # no row has level u
    y = (X["a"] + (codes == 2) + rng.normal(size=n_rows) > 0.5).astype(int) + (codes == 3)
    X.loc[rng.random(n_rows) < missing, "a"] = np.nan
    return X, y.to_numpy()


@pytest.mark.parametrize(
    "rules",
    [{"branches": "chosen"}, {"branches": "two"}, {"empty_branches": "shares"}, {"side_share": 0.3}],
    ids=str,
)
@pytest.mark.parametrize("missing", ["learned", "branch"])
def test_pages_and_bins_grow_the_tree_of_sorted_rows(rules, missing, monkeypatch):
    for seed in range(6):
        X, y = mixed(seed)
        y = y if "side_share" not in rules else y > 0
        settings = {"criterion": "gain_ratio", "nominal_splits": "multiway", "min_samples_leaf": 5}
        model = DecisionTreeClassifier(**settings, missing=missing, growth_rules=rules)
        tree = model.fit(X, y).tree_
        for sizes in ({"n_pages": 3, "max_features": -1}, {"sort_below": 5, "max_bins": 4}):
            if "n_pages" in sizes and "side_share" in rules:
                continue  # it needs sorted rows
            with monkeypatch.context() as patch:
                with_growth(patch, **sizes)
                assert same(tree, model.fit(X, y).tree_), (seed, sizes)


@pytest.mark.parametrize("missing", ["learned", "branch"])
@pytest.mark.parametrize("nominal_splits", ["multiway", "one_vs_rest"])
def test_rows_without_a_level_reach_the_leaf_that_counted_them(nominal_splits, missing):
    """Levels that no row of a node has get branches of their own, which shifts the others."""
    X = nominal(np.repeat([1, 2, -1], [6, 6, 5])[:, None], 3)
    y = np.repeat([0, 1, 1], [6, 6, 5])
    rules = {"empty_branches": "shares"}
    model = DecisionTreeClassifier(nominal_splits=nominal_splits, missing=missing, growth_rules=rules)
    assert model.fit(X, y).tree_.max_depth == 1
    for rows, classes in [(X, y), *(mixed(seed) for seed in range(5))]:
        tree = model.fit(rows, classes).tree_
        reached = np.bincount(model.apply(rows), minlength=tree.node_count)
        assert np.array_equal(reached[tree.n_children == 0], tree.n_node_samples[tree.n_children == 0])
        for node in np.flatnonzero(tree.n_children):
            children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
            mass = tree.weighted_n_node_samples * tree.impurity
            assert tree.gain[node] == pytest.approx(mass[node] - mass[children].sum(), abs=1e-9)


@pytest.mark.parametrize("missing", ["learned", "branch"])
def test_two_branches_of_the_chosen_split_have_enough_rows(missing):
    X, y = mixed(1)
    rules = {"branches": "chosen"}
    tree = DecisionTreeClassifier(min_samples_leaf=8, missing=missing, growth_rules=rules).fit(X, y).tree_
    assert tree.node_count > 5
    for node in np.flatnonzero(tree.n_children):
        first = tree.first_child[node]
        sizes = tree.weighted_n_node_samples[first : first + tree.n_children[node]]
        assert np.sort(sizes)[-2] >= 8 - 1e-6


@pytest.mark.parametrize("order", ["depth", "best"])
def test_waiting_leaves_may_drop_their_histograms(order, monkeypatch):
    X, y = mixed(0, n_rows=4000)
    limit = {"max_leaf_nodes": 60} if order == "best" else {}
    model = DecisionTreeClassifier(min_samples_leaf=5, **limit)
    trees = []
    for waiting_bytes in (0, 20_000, 2**40):
        with_growth(monkeypatch, sort_below=30, waiting_bytes=waiting_bytes)
        trees.append(model.fit(X, y).tree_)
    assert same(trees[0], trees[1])
    assert same(trees[0], trees[2])


def test_the_order_of_rows_does_not_decide_the_grid_of_weights():
    """In one order the floating-point sum of the weights is below 1, in another it is not."""
    rng = np.random.default_rng(0)
    weights = rng.random(60)
    weights /= weights.sum()
    orders = [rng.permutation(60) for _ in range(50)]
    below = [sum(weights[order]) < 1 for order in orders]
    assert 0 < sum(below) < 50
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    trees = []
    for order in (orders[below.index(True)], orders[below.index(False)]):
        model = DecisionTreeRegressor().fit(X[order], y[order], sample_weight=weights[order])
        trees.append(model.tree_)
    assert same(*trees)
    assert np.array_equal(trees[0].weighted_n_node_samples, trees[1].weighted_n_node_samples)


MEASURED = """
    import json, resource, sys
    import numpy as np
    from scipy.sparse import csc_array
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor
    from treewright.learn import grow

    def peak():  # bytes
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    {work}
"""


def measured(work):
    """What a program prints as JSON, run by itself, since memory that was used before hides its peak."""
    code = textwrap.dedent(MEASURED).format(work=textwrap.dedent(work))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


SPARSE = """
rng = np.random.default_rng(0)
rows, columns = rng.integers(0, 3000, 60_000), rng.integers(0, 40_000, 60_000)
X = csc_array((rng.random(60_000), (rows, columns)), shape=(3000, 40_000))
y = rng.integers(0, 2, 3000)
DecisionTreeClassifier(max_depth=1).fit(X, y)
before = peak()
tree = DecisionTreeClassifier({settings}).fit(X, y).tree_
print(json.dumps([int((tree.n_children > 0).sum()), peak() - before]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ru_maxrss")
@pytest.mark.parametrize("settings", ["", "max_leaf_nodes=300"])
def test_inner_nodes_of_wide_sparse_tables_hold_no_lists(settings):
    n_inner, grew = measured(SPARSE.format(settings=settings))
    assert n_inner >= 250
    assert grew < 40e6 < n_inner * 40_000 * 8  # a node that kept 8 bytes a column would hold 320 kB


HISTOGRAMS = """
rng = np.random.default_rng(0)
n, k = 60_000, 60
X = rng.normal(size=(n, 20))
y = np.argmax(X @ rng.normal(size=(20, k)) + rng.gumbel(size=(n, k)), axis=1)
DecisionTreeClassifier(max_depth=1).fit(X, y)
before = peak()
tree = DecisionTreeClassifier(max_leaf_nodes=80, n_jobs=1).fit(X, y).tree_
print(json.dumps([int((tree.n_children > 0).sum()), peak() - before]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ru_maxrss")
@pytest.mark.skipif("TREEWRIGHT_SANITIZED" in os.environ, reason="sanitizers keep what is freed")
def test_histograms_of_waiting_leaves_are_bounded():
    """A histogram has 20 columns x 256 bins x 60 classes x 8 bytes = 2.4 MB, the table 9.6 MB."""
    _, grew = measured(HISTOGRAMS)
    assert grew < 50e6


def test_medians_of_four_times_the_rows_take_little_more_than_four_times_as_long():
    """A tree of y = x is balanced: a node that costs the size of the table would make it quadratic."""

    def seconds(n_rows):
        x = np.arange(n_rows, dtype=float)
        start = time.process_time()
        DecisionTreeRegressor(criterion="absolute_error", n_jobs=1).fit(x[:, None], x)
        return time.process_time() - start

    few, many = (min(seconds(n) for _ in range(2)) for n in (50_000, 200_000))
    assert many < 6.5 * few  # measured: 4.2; with arrays of the size of the table 8.4


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "poisson"])
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"max_depth": 6},
        {"min_samples_leaf": 3},
        {"min_weight_fraction_leaf": 0.02},
        {"min_impurity_decrease": 1e-3},
        {"thresholds": "rounded"},
        {"missing": "branch"},
    ],
    ids=str,
)
@pytest.mark.parametrize("seeds", [(0, 3), pytest.param((1, 2), marks=pytest.mark.slow)], ids=str)
def test_a_branch_in_flat_arrays_is_that_of_divided_lists(criterion, limits, seeds, monkeypatch):
    """A nominal column of one level changes no split, but its table is kept in divided lists."""
    regression = criterion not in ("gini", "entropy")
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n_rows = int(rng.integers(40, 700))
        X = pd.DataFrame(rng.normal(size=(n_rows, 4)).round(int(rng.integers(0, 4))), columns=list("abcd"))
        X["e"] = rng.integers(0, 3, size=n_rows)
        y = X["a"] + X["b"] * X["c"] + rng.normal(size=n_rows)
        y = (
            np.exp(y).round(2)
            if criterion == "poisson"
            else y
            if regression
            else (y > 0) + (y > 1) * (seed % 2)
        )
        weight = rng.integers(1, 4, size=n_rows) if seed > 1 else None
        model = (DecisionTreeRegressor if regression else DecisionTreeClassifier)(
            criterion=criterion, **limits
        )
        general = X.assign(level=pd.Categorical(["p"] * n_rows))
        for sizes in ({}, {"sort_below": 50, "share_above": 1}):
            with monkeypatch.context() as patch:
                with_growth(patch, **sizes)
                ours = model.fit(X, y, sample_weight=weight).tree_
                assert same(ours, model.fit(general, y, sample_weight=weight).tree_), (seed, sizes)
                assert ours.n_leaves > 3


def test_counting_row_by_row_changes_no_tree(monkeypatch):
    """Large tables have their codes row by row too, for nodes of few rows; parts of a table have not."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(300_000, 7)), columns=list("abcdefg"))
    X["c"] = X["c"].where(rng.random(len(X)) > 0.1)  # missing values
    X["level"] = pd.Categorical.from_codes(rng.integers(0, 4, len(X)), list("wxyz"))
    signal = X["a"] * X["b"] + X["c"].fillna(1) + (X["level"] == "x")
    y = signal.to_numpy() + rng.normal(size=len(X))
    for model, target in ((DecisionTreeRegressor, y), (DecisionTreeClassifier, np.digitize(y, [0, 1]))):
        whole = model(max_depth=7).fit(X, target).tree_
        with monkeypatch.context() as patch:
            with_growth(patch, n_pages=2, max_features=-1)
            assert same(whole, model(max_depth=7).fit(X, target).tree_)
