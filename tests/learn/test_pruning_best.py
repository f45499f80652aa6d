"""Methods that promise the best pruned tree, beside an oracle that tries every pruned tree."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.prune_search import best_by_size, prunings, risk_of, smallest_best
from tests.support.pruning_problems import problem
from tests.support.random_trees import core_columns, random_rows, random_tree
from tests.support.strategies import examples
from treewright.learn.pruning import METHODS, Rows, budget_curve, decision_for, node_risk, rebuild, sequence
from treewright.learn.pruning.losses import losses
from treewright.learn.pruning.minimum_error import _rate
from treewright.learn.pruning.risk import stopped_risk
from treewright.tree.tree import STOPS, tree_from_dict
from treewright.tree.walks import sum_below

SEEDS = st.integers(0, 2**32 - 1)


def links(tree):
    return tree.first_child.tolist(), tree.n_children.tolist()


def leaves_of(tree, decision):
    """The old numbers of the nodes that are leaves after pruning."""
    cut = (np.asarray(decision) == -2) | tree.is_leaf
    above = np.zeros(tree.node_count, dtype=bool)
    above[1:] = tree.over_ancestors(np.logical_or, cut)[tree.parent[1:]]
    return tuple(np.flatnonzero(cut & ~above).tolist())


def any_tree(seed):
    """A grown tree, or one written down, where rows stop at inner nodes and leaves may be the worse ones."""
    if seed % 3:
        return problem(seed).tree
    tree = tree_from_dict(random_tree(seed))
    tree = tree if tree.n_leaves <= 12 else tree.collapse(tree.depth >= 2)
    rng = np.random.default_rng(seed)
    impurity, weight = rng.integers(0, 9, tree.node_count) / 8, rng.integers(0, 5, tree.node_count) * 1.0
    weight[~tree.is_leaf & (tree.missing_child != STOPS)] = 0
    return replace(tree, impurity=impurity, weighted_n_node_samples=sum_below(tree, weight))


def risks_of(tree, risk):
    return node_risk(tree, risk).tolist(), stopped_risk(tree, risk).tolist()


def choose_risk(tree, seed):
    classes, costs = tree.classes is not None, tree.costs is not None
    names = ["impurity"] + ["error"] * classes + ["cost"] * costs
    return names[seed % len(names)]


@given(SEEDS)
@examples(2)
def test_leaf_budget_is_the_best_of_every_size(seed):
    tree = any_tree(seed)
    risk = choose_risk(tree, seed)
    curve = budget_curve(tree, risk)
    wanted = best_by_size(links(tree), *risks_of(tree, risk))
    scale = max(float(tree.weighted_n_node_samples[0]), 1.0)
    sizes = (np.flatnonzero(np.isfinite(curve.risks)) + 1).tolist()
    assert sizes == sorted(wanted)
    for size in sizes:
        assert curve.risks[size - 1] * scale == pytest.approx(float(wanted[size]), abs=1e-9 * scale)
        decision = decision_for(tree, curve, size)
        leaves = leaves_of(tree, decision)
        assert len(leaves) == size == rebuild(tree, decision).n_leaves
        found = risk_of(leaves, links(tree), *risks_of(tree, risk))
        assert float(found) == pytest.approx(float(wanted[size]), abs=1e-9 * scale)


def test_leaf_budget_with_few_leaves_is_the_beginning_of_the_whole_curve():
    tree = problem(5, most_leaves=30).tree
    whole, part = budget_curve(tree).risks, budget_curve(tree, n_leaves=6).risks
    np.testing.assert_array_equal(part, whole[:6])
    with pytest.raises(ValueError, match="some pruned tree has"):
        decision_for(tree, budget_curve(tree), tree.n_leaves + 1)
    with pytest.raises(ValueError, match="at least 1"):
        budget_curve(tree, n_leaves=0)


@given(SEEDS)
@examples(2)
def test_reduced_error_is_the_smallest_of_the_best_on_held_out_rows(seed):
    if seed % 3:
        made = problem(seed)
        tree, rows = made.tree, made.held
    else:
        tree = any_tree(seed)
        y = np.random.default_rng(seed).integers(0, 30, (60, 1)) * 1.0
        rows = Rows(core_columns(tree, random_rows(seed)), y, np.ones(60))
    found = losses(tree, rows)
    pruned = METHODS["reduced_error"](tree, rows)
    least, best = smallest_best(links(tree), found.leaf.tolist(), found.ended.tolist())
    leaves = leaves_of(tree, pruned.decision)
    scale = max(float(least), 1e-9)
    assert pruned.report["loss_after"] == pytest.approx(float(least), abs=1e-9 * scale)
    exact = risk_of(leaves, links(tree), found.leaf.tolist(), found.ended.tolist())
    assert float(exact) == pytest.approx(float(least), abs=1e-9 * scale)
    if not tree.shares_rows:  # else equal losses differ in their last bits, and only exact ones count here
        assert len(leaves) == len(next(iter(best)))
    assert len(leaves) <= len(next(iter(best)))
    check_losses(tree, rows, found)


def check_losses(tree, rows, found):
    """The loss of the whole tree, and of the root alone, from predictions."""
    for each, wanted in (
        (tree, found.ended.sum()),
        (tree.collapse(np.arange(tree.node_count) == 0), found.leaf[0]),
    ):
        at = each.shares(rows.columns).tocoo()
        if tree.classes is None:
            off = each.value[at.col, 0, 0] - rows.y[at.row, 0]
            loss = np.abs(off) if rows.criterion == "absolute_error" else off**2
        elif tree.costs is not None:
            loss = tree.costs[rows.y[at.row, 0], each.label[at.col, 0]]
        else:
            loss = each.label[at.col, 0] != rows.y[at.row, 0]
        assert (at.data * rows.weight[at.row] * loss).sum() == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(SEEDS)
@examples()
def test_greedy_reduced_error_takes_the_best_step_every_time(seed):
    made = problem(seed)
    tree, found = made.tree, losses(made.tree, made.held)
    inner = np.flatnonzero(~tree.is_leaf)
    pruned = METHODS["reduced_error"](tree, made.held, form="greedy")

    def loss_after(cut, *more):
        tried = cut.copy()
        tried[list(more)] = -2
        lost = risk_of(leaves_of(tree, tried), links(tree), found.leaf.tolist(), found.ended.tolist())
        return float(lost)

    cut = np.full(tree.node_count, -1)
    near = 1e-9 * (1 + loss_after(cut))
    for node, after in pruned.report["steps"]:
        tries = {t: loss_after(cut, t) for t in inner}
        assert tries[node] == pytest.approx(min(tries.values()), abs=near)
        assert tries[node] < loss_after(cut)
        cut[node] = -2
        assert after == pytest.approx(loss_after(cut), abs=near)
    assert min((loss_after(cut, t) for t in inner), default=np.inf) >= loss_after(cut) - near
    assert leaves_of(tree, cut) == leaves_of(tree, pruned.decision)


@given(SEEDS)
@examples(2)
def test_cost_complexity_is_the_smallest_of_the_best_at_every_alpha(seed):
    tree = any_tree(seed)
    risk = choose_risk(tree, seed)
    node, stopped = risks_of(tree, risk)
    scale = max(float(tree.weighted_n_node_samples[0]), 1.0)
    found = sequence(tree, risk)
    between = [
        (a + b) / 2 for a, b in zip(found.alphas, [*found.alphas[1:], found.alphas[-1] + 1], strict=True)
    ]
    for alpha, n_leaves, total in zip(between, found.n_leaves, found.risks, strict=True):
        if alpha in found.alphas or not np.isfinite(alpha):
            continue
        least, best = smallest_best(links(tree), node, stopped, Fraction(float(alpha) * scale))
        pruned = METHODS["cost_complexity"](tree, alpha=float(alpha), risk=risk)
        leaves = leaves_of(tree, pruned.decision)
        score = risk_of(leaves, links(tree), node, stopped) + Fraction(float(alpha) * scale) * len(leaves)
        assert float(score) == pytest.approx(float(least), abs=1e-9 * scale)
        assert pruned.tree.n_leaves == n_leaves == len(next(iter(best)))
        assert float(risk_of(leaves, links(tree), node, stopped)) == pytest.approx(
            total * scale, abs=1e-9 * scale
        )


@given(SEEDS)
@examples()
def test_minimum_error_is_the_smallest_of_the_best_by_its_estimate(seed):
    tree, m = problem(seed, classes=True).tree, [0.0, 2.0, 10.0][seed % 3]
    pruned = METHODS["minimum_error"](tree, m=m)
    expected = (tree.weighted_n_node_samples * _rate(tree, m, "root")).tolist()
    least, best = smallest_best(links(tree), expected, [0.0] * tree.node_count)
    leaves = leaves_of(tree, pruned.decision)
    weight = tree.weighted_n_node_samples[0]
    assert pruned.report["expected"] * weight == pytest.approx(float(least), abs=1e-9 * weight)
    assert len(leaves) <= len(next(iter(best)))


def test_the_estimate_of_minimum_error_is_the_one_of_the_paper():
    tree = tree_from_dict(
        {"feature": 0, "threshold": 0, "weight": 10, "value": [0.6, 0.4], "classes": ["x", "y"],
         "left": {"weight": 4, "value": [1.0, 0.0]}, "right": {"weight": 6, "value": [1 / 3, 2 / 3]}}
    )  # fmt: skip
    np.testing.assert_allclose(
        _rate(tree, 3.0, "root"), [0.4, 1 - (4 + 0.6 * 3) / 7, 1 - (4 + 0.4 * 3) / 9], rtol=1e-14
    )
    laplace = _rate(tree, 2.0, "uniform")
    np.testing.assert_allclose(laplace, [1 - 7 / 12, 1 - 5 / 6, 1 - 5 / 8], rtol=1e-14)


def test_the_oracle_knows_all_pruned_trees():
    full = tree_from_dict(
        {"feature": 0, "threshold": 0, "left": {"value": 1},
         "right": {"feature": 0, "threshold": 1, "left": {"value": 2}, "right": {"value": 3}}}
    )  # fmt: skip
    assert sorted(prunings(links(full))) == [(0,), (1, 2), (1, 3, 4)]
