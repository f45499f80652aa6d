"""The VC bound and shattering, against the numbers and the formula of the literature."""

import math

import numpy as np
import pytest

from treewright.lab import vc_bound


@pytest.mark.parametrize(
    ("n", "a1", "a2", "epsilon", "bound"),
    [(1000, 4, 2, 0.10478, 0.40634), (1000, 1, 1, 0.02412, 0.28255), (10**6, 4, 2, None, 0.20622)],
)
def test_the_bound_of_the_literature(n, a1, a2, epsilon, bound):
    found = vc_bound(0.2, 3, n, a1=a1, a2=a2)
    assert round(found.bound, 5) == bound
    assert epsilon is None or round(found.epsilon, 5) == epsilon
    assert math.isclose(found.optimism, found.bound - 0.2)
    by_hand = a1 * (3 * (math.log(a2 * n / 3) + 1) - math.log(0.025)) / n
    assert math.isclose(found.epsilon, by_hand)


def test_arrays_and_the_printed_table():
    found = vc_bound(0.2, [1, 3, 10], 1000)
    assert found.bound.shape == (3,)
    assert (np.diff(found.bound) > 0).all()
    assert len(found.to_dicts()) == 3
    assert "0.40634" in str(found)
    more = vc_bound(0.2, 3, [1e3, 1e6, 1e12]).optimism
    assert (np.diff(more) < 0).all()
    assert more[-1] < 1e-4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"h": 0}, "h must be above 0. Got 0."),
        ({"h": -1}, "h must be above 0. Got -1."),
        ({"eta": 0}, r"eta must be in \(0, 1\). Got 0."),
        ({"eta": 1}, r"eta must be in \(0, 1\). Got 1."),
        ({"a1": 5}, r"a1 must be in \(0, 4\]. Got 5."),
        ({"a2": 0}, r"a2 must be in \(0, 2\]. Got 0."),
        ({"n": 0}, "n must be at least 1. Got 0."),
        ({"error": 1.5}, "error must be from 0 to 1. Got 1.5."),
        ({"error": "x"}, "error must be a finite number, or an array of them. Got 'x'."),
        ({"h": 10**6}, "h must be so small that epsilon is above 0"),
    ],
)
def test_bad_input_of_the_bound(values, message):
    with pytest.raises(ValueError, match=message):
        vc_bound(**({"error": 0.2, "h": 3, "n": 1000} | values))
