import numpy as np
import pytest
import sklearn.tree
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from tests.support.problems import CLASSIFIERS, REGRESSORS, labels_for
from treewright import DecisionTreeClassifier, DecisionTreeRegressor


@pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS)
def test_the_pruning_path_rises_and_its_trees_nest(cls):
    X, y = labels_for(cls)
    weights = np.random.default_rng(1).random(len(X))
    path = cls(random_state=0).cost_complexity_pruning_path(X, y, sample_weight=weights)
    assert path.ccp_alphas[0] == 0
    assert np.all(np.diff(path.ccp_alphas) > 0)
    assert np.all(np.diff(path.impurities) >= 0)
    before = None
    for alpha, impurity in list(zip(path.ccp_alphas, path.impurities, strict=True))[
        :: max(1, len(path.ccp_alphas) // 12)
    ]:
        tree = cls(random_state=0, ccp_alpha=alpha).fit(X, y, sample_weight=weights).tree_
        leaf = tree.is_leaf
        shares = tree.weighted_n_node_samples[leaf] / tree.weighted_n_node_samples[0]
        assert (shares * tree.impurity[leaf]).sum() == pytest.approx(impurity, abs=1e-12)
        assert before is None or tree.n_leaves < before
        before = tree.n_leaves
    last = cls(random_state=0, ccp_alpha=path.ccp_alphas[-1]).fit(X, y, sample_weight=weights)
    assert last.tree_.node_count == 1


def test_the_pruning_path_is_scikit_learns():
    X, y = load_iris(return_X_y=True)
    ours = DecisionTreeClassifier().cost_complexity_pruning_path(X[::3], y[::3])
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X[::3], y[::3])
    assert_allclose(ours.ccp_alphas[-2:], theirs.ccp_alphas[-2:])
    assert_allclose(ours.impurities[-2:], theirs.impurities[-2:])


def test_equal_branches_are_cut_together():
    X = np.arange(8.0).reshape(-1, 1)
    path = DecisionTreeClassifier().cost_complexity_pruning_path(X, [0, 1] * 4)
    assert len(np.unique(path.ccp_alphas)) == len(path.ccp_alphas)
    stump = DecisionTreeClassifier().cost_complexity_pruning_path([[0.0], [1.0]], [0, 1])
    assert_allclose(stump.ccp_alphas, [0, 0.5])
    assert_allclose(stump.impurities, [0, 0.5])
    root = DecisionTreeClassifier().cost_complexity_pruning_path([[0.0], [1.0]], [1, 1])
    assert_array_equal((root.ccp_alphas, root.impurities), ([0], [0]))


def test_a_pruned_tree_is_the_top_of_the_full_one():
    X, y = labels_for(DecisionTreeRegressor)
    full, pruned = (DecisionTreeRegressor(ccp_alpha=alpha).fit(X, y) for alpha in (0.0, 0.01))
    assert 1 < pruned.tree_.node_count < full.tree_.node_count
    pairs = set(zip(pruned.apply(X), full.apply(X), strict=True))
    assert len(pairs) == full.get_n_leaves()  # every full leaf lies in one pruned leaf
    assert_allclose(pruned.feature_importances_.sum(), 1)
