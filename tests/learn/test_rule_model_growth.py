"""How rules with linear models are made, each step beside its definition: fit, split, prune, correct."""

from dataclasses import replace

import numpy as np
import pytest

from treewright.classics import cubist
from treewright.data.schema import ColumnType
from treewright.learn.rule_models.data import Data, Linear
from treewright.learn.rule_models.growth import ModelTree
from treewright.learn.rule_models.induce import _Draft, _drop_conditions, mean_of, rules_of
from treewright.learn.rule_models.pruning import pruned_leaves

pandas = pytest.importorskip("pandas")


def random_data(seed, n=70, levels=True):
    rng = np.random.RandomState(seed)
    X = np.round(rng.uniform(0, 10, (n, 3)), 1)
    y = np.where(X[:, 0] > 4, 3 * X[:, 1], 9 - X[:, 1]) + rng.normal(size=n)
    if levels:
        X[:, 2] = rng.randint(0, 3, n)
        y += 4 * (X[:, 2] == 1)
    weight = rng.choice([1.0, 2.0, 3.0], n)
    n_levels = np.array([0, 0, 3 if levels else 0])
    spread = X.std(axis=0, ddof=1)
    return Data(X, y, y, weight / weight.mean(), n_levels, spread, False, 1.0, 2)


def least_squares(X, y, w):
    A = np.column_stack([np.ones(len(y)), X])
    return np.linalg.lstsq(A * np.sqrt(w)[:, None], y * np.sqrt(w), rcond=None)[0]


def shortest(X, y, w, columns, spread, bounds):
    """The intercept and coefficients of the best of the models that arise as columns are dropped."""
    n, best, found = w.sum(), np.inf, None
    while True:
        b = least_squares(X[:, columns], y, w)
        v = len(columns)
        off = np.average(np.abs(y - np.clip(b[0] + X[:, columns] @ b[1:], *bounds)), weights=w)
        if off * (n + v) / (n - v) <= best:
            best, found = off * (n + v) / (n - v), (b[0], dict(zip(columns, b[1:], strict=True)))
        if not columns:
            return found
        columns = [
            j for j in columns if j != min(columns, key=lambda j: abs(b[1 + columns.index(j)]) * spread[j])
        ]


