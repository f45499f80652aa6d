"""What C5.0 does beyond C4.5's pruning: branches grown anew, small siblings judged as one, joining."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix

from tests.support.pruning_problems import problem
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, prune
from treewright.learn.classics import c50
from treewright.learn.pruning import METHODS, refit
from treewright.learn.pruning.bounds import expected_errors
from treewright.learn.pruning.branches import join_branches
from treewright.learn.pruning.pieces import side_by_side
from treewright.learn.pruning.rebuild import gather
from treewright.tree.tree import tree_from_dict

SEEDS = st.integers(0, 2**32 - 1)
pessimistic = METHODS["pessimistic"]


# -- several trees in one


@given(seed=SEEDS, missing=st.sampled_from(["learned", "surrogate", "fractional"]))
@examples(0.5)
def test_trees_side_by_side_are_still_there(seed, missing):
    tree = problem(seed, classes=True, missing=missing, most_leaves=12).tree
    every_third = np.arange(tree.node_count) % 3 == 2
    trees = [tree, tree.collapse(np.arange(tree.node_count) == 0), tree.collapse(every_third)]
    together, starts = side_by_side(trees)
    for tree, start in zip(trees, starts, strict=True):
        order = start + np.arange(tree.node_count)
        again = gather(together, order, order, ~tree.is_leaf)
        assert_array_equal(again.first_child, tree.first_child)
        assert again.surrogates == tree.surrogates
        assert [repr(again.test(node)) for node in range(tree.node_count)] == [
            repr(tree.test(node)) for node in range(tree.node_count)
        ]


# -- small siblings


def flat(*leaves):
    """A test with a branch for each leaf, which is given by its counts."""
    total = np.sum(leaves, axis=0)
    return tree_from_dict(
        {
            "feature": "level",
            "levels": [[str(k)] for k in range(len(leaves))],
            "children": [
                {"value": (np.array(one) / sum(one)).tolist(), "weight": float(sum(one))} for one in leaves
            ],
            "value": (total / total.sum()).tolist(),
            "weight": float(total.sum()),
            "feature_names": ["level"],
            "classes": ["no", "yes"],
            "columns": [{"kind": "nominal", "levels": [str(k) for k in range(len(leaves))]}],
        }
    )


def rows_of(tree, *leaves):
    """As many rows as the leaves count."""
    from treewright.learn.pruning import rows_for

    X, y = [], []
    for level, counts in enumerate(leaves):
        for label, count in zip(tree.classes, counts, strict=True):
            X += [[str(level)]] * count
            y += [label] * count
    return rows_for(tree, np.array(X, dtype=object), np.array(y), criterion="entropy")


def test_small_siblings_count_as_one_leaf():
    leaves = [(0, 1), (2, 0), (0, 1), (0, 1)]
    tree = flat(*leaves)
    rows = rows_of(tree, *leaves)
    options = {"bound": "table", "collapse": False}
    alone = 3 * expected_errors(1, 0, 0.25, "table") + expected_errors(2, 0, 0.25, "table")
    pooled = expected_errors(3, 0, 0.25, "table") + expected_errors(2, 0, 0.25, "table")
    leaf = expected_errors(5, 2, 0.25, "table")
    assert pooled + 0.1 < leaf <= alone + 0.1
    assert pessimistic.prune(tree, rows, **options).node_count == 1
    assert pessimistic.prune(tree, rows, pool=2, **options).node_count == 5
    # Of different classes they do not make one good leaf.
    mixed = [(0, 1)] * 4 + [(1, 0)] * 3
    tree = flat(*mixed)
    assert pessimistic.prune(tree, rows_of(tree, *mixed), pool=2, **options).node_count == 1


# -- joining


def nested_levels():
    leaf = {"value": [1.0, 0.0], "weight": 2.0}
    below = {
        "feature": "colour",
        "levels": [["red"], ["green"], ["blue", "white"]],
        "children": [leaf, {"value": [0.0, 1.0], "weight": 2.0}, {"value": [0.5, 0.5], "weight": 0.0}],
        "value": [0.5, 0.5],
        "weight": 4.0,
        "missing": "stop",
    }
    return {
        "feature": "colour",
        "levels": [["red", "green"], ["blue"], ["white"]],
        "children": [below, {"value": [0.0, 1.0], "weight": 3.0}, {"value": [0.1, 0.9], "weight": 3.0}],
        "value": [0.3, 0.7],
        "weight": 10.0,
        "missing": "stop",
        "feature_names": ["colour"],
        "classes": ["no", "yes"],
        "columns": [{"kind": "nominal", "levels": ["red", "green", "blue", "white"]}],
    }


def test_leaves_of_one_class_are_joined_and_levels_that_cannot_come_are_apart():
    tree = join_branches(tree_from_dict(nested_levels()), "all")
    assert tree.test(0).levels == ((0, 1), (2, 3))
    assert tree.test(1).levels == ((0,), (1,), (2, 3))
    assert tree.node_count == 6
    assert join_branches(tree, "all") == tree
    assert join_branches(tree, "none") is tree


def test_empty_branches_are_joined_with_others_or_among_themselves():
    def made(counts):
        tree = flat(*counts)
        weight = tree.weighted_n_node_samples.copy()
        weight[[1, 3]] = 0.0
        return replace(tree, weighted_n_node_samples=weight)

    tree = made([(2, 1), (5, 1), (3, 1), (0, 4)])
    assert join_branches(tree, "all").test(0).levels == ((0, 1, 2), (3,))
    assert join_branches(tree, "filled").test(0).levels == ((0, 2), (1,), (3,))
    # A test keeps two branches.
    same = made([(2, 1), (5, 1), (3, 1), (4, 1)])
    assert join_branches(same, "all") == same


@given(seed=SEEDS, missing=st.sampled_from(["learned", "branch", "fractional"]))
@examples(0.75)
def test_joining_changes_no_decision(seed, missing):
    made = problem(seed, classes=True, missing=missing, most_leaves=20)
    tree = refit(join_branches(made.tree, "all"), made.grown_on)
    assert tree.weighted_n_node_samples[0] == pytest.approx(made.tree.weighted_n_node_samples[0])
    if missing == "fractional":  # a shared row is judged by the mean over its leaves
        return
    for rows in (made.grown_on, made.held):
        assert_array_equal(tree.labels(rows.columns), made.tree.labels(rows.columns))


# -- branches grown anew


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] * X[:, 1] + rng.normal(0, 0.8, 300) > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


OPTIONS = {"raising": "regrown", "bound": "table", "collapse": False, "pool": 2}


@pytest.mark.parametrize("missing", ["fractional", "learned", "surrogate"])
def test_a_raised_test_gets_new_branches(noisy, missing):
    X, y = noisy
    params = {"criterion": "entropy", "missing": missing, "min_samples_leaf": 2}
    model = DecisionTreeClassifier(pruning="pessimistic", pruning_options=OPTIONS, **params).fit(X, y)
    tree, report = model.tree_, model.pruning_
    assert report["raised"] > 0
    assert report["regrown"] > report["raised"]
    assert tree.weighted_n_node_samples[tree.is_leaf].sum() == pytest.approx(len(y))
    again = DecisionTreeClassifier(pruning="pessimistic", pruning_options=OPTIONS, **params).fit(X, y)
    assert again.tree_ == tree


def test_branches_grow_from_any_kind_of_table(noisy):
    pd = pytest.importorskip("pandas")
    X, y = np.maximum(noisy[0], 0).round(2), noisy[1]
    params = {
        "criterion": "entropy",
        "missing": "fractional",
        "min_samples_leaf": 2,
        "thresholds": "recorded",
    }
    model = DecisionTreeClassifier(pruning="pessimistic", pruning_options=OPTIONS, **params)
    tree = model.fit(X, y).tree_
    assert model.pruning_["regrown"] > 0
    for table in (csc_matrix(X), np.asfortranarray(X), X.tolist(), X[::-1][::-1]):
        assert model.fit(table, y).tree_ == tree
    named = model.fit(pd.DataFrame(X, columns=list("abc")), y).tree_
    assert_array_equal(named.threshold, tree.threshold)
    single = X.astype(np.float32)
    assert model.fit(single, y).tree_ == model.fit(single.astype(float), y).tree_
    whole = np.nan_to_num(100 * X).round().astype(np.int16)
    assert model.fit(whole, y).tree_ == model.fit(whole.astype(float), y).tree_


def test_recorded_thresholds_are_values_of_the_table(noisy):
    X, y = noisy
    model = DecisionTreeClassifier(
        criterion="entropy",
        missing="fractional",
        min_samples_leaf=2,
        thresholds="recorded",
        pruning="pessimistic",
        pruning_options=OPTIONS,
    ).fit(X, y)
    assert model.pruning_["regrown"] > 0
    for node in np.flatnonzero(~model.tree_.is_leaf):
        assert model.tree_.threshold[node] in X[:, model.tree_.feature[node]]


def test_errors_may_leave_costs_out(noisy):
    X, y = noisy
    params = {"criterion": "entropy", "missing": "learned", "pruning": "pessimistic"}
    plain = DecisionTreeClassifier(**params).fit(X, y).tree_
    costs = {"costs": [[0, 1], [9, 0]], "growth_rules": {"costs": "decision"}}
    options = {"errors": "heaviest"}
    decides = DecisionTreeClassifier(**params, **costs, pruning_options=options).fit(X, y).tree_
    assert replace(decides, costs=None) == plain
    weighed = DecisionTreeClassifier(
        **params, costs=costs["costs"], pruning_options={"errors": "weighed"}
    ).fit(X, y)
    assert_allclose(weighed.tree_.value[0, 0], [np.mean(y == 0), np.mean(y == 1)])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"raising": "regrown"}, "which only `fit` can do"),
        ({"raising": False, "pool": 2.0}, "pool=2.0 needs the training rows"),
        ({"raising": False, "join": "all"}, "join='all' needs the training rows"),
        ({"raising": "sideways"}, "raising must be True or False or one of 'regrown', 'unchanged'"),
        ({"join": "some"}, "join must be one of"),
    ],
)
def test_what_does_not_go_together_gets_a_sentence(noisy, options, sentence):
    X, y = noisy
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="Got") as refusal:
        prune(model, "pessimistic", X, y, **options)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("subset", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_level_without_rows_is_no_obstacle_to_costs(subset, classes):
    """Its leaf weighs nothing, and has the shares of its parent, not NaN."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 4, (200, 2))
    X = pd.DataFrame(
        {name: pd.Categorical.from_codes(levels[:, k], list("abcdef")) for k, name in enumerate("uv")}
    )
    y = np.where(rng.random(200) < 0.2, rng.integers(0, classes, 200), levels.sum(axis=1) % classes)
    model = c50(costs=np.where(np.eye(classes), 0, 3).tolist(), subset=subset).fit(X, y)
    assert model.tree_.node_count > 1
    assert np.isfinite(model.tree_.value).all()
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_c50_joins_leaves_by_their_costs_alone():
    """Rows weigh more by their costs while a tree is grown; this does not count again in a leaf's class."""
    groups = {"b1": "ppppq", "b2": "pqqqq", "b3": "p" * 16}
    rows = [("w", level, label) for level, labels in groups.items() for label in labels]
    rows += [("z", level, "q") for level in groups for _ in range(20)]
    frame = pd.DataFrame(rows, columns=["a", "b", "y"]).astype({"a": "category", "b": "category"})
    tree = c50(costs=[[0, 3], [1, 0]]).fit(frame[["a", "b"]], frame["y"]).tree_
    assert tree.test(1).levels == ((0, 2), (1,))  # b1, where p costs 3 and q costs 4, goes with b3
