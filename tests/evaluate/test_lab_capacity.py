"""The VC bound and shattering, against the numbers and the formula of the literature."""

import math
from itertools import pairwise

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.svm import SVC

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.lab import shatters, vc_bound


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
        ({"eta": np.float64(1)}, r"eta must be in \(0, 1\). Got 1.0."),
        ({"a1": 5}, r"a1 must be in \(0, 4\]. Got 5."),
        ({"a2": 0}, r"a2 must be in \(0, 2\]. Got 0."),
        ({"n": 0}, "n must be at least 1. Got 0."),
        ({"error": 1.5}, "error must be from 0 to 1. Got 1.5."),
        ({"error": "x"}, "error must be a finite number, or an array of them. Got 'x'."),
        ({"h": "3"}, "h must be a finite number, or an array of them. Got '3'."),
        ({"h": True}, "h must be a finite number, or an array of them. Got True."),
        ({"n": "1000"}, "n must be a finite number, or an array of them. Got '1000'."),
        ({"error": [0.1, 0.2], "h": [1, 2, 3]}, "error, h and n must be numbers or arrays of one shape."),
        ({"h": 10**6}, "h must be at most a2 · n = 2000 to have a bound. Got 1e[+]06."),
        ({"h": [3, 54, 60], "n": 10}, "h must be at most a2 · n = 20 to have a bound. Got 54."),
        ({"h": 20, "n": [30, 10], "a2": 1}, "h must be at most a2 · n = 10 to have a bound. Got 20."),
    ],
)
def test_bad_input_of_the_bound(values, message):
    with pytest.raises(ValueError, match=message):
        vc_bound(**({"error": 0.2, "h": 3, "n": 1000} | values))


def test_the_picture_of_the_bound():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    over_h, over_n = vc_bound(0.2, 3, 1000).plot()
    for ax in (over_h, over_n):
        assert round(float(ax.lines[2].get_ydata()[0]), 5) == 0.40634
    h, bounds = over_h.lines[0].get_data()
    np.testing.assert_allclose(bounds, vc_bound(0.2, h, 1000).bound)
    useless = vc_bound(0.9, 50, 100)
    assert str(useless).endswith("\nA bound of 1 or more says nothing.")
    assert "nothing" not in str(vc_bound(0.2, 3, 1000))
    assert useless.plot()[0].get_ylim()[1] > useless.bound  # so that it is seen
    plt.close("all")


@pytest.mark.parametrize(
    ("h", "n", "constants"),
    [(3, 100, {"a2": 0.05}), (18, 10, {"a2": 2}), (10, 10, {"a2": 1}), (29, 100, {"a2": 0.29}),
     (0.01, 5, {}), (1, 1, {"a2": 1}), (3, 10**7, {})],
)  # fmt: skip
def test_the_picture_has_the_bound_where_it_holds(h, n, constants):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    for ax in vc_bound(0.2, h, n, **constants).plot():
        across, (at,) = ax.lines[0].get_xdata(), ax.lines[2].get_xdata()
        assert across[0] <= at <= across[-1]
        upward = np.diff(ax.lines[0].get_ydata()) * (1 if "VC" in ax.get_xlabel() else -1)
        assert (upward >= -1e-12).all()
        ax.figure.canvas.draw()
        ticks = [tick.get_window_extent() for tick in ax.get_xticklabels() if tick.get_text()]
        inside = [box for box in ticks if ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1]
        assert all(left.x1 < right.x0 for left, right in pairwise(inside))
    plt.close("all")


# -- shattering


class Sine:
    """sin(αx) > 0, with the α that realises any labels of 0.1, 0.01, ... (Hastie et al. 2009)."""

    def fit(self, X, y):
        powers = np.round(1 / X[:, 0])
        self.alpha = np.pi * (1 + ((1 - y) * powers).sum())
        return self

    def get_params(self, deep=True):  # noqa: ARG002
        return {}

    def predict(self, X):
        return (np.sin(self.alpha * X[:, 0]) > 0).astype(int)


def line():
    return SVC(kernel="linear", C=1e6)


def test_a_line_shatters_three_points_and_never_four():
    rng = np.random.default_rng(0)
    assert shatters(line(), [[0, 0], [1, 0], [0, 1]])
    assert not shatters(line(), [[0, 0], [1, 1], [2, 2]])  # three on a line
    square = shatters(line(), [[0, 0], [1, 0], [0, 1], [1, 1]])
    assert square.failed.tolist() == [0, 1, 1, 0]
    assert square.realised.sum() == 14
    for _ in range(4):
        assert not shatters(line(), rng.random((4, 2)))


@pytest.mark.parametrize("points", [[[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1], [1, 1]]])
def test_of_symmetric_labelings_one_is_fitted(points):
    steps = []
    found = shatters(line(), points, symmetric=True, progress=lambda *step: steps.append(step))
    assert found.realised.tolist() == shatters(line(), points).realised.tolist()
    assert len(steps) == 2 ** len(points) // 2
    assert steps[0] == (0, len(steps) - 1, f"labeling {'0' * (len(points) - 1)}1")


@pytest.mark.parametrize("model", [DecisionTreeRegressor(), PCA(), KMeans(2)], ids=str)
def test_only_classifiers_shatter(model):
    with pytest.raises(ValueError, match=f"estimator must predict classes.* Got {type(model).__name__}"):
        shatters(model, [1, 2])


def test_other_capacities():
    assert shatters(DecisionTreeClassifier(max_depth=1), [1, 2])
    assert not shatters(DecisionTreeClassifier(max_depth=1), [1, 2, 3])
    for leaves in (2, 3, 4, 5):  # on one column the VC dimension is the number of leaves
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves)
        assert not shatters(tree, range(leaves + 1))
    assert shatters(DecisionTreeClassifier(), np.random.default_rng(0).random((7, 3)))
    assert not shatters(DecisionTreeClassifier(), [1, 1])
    for n in (2, 4, 6):
        assert shatters(Sine(), 10.0 ** -np.arange(1, n + 1))


def test_the_printed_shattering():
    assert (
        str(shatters(line(), [[0, 0], [1, 0], [0, 1]]))
        == "3 points are shattered: all 8 labelings are realised."
    )
    found = shatters(DecisionTreeClassifier(max_depth=1), [1, 2, 3])
    assert str(found) == "3 points are not shattered: 6 of 8 labelings are realised, 010 is not."
    assert len(found.to_dicts()) == 8


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([1], "points must be from 2 to 12. Got 1."),
        (range(13), "points must be from 2 to 12. Got 13."),
        (["a", "b"], "points must hold finite numbers"),
        ([1, np.inf], "points must hold finite numbers"),
    ],
)
def test_bad_points(points, message):
    with pytest.raises(ValueError, match=message):
        shatters(DecisionTreeClassifier(), points)