@pytest.mark.parametrize("extrapolation", [1.0, 0.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_model_of_a_node_is_that_of_its_definition(seed, extrapolation):
    data = replace(random_data(seed), extrapolation=extrapolation)
    y = data.y + 15 * (np.arange(70) % 35 == 0)  # outliers
    data = replace(data, y=y, truth=y)
    bounds = (data.y.min(), data.y.max()) if extrapolation == 0 else data.bounds
    tree = ModelTree(data)
    compared = 0
    for node in range(min(len(tree.parent), 12)):
        rows, below = tree.rows(node), [node]
        used = {tree.cut(top).column for top in tree.above(node)}
        for each in below:
            if tree.grown["first_child"][each] >= 0:
                used.add(tree.cut(each).column)
                below += [tree.grown["first_child"][each], tree.grown["first_child"][each] + 1]
        X, y, w = data.X[rows], data.y[rows], data.weight[rows]
        columns = [j for j in sorted(used) if not data.n_levels[j] and np.ptp(X[:, j]) > 0]
        if 2 * len(columns) > len(rows):
            columns = []
        spread = np.average(np.abs(X - np.average(X, axis=0, weights=w)), axis=0, weights=w)
        intercept, terms = shortest(X, y, w, columns, spread, bounds)
        off = y - np.clip(intercept + X[:, list(terms)] @ list(terms.values()), *bounds)
        near = np.abs(off) <= 5 * np.average(np.abs(off), weights=w)
        if terms and not near.all():
            intercept, terms = shortest(X[near], y[near], w[near], columns, spread, bounds)
        else:
            intercept += np.average(off, weights=w)  # 0 where no prediction is out of bounds
        assert tree.model(node).terms == pytest.approx(terms)
        assert tree.model(node).intercept == pytest.approx(intercept, abs=1e-9)
        own = w @ np.abs(y - np.clip(data.predict(rows, tree.finals[node]), *bounds))
        assert tree.error[node] == pytest.approx(own)
        compared += 1
    assert compared > 3


def score_of(x, rest):
    """n * the standard deviation of what is left of one side, by a line if it is significant."""
    n, left = len(rest), ((rest - rest.mean()) ** 2).sum()
    if x is not None and n >= 6 and np.ptp(x) > 0:
        line = left - ((rest - np.polyval(np.polyfit(x, rest, 1), x)) ** 2).sum()
        left -= line if np.arctanh(np.sqrt(line / left)) * np.sqrt(n - 3) > 1.96 else 0
    return n * np.sqrt(max(left, 0) / (n - 1))


@pytest.mark.parametrize("seed", range(6))
def test_the_first_split_is_the_best_of_all(seed):
    data = replace(random_data(seed), weight=np.ones(70))
    scores = {}
    for j in (0, 1):
        x = data.X[:, j]
        for low in np.unique(x)[:-1]:
            sides = x <= low, x > low
            if min(map(np.sum, sides)) >= 3:
                scores[j, sides[0].sum()] = sum(score_of(x[side], data.y[side]) for side in sides)
    for level in range(3):
        for left in ([level], [k for k in range(3) if k != level]):
            side = np.isin(data.X[:, 2], left)
            scores[2, side.sum()] = score_of(None, data.y[side]) + score_of(None, data.y[~side])
    tree = ModelTree(data)
    assert scores[tree.cut(0).column, len(tree.rows(1))] == pytest.approx(min(scores.values()))


def test_of_splits_that_gain_the_same_the_column_of_the_same_signs_wins():
    y = np.array([-10.0, -9, 1, 1, 9.5, 10.7])
    first = [1.0, 2, 3, 7, 8, 9]  # 5 of 6 rows are on the same sides of both means
    better, worse, equal = [0, 0.1, 2, 2.1, 2.2, 2.3], [1, 2, 3, 3.1, 8, 19], [2, 4, 6, 14, 16, 18]
    for second, wins in ((better, 1), (worse, 0), (equal, 0)):
        X = np.column_stack([first, second])
        data = Data(X, y, y, np.ones(6), np.zeros(2, int), X.std(axis=0, ddof=1), False, 1.0, 1)
        assert ModelTree(data).cut(0).column == wins


def test_a_leaf_has_one_percent_of_the_rows_and_small_nodes_are_divided_further():
    data = random_data(0, 850, levels=False)
    tree = ModelTree(data)
    rows = np.array([len(tree.rows(node)) for node in range(len(tree.parent))])
    first = tree.grown["first_child"]
    large = [node for node in tree.inner if rows[node] >= 3 * 8]
    assert min(min(rows[first[node]], rows[first[node] + 1]) for node in large) == 8
    assert rows.min() == 3
    assert rows[tree.leaves(100)].min() >= tree.grown["least_rows"] == 8


def test_a_node_is_split_however_little_is_left_of_the_target():
    x = np.arange(40.0)
    y = np.where(x < 20, np.where(x < 10, 0, 1), 10_000.0)
    data = Data(
        x[:, None], y, y, np.ones(40), np.zeros(1, int), x[:, None].std(axis=0, ddof=1), False, 1.0, 0
    )
    assert {tuple(rows) for rows in (tree_rows(ModelTree(data)))} >= {(0, 10), (10, 20), (20, 40)}


def tree_rows(tree):
    return [(min(tree.rows(node)), max(tree.rows(node)) + 1) for node in range(len(tree.parent))]


def test_a_term_that_only_rounding_gains_is_dropped():
    rng = np.random.RandomState(4)
    X = np.round(rng.uniform(0, 10, (60, 4)), 1)
    y = np.where(X[:, 0] > 5, 19 - 3 * X[:, 1], 40 + 2 * X[:, 2] + rng.normal(size=60))
    data = Data(X, y, y, np.ones(60), np.zeros(4, int), X.std(axis=0, ddof=1), False, 1.0, 1)
    tree = ModelTree(data)
    pure = [node for node in range(len(tree.parent)) if (X[tree.rows(node), 0] > 5).all()]
    terms = [tree.model(node).terms for node in pure]
    assert {frozenset(each) for each in terms if each} == {frozenset({1})}


def test_digits_are_those_of_the_target_itself():
    data = random_data(2)
    model = ModelTree(data).model(0)
    coarse = replace(data, truth=100 * data.y)
    for each in (data, replace(coarse, truth=data.y, y=100 * data.y)):
        assert each.rounded(np.arange(70), model).terms == data.rounded(np.arange(70), model).terms
    assert coarse.rounded(np.arange(70), model).terms != data.rounded(np.arange(70), model).terms


@pytest.mark.parametrize("extrapolation", [0.0, 0.1])
def test_unbiased_rules_have_no_mean_error_within_their_bounds(extrapolation):
    data = replace(random_data(4, levels=False), unbiased=True, extrapolation=extrapolation)
    for rule in rules_of(data, 1, (ColumnType(),) * 3, np.zeros(3)):
        off = data.y - rule.predict(data.X, extrapolation)
        assert abs(np.average(off, weights=data.weight)) < 1e-3  # y has two decimals


@pytest.mark.parametrize("seed", [*range(8), 90])  # the last begins with more parameters than rows
def test_the_weakest_branch_is_cut_first(seed):
    data = random_data(seed, n=60, levels=seed % 2 == 0)
    if seed == 90:
        y = data.y + 3 * np.random.RandomState(seed).normal(size=60)
        data = replace(data, y=y, truth=y)
    tree = ModelTree(data)
    grown, n = tree.grown, data.weight.sum()
    first, error, size = grown["first_child"], tree.error, np.diff(grown["term_begin"]) + 1.0
    leaves = {node for node in range(len(first)) if first[node] < 0}

    def below(node):
        if node in leaves:
            return error[node], size[node], [node]
        parts = [below(child) for child in (first[node], first[node] + 1)]
        total = parts[0][1] + parts[1][1] + grown["test_size"][node]
        return parts[0][0] + parts[1][0], total, parts[0][2] + parts[1][2]

    def adjusted(e, v):
        v = min(v, n - 1)
        return e * (n + v) / (n - v)

    best = np.inf
    while True:
        e, v, here = below(0)
        allowed, best = {}, min(best, adjusted(e, v))
        for top in {top for leaf in here for top in tree.above(leaf)}:
            of = below(top)
            more, fewer = error[top] - of[0], of[1] - size[top]
            if 0.995 * adjusted(e + more, v - fewer) <= best:
                allowed[top] = more
        if not allowed:
            break
        weakest = min(allowed, key=allowed.__getitem__)
        leaves = leaves - set(below(weakest)[2]) | {weakest}
    assert sorted(tree.leaves(100)) == sorted(here)
    assert len(tree.leaves(2)) <= 2


def test_the_branch_goes_that_raises_the_error_least_though_another_has_more_parameters():
    terms = [0, 0, 0, 0, 2, 2]  # of nodes 1 to 6: 1 has the leaves 3 and 4, 2 has 5 and 6
    grown = {
        "first_child": np.array([1, 3, 5, -1, -1, -1, -1]),
        "row_begin": np.array([0, 0, 500, 0, 250, 500, 750]),
        "row_end": np.array([1000, 500, 1000, 250, 500, 750, 1000]),
        "term_begin": np.cumsum([0, 0, *terms]),
        "test_size": np.array([4.0, 4, 4, 0, 0, 0, 0]),
        "least_rows": 10,
    }
    more = np.array([9999.0, 15, 23, 0, 0, 0, 0])  # either may go, but not both
    errors = np.array([0, 500.0, 500, 250, 250, 250, 250]) + more
    assert pruned_leaves(grown, errors, 1000.0) == {1, 5, 6}


@pytest.mark.parametrize("seed", [0, 1, 3])  # conditions are dropped
def test_rules_err_no_more_than_the_leaves_they_come_from(seed):
    data = random_data(seed, 200)
    tree = ModelTree(data)
    leaves = tree.leaves(100)
    of_leaves = np.empty(200)
    for leaf in leaves:
        rows = tree.rows(leaf)
        of_leaves[rows] = data.predict(rows, data.rounded(rows, tree.smoothed(leaf)))
    types = (ColumnType(), ColumnType(), ColumnType("nominal", ("a", "b", "c")))
    rules = rules_of(data, 100, types, np.zeros(3))
    assert len(leaves) > 2
    assert sum(rule.path.n_conditions for rule in rules) < sum(len(tree.conditions(leaf)) for leaf in leaves)
    off = [data.weight @ np.abs(data.y - each) for each in (mean_of(rules, data.X, 0.0, 1e9), of_leaves)]
    assert off[0] <= off[1] * (1 + 1e-12)


def test_rows_that_a_rule_has_gained_are_predicted_within_the_range_of_its_targets():
    truth = np.array([0.0, 4, 16, 16, 10])
    data = Data(np.zeros((5, 1)), truth, truth, np.ones(5), np.zeros(1, int), np.ones(1), False, 1.0, 0)
    drafts = []
    for rows, last in (([0, 1], 30.0), ([2, 3], 16.0), ([4], 0.0)):  # what it predicts for the last row
        own = np.isin(np.arange(5), rows)
        fails = np.array([~own & (np.arange(5) < 4), np.arange(5) == 4])  # the second keeps out the last row
        predicted = np.append(np.where(own, truth, 99)[:4], last)
        number = 1 if 4 in rows else 2
        drafts.append(_Draft(Linear(0.0, {}), 1, [None] * number, fails[:number], predicted))
    _drop_conditions(data, drafts)
    # The target of the last row is 10. It is predicted 0, then (0 + 10) / 2, as 30 is beyond 0 to 10, and
    # then (0 + 10 + 16) / 3, which is better; (0 + 30 + 16) / 3 would be worse than (0 + 30) / 2.
    covered = [np.flatnonzero(~each.fails.any(axis=0)).tolist() for each in drafts]
    assert covered == [[0, 1, 4], [2, 3, 4], [4]]


@pytest.mark.parametrize("k", [1, 4, 9])
def test_neighbors_correct_as_defined(k):
    rng = np.random.RandomState(k)
    X = np.column_stack([np.round(rng.uniform(0, 10, (50, 2)), 2), rng.randint(0, 3, 50)])
    y = np.where(X[:, 0] <= 5, 3 * X[:, 1], 50 - 2 * X[:, 1]) + rng.normal(size=50)

    def frame(X):
        return pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.array(list("xyz"))[X[:, 2].astype(int)]})

    plain, model = cubist().fit(frame(X), y), cubist(neighbors=k).fit(frame(X), y)
    new = np.column_stack([rng.uniform(0, 10, (20, 2)), rng.randint(0, 3, 20)])
    spread = X.std(axis=0, ddof=1)

    def distance(a, b):
        return sum(abs(a[j] - b[j]) / (5 * spread[j]) for j in (0, 1)) + (a[2] != b[2]) * 2 / 3

    pairs = [distance(a, b) for i, a in enumerate(X) for j, b in enumerate(X) if i != j]
    far = round(np.mean(pairs), 1)
    of_new, of_old = plain.predict(frame(new)), plain.predict(frame(X))
    for row, mine, found in zip(new, of_new, model.predict(frame(new)), strict=True):
        steps = np.array([round(16 * distance(row, other)) for other in X])
        near = [step for step in sorted(steps)[:k] if step <= 16 * far] or [steps.min()]
        share = np.where(steps < near[-1], 1.0, near.count(near[-1]) / (steps == near[-1]).sum()) * (
            steps <= near[-1]
        )
        weight = share / (steps / 16 + 0.5)
        assert found == pytest.approx(np.average(y + mine - of_old, weights=weight))
