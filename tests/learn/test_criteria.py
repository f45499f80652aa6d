"""The laws of impurity, for every criterion of the core and for its twin in the oracle."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import CLASSIFICATION, CRITERIA, Growth
from tests.support.strategies import Case, examples, native
from treewright import _core

KINDS = dict(_core.criteria())


def twin(criterion):
    """The oracle's impurity of rows with targets y and weights w."""
    return lambda y, w: CRITERIA[criterion](list(y), list(w))


def core(criterion):
    """The core's: that of a root that may not split."""

    def impurity(y, w):
        return Fraction(native(one_column(criterion, y, w), Growth(criterion, max_depth=0))["impurity"][0])

    return impurity


def one_column(criterion, y, w):
    """Rows that can be told apart: x counts them."""
    classes = [4] if KINDS[criterion] == "classification" else None
    y = np.array([float(t) for t in y]).reshape(-1, 1)
    return Case([(np.arange(len(y)), None)], y, classes, np.array([float(v) for v in w]))


HOMES = {
    "oracle": (twin, Fraction(1, 10**30)),
    "core": (core, Fraction(1, 10**12)),
}  # with what each may be off by
both = pytest.mark.parametrize("home", sorted(HOMES))
every = pytest.mark.parametrize("criterion", sorted(KINDS))
classifying = pytest.mark.parametrize(
    "criterion", sorted(k for k, kind in KINDS.items() if kind == "classification")
)

# Targets serve as labels and as numbers; both are whole, so that sums are exact everywhere.
rows = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 8)), min_size=1, max_size=12)


def parts(*groups):
    """Targets and weights of several lists of rows, one after the other."""
    return [y for group in groups for y, _ in group], [w for group in groups for _, w in group]


@every
def test_every_criterion_of_the_core_has_its_twin(criterion):
    assert criterion in CRITERIA, f"write {criterion}(y, w) in reference/criteria.py, from its definition"
    assert (criterion in CLASSIFICATION) == (KINDS[criterion] == "classification")


def test_the_oracle_knows_no_other_criteria():
    assert set(CRITERIA) == set(KINDS)


@every
@given(rows)
@examples()
def test_core_and_oracle_agree(criterion, group):
    found, wanted = core(criterion)(*parts(group)), twin(criterion)(*parts(group))
    assert float(found) == pytest.approx(float(wanted), rel=1e-12, abs=1e-15)


@both
@every
@given(rows)
@examples()
def test_impurity_is_never_negative_and_nothing_only_when_pure(criterion, home, group):
    impurity = HOMES[home][0](criterion)(*parts(group))
    assert impurity >= 0
    assert (impurity == 0) == (len({y for y, _ in group}) == 1)


@both
@every
@given(rows, st.integers(0, 6))
@examples()
def test_the_scale_of_the_weights_does_not_matter(criterion, home, group, power):
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    y, w = parts(group)
    assert abs(impurity(y, w) - impurity(y, [v * 2**power for v in w])) <= slack
    assert abs(impurity(y, w) - impurity(y[::-1] * 2, w[::-1] * 2)) <= slack


@both
@every
@given(rows, rows, st.integers(1, 15))
@examples()
def test_impurity_is_concave(criterion, home, one, two, sixteenths):
    """I(λP + (1-λ)Q) >= λ I(P) + (1-λ) I(Q) for the distributions P and Q of any two groups."""
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    share = Fraction(sixteenths, 16)
    w_one, w_two = (sum(w for _, w in group) for group in (one, two))
    mixed = [(y, w * sixteenths * w_two) for y, w in one] + [
        (y, w * (16 - sixteenths) * w_one) for y, w in two
    ]
    apart = share * impurity(*parts(one)) + (1 - share) * impurity(*parts(two))
    assert impurity(*parts(mixed)) >= apart - slack


@both
@every
@given(rows, rows)
@examples()
def test_a_split_never_loses(criterion, home, one, two):
    """W I(P+Q) >= W_P I(P) + W_Q I(Q)."""
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    whole, left, right = (sum(w for _, w in g) * impurity(*parts(g)) for g in (one + two, one, two))
    assert whole - left - right >= -slack * 1000


@every
@given(rows)
@examples()
def test_the_core_reports_no_negative_gain(criterion, group):
    tree = native(one_column(criterion, *parts(group)), Growth(criterion))
    assert (tree["gain"] >= 0).all()


@both
@classifying
@given(rows, st.permutations(range(4)))
@examples()
def test_classes_have_no_order(criterion, home, group, names):
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    y, w = parts(group)
    assert abs(impurity(y, w) - impurity([names[k] for k in y], w)) <= slack


@both
@classifying
@given(st.lists(st.integers(1, 9), min_size=2, max_size=4))
@examples()
def test_impurity_is_greatest_when_all_classes_are_as_frequent(criterion, home, counts):
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    labels = list(range(len(counts)))
    most = impurity(labels, [1] * len(labels))
    assert impurity(labels, counts) <= most + slack
    if criterion != "error" and len(set(counts)) > 1:  # error may be as great only where max p is
        assert impurity(labels, counts) < most


@both
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@given(rows, st.integers(-9, 9), st.integers(1, 5))
@examples()
def test_numbers_may_be_shifted_and_scaled(criterion, home, group, shift, scale):
    impurity, slack = HOMES[home][0](criterion), HOMES[home][1]
    y, w = parts(group)
    grown = scale ** (2 if criterion == "squared_error" else 1)
    assert abs(impurity([scale * t + shift for t in y], w) - grown * impurity(y, w)) <= slack * grown * 10
