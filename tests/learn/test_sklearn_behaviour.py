"""What scikit-learn's trees promise in public, in our own words; scikit-learn runs beside us where fair.

Trees are compared by what a node loses, never by shape: equal splits are decided differently here and there.
"""

import warnings

import numpy as np
import pytest
import sklearn.tree
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_digits, load_iris, make_friedman1
from sklearn.metrics import mean_absolute_error, mean_poisson_deviance, mean_squared_error

from tests.support.problems import CLASSIFIERS, REGRESSORS, labels_for
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

CLASS_CRITERIA = ["gini", "entropy", "log_loss", "error", "sqrt_gini"]
NUMBER_CRITERIA = ["squared_error", "absolute_error", "poisson"]
IRIS_X, IRIS_Y = load_iris(return_X_y=True)
DIABETES_X, DIABETES_Y = load_diabetes(return_X_y=True)
CORNERS_X = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]]
CORNERS_Y = [-1, -1, -1, 1, 1, 1]
FAR = [[-1, -1], [2, 2], [3, 2]]
FAR_Y = [-1, 1, 1]


def leaves_of(model):
    return model.tree_.is_leaf


# -- small problems


@pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize("given", [{}, {"max_features": 1}, {"max_leaf_nodes": 6}])
def test_two_corners(cls, given):
    for weights in (None, np.ones(6), np.full(6, 0.5), 3.0):
        model = cls(random_state=1, **given).fit(CORNERS_X, CORNERS_Y, sample_weight=weights)
        assert_array_equal(model.predict(FAR), FAR_Y)


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_exclusive_or_needs_a_split_without_gain(cls, criterion):
    X = np.array([[i, j] for i in range(10) for j in range(10)], dtype=float)
    y = (X[:, 0] < 5) != (X[:, 1] < 5)
    assert cls(criterion=criterion, random_state=0).fit(X, y).score(X, y) == 1
    assert cls(criterion=criterion, max_features=1, random_state=1).fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_iris(criterion):
    full = DecisionTreeClassifier(criterion=criterion).fit(IRIS_X, IRIS_Y)
    assert full.score(IRIS_X, IRIS_Y) == 1
    assert full.get_n_leaves() <= 15
    assert (
        DecisionTreeClassifier(criterion=criterion, max_depth=2).fit(IRIS_X, IRIS_Y).score(IRIS_X, IRIS_Y)
        > 0.9
    )
    assert (
        ExtraTreeClassifier(criterion=criterion, random_state=0).fit(IRIS_X, IRIS_Y).score(IRIS_X, IRIS_Y)
        == 1
    )


@pytest.mark.parametrize("cls", REGRESSORS)
@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
def test_diabetes_can_be_learnt_by_heart(cls, criterion):
    model = cls(criterion=criterion, random_state=0).fit(DIABETES_X, DIABETES_Y)
    assert mean_squared_error(DIABETES_Y, model.predict(DIABETES_X)) == pytest.approx(0, abs=1e-18)


@pytest.mark.parametrize(
    ("criterion", "loss"),
    [
        ("squared_error", mean_squared_error),
        ("absolute_error", mean_absolute_error),
        ("poisson", mean_poisson_deviance),
    ],
)
def test_diabetes_is_learnt_as_well_as_by_scikit_learn(criterion, loss):
    given = {"criterion": criterion, "max_depth": 4, "max_features": 6, "random_state": 0}
    ours, theirs = (
        loss(DIABETES_Y, cls(**given).fit(DIABETES_X, DIABETES_Y).predict(DIABETES_X))
        for cls in (DecisionTreeRegressor, sklearn.tree.DecisionTreeRegressor)
    )
    assert ours < 1.15 * theirs


def test_digits():
    X, y = load_digits(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=8).fit(X[:1200], y[:1200])
    assert model.score(X[1200:], y[1200:]) > 0.7


