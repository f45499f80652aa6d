"""Trees of several folds share the order of the rows; each is the one that is grown alone."""

import numpy as np
import pytest

from tests.learn.test_budgets import same, with_growth
from treewright import DecisionTreeClassifier
from treewright.learn.folds import Fold
from treewright.learn.grow import grow_folds
from treewright.learn.problem import read_problem


@pytest.mark.parametrize("digits", [0, 1, 6])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("sizes", [{}, {"sort_below": 30, "max_bins": 20}, {"sort_below": 200}])
def test_trees_of_folds_are_those_grown_alone(digits, n_classes, sizes, monkeypatch):
    rng = np.random.default_rng(digits)
    X = rng.normal(size=(4000, 5)).round(digits)
    y = np.digitize(X[:, 0] * X[:, 1] + rng.normal(size=len(X)), [0, 1, 2][: n_classes - 1])
    weight = rng.integers(0, 3, len(X)) if digits == 1 else None
    model = DecisionTreeClassifier(min_samples_leaf=2, n_jobs=2)
    problem = read_problem(model, X, y, weight)
    trains = [np.sort(rng.choice(len(X), n, replace=False)) for n in (3900, 3000, 1500, 40)]
    with_growth(monkeypatch, **sizes)
    together = problem.grow([Fold(rows, rows) for rows in trains])
    everyone = np.arange(len(X))
    for tree, rows in zip(together, [everyone, *trains], strict=True):
        alone = grow_folds(problem.columns, problem.target, problem.params, trains=[rows])[0]
        assert same(tree, alone)
        assert tree.n_leaves > 5
