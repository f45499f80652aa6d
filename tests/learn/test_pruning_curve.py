"""The curve of cross-validated pruning, against pruning and predicting for every alpha by itself."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, ShuffleSplit, TimeSeriesSplit

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier
from treewright.learn.cross_validation.choose import CrossValidation, choose
from treewright.learn.cross_validation.pruning_curve import cv_curve, grow_fold_trees, middles
from treewright.learn.cross_validation.row_losses import leaves_reached_by
from treewright.learn.folds import folds_of, take
from treewright.learn.losses import CLASS_LOSSES, NUMBER_LOSSES, check_loss, node_losses
from treewright.learn.problem import read_problem, row_weights
from treewright.learn.pruning import prune, stop_alphas
from treewright.tree.tree import STOPS


def table(rng, n=150, missing=0.0, levels=False):
    X = np.round(rng.normal(size=(n, 3)), 1)
    X[rng.random(X.shape) < missing] = np.nan
    if levels:
        X[:, 2] = rng.integers(0, 5, n)
    score = np.nan_to_num(X[:, 0]) + 0.5 * np.nan_to_num(X[:, 1]) + rng.normal(size=n)
    return X, score


def losses_of(problem, tree, rows, grid, loss):
    """The loss of every row, for every alpha: prune, then predict with the tree itself."""
    y, found = problem.target.y[rows], []
    for alpha in grid:
        pruned = prune(tree, alpha)
        value = pruned.predict(problem.columns)[rows].reshape(len(y), pruned.n_outputs, -1)
        found.append(LOSSES[loss](value, pruned.labels(problem.columns)[rows], y, pruned.costs))
    return np.array(found)


def one_by_one(problem, trees, folds, grid, loss):
    """Loss and weight of every training row, and of every held-out one."""
    weights = np.ones(problem.columns.n_rows) if problem.weights is None else problem.weights
    parts = [np.arange(len(weights)), *(fold.test for fold in folds)]
    found = [losses_of(problem, tree, rows, grid, loss) for tree, rows in zip(trees, parts, strict=True)]
    held_out = np.concatenate(found[1:], axis=1), np.concatenate([weights[rows] for rows in parts[1:]])
    return (found[0], weights), held_out


def _true(value, y):
    return np.take_along_axis(value, y[:, :, None], axis=2)[:, :, 0]


LOSSES = {
    "error": lambda _, label, y, __: (label != y).mean(axis=1),
    "log_loss": lambda value, _, y, __: -np.log(np.clip(_true(value, y), 2.0**-52, 1)).mean(axis=1),
    "brier": lambda value, _, y, __: (
        ((value - (np.arange(value.shape[2]) == y[:, :, None])) ** 2).sum(axis=2).mean(axis=1)
        / (2 if value.shape[2] == 2 else 1)
    ),
    "cost": lambda _, label, y, costs: costs[y[:, 0], label[:, 0]],
    "squared": lambda value, _, y, __: ((value[:, :, 0] - y) ** 2).mean(axis=1),
    "absolute": lambda value, _, y, __: np.abs(value[:, :, 0] - y).mean(axis=1),
}


def agrees_with_the_oracle(model, X, y, loss, sample_weight=None, cv=5):
    problem = read_problem(model, X, y, sample_weight)
    folds = folds_of(cv, X, y, classifier=problem.is_classifier)
    curve = cv_curve(grow_fold_trees(problem, folds), loss)
    (trained, weights), (e, w) = one_by_one(problem, problem.grow(folds), folds, curve.ccp_alphas, loss)
    assert_allclose(curve.training, trained @ weights / weights.sum(), atol=1e-10)
    mean = e @ w / w.sum()
    assert_allclose(curve.mean, mean, atol=1e-10)
    rows = np.concatenate([fold.test for fold in folds])
    times = len(rows) / len(set(rows.tolist()))  # the same row again is no new one
    se = np.sqrt(times * (w**2 * (e - mean[:, None]) ** 2).sum(axis=1)) / w.sum()
    assert_allclose(curve.se, se, atol=1e-7)
    full = problem.grow()[0]
    assert_array_equal(curve.n_leaves, [prune(full, alpha).n_leaves for alpha in curve.ccp_alphas])
    assert curve.n_leaves[-1] == 1
    return curve


COSTS = [[0, 1, 5], [1, 0, 1], [2, 3, 0]]


@pytest.mark.parametrize("loss", CLASS_LOSSES)
@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate", "fractional"])
def test_the_curve_of_classes_is_that_of_single_alphas(loss, missing, rng):
    X, score = table(rng, missing=0.15)
    model = DecisionTreeClassifier(missing=missing, costs=COSTS if loss == "cost" else None)
    agrees_with_the_oracle(model, X, np.digitize(score, [-0.7, 0.7]), loss)


@pytest.mark.parametrize("loss", NUMBER_LOSSES)
@pytest.mark.parametrize("missing", ["learned", "fractional"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_the_curve_of_numbers_is_that_of_single_alphas(loss, missing, criterion, rng):
    X, score = table(rng, n=90, missing=0.1)
    agrees_with_the_oracle(DecisionTreeRegressor(missing=missing, criterion=criterion), X, score, loss)


@pytest.mark.parametrize("loss", ["error", "squared"])
def test_rows_that_stop_at_an_inner_node_are_evaluated_there(loss, rng):
    X, score = table(rng, missing=0.2)
    y = score > 0 if loss == "error" else score
    model = DecisionTreeClassifier() if loss == "error" else DecisionTreeRegressor()
    problem = read_problem(model, X, y)
    folds = folds_of(3, X, y)
    grown = grow_fold_trees(problem, folds)
    stops = [replace(tree, missing_child=np.where(tree.is_leaf, 0, STOPS)) for tree in grown.trees]
    reached = [
        leaves_reached_by(tree, problem.columns, fold.test)
        for tree, fold in zip(stops[1:], folds, strict=True)
    ]
    assert not stops[1].is_leaf[reached[0].node].all()
    curve = cv_curve(replace(grown, trees=stops, reached=reached), loss)
    for alpha, mean in zip(curve.ccp_alphas, curve.mean, strict=True):
        losses = []
        for tree, fold in zip(stops[1:], folds, strict=True):
            pruned, truth = prune(tree, alpha), problem.target.y[fold.test]
            value = pruned.predict(problem.columns)[fold.test][:, None]
            losses.append(LOSSES[loss](value, pruned.labels(problem.columns)[fold.test], truth, None))
        assert mean == pytest.approx(np.concatenate(losses).mean())


@pytest.mark.parametrize("params", [{"class_weight": "balanced"}, {"priors": [0.5, 0.5]}, {}])
def test_weights_count_in_losses_too(params, rng):
    X, score = table(rng)
    weights = rng.integers(0, 4, len(X)).astype(float)
    agrees_with_the_oracle(DecisionTreeClassifier(**params), X, score > 1, "error", weights)


def test_levels_several_outputs_and_random_splits_are_evaluated_alike(rng):
    X, score = table(rng, levels=True)
    nominal = {"categorical_features": [2], "nominal_splits": "multiway"}
    agrees_with_the_oracle(DecisionTreeClassifier(**nominal), X, score > 0, "error")
    both = np.column_stack([score > 0, score > 1])
    agrees_with_the_oracle(DecisionTreeClassifier(), X, both, "brier")
    agrees_with_the_oracle(DecisionTreeRegressor(), X, np.column_stack([score, -score]), "squared")
    agrees_with_the_oracle(ExtraTreeClassifier(random_state=3), X, score > 0, "error")


@pytest.mark.parametrize("cv", [2, ShuffleSplit(4, random_state=0), TimeSeriesSplit(3)])
def test_any_splitter_may_divide_the_rows(cv, rng):
    X, score = table(rng)
    curve = agrees_with_the_oracle(DecisionTreeRegressor(min_samples_leaf=4), X, score, "squared", cv=cv)
    assert curve.n_folds == (cv if isinstance(cv, int) else cv.get_n_splits())


def test_the_trees_of_the_folds_are_those_grown_alone(rng):
    X, score = table(rng, missing=0.1)
    y = score > 0
    problem = read_problem(DecisionTreeClassifier(), X, y)
    folds = folds_of(3, X, y, classifier=True)
    for tree, fold in zip(problem.grow(folds)[1:], folds, strict=True):
        assert tree == DecisionTreeClassifier().fit(X[fold.train], y[fold.train]).tree_


def test_the_grid_lies_between_the_alphas_of_the_tree(rng):
    X, score = table(rng)
    fold_trees = grow_fold_trees(read_problem(DecisionTreeRegressor(), X, score), folds_of(5, X, score))
    curve = cv_curve(fold_trees, "squared")
    alphas = stop_alphas(fold_trees.trees[0])[0]
    assert len(curve.ccp_alphas) == len(alphas)
    assert curve.ccp_alphas[0] == 0
    assert_allclose(curve.ccp_alphas[1:-1], np.sqrt(alphas[1:-1] * alphas[2:]))
    assert curve.ccp_alphas[-1] >= alphas[-1]
    assert_array_equal(middles([np.zeros(1), np.array([0.0, 2.0])]), [0])


def test_both_rules_choose_from_the_curve(rng):
    X, score = table(rng, n=400)
    problem = read_problem(DecisionTreeClassifier(), X, score > 0)
    best = choose(problem.changed(ccp_alpha="cv"), CrossValidation(), X)
    simple = choose(problem.changed(ccp_alpha="1se"), CrossValidation(), X)
    curve = best.curve
    least = curve.mean.min()
    assert curve.mean[curve.place("cv")] == least
    assert (curve.mean[curve.place("cv") + 1 :] > least).all()
    limit = least + curve.se[curve.place("cv")]
    assert curve.mean[curve.place("1se")] <= limit
    assert (curve.mean[curve.place("1se") + 1 :] > limit).all()
    assert simple.pick.ccp_alpha >= best.pick.ccp_alpha > 0
    assert prune(best.tree, best.pick.ccp_alpha).n_leaves == curve.n_leaves[curve.place("cv")]
    assert "cv: alpha" in repr(curve)
    assert curve.to_dicts()[0]["n_leaves"] == best.tree.n_leaves
    for reach in (0.2, 2):
        limit = least + reach * curve.se[curve.place("cv")]
        assert curve.place(f"{reach}se") == np.flatnonzero(curve.mean <= limit)[-1]
    for wrong in ("se", "-1se", "1 se", "1e9se", "best"):
        with pytest.raises(ValueError, match=r"a number of standard errors such as '1se'\. Got"):
            curve.place(wrong)


def test_a_tree_without_splits_has_a_curve_of_one_point():
    X = np.zeros((10, 1))
    y = np.array([0, 1] * 5)
    problem = read_problem(DecisionTreeClassifier(), X, y).changed(ccp_alpha="1se")
    chosen = choose(problem, CrossValidation(), X)
    assert chosen.pick.ccp_alpha == 0
    assert chosen.curve.n_leaves.tolist() == [1]


def test_the_log_loss_is_scikit_learns(rng):
    X, score = table(rng)
    y = (score > 0).astype(int)
    model = DecisionTreeClassifier(max_depth=3).fit(X[:100], y[:100])
    ours = node_losses(model.tree_, "log_loss")(model.apply(X[100:]), y[100:, None]).mean()
    assert ours == pytest.approx(log_loss(y[100:], model.predict_proba(X[100:])))


def test_losses_that_do_not_suit_are_refused():
    assert check_loss(None, True) == "error"
    assert check_loss(None, True, costs=np.ones((2, 2))) == "cost"
    assert check_loss(None, False, criterion="absolute_error") == "absolute"
    with pytest.raises(ValueError, match="loss must be one of 'squared', 'absolute' or None where numbers"):
        check_loss("error", False)
    with pytest.raises(ValueError, match="loss='cost' needs a classifier with costs"):
        check_loss("cost", True)


# -- folds


def test_a_number_of_folds_means_the_same_shuffled_folds_every_time():
    y = np.repeat(["a", "b"], [40, 10])
    folds = folds_of(5, None, y, classifier=True)
    assert [sorted(y[fold.test]).count("b") for fold in folds] == [2] * 5
    assert_array_equal(np.sort(np.concatenate([fold.test for fold in folds])), np.arange(50))
    for one, other in zip(folds, folds_of(5, None, y, classifier=True), strict=True):
        assert_array_equal(one.test, other.test)
    assert folds[0].test.tolist() != list(range(10))
    alone = folds_of(5, None, np.arange(7), classifier=True)  # no class has five rows
    assert len(alone) == 5


def test_a_group_is_in_one_fold_only():
    groups = np.arange(60) // 4
    y = np.arange(60) % 2
    for classifier in (True, False):
        for fold in folds_of(3, None, y, groups, classifier):
            assert not set(groups[fold.train]) & set(groups[fold.test])
    splitter = folds_of(GroupKFold(3), None, y, groups)
    assert len(splitter) == 3
    with pytest.raises(ValueError, match=r"cv must be at most the number of groups. Got cv=20 for 15"):
        folds_of(20, None, y, groups)
    with pytest.raises(ValueError, match=r"groups must have one entry per row: shape \(60,\)"):
        folds_of(3, None, y, groups[:5])


@pytest.mark.parametrize(
    ("cv", "sentence"),
    [
        (1, "cv must be an int of at least 2"),
        ("five", "cv must be an int of at least 2"),
        (2.5, "cv must be an int of at least 2"),
        (11, "cv must be at most the number of rows: every fold has one. Got cv=11 for 10 rows"),
        ([], "Got an empty list"),
        ([(1, 2, 3)], r"cv must give pairs \(train rows, test rows\)"),
        ([([0, 1], [1, 2])], "Got row 1 twice in fold 0"),
        ([([0, 1], [12])], "must be numbers from 0 to 9. Got 12"),
        ([([0, 0], [2])], "Got row 0 twice. Use sample_weight instead"),
        ([([], [2])], "must be a list of row numbers, and not empty"),
    ],
)
def test_folds_that_cannot_be_are_refused(cv, sentence):
    with pytest.raises(ValueError, match=sentence):
        folds_of(cv, None, np.arange(10))


def test_pairs_and_masks_are_folds():
    mask = np.arange(10) < 7
    (fold,) = folds_of([(mask, ~mask)], None, np.arange(10))
    assert fold.train.tolist() == list(range(7))
    assert fold.test.tolist() == [7, 8, 9]


def test_folds_need_a_row_that_weighs(rng):
    X, score = table(rng, n=20)
    weights = np.r_[np.ones(5), np.zeros(15)]
    problem = read_problem(DecisionTreeRegressor(), X, score, weights)
    with pytest.raises(
        ValueError, match=r"Every fold must have a training row with a weight above 0. Got fold 0"
    ):
        problem.grow(folds_of([(np.arange(5, 20), np.arange(5))], X, score))


def test_rows_of_any_table_can_be_taken(frame):
    rows = np.array([2, 0])
    taken = take(frame({"a": [1, 2, 3], "b": ["x", "y", "z"]}), rows)
    assert DecisionTreeClassifier().fit(taken, [0, 1]).n_features_in_ == 2
    assert take([[1], [2], [3]], rows).tolist() == [[3], [1]]
    assert take(None, rows) is None


def test_row_weights_are_those_of_growing_without_costs(rng):
    X, score = table(rng)
    y = np.digitize(score, [-0.7, 0.7])
    model = DecisionTreeClassifier(costs=COSTS, class_weight={0: 2, 1: 1, 2: 1})
    problem = read_problem(model, X, y, np.full(len(y), 3.0))
    assert_array_equal(problem.weights, np.where(y == 0, 6.0, 3.0))
    assert row_weights({}, problem.target.classes, problem.target.y, None) is None
    assert problem.grow()[0].weighted_n_node_samples[0] == pytest.approx(problem.weights.sum())


def test_only_our_own_trees_are_read():
    with pytest.raises(ValueError, match="model must be a DecisionTreeClassifier"):
        read_problem(object(), [[1]], [1])
