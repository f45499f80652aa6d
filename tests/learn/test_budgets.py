"""Work that is bounded: many levels, classes and branches cost no more than they must, and say so."""

import numpy as np
import pandas as pd
import pytest

from treewright import DecisionTreeClassifier
from treewright.learn import grow

HEURISTIC = "principal component, heuristic"


def nominal(codes, n_levels):
    """A table of nominal columns from their codes."""
    names = [f"l{k}" for k in range(n_levels)]
    return pd.DataFrame(
        {f"c{j}": pd.Categorical.from_codes(column, names) for j, column in enumerate(codes.T)}
    )


def three_classes(n_rows, n_levels, n_columns=2, seed=0):
    """Labels of three classes that hang on the levels, with noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_levels, size=(n_rows, n_columns))
    effect = rng.normal(size=(n_columns, n_levels, 3))
    pull = sum(effect[j][codes[:, j]] for j in range(n_columns)) + rng.gumbel(size=(n_rows, 3))
    return nominal(codes, n_levels), pull.argmax(1)


def with_growth(monkeypatch, **values):
    """Growth with other sizes, from now on."""
    usual = grow.settings

    def settings(*args):
        growth = usual(*args)
        for name, value in values.items():
            setattr(growth, name, value)
        return growth

    monkeypatch.setattr(grow, "settings", settings)


def same(a, b):
    """Whether two trees are the same in every array that growth writes."""
    names = (
        "feature",
        "first_child",
        "level_child",
        "level_code",
        "gain",
        "impurity",
        "value",
        "missing_child",
    )
    return all(np.array_equal(getattr(a, n), getattr(b, n)) for n in (*names, "n_node_samples")) and (
        np.array_equal(a.threshold, b.threshold, equal_nan=True)
    )


def test_some_hundred_levels_of_three_classes_are_swept():
    X, y = three_classes(6_000, 250)
    tree = DecisionTreeClassifier(max_depth=3).fit(X, y).tree_
    assert tree.how(0) == "sweep, exact"


def test_beyond_the_budget_the_split_is_marked_as_a_heuristic():
    X, y = three_classes(30_000, 900)
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y).tree_
    assert tree.how(0) == HEURISTIC
    assert tree.heuristic[0] == 1


def test_levels_of_equal_shares_count_once_in_the_budget(monkeypatch):
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(600), 2)[:, None]  # two rows each: at most six directions
    y = rng.integers(0, 3, size=len(codes))
    with_growth(monkeypatch, sweep_levels=6)
    tree = DecisionTreeClassifier(max_depth=1).fit(nominal(codes, 600), y).tree_
    assert tree.how(0) == "sweep, exact"


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_sweep_gains_what_every_subset_gains(criterion, monkeypatch):
    for seed in range(10):
        X, y = three_classes(300, 9, n_columns=1, seed=seed)
        swept = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
        with monkeypatch.context() as patch:
            with_growth(patch, sweep_levels=0)
            tried = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
        assert swept.how(0) == "sweep, exact"
        assert tried.how(0) == "every subset, exact"
        assert swept.gain[0] == pytest.approx(tried.gain[0], rel=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [16, 300])
def test_many_classes_counted_or_sorted_are_one_tree(criterion, weighted, n_classes, monkeypatch):
    rng = np.random.default_rng(n_classes)
    X = rng.integers(0, 40, size=(1_500, 3)).astype(float)  # ties
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (X[:, 0] * 7 + rng.integers(0, 20, size=len(X))) % n_classes
    y = np.nan_to_num(y, nan=1.0).astype(int)
    weight = rng.integers(1, 4, size=len(X)) if weighted else None
    trees = []
    for sort_below in (0, 10**9):  # every node in bins, and every node sorted, where cuts are forecast
        with monkeypatch.context() as patch:
            with_growth(patch, sort_below=sort_below)
            model = DecisionTreeClassifier(criterion=criterion, max_depth=5, min_samples_leaf=3)
            trees.append(model.fit(X, y, sample_weight=weight).tree_)
    assert same(*trees)


def test_many_classes_choose_as_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier as Rival

    rng = np.random.default_rng(5)
    X = rng.normal(size=(2_000, 3))
    y = np.clip((X[:, 0] * 30 + rng.normal(size=len(X)) * 5 + 100).astype(int), 0, 199)
    ours = DecisionTreeClassifier(max_depth=4).fit(X, y)
    theirs = Rival(max_depth=4, random_state=0).fit(X, y)
    inner = ours.tree_.feature >= 0
    assert inner.sum() == (theirs.tree_.children_left >= 0).sum()
    assert ours.tree_.feature[0] == theirs.tree_.feature[0]
    assert ours.tree_.threshold[0] == pytest.approx(theirs.tree_.threshold[0])


def test_one_large_branch_among_thousands_is_the_same_tree(monkeypatch):
    rng = np.random.default_rng(7)
    codes = rng.integers(1, 900, size=(9_000, 3))
    codes[rng.random(codes.shape) < 0.6] = 0
    y = ((codes[:, 0] * 7919 % 13 > 6) ^ (rng.random(len(codes)) < 0.2)).astype(int)
    X = nominal(codes, 900)
    trees = []
    for sort_below in (500, 10**9):
        with monkeypatch.context() as patch:
            with_growth(patch, sort_below=sort_below)
            model = DecisionTreeClassifier(nominal_splits="multiway", max_depth=3)
            trees.append(model.fit(X, y).tree_)
    assert trees[0].n_children[0] > 500
    assert same(*trees)
