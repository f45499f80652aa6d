"""The area under a ROC curve: its variance, and intervals that cover what they say."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.rankings import by_score, rankings
from tests.support.strategies import examples
from treewright.evaluate.roc import auc as areas
from treewright.evaluate.roc.curves import roc_of
from treewright.learn.cross_validation.segments import Segments


@given(rankings())
@examples(2)
def test_the_variance_is_delong_s(drawn):
    score, y, _ = drawn
    segments = by_score(score, y)
    p = score[:, 1]
    psi = (p[y == 1][:, None] > p[y == 0]) + (p[y == 1][:, None] == p[y == 0]) / 2
    m, n = psi.shape
    if min(m, n) < 2:
        return
    wanted = psi.mean(axis=1).var(ddof=1) / m + psi.mean(axis=0).var(ddof=1) / n
    found = areas.area(segments.score[:, 1], *segments.weight.T)
    added = np.column_stack([found.of_negative, found.of_positive])
    sizes = areas.effective(segments.weight, segments.squares)
    assert_allclose(sizes, [n, m])
    assert areas.variance(added, segments.squares, sizes) == pytest.approx(wanted, abs=1e-12)


def test_a_row_of_weight_2_is_less_evidence_than_two_rows():
    rng = np.random.default_rng(3)
    score, y = np.round(rng.random(60), 1), rng.integers(0, 2, 60)
    heavy = roc_of(by_score(score, y, np.full(60, 2.0)))
    once, twice = roc_of(by_score(score, y)), roc_of(by_score(np.tile(score, 2), np.tile(y, 2)))
    assert_allclose(heavy.interval, once.interval)
    assert np.diff(twice.interval) < np.diff(once.interval)
    assert_array_equal(heavy.tp, twice.tp)


@pytest.mark.parametrize(("m", "n"), [(10, 10), (4, 60), (40, 80)])
@pytest.mark.parametrize("apart", [0.0, 1.2, 2.5])
@pytest.mark.parametrize("scores", [4, 30])
def test_intervals_cover_the_truth_as_often_as_they_say(m, n, apart, scores):
    """Of two bell curves cut into few or many scores; with ties and small classes some cover more."""
    rng = np.random.default_rng(7)
    grid = np.linspace(-2.5, 2.5, scores)
    shares = [np.exp(-((grid + side * apart / 2) ** 2) / 2) for side in (1, -1)]
    negative, positive = (share / share.sum() for share in shares)
    truth = positive @ (np.cumsum(negative) - negative / 2)
    runs, covered = 300, 0
    for _ in range(runs):
        weight = np.column_stack([rng.multinomial(n, negative), rng.multinomial(m, positive)]).astype(float)
        score = np.column_stack([1 - np.arange(scores) / scores, np.arange(scores) / scores])
        low, high = roc_of(Segments(score, weight, weight, "held out", np.arange(2))).interval
        covered += low <= truth <= high
    assert covered / runs >= 0.91  # 0.95 less three standard errors
    assert covered / runs <= (0.98 if min(m, n) >= 40 else 1)


def test_means_of_several_areas_have_intervals_that_cover():
    rng = np.random.default_rng(8)
    shares = rng.dirichlet(np.ones(6), 3) * 0.5 + np.repeat(np.eye(3), 2, axis=1) * 0.25
    prediction = rng.dirichlet(np.ones(3), 6) * 0.4 + np.repeat(np.eye(3), 2, axis=0) * 0.6
    sizes = [20, 40, 60]

    def segments(weight):
        return Segments(prediction, weight, weight, "held out", np.arange(3))

    for multi in ("rest", "pairs"):
        truth = roc_of(segments((shares * np.array(sizes)[:, None]).T), multi=multi).auc
        covered = 0
        for _ in range(200):
            drawn = [rng.multinomial(n, share) for n, share in zip(sizes, shares, strict=True)]
            low, high = roc_of(segments(np.array(drawn, dtype=float).T), multi=multi).interval
            covered += low <= truth <= high
        assert 0.9 <= covered / 200 <= 0.99


def test_intervals_at_the_ends():
    perfect = roc_of(by_score([0.1, 0.1, 0.2, 0.8, 0.9], [0, 0, 0, 1, 1]))
    assert perfect.auc == 1
    assert 0.3 < perfect.interval[0] < 0.9
    assert perfect.interval[1] == 1
    many = roc_of(by_score(np.repeat([0.1, 0.9], 1000), np.repeat([0, 1], 1000)))
    assert many.interval[0] > 0.99
    worst = roc_of(by_score([0.9, 0.9, 0.8, 0.2, 0.1], [0, 0, 0, 1, 1]))
    assert worst.auc == 0
    assert worst.interval == pytest.approx((0.0, 1 - perfect.interval[0]))
    single = roc_of(by_score([0.1, 0.9], [0, 1]))
    assert 0 < single.interval[0] < 0.5
    flat = roc_of(by_score(np.full(9, 0.3), [0, 1] * 4 + [1]))
    assert (flat.auc, *flat.interval) == (0.5, 0.5, 0.5)
    narrow = roc_of(by_score([0.1, 0.4, 0.3, 0.9] * 9, [0, 0, 1, 1] * 9), confidence=0.5)
    wide = roc_of(by_score([0.1, 0.4, 0.3, 0.9] * 9, [0, 0, 1, 1] * 9), confidence=0.99)
    assert wide.interval[0] < narrow.interval[0] < narrow.auc < narrow.interval[1] < wide.interval[1]
