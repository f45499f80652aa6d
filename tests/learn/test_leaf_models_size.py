"""The size of trees with linear leaves: the tree of least cross-validated loss, and a simpler one."""

import itertools

import numpy as np
import pytest

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.out_of_fold import with_chosen_params
from treewright.learn.leaf_models.ridge import pruned
from treewright.learn.leaf_models.simplest import NodeLosses, error_of_sum, predicting


def a_bent_table(n_rows=600):
    """A strong bend and several weak ones."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n_rows, 3))
    y = 3 * np.abs(X[:, 0]) + 0.4 * np.abs(X[:, 1] - 0.2) + 0.4 * np.sin(6 * X[:, 2])
    return X, y + 0.3 * rng.normal(size=n_rows)


def tops_of(tree):
    """Every way to make nodes leaves so that a tree is left, by the leaves that it has."""

    def below(node):
        if tree.is_leaf[node]:
            return [(node,)]
        first = int(tree.first_child[node])
        return [(node,), *(a + b for a, b in itertools.product(below(first), below(first + 1)))]

    return below(0)


def leaves_of(tree, cut):
    return tuple(sorted({int(node) for node in predicting(tree, cut)[tree.is_leaf]}))


def test_the_simplest_tree_by_definition():
    # Of all tops of the tree: those of least loss for some charge, of these the smallest within the slack.
    X, y = a_bent_table()
    tree = (
        DecisionTreeRegressor(leaf_model="linear", max_leaf_nodes=7, leaf_options={"prune": False})
        .fit(X, y)
        .tree_
    )
    rng, charge, tops = np.random.default_rng(1), 0.5, tops_of(tree)
    for _ in range(50):
        risk = (
            5 * rng.random(tree.node_count)
            + 2 * (tree.node_count - np.arange(tree.node_count)) * rng.random()
        )
        losses = NodeLosses(tree, risk, charge)
        cut = pruned(tree, risk, charge)[0]
        slack = rng.random() * 10
        plain = {top: risk[list(top)].sum() for top in tops}
        least = min(loss + charge * (len(top) - 1) for top, loss in plain.items())
        assert losses.of(cut) == pytest.approx(least)
        best_for_some_charge = {
            min(plain, key=lambda top: (plain[top] + c * (len(top) - 1), len(top)))
            for c in np.linspace(charge, risk[0] + charge, 5_000)
        }
        near = [top for top in best_for_some_charge if plain[top] + charge * (len(top) - 1) <= least + slack]
        found = leaves_of(tree, losses.simplest(cut, slack))
        assert len(found) <= min(map(len, near))
        assert plain[tuple(found)] + charge * (len(found) - 1) <= least + slack + 1e-9


def test_the_error_of_a_sum():
    losses = np.array([1.0, 3.0, 2.0, 6.0])
    assert error_of_sum(np.ones(4), losses) == pytest.approx(2 * np.std(losses))


@pytest.mark.parametrize(
    ("kind", "leaf_model"), [(DecisionTreeRegressor, "linear"), (DecisionTreeClassifier, "logistic")]
)
def test_a_rule_of_standard_errors_gives_a_simpler_tree_and_the_best(kind, leaf_model):
    X, y = a_bent_table(1500)
    y = y if leaf_model == "linear" else y > 1.7
    usual = kind(leaf_model=leaf_model).fit(X, y)
    simple = kind(leaf_model=leaf_model, ccp_alpha="2se").fit(X, y)
    assert simple.get_n_leaves() < usual.get_n_leaves()
    assert simple.best_.tree_ == usual.tree_
    assert simple.best_.ccp_alpha == "cv"
    assert kind(leaf_model=leaf_model, ccp_alpha="cv").fit(X, y).tree_ == usual.tree_
    assert np.isin(simple.tree_.threshold, usual.tree_.threshold)[~simple.tree_.is_leaf].all()
    assert np.array_equal(simple.tree_.leaf_models.constant[0], usual.tree_.leaf_models.constant[0])
    assert abs(simple.score(X, y) - usual.score(X, y)) < 0.1


def test_fit_prefers_a_simpler_tree():
    X, y = a_bent_table(1500)
    result = treewright.fit(X, y, leaf_model="linear")
    assert result.params["ccp_alpha"] == "0.5se"
    assert result.tree_model.get_n_leaves() < result.best.tree_model.get_n_leaves()
    assert result.main_score.value > result.best.main_score.value - 0.02
    assert "best: lowest squared error in cross-validation" in str(result)
    given = treewright.fit(X, y, leaf_model="linear", ccp_alpha="cv", score=False)
    assert given.tree_model.tree_ == result.best.tree_model.tree_
    assert given.best is given


def test_folds_of_other_functions_choose_the_size_again():
    X, y = a_bent_table(1500)
    simple = DecisionTreeRegressor(leaf_model="linear", ccp_alpha="2se").fit(X, y)
    same = with_chosen_params(simple).fit(X, y)
    assert same.tree_ == simple.tree_
    assert same.get_n_leaves() < simple.best_.get_n_leaves()


def test_weighted_rows_count_in_the_standard_error():
    X, y = a_bent_table(400)
    twice = DecisionTreeRegressor(leaf_model="linear", ccp_alpha="1se").fit(
        X, y, sample_weight=np.full(400, 2.0)
    )
    weights = np.r_[np.ones(300), np.zeros(100)]
    some = DecisionTreeRegressor(leaf_model="linear", ccp_alpha="1se").fit(X, y, sample_weight=weights)
    part = DecisionTreeRegressor(leaf_model="linear", ccp_alpha="1se").fit(X[:300], y[:300])
    assert some.get_n_leaves() == part.get_n_leaves()
    assert twice.get_n_leaves() >= 1


@pytest.mark.parametrize(
    ("options", "alpha", "sentence"),
    [
        ({}, 0.5, r"needs ccp_alpha=0\.0, 'cv' or a number of standard errors such as '1se'\. Got 0\.5"),
        ({"m5": {}}, "1se", r"M5P prunes by its own rule"),
    ],
)
def test_refused_rules(options, alpha, sentence):
    X, y = a_bent_table(50)
    model = DecisionTreeRegressor(leaf_model="linear", leaf_options=options, ccp_alpha=alpha)
    if options:
        model.set_params(leaf_options={"m5": {"min_rows": 4.0}})
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)


@pytest.mark.parametrize("kind", ["linear", "logistic"])
def test_reduced_error_pruning_keeps_the_tree_of_least_loss_on_held_out_rows(kind):
    X, y = a_bent_table(1000)
    y = y if kind == "linear" else y > 1.7
    made = DecisionTreeRegressor if kind == "linear" else DecisionTreeClassifier
    options = {"prune": False}
    model = made(leaf_model=kind, leaf_options=options, max_leaf_nodes=7).fit(X[:600], y[:600])
    rows, truth, tree = X[600:], y[600:], model.tree_

    def lost(top):  # by the definition: the loss of every row in the leaf of the pruned tree
        cut = np.isin(np.arange(tree.node_count), top) & ~tree.is_leaf
        predicted = tree.collapse(cut).predict(rows)
        if kind == "linear":
            return ((predicted[:, 0] - truth) ** 2).sum()
        return (predicted.argmax(axis=1) != truth).sum()

    pruned_model = treewright.prune(model, "reduced_error", rows, truth)
    least = min((lost(top), len(top)) for top in tops_of(tree))
    assert pruned_model.pruning_["loss_after"] == pytest.approx(least[0])
    assert pruned_model.get_n_leaves() == least[1] < model.get_n_leaves()
    with pytest.raises(ValueError, match="backfit=True needs leaves that predict a constant"):
        treewright.prune(model, "reduced_error", rows, truth, backfit=True)
    sentence = "Use 'cost_complexity', 'leaf_budget' or 'reduced_error'"
    with pytest.raises(ValueError, match=sentence):
        treewright.prune(model, "pessimistic")