def test_one_class_one_row_one_column():
    pure = DecisionTreeClassifier().fit(CORNERS_X, [7] * 6)
    assert_array_equal(pure.predict(FAR), [7, 7, 7])
    assert_array_equal(pure.predict_proba(FAR), np.ones((3, 1)))
    assert pure.tree_.node_count == 1
    same = DecisionTreeRegressor().fit(CORNERS_X, [0.1] * 6)
    assert_array_equal(same.predict(FAR), [0.1] * 3)
    for cls in (DecisionTreeClassifier, DecisionTreeRegressor):
        assert cls().fit([[3.0]], [2]).predict([[9.0]]) == [2]


def test_columns_that_never_change_are_never_used():
    X = np.column_stack([np.ones(30), np.arange(30), np.full(30, np.inf)])
    model = DecisionTreeRegressor().fit(X, np.sin(np.arange(30)))
    assert set(model.tree_.feature) == {1, -2}
    alone = DecisionTreeClassifier().fit(np.ones((6, 2)), [0, 0, 1, 1, 1, 0])
    assert_allclose(alone.predict_proba(np.ones((1, 2))), [[0.5, 0.5]])


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1.0, 1e8, 1e300])
def test_the_scale_of_columns_and_targets_does_not_matter(scale, rng):
    X = rng.normal(size=(60, 3))
    y = rng.normal(size=60)
    wanted = DecisionTreeRegressor(max_depth=4).fit(X, y)
    assert_array_equal(DecisionTreeRegressor(max_depth=4).fit(X * scale, y).apply(X * scale), wanted.apply(X))
    if 1e-100 < scale < 1e100:
        assert_array_equal(
            DecisionTreeRegressor(max_depth=4).fit(X, y * scale).tree_.feature, wanted.tree_.feature
        )


def test_targets_far_from_zero_keep_their_differences(rng):
    X = rng.normal(size=(200, 2))
    y = 1e9 + rng.random(200)
    model = DecisionTreeRegressor().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.all(model.tree_.impurity >= 0)


# -- every split is the best


def node_rows(model, X):
    return model.decision_path(X).tocsc()


def check_best_of_every_node(model, sklearn_tree, X, y, weights=None):
    """No stump of scikit-learn on the rows of a node gains more than our split of it."""
    paths, tree = node_rows(model, X), model.tree_
    for node in np.flatnonzero(~tree.is_leaf):
        rows = paths[:, [node]].indices
        weight = None if weights is None else weights[rows]
        their = sklearn_tree.fit(X[rows], y[rows], sample_weight=weight).tree_
        mass = their.weighted_n_node_samples * their.impurity
        gain = mass[0] - mass[1:].sum() if their.node_count == 3 else 0
        assert tree.gain[node] >= gain - 1e-6 * max(mass[0], 1e-300)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_stump_of_scikit_learn_gains_more_classes(criterion, weighted, rng):
    X = rng.integers(0, 12, size=(150, 4)).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, size=150)
    weights = rng.random(150) + 0.1 if weighted else None
    model = DecisionTreeClassifier(criterion=criterion, max_depth=5).fit(X, y, sample_weight=weights)
    sklearn_tree = sklearn.tree.DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=0)
    check_best_of_every_node(model, sklearn_tree, X, y, weights)


@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
@pytest.mark.parametrize("weighted", [False, True])
def test_no_stump_of_scikit_learn_gains_more_numbers(criterion, weighted, rng):
    X = rng.integers(0, 12, size=(120, 3)).astype(np.float32)
    y = np.round(X[:, 0] + rng.random(120), 3)
    weights = rng.integers(1, 4, size=120).astype(float) if weighted else None
    model = DecisionTreeRegressor(criterion=criterion, max_depth=4).fit(X, y, sample_weight=weights)
    sklearn_tree = sklearn.tree.DecisionTreeRegressor(criterion=criterion, max_depth=1, random_state=0)
    check_best_of_every_node(model, sklearn_tree, X, y, weights)


def test_gini_of_two_classes_is_twice_the_variance():
    y = (IRIS_Y == 1).astype(float)
    shares = DecisionTreeClassifier(max_depth=4).fit(IRIS_X, y)
    means = DecisionTreeRegressor(max_depth=4).fit(IRIS_X, y)
    assert_array_equal(shares.tree_.feature, means.tree_.feature)
    assert_array_equal(shares.tree_.threshold, means.tree_.threshold)
    assert_allclose(shares.tree_.impurity, 2 * means.tree_.impurity, atol=1e-12)
    assert_allclose(shares.feature_importances_, means.feature_importances_)


