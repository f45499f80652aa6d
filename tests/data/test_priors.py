"""Class weights, priors and costs: each has one meaning, and the laws that follow from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier


def noisy(seed, n=200, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, 3)).astype(float)
    y = (X[:, 0] + rng.normal(0, 4, n) > 7).astype(int) + (n_classes == 3) * (X[:, 1] > 8)
    return X, y


def same_splits(one, other):
    a, b = one.tree_, other.tree_
    return all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in ("n_children", "feature", "threshold")
    )


@given(st.integers(0, 999), st.integers(1, 4), st.sampled_from(["gini", "entropy", "error", "sqrt_gini"]))
@examples()
def test_oversampling_a_class_is_weighting_it(seed, times, criterion):
    X, y = noisy(seed)
    rows = np.repeat(np.arange(len(y)), np.where(y == 1, times, 1))
    often = DecisionTreeClassifier(criterion=criterion).fit(X[rows], y[rows])
    heavy = DecisionTreeClassifier(criterion=criterion, class_weight={0: 1, 1: times}).fit(X, y)
    assert same_splits(often, heavy)
    np.testing.assert_allclose(often.tree_.value, heavy.tree_.value, rtol=1e-12)


@given(st.integers(0, 999), st.sampled_from([2, 3, 10, 1000]))
@examples()
def test_sqrt_gini_does_not_move_when_one_of_two_classes_is_multiplied(seed, times):
    """The gain scales as a whole, so the best split stays the best; only rounded ties may change."""
    X, y = noisy(seed)
    stump = DecisionTreeClassifier(criterion="sqrt_gini", max_depth=1)
    plain, heavy = (clone(stump).set_params(class_weight={0: 1, 1: t}).fit(X, y) for t in (1, times))
    assert same_splits(plain, heavy)
    gini = [DecisionTreeClassifier(max_depth=1, class_weight={0: 1, 1: t}).fit(X, y) for t in (1, 1000)]
    assert all(tree.tree_.node_count == 3 for tree in gini)


def test_gini_does_move():
    moved = 0
    for seed in range(20):
        X, y = noisy(seed)
        trees = [DecisionTreeClassifier(max_depth=1, class_weight={0: 1, 1: t}).fit(X, y) for t in (1, 30)]
        moved += not same_splits(*trees)
    assert moved > 5


def test_priors_are_the_shares_of_the_root():
    X, y = noisy(0, n_classes=3)
    model = DecisionTreeClassifier(max_depth=2, priors=[0.5, 0.2, 0.3]).fit(X, y)
    np.testing.assert_allclose(model.tree_.value[0, 0], [0.5, 0.2, 0.3], rtol=1e-12)
    by_label = DecisionTreeClassifier(max_depth=2, priors={2: 0.3, 0: 0.5, 1: 0.2}).fit(X, y)
    assert by_label.tree_ == model.tree_


def test_priors_as_observed_change_nothing_and_even_priors_are_balanced_weights():
    X, y = noisy(1)
    observed = np.bincount(y) / len(y)
    plain = DecisionTreeClassifier(max_depth=4).fit(X, y)
    assert same_splits(plain, DecisionTreeClassifier(max_depth=4, priors=observed).fit(X, y))
    even = DecisionTreeClassifier(max_depth=4, priors=[0.5, 0.5]).fit(X, y)
    balanced = DecisionTreeClassifier(max_depth=4, class_weight="balanced").fit(X, y)
    assert same_splits(even, balanced)
    np.testing.assert_allclose(even.tree_.value, balanced.tree_.value, rtol=1e-9)


COSTS = np.array([[0, 1, 4], [2, 0, 1], [9, 3, 0]])


@pytest.fixture(scope="module")
def priced():
    X, y = noisy(2, 400, 3)
    return X, y, DecisionTreeClassifier(max_depth=3, costs=COSTS).fit(X, y)


def test_costs_label_by_least_expected_cost_and_keep_probabilities(priced):
    X, y, model = priced
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        shares = np.bincount(y[leaves == leaf], minlength=3) / (leaves == leaf).sum()
        np.testing.assert_allclose(model.tree_.value[leaf, 0], shares, rtol=1e-9, atol=1e-12)
        expected = shares @ COSTS
        label = model.predict(X[leaves == leaf])[0]
        assert expected[label] == pytest.approx(expected.min())
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_growth_under_costs_is_growth_under_altered_priors(priced):
    X, y, model = priced
    weights = COSTS.sum(axis=1)
    altered = DecisionTreeClassifier(max_depth=3, class_weight=dict(enumerate(weights))).fit(X, y)
    assert same_splits(model, altered)
    tree = model.tree_
    np.testing.assert_allclose(tree.weighted_n_node_samples, tree.n_node_samples, rtol=1e-9)
    mass = tree.weighted_n_node_samples * tree.impurity
    inner = np.flatnonzero(tree.n_children)
    below = [mass[tree.first_child[i] : tree.first_child[i] + tree.n_children[i]].sum() for i in inner]
    np.testing.assert_allclose(tree.gain[inner], mass[inner] - below, rtol=1e-9, atol=1e-9)


def test_equal_costs_are_no_costs():
    X, y = noisy(3, n_classes=3)
    plain = DecisionTreeClassifier(max_depth=4).fit(X, y)
    equal = DecisionTreeClassifier(max_depth=4, costs=1 - np.eye(3)).fit(X, y)
    assert same_splits(plain, equal)
    assert np.array_equal(plain.predict(X), equal.predict(X))


def test_priors_and_costs_together_label_with_the_priors(priced):
    X, y, _ = priced
    prior = np.array([0.2, 0.3, 0.5])
    model = DecisionTreeClassifier(max_depth=2, priors=prior, costs=COSTS).fit(X, y)
    np.testing.assert_allclose(model.tree_.value[0, 0], prior, rtol=1e-9)
    assert model.tree_.label[0, 0] == (prior @ COSTS).argmin()


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"priors": [0.5, 0.6]}, "priors must sum to 1. Got 1.1."),
        ({"priors": [1.0]}, "priors must have one share per class, in the order [0, 1]. Got 1 numbers."),
        ({"priors": {0: 0.5, "one": 0.5}}, "priors must name every class of y once: [0, 1]. Got [0, 'one']."),
        ({"priors": [1.0, 0.0]}, "priors must be above 0. Got [1.0, 0.0]."),
        (
            {"priors": "even"},
            "priors must be a dict of proportions by label or a list of proportions, one per class",
        ),
        ({"priors": [0.5, 0.5], "class_weight": "balanced"}, "priors and class_weight both say"),
        ({"costs": [[0, 1]]}, "shape (2, 2). Got (1, 2)."),
        ({"costs": [[1, 1], [1, 0]]}, "costs must be 0 on the diagonal"),
        ({"costs": [[0, -1], [1, 0]]}, "costs must be finite and not negative"),
        ({"costs": [[0, np.nan], [1, 0]]}, "costs must be finite and not negative"),
        ({"costs": [[0, 0], [1, 0]]}, "Got a row of zeros for class"),
        ({"costs": [0, 1]}, "costs must be a square matrix of numbers"),
        ({"costs": "many"}, "costs must be a square matrix of numbers"),
    ],
)
def test_bad_priors_and_costs_get_a_sentence(params, sentence):
    X, y = noisy(0)
    with pytest.raises(ValueError, match="Got") as refusal:
        DecisionTreeClassifier(**params).fit(X, y)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("params", [{"priors": [0.5, 0.5]}, {"costs": [[0, 1], [1, 0]]}])
def test_several_outputs_take_neither(params):
    X, y = noisy(0)
    with pytest.raises(ValueError, match="one output only"):
        DecisionTreeClassifier(**params).fit(X, np.column_stack([y, 1 - y]))
