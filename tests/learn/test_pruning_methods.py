"""What holds for every pruning method and every kind of tree."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.pruning_problems import MISSING, problem
from tests.support.strategies import examples
from treewright.learn.pruning import COLLAPSE, GROWN_ON, METHODS, NO_ROWS, method_of, rebuild
from treewright.tree.tree import STOPS, tree_from_dict

# What to try besides the defaults; a method that is not here is tried with those.
OPTIONS = {
    "cost_complexity": [
        {"alpha": 0.02},
        {"alpha": 0.05, "rule": "rpart"},
        {"alpha": 0.01, "risk": "error"},
        {"alpha": 0.1, "risk": "error", "rule": "rpart"},
    ],
    "reduced_error": [{"form": "greedy"}],
    "pessimistic": [
        {"raising": False},
        {"CF": 0.05},
        {"bound": "table", "CF": 0.5},
        {"bound": "normal", "collapse": False},
    ],
    "minimum_error": [{"m": 0.0}, {"m": 20.0}, {"m": 3.0, "prior": "uniform"}],
    "leaf_budget": [{"n_leaves": 1}, {"n_leaves": 4}, {"n_leaves": 5, "risk": "error"}],
}
TRIES = [(name, options) for name in METHODS for options in [{}, *OPTIONS.get(name, [])]]
SEEDS = st.integers(0, 2**32 - 1)


def only_for_classes(name, options):
    return METHODS[name].for_classes or options.get("risk") == "error"


def rows_of(made, name):
    return made.grown_on if METHODS[name].rows == GROWN_ON else made.held


def same_tests(new, old, decision):
    """Every node of the new tree has the test of one of the old; a raised child stands for its parent."""
    pairs = [(0, 0)]
    for i, start in pairs:
        j = start
        while decision[j] >= 0:
            j = int(old.first_child[j]) + int(decision[j])
        if decision[j] == COLLAPSE or not old.n_children[j]:
            assert new.n_children[i] == 0
            continue
        assert new.n_children[i] == old.n_children[j]
        assert new.missing_child[i] == old.missing_child[j]
        assert repr(new.test(i)) == repr(old.test(j))  # as text, since NaN is not NaN
        places = [
            [] if tree.surrogates is None else tree.surrogates.of(k) for tree, k in ((new, i), (old, j))
        ]
        tested = [
            [repr(tree.surrogates.test(place)) for place in of]
            for tree, of in zip((new, old), places, strict=True)
        ]
        assert tested[0] == tested[1]
        pairs += [
            (int(new.first_child[i]) + k, int(old.first_child[j]) + k) for k in range(new.n_children[i])
        ]
    assert len(pairs) == new.node_count


@pytest.mark.parametrize(("name", "options"), TRIES, ids=str)
@given(seed=SEEDS)
@examples(0.75)
def test_a_pruned_tree_is_part_of_the_tree_and_pruning_it_again_changes_nothing(name, options, seed):
    made = problem(seed, classes=True if only_for_classes(name, options) else None, most_leaves=16)
    before = pickle.dumps(made.tree)
    rows = rows_of(made, name)
    tree, decision, report = METHODS[name](made.tree, rows, **options)
    assert pickle.loads(before) == made.tree
    assert isinstance(report, dict)
    assert tree.n_leaves <= made.tree.n_leaves
    assert tree.max_depth <= made.tree.max_depth
    assert tree.weighted_n_node_samples[0] == pytest.approx(made.tree.weighted_n_node_samples[0])
    same_tests(tree, made.tree, decision)
    assert METHODS[name].prune(tree, rows, **options) == tree


@pytest.mark.parametrize("name", METHODS)
def test_a_root_alone_stays_what_it_is(name):
    made = problem(1, classes=True)
    root = made.tree.collapse(np.arange(made.tree.node_count) == 0)
    assert METHODS[name].prune(root, rows_of(made, name)) == root


@pytest.mark.parametrize("name", METHODS)
def test_options_and_rows_are_checked(name):
    made, method = problem(1, classes=True), method_of(name)
    with pytest.raises(ValueError, match="must be among"):
        method(made.tree, rows_of(made, name), no_such_option=1)
    for option in method.options:
        assert method.checked({})[option.name] == option.default
        assert option.description.endswith((".", "more."))
        with pytest.raises(ValueError, match=rf"{option.name} must be"):
            method(made.tree, rows_of(made, name), **{option.name: object()})
    if method.needs() != NO_ROWS:
        with pytest.raises(ValueError, match="Give X and y"):
            method(made.tree)
    if method.for_classes:
        numbers = problem(2, classes=False)
        with pytest.raises(ValueError, match="a tree for classes"):
            method(numbers.tree, rows_of(numbers, name))


def test_a_wrong_name_or_option_gets_a_sentence():
    tree = problem(1, classes=True).tree
    with pytest.raises(ValueError, match="must be one of 'cost_complexity'"):
        method_of("cost")
    with pytest.raises(ValueError, match="Did you mean 'n_leaves'"):
        METHODS["leaf_budget"](tree, n_leafs=3)
    for risk in ("cost", "error"):
        with pytest.raises(ValueError, match="tree for classes"):
            METHODS["leaf_budget"](problem(2, classes=False).tree, risk=risk)
    with pytest.raises(ValueError, match="'cost' needs a tree with costs"):
        METHODS["leaf_budget"](tree_from_dict({"value": [0.5, 0.5], "classes": ["a", "b"]}), risk="cost")


def test_raising_needs_rows_only_if_it_is_wanted():
    method = METHODS["pessimistic"]
    assert (method.needs(), method.needs(raising=False)) == (GROWN_ON, NO_ROWS)


# -- single methods


@given(seed=SEEDS, missing=st.sampled_from(["learned", "branch", "surrogate"]))
@examples()
def test_merging_changes_no_decision(seed, missing):
    made = problem(seed, classes=True, missing=missing, most_leaves=20)
    tree = METHODS["merge"].prune(made.tree)
    for rows in (made.grown_on, made.held):
        assert_array_equal(tree.labels(rows.columns), made.tree.labels(rows.columns))
    inner = np.flatnonzero(~tree.is_leaf)
    for node in inner:  # no siblings are left that say the same as their parent
        children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        agree = (tree.label[children] == tree.label[node]).all()
        assert not (tree.is_leaf[children].all() and agree)


def test_equal_numbers_are_merged():
    leaf = {"value": 0.1, "weight": 3}
    below = {"feature": 1, "threshold": 1, "left": leaf, "right": dict(leaf)}
    tree = tree_from_dict({"feature": 0, "threshold": 0, "left": below, "right": {"value": 0.1, "weight": 1}})
    assert METHODS["merge"].prune(tree).node_count == 1


@pytest.mark.parametrize("missing", MISSING)
def test_less_confidence_and_a_stronger_prior_prune_more(missing):
    made = problem(11, classes=True, missing=missing, most_leaves=30)
    leaves = [
        METHODS["pessimistic"].prune(made.tree, raising=False, CF=cf).n_leaves for cf in (0.9, 0.25, 0.001)
    ]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > leaves[-1]
    leaves = [METHODS["minimum_error"].prune(made.tree, m=m).n_leaves for m in (0, 2, 1000)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > leaves[-1]


def test_rows_that_stop_count_for_the_node_where_they_stop():
    nested = {
        "feature": 0, "threshold": 0, "missing": "stop", "weight": 20, "impurity": 0.5, "value": [0.5, 0.5],
        "left": {"weight": 4, "value": [1.0, 0.0]}, "right": {"weight": 6, "value": [0.0, 1.0]},
        "classes": ["a", "b"],
    }  # fmt: skip
    tree = tree_from_dict(nested)
    assert tree.missing_child[0] == STOPS
    found = METHODS["cost_complexity"].run(tree, alpha=0.2499)
    assert found.tree.n_leaves == 2  # 10 rows of impurity 0.5 stop, so a leaf of 20 rows costs 5 / 20 more
    assert METHODS["cost_complexity"].prune(tree, alpha=0.2501).n_leaves == 1
    assert METHODS["leaf_budget"].run(tree, n_leaves=2).report["risks"].tolist() == [0.5, 0.25]


def test_decisions_are_checked():
    tree = problem(3).tree
    for wrong in (np.full(tree.node_count, -3), np.full(tree.node_count, 9), [-1]):
        with pytest.raises(ValueError, match="decision must"):
            rebuild(tree, wrong)