def test_important_columns_are_found():
    X, y = make_friedman1(n_samples=500, n_features=10, noise=0, random_state=0)
    importances = DecisionTreeRegressor(max_depth=8).fit(X, y).feature_importances_
    assert importances[:5].min() > importances[5:].max()
    assert importances.sum() == pytest.approx(1)
    assert_array_equal(DecisionTreeRegressor().fit(X, y * 0).feature_importances_, np.zeros(10))


# -- several outputs


def test_several_outputs_are_learnt_together():
    X = np.array(
        [
            [-2, -1],
            [-1, -1],
            [-1, -2],
            [1, 1],
            [1, 2],
            [2, 1],
            [-2, 1],
            [-1, 1],
            [-1, 2],
            [2, -1],
            [1, -1],
            [1, -2],
        ]
    )
    y = np.array([[-1, 0]] * 3 + [[1, 1]] * 3 + [[-1, 2]] * 3 + [[1, 3]] * 3)
    corners, wanted = [[-1, -1], [1, 1], [-1, 1], [1, -1]], [[-1, 0], [1, 1], [-1, 2], [1, 3]]
    for cls in CLASSIFIERS:
        model = cls(random_state=0).fit(X, y)
        assert_array_equal(model.predict(corners), wanted)
        shares = model.predict_proba(corners)
        assert [part.shape for part in shares] == [(4, 2), (4, 4)]
        assert_allclose([part.sum(axis=1) for part in shares], 1)
    for cls in REGRESSORS:
        assert_allclose(cls(random_state=0).fit(X, y).predict(corners), wanted)


def test_the_impurity_of_several_outputs_is_their_mean():
    y = np.column_stack([IRIS_Y, IRIS_Y == 1])
    joint = DecisionTreeClassifier(max_depth=1).fit(IRIS_X, y).tree_.impurity[0]
    single = [DecisionTreeClassifier(max_depth=1).fit(IRIS_X, y[:, k]).tree_.impurity[0] for k in range(2)]
    assert joint == pytest.approx(np.mean(single))


# -- absolute error and Poisson


def test_absolute_error_predicts_medians():
    X, y = np.zeros((5, 1)), [3.0, 3.0, 4.0, 5.0, 100.0]
    model = DecisionTreeRegressor(criterion="absolute_error").fit(X, y)
    assert model.predict([[0.0]]) == [4.0]
    assert model.tree_.impurity[0] == pytest.approx(np.abs(np.array(y) - 4).mean())
    heavy = DecisionTreeRegressor(criterion="absolute_error").fit(X, y, sample_weight=[1, 1, 1, 1, 10])
    assert heavy.predict([[0.0]]) == [100.0]
    even = DecisionTreeRegressor(criterion="absolute_error").fit(X[:4], y[:4])
    assert even.predict([[0.0]]) == [3.5]


def test_means_are_kept_by_squared_error_and_poisson(rng):
    X = rng.normal(size=(300, 3))
    y = rng.poisson(np.exp(X[:, 0]))
    for criterion in ("squared_error", "poisson"):
        for cls in REGRESSORS:
            model = cls(criterion=criterion, min_samples_leaf=10, random_state=0).fit(X, y)
            assert model.predict(X).sum() == pytest.approx(y.sum())


def test_poisson_never_predicts_zero_where_something_happened(rng):
    X = rng.integers(0, 5, size=(200, 2)).astype(float)
    y = (rng.random(200) < 0.1) * 1.0
    zeros = DecisionTreeRegressor(criterion="squared_error").fit(X, y)
    assert (zeros.predict(X) == 0).any()
    assert (DecisionTreeRegressor(criterion="poisson").fit(X, y).predict(X) > 0).all()


