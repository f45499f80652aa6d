"""What compares rows with those of the fit: other targets are refused, and the rows of the fit never are."""

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, classics, lab, next_best_splits


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
@pytest.mark.parametrize("depth", [1, 3])
def test_another_target_is_refused(criterion, depth):
    """Though the rows are those of the fit: of a stump the values of its leaves tell."""
    draws = np.random.default_rng(7)
    X, labels, numbers = draws.random((60, 3)), draws.integers(0, 3, 60), draws.gamma(1.0, size=60)
    if criterion == "gini":
        kind, y, others = DecisionTreeClassifier, labels, (2 - labels, np.roll(labels, 1))
    else:
        kind, y, others = DecisionTreeRegressor, numbers, (numbers[::-1], numbers * 2 + 1)
    model = kind(max_depth=depth, criterion=criterion).fit(X, y)
    for measure in (lab.trace, lab.stability, next_best_splits):
        for other in others:
            with pytest.raises(ValueError, match=r"must be the training rows of the model\. Got an? "):
                measure(model, X, other)


@pytest.mark.parametrize("pruning", [None, "reduced_error"])
@pytest.mark.parametrize(
    "options",
    [
        {"monotonic_cst": [1, 0]},
        {"costs": [[0, 5], [1, 0]]},
        {"priors": [0.3, 0.7]},
        {"class_weight": "balanced"},
        {"missing": "fractional"},
        {"smoothing": "laplace"},
    ],
)
def test_the_rows_of_the_fit_are_known(options, pruning):
    """Constraints move shares, rows weigh nothing or are held out, classes weigh more or cost more."""
    X, y = lab.Mechanism.named("circle and boxes").sample(80, random_state=0)
    if "missing" in options:
        X[::7, 0] = np.nan
    weights = np.where(np.arange(80) % 9 == 0, 0.0, 1.5)
    model = DecisionTreeClassifier(**options, pruning=pruning).fit(X, y, weights)
    assert lab.stability(model, X, y, repeats=2, sample_weight=weights).repeats == 2
    assert len(lab.trace(model, X, y, sample_weight=weights)) == (~model.tree_.is_leaf).sum()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", [3, 22, 72, 137, 185])
def test_rows_that_rpart_sends_elsewhere_at_predict(seed, weighted):
    """In its fit a row without a value goes to the heavier child, at predict to that of more rows."""
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(80, 3))
    y = X[:, 0] + X[:, 1] + draws.normal(size=80) * 0.5 > 0
    X[draws.random(X.shape) < 0.15] = np.nan
    weights = draws.choice([0, 1, 2], 80) if weighted else None
    model = classics.rpart().fit(X, y, weights)
    for step in lab.trace(model, X, y, sample_weight=weights):
        found = step.column(step.winner.place)
        assert found.total_gains[found.allowed].max() == pytest.approx(model.tree_.gain[step.node], rel=1e-9)
        assert step.at.weight == model.tree_.weighted_n_node_samples[step.node]
    assert next_best_splits(model, X, y, sample_weight=weights).skipped is None
    assert lab.stability(model, X, y, repeats=2, sample_weight=weights).repeats == 2


def test_a_target_that_another_split_would_suit_better_is_refused():
    """Permuted within the leaves it has their means, and the stump says nothing else of it."""
    draws = np.random.default_rng(0)
    X = draws.normal(size=(60, 1))
    y = X[:, 0] + draws.normal(size=60)
    model = DecisionTreeRegressor(max_depth=1).fit(X, y)
    at, other = model.apply(X), y.copy()
    for leaf in np.unique(at):
        other[at == leaf] = draws.permutation(y[at == leaf])
    assert len(lab.trace(model, X, y)) == 1
    with pytest.raises(
        ValueError, match=r"training rows of the model\. Got a gain of 0\.6.* where the tree chose"
    ):
        lab.trace(model, X, other)
