"""Conditional entropy, mutual information, codes, Jensen's gap and closed forms: numbers, laws, refusals."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from treewright.textbook import (
    code_length,
    conditional_entropy,
    differential_entropy,
    entropy,
    expected_error,
    gain,
    impurity,
    jensen_gap,
    mutual_information,
)

widths = st.sampled_from([2, 3, 4])
rows_of = {k: st.lists(st.integers(0, 9), min_size=k, max_size=k) for k in (2, 3, 4)}
tables = widths.flatmap(lambda k: st.lists(rows_of[k], min_size=2, max_size=4)).filter(
    lambda table: any(map(any, table))
)
shares = st.lists(st.integers(1, 50), min_size=2, max_size=6)
OUTLOOK = [[2, 3], [4, 0], [3, 2]]  # sunny, overcast, rain: yes, no


def test_outlook_of_the_tennis_table():
    assert round(conditional_entropy(OUTLOOK), 3) == 0.694
    assert round(mutual_information(OUTLOOK), 3) == 0.247
    assert round(mutual_information([[6, 2], [3, 3]]), 3) == 0.048  # wind


@given(tables)
def test_mutual_information_is_the_information_gain(table):
    parent = np.sum(table, axis=0)
    assert mutual_information(table) == pytest.approx(gain(parent, table, "entropy"), abs=1e-12)
    assert mutual_information(table) == pytest.approx(mutual_information(np.transpose(table)), abs=1e-12)
    assert entropy(parent) - conditional_entropy(table) == pytest.approx(mutual_information(table), abs=1e-12)
    by_hand = sum(
        sum(row) / np.sum(table) * entropy(row) for row in table if any(row)
    )  # the weighted mean of the branches
    assert conditional_entropy(table) == pytest.approx(by_hand, abs=1e-12)


def test_several_tables_and_bases():
    both = np.array([OUTLOOK, [[9, 0], [0, 5], [0, 0]]])
    assert_allclose(mutual_information(both), [mutual_information(each) for each in both])
    assert mutual_information(both, base="e")[1] == pytest.approx(mutual_information(both)[1] * math.log(2))
    assert conditional_entropy(both)[1] == 0


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5), st.integers(1, 9))
def test_independent_variables_tell_nothing(row, times):
    row[0] += 1
    table = np.array([row, [times * count for count in row]])
    assert mutual_information(table) == pytest.approx(0, abs=1e-12)


def test_counts_whose_sum_overflows():
    assert mutual_information([[1e308, 0], [0, 1e308]]) == 1
    assert conditional_entropy([[1e308, 1e307], [1e307, 1e308]]) == pytest.approx(entropy([10, 1]))


# -- codes


def test_code_of_the_four_states():
    p = [5 / 8, 1 / 4, 1 / 16, 1 / 16]
    lengths = code_length(p)
    assert lengths.tolist() == [1, 2, 3, 3]
    assert float(lengths @ p) == 1.5
    assert code_length([1] * 8).tolist() == [3] * 8  # a die with eight sides
    assert code_length([3]).tolist() == [1]
    assert code_length([3, 0, 1]).tolist() == [1, 0, 1]


@given(shares)
def test_the_best_code_is_within_a_bit_of_the_entropy(counts):
    lengths, p = code_length(counts), np.array(counts) / sum(counts)
    assert sum(Fraction(1, 2 ** int(length)) for length in lengths) == 1  # Kraft: a complete code
    assert entropy(counts) - 1e-9 <= lengths @ p < entropy(counts) + 1
    if len(counts) <= 4:  # no other code is shorter: all lengths that satisfy Kraft's inequality
        best = min(
            np.array(each) @ p
            for each in product(range(1, len(counts) + 1), repeat=len(counts))
            if sum(0.5**length for length in each) <= 1
        )
        assert lengths @ p == pytest.approx(best)


# -- Jensen


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6))
def test_jensens_gap_has_the_sign_of_the_curvature(x):
    assert jensen_gap(np.square, x) == pytest.approx(np.var(x), abs=1e-6)  # of squares it is the variance
    assert jensen_gap(np.exp, x) >= -1e-9 * math.exp(max(x))
    assert jensen_gap(lambda v: 3 * v + 1, x) == pytest.approx(0, abs=1e-9)


@given(shares, shares)
def test_the_gain_is_a_jensen_gap(first, second):
    """The impurity is concave: a split gains minus the gap of the impurity over the children."""
    children = np.array([first[:2], second[:2]], dtype=float)
    p, weights = children[:, 0] / children.sum(axis=1), children.sum(axis=1)
    gap = jensen_gap(lambda q: np.asarray(impurity(np.stack([q, 1 - q], axis=1), "gini")), p, weights)
    assert -gap == pytest.approx(gain(children.sum(axis=0), children), abs=1e-12)


# -- closed forms


def test_closed_forms_of_differential_entropy():
    assert round(differential_entropy("normal", base="e"), 4) == 1.4189
    assert round(differential_entropy("uniform", base="e"), 4) == 1.2425
    assert differential_entropy("exponential", base="e") == 1
    assert differential_entropy("uniform", sd=1 / math.sqrt(12)) == pytest.approx(0)  # of width 1
    assert differential_entropy("normal", sd=8) == pytest.approx(differential_entropy("normal") + 3)


@pytest.mark.parametrize("name", ["normal", "uniform", "exponential"])
def test_closed_forms_are_those_of_samples(name):
    rng = np.random.default_rng(0)
    sample = {"normal": rng.normal, "uniform": rng.uniform, "exponential": rng.exponential}[name](size=40_000)
    sample *= 2 / sample.std()
    assert differential_entropy(sample, base="e") == pytest.approx(
        differential_entropy(name, sd=2, base="e"), abs=0.03
    )
    assert differential_entropy(name) <= differential_entropy("normal")  # the largest of one variance


# -- expected error and the readings of Gini


@given(shares)
def test_expected_error_and_gini_by_draws(counts):
    p = [Fraction(count, sum(counts)) for count in counts]
    assert expected_error(counts) == pytest.approx(float(1 - max(p)))
    assert expected_error(counts) == pytest.approx(impurity(counts, "error"))
    differ = sum(p[i] * p[j] for i in range(len(p)) for j in range(len(p)) if i != j)  # of two draws
    assert impurity(counts, "gini") == pytest.approx(float(differ))
    if len(counts) == 2:  # the variance of a Bernoulli variable
        assert impurity([0] * counts[0] + [1] * counts[1], "squared_error") == pytest.approx(
            float(differ / 2)
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conditional_entropy([1, 2]), "table must have a row per branch and a column per class."),
        (lambda: mutual_information([[0, 0], [0, 0]]), "table must have a sum above 0. Got only zeros."),
        (lambda: mutual_information([[1, -1]]), "table must not be negative. Got -1."),
        (lambda: code_length([[1, 2]]), "p must be one list of probabilities or counts."),
        (lambda: code_length([0, 0]), "p must have a sum above 0"),
        (lambda: jensen_gap(np.exp, [1, 2], [1]), "x and p must be lists of one length."),
        (lambda: jensen_gap(math.exp, [1, 2]), "f must be a function of an array, such as np.exp"),
        (lambda: jensen_gap(np.sum, [1, 2]), "f must return one number for each x."),
        (lambda: jensen_gap(lambda _: "a", [1, 2]), "f must return numbers. Got 'a'."),
        *(
            (lambda base=base: conditional_entropy([[1, 2]], base=base), "base must be 2 for bits")
            for base in (None, [2], "2")
        ),
        (lambda: expected_error([0, 0]), "shares must have a sum above 0"),
        (lambda: differential_entropy("cauchy"), "A distribution must be one of 'normal', 'uniform', 'expon"),
        (lambda: differential_entropy("normal", sd=0), "sd must be a finite number above 0. Got 0."),
        (lambda: differential_entropy([1, 2, 3, 4], sd=1), "sd must be None for a sample"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
