"""Intervals: textbook numbers, laws, and how often they cover the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from tests.support.strategies import examples
from treewright.evaluate.intervals import METHODS, effective, mean_interval, share_interval
from treewright.evaluate.student_t import student_quantile

LEVELS = st.sampled_from([0.5, 0.8, 0.95, 0.999])


@st.composite
def counts(draw):
    total = draw(st.integers(1, 500))
    return draw(st.integers(0, total)), total


def test_numbers_of_others():
    for s, n in [(0, 7), (3, 10), (10, 10), (77, 130)]:
        wanted = stats.binomtest(s, n).proportion_ci(0.9, method="wilson")
        assert_allclose(share_interval(s, n, 0.9, "wilson"), [wanted.low, wanted.high], atol=1e-12)
        both = stats.beta(s + 0.5, n - s + 0.5).interval(0.9)  # Jeffreys has ends of his own at 0 and n
        wanted = [0 if s == 0 else both[0], 1 if s == n else both[1]]
        assert_allclose(share_interval(s, n, 0.9), wanted, atol=1e-9)
    sample = np.array([3.0, 4, 8, 1, 1])
    wanted = stats.t.interval(0.9, 4, sample.mean(), stats.sem(sample))
    assert_allclose(mean_interval(sample.mean(), sample.var(), 5, 0.9), wanted)


@pytest.mark.parametrize("method", METHODS)
@given(counts(), LEVELS)
@examples()
def test_shares_have_their_laws(method, case, level):
    s, n = case
    low, high = share_interval(s, n, level, method)
    assert 0 <= low <= s / n <= high <= 1
    assert low < high
    assert (low == 0) == (s == 0)
    assert (high == 1) == (s == n)
    mirrored = share_interval(n - s, n, level, method)
    assert_allclose([mirrored.low, mirrored.high], [1 - high, 1 - low], atol=1e-9)
    wide, narrow = (
        share_interval(s, n, (1 + level) / 2, method),
        share_interval(10 * s, 10 * n, level, method),
    )
    assert wide.low <= low
    assert wide.high >= high
    assert narrow.high - narrow.low < high - low


def test_arrays_are_taken_entry_by_entry():
    s, n = np.array([[0, 1.5], [2, 4]]), np.array([3, 4])
    for method in METHODS:
        found = share_interval(s, n, method=method)
        for place in np.ndindex(2, 2):
            one = share_interval(s[place], n[place[1]], method=method)
            assert (found.low[place], found.high[place]) == (one.low, one.high)
        assert np.isnan(share_interval(0, 0, method=method)).all()


@pytest.mark.parametrize("method", METHODS)
def test_shares_are_covered_as_often_as_claimed(method):
    rng = np.random.default_rng(5)
    for n in (3, 12, 60, 400):
        # a share drawn by Jeffreys' own prior is covered exactly so often; at the ends a little more
        p = rng.beta(0.5, 0.5, 40_000)
        for level in (0.8, 0.95):
            low, high = share_interval(rng.binomial(n, p), n, level, method)
            covered = ((low <= p) & (p <= high)).mean()
            least = level - 0.01
            assert least < covered < level + (1 - level) * (0.75 if n < 10 else 0.5), (n, level, covered)
    for p in (0.1, 0.3, 0.5):
        low, high = share_interval(rng.binomial(100, p, 40_000), 100, 0.95, method)
        assert 0.925 < ((low <= p) & (p <= high)).mean() < 0.975, p


def test_means_are_covered_as_often_as_claimed():
    rng = np.random.default_rng(6)
    for n in (2, 5, 40):
        samples = rng.normal(7, 3, (40_000, n))
        low, high = mean_interval(samples.mean(axis=1), samples.var(axis=1), n, 0.9)
        assert abs(((low <= 7) & (high >= 7)).mean() - 0.9) < 0.006


def test_weighted_shares_are_covered_with_the_effective_number_of_rows():
    rng = np.random.default_rng(7)
    w = rng.exponential(size=200)
    n = effective(w.sum(), (w * w).sum())
    assert 80 < n < 120  # half of the rows: the mean square of these weights is twice the squared mean
    share = (rng.random((20_000, 200)) < 0.3) @ w / w.sum()
    low, high = share_interval(share * n, n)
    assert 0.935 < ((low <= 0.3) & (high >= 0.3)).mean() < 0.965
    by_rows = share_interval(share * 200, 200)
    assert ((by_rows.low <= 0.3) & (by_rows.high >= 0.3)).mean() < 0.87


def test_few_rows_have_no_interval_of_the_mean():
    low, high = mean_interval([1, 2, 3, 4], [0, 0, 0, 1], [0, 1, 2, 1.5])
    assert np.isnan(low[:2]).all()
    assert low[2] == high[2] == 3
    assert low[3] < 4 < high[3]
    assert effective(0.0, 0.0) == 0
    assert effective([4.0, 2.0], [4.0, 4.0]).tolist() == [4, 1]


def test_what_cannot_be_is_refused():
    for level in (0, 1, 95, True, "a", None):
        for interval_of in (share_interval, mean_interval):
            with pytest.raises(ValueError, match=r"confidence must be a float in \(0, 1\), such"):
                interval_of(1, 2, **({"n": 3} if interval_of is mean_interval else {}), confidence=level)
    with pytest.raises(ValueError, match=r"method must be one of 'jeffreys', 'wilson'. Got 'wald'"):
        share_interval(1, 2, method="wald")
    for s, n in [(3, 2), (-1, 2), (1, np.inf), (np.nan, 2)]:
        with pytest.raises(ValueError, match="successes must be at least 0 and at most total"):
            share_interval([1, s], [2, n])
    with pytest.raises(ValueError, match=r"variance must not be negative. Got -1"):
        mean_interval(1, -1, 5)


def test_quantiles_of_student_are_those_of_scipy():
    for degrees in [*range(1, 12), 50, 99]:
        for probability in (0.01, 0.5, 0.6, 0.95, 0.975, 0.9999):
            expected = stats.t.ppf(probability, degrees)
            assert student_quantile(degrees, probability) == pytest.approx(expected, rel=1e-10, abs=1e-14)
