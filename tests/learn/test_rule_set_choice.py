"""How sets of rules are made: conditions dropped, lengths, and the choice, against their definitions."""

from math import comb, factorial, log2

import numpy as np
import pytest

import treewright as tw
from treewright.data.values import Column
from treewright.learn.fitted_tree import as_model
from treewright.learn.rule_sets.choose import _Votes, chosen
from treewright.learn.rule_sets.generalise import Draft, Rows, drafts_of, laplace
from treewright.learn.rule_sets.induce import _default
from treewright.learn.rule_sets.length import Lengths
from treewright.tree.paths import PathConditions
from treewright.tree.value_sets import FIRST, LAST, LevelSet, NumberRange


@pytest.mark.parametrize("seed", range(5))
def test_no_condition_can_be_dropped_without_a_higher_estimate(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (80, 4)).astype(float)
    y = ((X[:, 0] > 2) & (X[:, 1] < 3)).astype(int) ^ (rng.random(80) < 0.1)
    fitted = as_model(tw.DecisionTreeClassifier(max_depth=4).fit(X, y))
    read_rows = fitted.read(X)
    rows = Rows(read_rows.columns, y.astype(np.int64), np.ones(80))
    found = drafts_of(fitted.tree, rows, laplace, narrow=False, apart=False)
    assert found
    for draft in found:
        inside = rate(draft.path.values.values(), X, y == draft.label)
        sides = [side for values in draft.path.values.values() for side in one_sided(values)]
        for dropped in range(len(sides)):
            rest = [side for k, side in enumerate(sides) if k != dropped]
            assert rate(rest, X, y == draft.label) > inside


def one_sided(values):
    made = [NumberRange(values.feature, low=values.low)] * (values.low != FIRST)
    return made + [NumberRange(values.feature, high=values.high)] * (values.high != LAST)


def rate(conditions, X, hit):
    inside = np.ones(len(X), dtype=bool)
    for each in conditions:
        column = X[:, each.feature]
        inside &= (column > each.low[0]) & (column <= each.high[0])
    return ((~hit & inside).sum() + 1) / (inside.sum() + 2)


@pytest.mark.parametrize("seed", range(4))
def test_errors_after_each_step_are_those_of_counting_again(seed):
    rng = np.random.default_rng(seed)
    masks, labels = rng.random((9, 60)) < 0.4, rng.integers(0, 3, 9)
    votes, codes, weight = rng.integers(300, 1000, 9), rng.integers(0, 3, 60), rng.integers(1, 4, 60) * 1.0
    votes[1] = votes[0]  # a tie here and there
    inside = rng.random(9) < 0.5
    state = _Votes(masks, labels, votes, codes, weight, inside)
    for step in rng.integers(0, 9, 12):
        assert state.wrong == wrong(masks, labels, votes, codes, weight, inside)
        for place in range(9):
            other = inside.copy()
            other[place] = not other[place]
            assert state.errors[place] == wrong(masks, labels, votes, codes, weight, other)
        state.toggle(step)
        inside[step] = not inside[step]


def wrong(masks, labels, votes, codes, weight, inside):
    found = 0.0
    for row in range(masks.shape[1]):
        sums = np.zeros(3)
        for rule in np.flatnonzero(inside & masks[:, row]):
            sums[labels[rule]] += votes[rule]
        found += weight[row] * (not sums.any() or sums.argmax() != codes[row])
    return found


