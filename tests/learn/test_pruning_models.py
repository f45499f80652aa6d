"""Pruning fitted estimators, and pruning while fitting."""

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, prune
from treewright.learn.pruning import METHODS
from treewright.tree.tree import tree_from_dict


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    return X, (X[:, 0] + rng.normal(0, 0.7, 400) > 0).astype(int)


def test_the_old_model_is_left_alone(noisy):
    X, y = noisy
    model = DecisionTreeClassifier().fit(X, y)
    before = model.tree_
    pruned = prune(model, "cost_complexity", alpha=0.01)
    assert model.tree_ is before
    assert pruned.get_n_leaves() < model.get_n_leaves()
    assert pruned.get_params() == model.get_params()
    assert not hasattr(model, "pruning_")
    assert pruned.score(X, y) <= 1


@pytest.mark.parametrize("name", METHODS)
def test_pruning_while_fitting_is_pruning_afterwards(noisy, name):
    X, y = noisy
    model = DecisionTreeClassifier(pruning=name, random_state=0).fit(X, y)
    if name != "reduced_error":  # which grows on a part of the rows
        full = clone(model).set_params(pruning=None).fit(X, y)
        rows = (X, y) if name == "pessimistic" else ()
        assert prune(full, name, *rows).tree_ == model.tree_
        return
    parts = model.pruning_
    assert sorted([*parts["grow_rows"], *parts["prune_rows"]]) == list(range(400))
    full = DecisionTreeClassifier().fit(X[parts["grow_rows"]], y[parts["grow_rows"]])
    held = X[parts["prune_rows"]], y[parts["prune_rows"]]
    assert prune(full, name, *held).tree_ == model.tree_


def test_rows_held_out_may_be_named(noisy):
    X, y = noisy
    rows = np.arange(0, 400, 4)
    by_number = DecisionTreeClassifier(pruning="reduced_error", pruning_options={"rows": rows}).fit(X, y)
    marks = np.isin(np.arange(400), rows)
    by_mark = DecisionTreeClassifier(pruning="reduced_error", pruning_options={"rows": marks}).fit(X, y)
    assert by_number.tree_ == by_mark.tree_
    assert by_number.pruning_["prune_rows"].tolist() == rows.tolist()


def test_rows_weigh_as_in_growing(noisy):
    X, y = noisy
    model = DecisionTreeClassifier(class_weight={0: 1, 1: 5}).fit(X, y)
    pruned = prune(model, "pessimistic", X, y, CF=0.01).tree_
    leaves = pruned.weighted_n_node_samples[pruned.is_leaf].sum()
    assert leaves == pytest.approx(pruned.weighted_n_node_samples[0])
    fitted = clone(model).set_params(pruning="pessimistic", pruning_options={"CF": 0.01}).fit(X, y)
    assert fitted.tree_ == pruned


def test_the_path_is_that_of_the_unpruned_tree(noisy):
    X, y = noisy
    plain = DecisionTreeClassifier().cost_complexity_pruning_path(X, y)
    pruned = DecisionTreeClassifier(pruning="merge").cost_complexity_pruning_path(X, y)
    np.testing.assert_array_equal(plain.ccp_alphas, pruned.ccp_alphas)


def test_a_choice_leaves_its_curve(noisy):
    X, y = noisy
    model = DecisionTreeClassifier(ccp_alpha="cv").fit(X, y)
    assert model.ccp_alpha_ == model.pruning_curve_.choose("cv")
    assert DecisionTreeClassifier(ccp_alpha=model.ccp_alpha_).fit(X, y).tree_ == model.tree_
    simple = DecisionTreeRegressor(ccp_alpha="1se", cv=3).fit(X, y)
    assert len(simple.pruning_curve_.by_fold) == 3
    assert not hasattr(simple.set_params(ccp_alpha=0.0).fit(X, y), "cv_results_")


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"pruning": "sideways"}, "The pruning method must be one of"),
        ({"pruning": "merge", "ccp_alpha": 0.1}, "ccp_alpha and pruning both prune"),
        ({"pruning_options": {"CF": 0.1}}, "pruning_options are those of a method"),
        ({"pruning": "merge", "pruning_options": {"fraction": 0.5}}, "The options of merge must be among"),
        ({"pruning": "pessimistic", "pruning_options": {"CF": 2}}, "CF must be a float in"),
        ({"pruning": "reduced_error", "pruning_options": {"fraction": 2}}, "fraction must be above 0"),
        ({"pruning": "reduced_error", "pruning_options": {"rows": [400]}}, "must name some but not all"),
        ({"ccp_alpha": "best"}, "ccp_alpha must be a float in [0, inf) or 'cv' or a number of"),
        ({"ccp_alpha": "cv", "cv": 1}, "cv must be an int of at least 2"),
    ],
)
def test_invalid_pruning_gets_a_sentence(noisy, params, sentence):
    with pytest.raises(ValueError, match="Got") as refusal:
        DecisionTreeClassifier(**params).fit(*noisy)
    assert sentence in str(refusal.value)


def test_bad_calls_get_a_sentence(noisy):
    X, y = noisy
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="X and y must be given together"):
        prune(model, "reduced_error", X)
    with pytest.raises(ValueError, match="needs held-out rows"):
        prune(model, "reduced_error")
    with pytest.raises(TypeError, match="model must be a fitted tree of treewright"):
        prune(3, "merge")
    hand = {"feature": 0, "threshold": 0, "left": {"value": [1, 0]}, "right": {"value": [0, 1]}}
    by_hand = DecisionTreeClassifier.from_tree(tree_from_dict(hand), classes=[0, 1])
    with pytest.raises(ValueError, match="needs the impurity of every node"):
        prune(by_hand, "cost_complexity")


def test_costs_of_a_decision_do_not_change_what_nodes_count():
    """Only the costs that the tree was grown with weigh the classes."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    model = DecisionTreeClassifier(max_depth=5).fit(X[:120], y[:120])
    decided = model.with_decision(costs=[[0, 1], [30, 0]])
    plain, dear = (
        prune(each, "reduced_error", X[120:], y[120:], loss="brier", backfit=True)
        for each in (model, decided)
    )
    np.testing.assert_allclose(dear.tree_.impurity[0], plain.tree_.impurity[0])
    np.testing.assert_allclose(dear.tree_.value, plain.tree_.value)
    assert (dear.tree_.label != plain.tree_.label).any()


@pytest.mark.parametrize("costs", [None, [[0, 1, 9], [1, 0, 1], [4, 1, 0]]])
@pytest.mark.parametrize(
    ("method", "options"), [("reduced_error", {"backfit": True}), ("pessimistic", {"raising": True})]
)
def test_a_comparison_prunes_as_a_fit_does(costs, method, options):
    rng = np.random.default_rng(6)
    X = rng.integers(0, 6, size=(300, 4)).astype(float)
    y = (X[:, 0] + rng.integers(0, 4, size=300) > 4).astype(int) + (X[:, 1] > 3)
    model = DecisionTreeClassifier(costs=costs)
    found = treewright.compare_pruning(model, X, y, methods={method: options}, cv=3)[method].tree
    fitted = DecisionTreeClassifier(costs=costs, pruning=method, pruning_options=options).fit(X, y).tree_
    np.testing.assert_array_equal(found.feature, fitted.feature)
    np.testing.assert_array_equal(found.n_node_samples, fitted.n_node_samples)
    for name in ("value", "impurity", "weighted_n_node_samples"):
        np.testing.assert_allclose(getattr(found, name), getattr(fitted, name), rtol=1e-9, atol=1e-12)
