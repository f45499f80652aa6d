"""Global pruning: the cheapest branches of the tree as a whole go, within a standard error."""

from dataclasses import replace
from math import sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.pruning_problems import problem
from tests.support.strategies import examples
from treewright.learn.pruning import refit
from treewright.learn.pruning.global_pruning import within_error
from treewright.tree.tree import tree_from_dict

SEEDS = st.integers(0, 2**32 - 1)


def within_error_slowly(tree, wrong, k, dropped=0.0):
    """Cut what costs least per leaf, counted anew each time."""
    weight = tree.weighted_n_node_samples
    errors = np.round(weight * (1 - tree.value[:, 0].max(axis=1)))
    inner, spent = set(np.flatnonzero(~tree.is_leaf).tolist()), 0.0
    limit = k * sqrt(wrong * (1 - wrong / (weight[0] + dropped)))

    def leaves(node):
        if node not in inner:
            return [node]
        below = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        return [leaf for child in below for leaf in leaves(child)]

    def total(cut=()):
        kept = inner - set(cut)
        found, waiting = 0.0, [0]
        for node in waiting:
            if node in kept:
                waiting += range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
            else:
                found += errors[node]
        return found

    while True:
        extra = {node: errors[node] - errors[leaves(node)].sum() for node in inner}
        cost = {
            node: extra[node] / max(1, sum(weight[leaf] > 0 for leaf in leaves(node)) - 1)
            for node in inner
            if spent + extra[node] <= limit
        }
        if not cost:
            return inner
        least = [node for node in cost if cost[node] <= min(cost.values()) + 1e-9]
        price = total(least) - total()
        if spent + price > limit:
            return inner
        spent += price
        for node in least:
            inner -= below_or_at(tree, node)


def below_or_at(tree, node):
    found = [node]
    for at in found:
        found += range(tree.first_child[at], tree.first_child[at] + tree.n_children[at])
    return set(found)


@given(seed=SEEDS, k=st.sampled_from([0.0, 0.5, 1.0, 2.0, 5.0]))
@examples()
def test_the_cheapest_branches_go_within_the_standard_error(seed, k):
    made = problem(seed, classes=True, missing="learned", most_leaves=16)
    # Whole weights, so that nothing is lost in single precision.
    whole = replace(made.grown_on, weight=np.ceil(made.grown_on.weight))
    tree = refit(replace(made.tree, costs=None), whole)
    wrong = float((whole.weight * (tree.labels(whole.columns) != whole.y)[:, 0]).sum())
    for rows, dropped in ((whole, 0.0), (None, 0.0), (None, 40.0)):
        cut = within_error(tree, rows, k, dropped)
        left = tree.collapse(cut)
        expected = within_error_slowly(tree, wrong, k, dropped)
        assert left.n_leaves == tree.collapse(~np.isin(np.arange(tree.node_count), [*expected])).n_leaves
        assert_array_equal(np.isin(np.flatnonzero(cut), [*expected]), False)


def test_without_errors_there_is_no_room():
    leaf = {"value": [1.0, 0.0], "weight": 5.0}
    other = {"value": [0.0, 1.0], "weight": 3.0}
    tree = tree_from_dict(
        {"feature": 0, "threshold": 0, "left": leaf, "right": other, "value": [0.625, 0.375], "weight": 8.0}
        | {"classes": ["a", "b"]}
    )
    for k in (0.0, 1.0):
        assert not within_error(tree, None, k).any()
