"""Tests that combine columns: found, exact, worth their price, the same whatever the sizes and the order."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import treewright as tw
from tests.oracle import oblique as oracle
from tests.support.oblique_tables import slanted, triangle
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, _core
from treewright.learn.grow import as_tree, settings
from treewright.learn.problem import read_problem
from treewright.tree.tree import tree_from_dict

CLASS_CRITERIA = ("gini", "entropy", "sqrt_gini", "error", "gain_ratio")
NUMBER_CRITERIA = ("squared_error", "absolute_error", "poisson")


# -- what is found


def test_the_sum_of_two_columns_is_one_test_with_coefficients_1_and_1():
    X, y = triangle()
    plain, combined = DecisionTreeClassifier().fit(X, y), DecisionTreeClassifier(oblique=2).fit(X, y)
    assert plain.get_n_leaves() > 40
    assert combined.get_n_leaves() == 2
    assert combined.score(X, y) == 1
    assert combined.tree_.test(0).terms == ((0, 1.0), (1, 1.0))
    assert combined.tree_.test(0).threshold == 1
    assert combined.tree_.how(0) == "combined columns, heuristic"


def test_coefficients_are_in_the_units_of_the_columns():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"income": rng.integers(0, 500, 800), "debt": rng.integers(0, 900, 800)})
    model = DecisionTreeClassifier(oblique=2).fit(X, 2 * X.income - X.debt > 310)
    assert "2 income - debt <= 310" in str(model.tree_)
    assert model.get_n_leaves() == 2


@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
def test_numbers_that_step_along_a_slanted_line(criterion):
    rng = np.random.default_rng(2)
    X = rng.random((600, 3))
    y = np.where(X[:, 0] - X[:, 2] <= 0, 3.0, 5.0) + rng.normal(0, 0.1, 600)
    model = DecisionTreeRegressor(oblique=2, criterion=criterion, max_leaf_nodes=2).fit(X, y)
    assert model.tree_.test(0).terms == ((0, 1.0), (2, -1.0))


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_every_criterion_of_classes(criterion):
    X, y = triangle(500)
    model = DecisionTreeClassifier(oblique=3, criterion=criterion).fit(X, y)
    assert model.tree_.test(0).terms == ((0, 1.0), (1, 1.0))


def test_noise_makes_no_combined_tests():
    rng = np.random.default_rng(3)
    combined = 0
    for _ in range(20):
        model = DecisionTreeClassifier(oblique=3, max_depth=3).fit(
            rng.random((200, 6)), rng.integers(0, 2, 200)
        )
        combined += model.tree_.combinations is not None and len(model.tree_.combinations)
    assert combined <= 15  # of about 140 tests


def test_several_classes_and_several_targets():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(400, 3))
    y = np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7])
    assert DecisionTreeClassifier(oblique=2).fit(X, y).get_n_leaves() <= 5
    both = np.stack([y, y > 0], axis=1)
    assert DecisionTreeClassifier(oblique=2).fit(X, both).tree_.combinations is not None
    numbers = DecisionTreeRegressor(oblique=2, max_depth=3).fit(X, both.astype(float))
    assert numbers.tree_.combinations is not None


# -- from the definition


def rows_by_node(tree, X):
    path = tree.decision_path(X).toarray().astype(bool)
    return [np.flatnonzero(path[:, node]) for node in range(tree.node_count)]


@given(
    st.integers(0, 10**6), st.sampled_from(["gini", "entropy", "squared_error"]), st.booleans(), st.booleans()
)
@examples(0.7)
def test_combined_tests_are_exact_and_pay_their_price(seed, criterion, missing, weighted):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 60, 0.3, 0.1 * missing)
    w = rng.integers(1, 4, len(y)) if weighted else np.ones(len(y), dtype=int)
    classes = criterion != "squared_error"
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    y = y if classes else y * 4 + rng.integers(0, 3, len(y))
    tree = kind(oblique=3, criterion=criterion, max_depth=3, min_samples_leaf=2).fit(X, y, w).tree_
    table = [[None if np.isnan(x) else float(x) for x in row] for row in X]
    for node, rows in enumerate(rows_by_node(tree, X)):
        if tree.is_leaf[node] or not tree.test(node).terms:
            continue
        terms, threshold = tree.test(node).terms, tree.test(node).threshold
        sums = [oracle.sum_of(terms, table[row]) for row in rows]
        here, weights = [int(t) for t in y[rows]], [int(v) for v in w[rows]]
        first = int(tree.missing_child[node]) == 0
        left = [first if x is None else x <= threshold for x in sums]
        exact = oracle.gain(criterion, here, weights, left)
        assert float(exact) == pytest.approx(tree.gain[node], rel=1e-9)
        assert exact >= oracle.best_gain(criterion, sums, here, weights, 2)
        columns = [[table[row][column] for row in rows] for column in range(X.shape[1])]
        best = [
            (oracle.gain(criterion, here, weights, cut), -column, cut)
            for column, x in enumerate(columns)
            for cut in oracle.cuts(x)
            if oracle.allowed(cut, 2)
        ]
        ordinary, _, side = max(best, key=lambda each: each[:2])
        assert exact > ordinary
        total = oracle.mass(criterion, here, weights)
        ours = oracle.log_likelihood(classes, here, weights, left, exact / total, len(terms))
        theirs = oracle.log_likelihood(classes, here, weights, side, ordinary / total, 1)
        ties = sum(each[0] == ordinary for each in best) > 1  # of these another may have been the first
        assert ties or ours - theirs > oracle.price(len(rows), len(terms)) - 1e-6


# -- the same tree


def grown(X, y, kind=DecisionTreeClassifier, **sizes):
    problem = read_problem(kind(oblique=3), X, y)
    growth = settings(problem.params, problem.target, problem.columns.n_columns)
    for name, value in sizes.items():
        setattr(growth, name, value)
    return as_tree(
        _core.grow(problem.columns, problem.target.core, growth), problem.columns, problem.target, None, None
    )


@given(st.integers(0, 10**6), st.booleans())
@examples(0.5)
def test_sizes_at_which_the_core_changes_its_ways_do_not_change_the_tree(seed, classes):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 250, 0.4, 0.05)
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    y = y if classes else y + np.round(rng.normal(size=len(y)), 2)
    trees = [
        grown(
            X, y, kind, sort_below=below, n_threads=threads, max_bins=bins, share_above=0, waiting_bytes=wait
        )
        for below, threads, bins, wait in [(0, 1, 255, -1), (2000, 2, 255, 0), (50, 3, 8, 0), (0, 2, 3, -1)]
    ]
    assert all(tree == trees[0] for tree in trees)


@given(st.integers(0, 10**6))
@examples(0.5)
def test_the_order_of_rows_does_not_change_the_tree(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 200, 0.4, 0.05)
    X[:60] = X[60:120]  # equal rows, of other classes too
    order = rng.permutation(len(y))
    one = DecisionTreeClassifier(oblique=3).fit(X, y).tree_
    other = DecisionTreeClassifier(oblique=3).fit(X[order], y[order]).tree_
    assert one == other


def test_best_first_growth_with_enough_leaves_is_the_whole_tree():
    X, y = slanted(np.random.default_rng(5))
    whole = DecisionTreeClassifier(oblique=2).fit(X, y)
    best = DecisionTreeClassifier(oblique=2, max_leaf_nodes=whole.get_n_leaves()).fit(X, y)
    assert best.tree_ == whole.tree_
    few = DecisionTreeClassifier(oblique=2, max_leaf_nodes=3).fit(X, y)
    assert few.get_n_leaves() == 3


def test_large_nodes_take_their_directions_from_a_sample():
    X, y = triangle(30_000)
    model = DecisionTreeClassifier(oblique=2).fit(X, y)
    assert model.tree_.test(0).terms == ((0, 1.0), (1, 1.0))
    assert model.get_n_leaves() == 2


# -- what a tree of combined tests can do


def test_missing_values_and_branches_of_their_own():
    X, y = slanted(np.random.default_rng(6), 400, 0.05, 0.1)
    for missing in ("learned", "branch"):
        model = DecisionTreeClassifier(oblique=3, missing=missing, max_depth=4).fit(X, y)
        node = int((model.tree_.feature >= 4).argmax())
        test, X_gone = model.tree_.test(node), X[:5].copy()
        assert test.terms
        X_gone[:, test.columns[0]] = np.nan
        assert model.predict(X_gone).shape == (5,)
        assert (model.tree_.value[model.tree_.apply(X)].argmax(axis=2)[:, 0] == y).mean() > 0.9


def test_infinite_values():
    X, y = triangle(400)
    X = np.vstack([X, [[np.inf, 0.5], [np.inf, -np.inf], [-np.inf, 0.1]]])
    y = np.append(y, [0, 0, 1])
    model = DecisionTreeClassifier(oblique=2).fit(X, y)
    frame = pd.DataFrame(X, columns=["a", "b"]).astype({"a": "float32"})
    assert (model.predict(X) == y).mean() > 0.99
    assert model.tree_.apply(X).tolist() == [model.tree_.apply(row[None])[0] for row in X]
    DecisionTreeClassifier(oblique=2).fit(frame, y)


@given(st.integers(0, 10**6))
@examples(0.5)
def test_scales_that_are_far_apart(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1e-320, 1e-300, 1e-12, 1.0, 1e9, 1e150, 1e307], size=4)
    X = rng.normal(size=(80, 4)) * sizes
    y = (X / sizes) @ [1, 1, -1, 0.5] > 0
    model = DecisionTreeClassifier(oblique=3).fit(X, y)
    assert (model.predict(X) == y).all()
    assert model.apply(X).tolist() == model.apply(pd.DataFrame(X)).tolist()


@given(st.integers(0, 10**6))
@examples(0.5)
def test_every_way_to_predict_agrees(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 200, 0.3, 0.05)
    model = DecisionTreeClassifier(oblique=3).fit(X, y)
    leaf = model.apply(X)
    assert leaf.tolist() == model.apply(pd.DataFrame(X)).tolist()
    assert leaf.tolist() == model.apply(np.asfortranarray(X)).tolist()
    mixed = pd.DataFrame(X).astype({0: "Float64"})
    assert leaf.tolist() == model.tree_.apply(mixed).tolist()
    assert (tw.rules(model).predict(X) == model.predict(X)).all()
    dense = np.nan_to_num(X)
    assert model.apply(csr_matrix(dense)).tolist() == model.apply(dense).tolist()
    whole = pd.DataFrame({"a": rng.integers(0, 2**60, 50), "b": rng.integers(0, 2**60, 50)})
    model = DecisionTreeClassifier(oblique=2).fit(whole, whole.a > whole.b)
    assert (model.apply(whole) == model.apply(whole.astype(float))).all()


PRUNINGS = [
    {"ccp_alpha": "cv"},
    {"ccp_alpha": 0.01},
    {"pruning": "reduced_error"},
    {"pruning": "minimum_error"},
    {"pruning": "pessimistic"},
    {"pruning": "pessimistic", "pruning_options": {"raising": True}},
    {"pruning": "pessimistic", "pruning_options": {"raising": "regrown"}},
    {"pruning": "collapse"},
    {"pruning": "leaf_budget", "pruning_options": {"n_leaves": 3}},
    {"smoothing": "hierarchical"},
    {"class_weight": "balanced"},
]


@pytest.mark.parametrize("how", PRUNINGS)
def test_pruning_and_smoothing(how):
    X, y = slanted(np.random.default_rng(7), 300, 0.5)
    model = DecisionTreeClassifier(oblique=3, **how).fit(X, y)
    assert model.score(X, y) > 0.75
    assert model.tree_ == tree_from_dict(model.tree_.to_dict())
    assert model.apply(X).tolist() == model.apply(pd.DataFrame(X)).tolist()


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(9)
    X, y = slanted(rng, 120, 0.2)
    w = rng.integers(1, 4, len(y))
    one = DecisionTreeClassifier(oblique=2, max_depth=1).fit(X, y, w).tree_
    other = DecisionTreeClassifier(oblique=2, max_depth=1).fit(np.repeat(X, w, axis=0), np.repeat(y, w)).tree_
    assert one.test(0).terms == other.test(0).terms
