"""What the pruning methods stand on: rebuilding, sending rows down, counting nodes anew, limits of errors."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.pruning_problems import MISSING, problem
from tests.support.random_trees import core_columns, random_rows, random_tree, walk
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.pruning import KEEP, METHODS, Rows, backfitted, held_out, rebuild, refit, rows_for
from treewright.learn.pruning.bounds import expected_errors
from treewright.learn.pruning.rebuild import branch
from treewright.learn.pruning.tallies import arrivals, tallies
from treewright.tree.tree import tree_from_dict

SEEDS = st.integers(0, 2**32 - 1)
COUNTED = ("n_node_samples", "weighted_n_node_samples", "impurity", "value", "gain", "share")


def close(one, other, names=COUNTED):
    for name in names:
        assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9, err_msg=name)


# -- rebuilding


@given(SEEDS)
@examples(2)
def test_gathering_nodes_is_collapsing_where_none_is_raised(seed):
    tree = tree_from_dict(random_tree(seed)) if seed % 2 else problem(seed).tree
    cut = np.random.default_rng(seed).random(tree.node_count) < 0.2
    decision = np.where(cut, -2, -1)
    gathered, order = branch(tree, 0, decision)
    assert gathered == tree.collapse(cut) == rebuild(tree, decision)
    assert_array_equal(gathered.value, tree.value[order])


@given(SEEDS)
@examples(2)
def test_a_raised_child_takes_the_place_of_its_parent(seed):
    tree, rng = tree_from_dict(random_tree(seed)), np.random.default_rng(seed)
    inner = np.flatnonzero(~tree.is_leaf)
    if not len(inner):
        return
    node = int(rng.choice(inner))
    decision = np.full(tree.node_count, KEEP)
    decision[node] = rng.integers(tree.n_children[node])
    raised = rebuild(tree, decision)
    for row in random_rows(seed, 20):
        if node not in walk(tree, row)[1]:  # its way is what it was; values tell nodes apart
            ends_at, was_at = walk(raised, row)[0], walk(tree, row)[0]
            named = [{tree_.value[k, 0, 0]: share for k, share in found.items()}
                     for tree_, found in ((raised, ends_at), (tree, was_at))]  # fmt: skip
            assert named[0] == pytest.approx(named[1])
    child = int(tree.first_child[node] + decision[node])
    alone, _ = branch(tree, child, np.full(tree.node_count, KEEP))
    if node == 0:
        assert raised == alone
    assert (
        raised.node_count
        == tree.node_count - branch(tree, node, decision * 0 - 1)[0].node_count + alone.node_count
    )


def test_chains_of_raised_children_are_followed():
    leaf = {"value": 1.0}
    chain = {"feature": 0, "threshold": 3.0, "left": dict(leaf), "right": {"value": 9.0}}
    for threshold in (2.0, 1.0, 0.0):
        chain = {"feature": 0, "threshold": threshold, "left": dict(leaf), "right": chain}
    tree = tree_from_dict(chain)
    decision = np.where(np.isin(tree.threshold, [0.0, 1.0, 2.0]), 1, -1)
    assert rebuild(tree, decision).threshold.tolist() == [3.0, -2.0, -2.0]


# -- sending rows down


@given(SEEDS)
@examples(2)
def test_tallies_are_those_of_the_rows_that_pass(seed):
    tree, rng = tree_from_dict(random_tree(seed)), np.random.default_rng(seed)
    rows = random_rows(seed, 40)
    y, weight = rng.integers(0, 9, (40, 1)) * 1.0, rng.integers(0, 3, 40) * 1.0
    found = tallies(tree, arrivals(tree, core_columns(tree, rows), weight), y)
    wanted = np.zeros((tree.node_count, 4))
    for row, (target,), w in zip(rows, y, weight, strict=True):
        passed = {}
        for end, share in walk(tree, row)[0].items():
            while end >= 0:
                passed[end] = passed.get(end, 0) + share
                end = int(tree.parent[end])  # noqa: PLW2901
        for node, share in passed.items():
            wanted[node] += [w > 0, w * share, w * share * target, w * share * target**2]
    assert_array_equal(found.n, wanted[:, 0])
    assert_allclose(found.weight, wanted[:, 1], atol=1e-9)
    assert_allclose(found.sums[:, 0], wanted[:, 2:], atol=1e-9)


def even_shares(tree):
    siblings = np.where(tree.parent < 0, 1, tree.n_children[np.maximum(tree.parent, 0)])
    return 1.0 / siblings


@pytest.mark.parametrize("missing", MISSING)
@given(seed=SEEDS)
@examples()
def test_counting_the_rows_of_growing_anew_gives_the_grown_tree(missing, seed):
    made = problem(seed, missing=missing)
    blank = replace(
        made.tree,
        impurity=np.zeros(made.tree.node_count),
        value=made.tree.value[::-1],
        share=even_shares(made.tree) if len(made.tree.share) else [],
    )
    # with surrogates and shares a tree is grown by the gain over rows that have the value
    names = [name for name in COUNTED if name != "gain" or missing in ("learned", "branch")]
    close(refit(blank, made.grown_on), made.tree, names)
    nothing = np.zeros(made.tree.node_count, dtype=bool)
    assert refit(made.tree, made.held, only=nothing) == made.tree


@given(SEEDS)
@examples()
def test_backfitting_adds_the_held_out_rows(seed):
    made = problem(seed, missing="learned")
    if made.grown_on.criterion == "absolute_error":
        with pytest.raises(ValueError, match="medians"):
            backfitted(made.tree, made.held)
        return
    both = Rows(
        np.concatenate([made.grown_on.X, made.held.X]),
        np.concatenate([made.grown_on.y, made.held.y]),
        np.concatenate([made.grown_on.weight, made.held.weight]),
        made.tree.column_types,
        made.grown_on.criterion,
        growth_costs=made.tree.costs,
    )
    close(backfitted(made.tree, made.held), refit(made.tree, both))
    pruned = METHODS["reduced_error"](made.tree, made.held, backfit=True)
    assert pruned.tree == backfitted(rebuild(made.tree, pruned.decision), made.held)


def test_a_node_without_rows_predicts_as_its_parent():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"]).tree_
    anew = refit(tree, rows_for(tree, [[0.0], [0.0]], ["b", "b"]))
    empty = anew.weighted_n_node_samples == 0
    assert empty.any()
    assert (anew.value[:, 0] == [0, 1]).all()
    assert not anew.impurity.any()


# -- rows


def test_rows_are_checked():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], ["a", "b"]).tree_
    with pytest.raises(ValueError, match="only the classes"):
        rows_for(tree, [[0.0]], ["c"])
    with pytest.raises(ValueError, match="one entry per row"):
        rows_for(tree, [[0.0]], ["a", "b"])
    with pytest.raises(ValueError, match="one per output"):
        rows_for(tree, [[0.0]], [["a", "b"]])
    with pytest.raises(ValueError, match="must not be negative"):
        rows_for(tree, [[0.0]], ["a"], [-1.0])
    tree = DecisionTreeRegressor().fit([[0.0], [1.0]], [[1.0, 2.0], [3.0, 4.0]]).tree_
    assert rows_for(tree, [[0.0]], [[1.0, 2.0]]).y.shape == (1, 2)


@given(st.integers(2, 60), st.sampled_from([0.1, 1 / 3, 0.5, 0.9]), SEEDS)
@examples(3)
def test_held_out_rows_are_a_part_of_every_class(n_rows, fraction, seed):
    y = np.random.default_rng(seed).integers(0, 3, n_rows)
    grow, prune = held_out(y, fraction, seed % 1000)
    assert_array_equal(np.sort(np.concatenate([grow, prune])), np.arange(n_rows))
    assert len(grow)
    assert len(prune)
    for k in range(3):
        count = (y == k).sum()
        assert abs((y[prune] == k).sum() - fraction * count) <= 1 + count / n_rows


def test_holding_out_is_checked():
    with pytest.raises(ValueError, match="at least two"):
        held_out([1])
    with pytest.raises(ValueError, match="fraction must"):
        held_out([1, 2], 1.0)
    assert held_out([1.5, 2.5, 3.5], by_class=False).prune.shape == (1,)


# -- limits of errors


@pytest.mark.parametrize("cf", [0.05, 0.25, 0.5])
def test_the_exact_limit_is_that_of_the_binomial(cf):
    for n, e in [(1, 0), (6, 0), (9, 1), (16, 5), (30, 29)]:
        p = float(expected_errors(n, e, cf)) / n
        assert sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(e + 1)) == pytest.approx(
            cf, rel=1e-9
        )
    assert expected_errors([7, 0], [7, 0], cf).tolist() == [7, 0]


def test_the_limits_of_the_textbook():
    """Quinlan 1993, section 4.2: U(0, 6), U(0, 9) and U(0, 1) at 25 %; with an error C4.5 approximates."""
    for bound in ("exact", "table", "normal"):
        limits = expected_errors([6, 9, 1], [0, 0, 0], 0.25, bound) / [6, 9, 1]
        assert_allclose(limits, [0.206, 0.143, 0.750], atol=6e-4)
    assert float(expected_errors(16, 1, 0.25, "table")) / 16 == pytest.approx(0.157, abs=6e-4)


@pytest.mark.parametrize("bound", ["exact", "table", "normal"])
def test_limits_rise_with_errors_and_rows(bound):
    errors = np.linspace(0, 9 if bound == "table" else 10, 37)  # where nearly all are wrong, the table jumps
    found = expected_errors(10.0, errors, 0.25, bound)
    assert (np.diff(found) > -1e-9).all()
    assert (found >= errors).all()
    more = expected_errors(np.linspace(2, 50, 49), 1.0, 0.25, bound)
    assert (np.diff(more) > -1e-9).all()
    with pytest.raises(ValueError, match="bound must be"):
        expected_errors(1, 0, 0.25, "other")
