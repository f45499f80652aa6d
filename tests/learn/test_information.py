"""Information, entropy, divergence and the entropy of a sample: worked numbers, laws and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.support.strategies import examples
from treewright.learn.entropies import (
    cross_entropy,
    differential_entropy,
    entropy,
    information,
    kl_divergence,
)
from treewright.learn.impurities import impurity, split_information

counts_of = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any)


def test_four_states_and_their_parts():
    p = np.array([5 / 8, 1 / 4, 1 / 16, 1 / 16])
    assert [round(v, 2) for v in p * information(p)] == [0.42, 0.5, 0.25, 0.25]
    assert round(entropy(p), 2) == 1.42 < entropy([1, 1, 1, 1]) == 2


def test_independent_events_add_their_information():
    assert information(0.5) == 1
    assert information(1 / 6 * 1 / 2) == pytest.approx(information(1 / 6) + information(1 / 2))
    assert information(1) == 0
    assert information(0) == math.inf
    assert information(1 / math.e, base="e") == pytest.approx(1)


@examples()
@given(p=counts_of, seed=st.integers(0, 99))
def test_divergence_is_never_negative_and_0_only_for_equals(p, seed):
    q = np.random.default_rng(seed).integers(1, 20, size=len(p))
    p, q = np.array(p) / sum(p), q / q.sum()
    extra = kl_divergence(p, q, base="e")
    assert extra >= 2 * (np.abs(p - q).sum() / 2) ** 2 - 1e-12  # Pinsker: only equals are at 0
    assert kl_divergence(p, p) == 0
    assert cross_entropy(p, q) == pytest.approx(entropy(p) + kl_divergence(p, q))
    assert entropy(p) == pytest.approx(cross_entropy(p, p))
    assert kl_divergence(p, np.ones(len(p))) == pytest.approx(math.log2(len(p)) - entropy(p), abs=1e-12)


@examples()
@given(p=counts_of, base=st.floats(1.1, 20))
def test_another_base_is_another_unit(p, base):
    q, nats = [1] * len(p), math.log(base)
    for function in (entropy, information, lambda p, base: impurity(p, "entropy", base=base)):
        p = np.array(p) / np.sum(p)
        assert_allclose(function(p, base=base) * nats, function(p, base="e"), rtol=1e-9, atol=1e-12)
    assert cross_entropy(p, q, base=base) * nats == pytest.approx(cross_entropy(p, q, base="e"))
    assert kl_divergence(p, q, base=base) * nats == pytest.approx(kl_divergence(p, q, base="e"), abs=1e-12)
    split = np.array([p, p[::-1]])
    assert split_information(split, base=base) * nats == pytest.approx(split_information(split, base="e"))


def test_differential_entropy_of_known_densities(rng):
    n = 20_000
    nats = {  # density: its sample, its entropy
        "normal": (rng.normal(size=n), 0.5 * math.log(2 * math.pi * math.e)),
        "uniform": (rng.uniform(size=n), 0.0),
        "exponential": (rng.exponential(size=n), 1.0),
        "laplace": (rng.laplace(size=n), 1 + math.log(2)),
    }
    for name, (sample, true) in nats.items():
        assert differential_entropy(sample, base="e") == pytest.approx(true, abs=0.04), name
    assert differential_entropy(nats["laplace"][0]) == pytest.approx(
        (1 + math.log(2)) / math.log(2), abs=0.06
    )


def test_of_one_spread_the_normal_has_most(rng):
    normal, uniform = rng.normal(size=5000), rng.uniform(-math.sqrt(3), math.sqrt(3), size=5000)
    assert differential_entropy(normal) > differential_entropy(uniform) + 0.1


@examples()
@given(seed=st.integers(0, 99), k=st.integers(1, 5), scale=st.sampled_from([1 / 8, 2, 1024]))
def test_differential_entropy_is_that_of_its_definition(seed, k, scale):
    x = np.random.default_rng(seed).normal(size=12)
    radius = np.sort(np.abs(x[:, None] - x), axis=1)[:, k]
    digammas = sum(1 / j for j in range(k, len(x)))
    found = differential_entropy(x, k=k, base="e")
    assert found == pytest.approx(digammas + np.log(2 * radius).mean())
    assert differential_entropy(scale * x, k=k, base="e") == pytest.approx(found + math.log(scale))
    assert differential_entropy(x[::-1] + 4, k=k, base="e") == pytest.approx(found)


def test_values_that_repeat_have_no_density():
    assert differential_entropy([1, 1, 1, 1, 2, 3]) == -math.inf


def test_leading_axes_are_many_sets(rng):
    p = rng.integers(1, 9, size=(4, 5, 3))
    assert entropy(p).shape == information(1 / p[..., 0]).shape == (4, 5)
    assert kl_divergence(p, [1, 2, 3]).shape == cross_entropy([1, 2, 3], p).shape == (4, 5)
    assert kl_divergence(p, p[::-1])[0, 1] == kl_divergence(p[0, 1], p[3, 1])
    assert differential_entropy(rng.normal(size=(4, 50))).shape == (4,)


def test_documented_values_at_the_edge():
    assert kl_divergence([1, 1], [1, 0]) == cross_entropy([1, 1], [1, 0]) == math.inf
    assert kl_divergence([1, 0], [1, 1]) == cross_entropy([1, 0], [1, 1]) == 1
    assert math.copysign(1, entropy([3, 0])) == math.copysign(1, information(1)) == 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: entropy([0, 0]), "a sum above 0"),
        (lambda: entropy([1, 1], base=1), "base must be 2 for bits"),
        (lambda: entropy([1, 1], base="two"), "base must be 2 for bits"),
        (lambda: information(1.5), "from 0 to 1. Got 1.5."),
        (lambda: kl_divergence([1, 1], [1, 1, 1]), "p and q must have the same shape"),
        (lambda: cross_entropy([[1, 1]] * 2, [[1, 1]] * 3), "p and q must have the same shape"),
        (lambda: differential_entropy([1, 2, 3]), "more than k=3 values. Got 3."),
        (lambda: differential_entropy([1, 2, np.inf, 3]), "sample must be finite"),
        (lambda: differential_entropy([1, 2, 3], k=0), "k must be a whole number of at least 1. Got 0."),
        (lambda: entropy([1, -1]), "p must not be negative. Got -1."),
        (lambda: kl_divergence([1, 1], [1, np.nan]), "q must be finite. Got nan."),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