def test_poisson_beats_squared_error_on_counts(rng):
    X = rng.uniform(-2, 2, size=(2000, 4))
    y = rng.poisson(np.exp(X @ [1.0, 0.5, 0, 0]))
    train, test = slice(0, 1000), slice(1000, None)
    losses = {}
    for criterion in ("poisson", "squared_error"):
        model = DecisionTreeRegressor(criterion=criterion, min_samples_leaf=20).fit(X[train], y[train])
        losses[criterion] = mean_poisson_deviance(y[test], np.clip(model.predict(X[test]), 1e-6, None))
    assert losses["poisson"] < losses["squared_error"]


# -- missing values


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_missing_values_learn_their_side(cls):
    for X, y in [
        ([np.nan, np.nan, 1, 2, 3, 4], [0, 0, 0, 0, 1, 1]),
        ([np.nan, np.nan, 1, 2, 3, 4], [1, 1, 0, 0, 1, 1]),
        ([np.nan, np.nan, np.nan, 1, 2, 3], [0, 0, 0, 1, 1, 1]),
    ]:
        column = np.array(X).reshape(-1, 1)
        model = cls(max_depth=1).fit(column, y)
        assert_array_equal(model.predict(column), y)
        assert model.tree_.missing_seen[0] == 1


def test_missing_values_that_mean_something_are_used(rng):
    y = rng.integers(0, 2, size=500)
    X = rng.normal(size=(500, 3))
    X[y == 1, 1] = np.where(rng.random((y == 1).sum()) < 0.9, np.nan, X[y == 1, 1])
    assert DecisionTreeClassifier(max_depth=1).fit(X, y).score(X, y) > 0.9


def test_missing_values_cost_little(rng):
    X, y = make_friedman1(n_samples=1000, noise=0.5, random_state=0)
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    whole = DecisionTreeRegressor(max_depth=6).fit(X[:500], y[:500]).score(X[500:], y[500:])
    missing = DecisionTreeRegressor(max_depth=6).fit(holes[:500], y[:500]).score(holes[500:], y[500:])
    assert missing > whole - 0.25


# -- the rest of the contract


@pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS)
def test_leaves_and_paths_agree(cls):
    X, y = labels_for(cls)
    model = cls(random_state=0, max_depth=5).fit(X, y)
    leaves, path = model.apply(X), model.decision_path(X)
    assert np.all(leaves_of(model)[leaves])
    assert_array_equal(path[np.arange(len(X)), leaves], 1)
    assert_array_equal(np.asarray(path.sum(axis=0)).ravel(), model.tree_.n_node_samples)
    assert_array_equal(np.asarray(path.sum(axis=1)).ravel(), model.tree_.depth[leaves] + 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "list", "readonly"])
def test_the_layout_in_memory_does_not_matter(dtype, layout):
    X = np.round(IRIS_X * 10).astype(dtype)
    made = {
        "C": X,
        "F": np.asfortranarray(X),
        "strided": np.repeat(X, 3, axis=0)[::3],
        "list": X.tolist(),
        "readonly": np.frombuffer(X.tobytes(), dtype=dtype).reshape(X.shape),
    }[layout]
    assert DecisionTreeClassifier().fit(made, IRIS_Y).score(made, IRIS_Y) == 1


def test_nothing_warns_on_ordinary_data():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DecisionTreeClassifier().fit(IRIS_X, IRIS_Y).predict_log_proba(IRIS_X)
        DecisionTreeRegressor(criterion="poisson").fit(IRIS_X, IRIS_Y).predict(IRIS_X)


def test_unseen_missing_values_go_to_the_child_of_more_rows_whatever_the_weights(rng):
    by_weight = 0
    for _ in range(40):
        X, y = rng.integers(0, 99, size=(60, 1)), rng.integers(0, 2, 60)
        weight = np.where(X[:, 0] < 40, 1, 20)
        theirs = sklearn.tree.DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weight).tree_
        ours = DecisionTreeClassifier(max_depth=1).fit(X, y, weight).tree_
        if theirs.threshold[0] == ours.threshold[0]:
            assert ours.missing_go_to_left[0] == theirs.missing_go_to_left[0]
            left, right = ours.weighted_n_node_samples[1:]
            by_weight += (left > right) != theirs.missing_go_to_left[0]
    assert by_weight > 5  # the weights would often decide otherwise