def bits_of_choice(n, k):
    return log2(comb(n, k)) if k <= n - k else 2 * log2(comb(n, n // 2)) - log2(comb(n, k))


def shortest(inside, bits, wrong, exceptions):
    """Toggle one rule after the other as long as the length of all becomes less; of equal steps the last."""

    def cost(some):
        rules = sum(bits[k] for k in some) - log2(factorial(len(some)))
        return round(exceptions(wrong(some)) + 0.23 * rules, 6)

    while True:
        steps = [k for k in reversed(range(len(bits))) if k in inside or wrong(inside)]
        best = min((inside ^ {k} for k in steps), key=cost, default=inside)
        if cost(best) >= cost(inside):
            return inside
        inside = best


def first_of_class(places, rows_of, right, votes, least):
    """The rules that get more right than wrong, by over `least`, of what more confident ones leave."""
    kept, covered = set(), set()
    for k in sorted(places, key=lambda k: -votes[k]):
        new = rows_of[k] - covered
        if len(new & right) - len(new - right) > least:
            kept.add(k)
            covered |= rows_of[k]
    return kept


@pytest.mark.parametrize("least", [1, 2, 5])
@pytest.mark.parametrize("seed", range(12))
def test_the_choice_is_that_of_the_definition(seed, least):
    rng = np.random.default_rng(seed)
    n_rows, count, n_classes = (int(rng.integers(*ends)) for ends in ((20, 60), (1, 14), (2, 6)))
    n_rows += n_rows % 2
    masks = rng.random((count, n_rows)) < rng.choice([0.1, 0.3, 0.6])
    masks[:, 0] = True
    codes, labels = rng.integers(0, n_classes, n_rows), rng.integers(0, n_classes, count)
    codes[:n_classes] = np.arange(n_classes)
    for k in range(count):  # rules that are right more often than not
        masks[k] &= (codes == labels[k]) | (rng.random(n_rows) < 0.4)
        masks[k, k] = True
    bits = rng.uniform(2, 12, count)
    drafts = [Draft(PathConditions(), int(labels[k]), masks[k], float(bits[k])) for k in range(count)]
    found = chosen(drafts, Rows([], codes, np.ones(n_rows)), least)

    rows_of = [set(np.flatnonzero(mask).tolist()) for mask in masks]
    right = [sum(codes[mask] == label) for mask, label in zip(masks, labels, strict=True)]
    shares = [(r + 1) / (sum(mask) + 2) for r, mask in zip(right, masks, strict=True)]
    inside = set()
    for label in range(n_classes):
        places = [k for k in range(count) if labels[k] == label]
        hit = set(np.flatnonzero(codes == label).tolist())
        inside |= first_of_class(places, rows_of, hit, shares, least)
    votes = [int(1000 * share + 0.5) for share in shares]

    def wrong_of(some):
        missed = 0
        for row in range(n_rows):
            sums = [sum(votes[k] for k in some if masks[k, row] and labels[k] == c) for c in range(n_classes)]
            missed += not any(sums) or sums.index(max(sums)) != codes[row]
        return missed

    def exceptions(missed):
        return bits_of_choice(n_rows, missed) + missed * log2(n_classes - 1)

    assert set(found) == shortest(inside, bits.tolist(), wrong_of, exceptions)


def test_nothing_is_added_to_a_vote_without_errors():
    codes = np.repeat([0, 1], 10)
    narrow, other = codes == 0, codes == 1
    wide = narrow | (np.arange(20) == 19)  # nearly for nothing, and right by the vote
    drafts = [Draft(PathConditions(), 0, wide, 0.1), Draft(PathConditions(), 0, narrow, 3.0)]
    drafts.append(Draft(PathConditions(), 1, other, 3.0))
    assert chosen(drafts, Rows([], codes, np.ones(20)), 2) == [1, 2]


@pytest.mark.parametrize(
    ("left", "totals", "default"),
    [
        ([3, 2, 1], [24, 33, 33], 0),  # 4/8 + 24/90
        ([0, 0, 0], [24, 33, 33], 1),  # all are covered: the first of the most frequent
        ([1, 5, 2, 2], [7, 31, 57, 6], 2),
        ([7, 15, 12], [44, 47, 59], 1),
        ([4, 2], [12, 20], 1),  # both are equal: the more frequent
    ],
)
def test_the_default_is_frequent_among_the_rows_left_and_among_all(left, totals, default):
    assert _default(np.array(left, dtype=float), np.array(totals, dtype=float)) == default


def test_the_length_of_a_rule():
    columns = [
        Column("x", np.array([1.0, 2.0, 2.0, 5.0, np.nan, 9.0])),
        Column("a", np.array([0, 0, 1, 2, 2, -1]), None),
        *[Column("", np.zeros(6))] * 6,
    ]
    lengths = Lengths(columns, 8)
    cut, level = NumberRange(0, high=(2.0, 1)), LevelSet(1, 5, frozenset([1]))
    assert lengths.of_rule([cut]) == pytest.approx(3 + 1 + 0.5 * log2(3))  # a column, a side, one of 3 cuts
    assert lengths.of_rule([NumberRange(0, (1.0, 1), (2.0, 1))]) == pytest.approx(2 * (4 + 0.5 * log2(3)) - 1)
    entropy = -(0.4 * log2(0.4) * 2 + 0.2 * log2(0.2))
    assert lengths.of_rule([level]) == pytest.approx(3 + entropy)
    assert lengths.of_rule([LevelSet(1, 5, frozenset([0, 2, 4]))]) == pytest.approx(3 + log2(3))  # 2 of 3
    assert lengths.of_rule([cut, level]) == pytest.approx(3 + 1 + 0.5 * log2(3) + 3 + entropy - 1)


@pytest.mark.parametrize("seed", range(5))
def test_every_rule_is_worth_its_length(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (80, 4)).astype(float), rng.integers(0, 2, 80)
    fitted = as_model(tw.DecisionTreeClassifier(max_depth=5).fit(X, y))
    rows = Rows(fitted.read(X).columns, y.astype(np.int64), np.ones(80))
    for draft in drafts_of(fitted.tree, rows, laplace, narrow=False, apart=False):
        saved = 80 * entropy_of(y) - sum(m.sum() * entropy_of(y[m]) for m in (draft.mask, ~draft.mask))
        assert saved >= 0.23 * draft.bits
        assert np.mean(y[draft.mask] == draft.label) > np.mean(y == draft.label)


def entropy_of(y):
    shares = [np.mean(y == label) for label in np.unique(y)]
    return -sum(share * log2(share) for share in shares)
