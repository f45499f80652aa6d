"""Mechanisms: samples have the mean, the noise and the class probabilities that they should."""

import math

import numpy as np
import pytest

from treewright.lab import Mechanism

CLASSES = {
    "x + y <= 1": lambda a, b: a + b <= 1,
    "xor": lambda a, b: (a > 0.5) ^ (b > 0.5),
    "line y = 0.8x + 0.1": lambda a, b: b > 0.8 * a + 0.1,
    "circle and boxes": None,
}


def test_the_sine():
    X, y = Mechanism.named("sine").sample(20_000, random_state=0)
    truth = Mechanism.named("sine").truth(X)
    np.testing.assert_allclose(truth.mean, np.sin(2 * np.pi * X[:, 0]))
    assert np.std(y - truth.mean) == pytest.approx(0.3, rel=0.03)


@pytest.mark.parametrize("name", CLASSES)
def test_named_mechanisms_of_classes(name):
    X, y = Mechanism.named(name).sample(20_000, random_state=0)
    assert np.array_equal(y, Mechanism.named(name).sample(20_000, random_state=0).y)
    assert X.shape == (20_000, 2)
    quiet = Mechanism.named(name, noise=0).target(X, np.random.default_rng(0))
    assert (y != quiet).mean() == pytest.approx(0.0 if name == "x + y <= 1" else 0.1, abs=0.01)
    assert 0.2 < quiet.mean() < 0.8
    if CLASSES[name] is not None:
        assert np.array_equal(quiet, CLASSES[name](*X.T))


def test_noise_may_depend_on_the_columns():
    mechanism = Mechanism(lambda x: 0 * x, noise=lambda x: x, x=lambda rng, n: rng.choice([1.0, 3.0], n))
    X, y = mechanism.sample(40_000, random_state=0)
    for sd in (1, 3):
        assert y[X[:, 0] == sd].std() == pytest.approx(sd, rel=0.03)
    np.testing.assert_allclose(mechanism.truth([1, 3]).noise, [1, 9])


def test_classes_keep_their_order_and_probabilities():
    mechanism = Mechanism(lambda x: 0.8 + 0 * x, classes=["yes", "no"])  # the second is "no"
    _, y = mechanism.sample(20_000, random_state=0)
    assert (y == "no").mean() == pytest.approx(0.8, abs=0.01)
    three = Mechanism(lambda x: np.full((len(x), 3), [0.5, 0.3, 0.2]), 0.1, classes=[7, 5, 1])
    _, y = three.sample(40_000, random_state=0)
    for label, share in ((7, 0.5), (5, 0.3), (1, 0.2)):
        assert (y == label).mean() == pytest.approx(0.9 * share + 0.1 * (1 - share) / 2, abs=0.01)
    np.testing.assert_allclose(three.truth([0]).mean.sum(axis=1), 1)


def test_fixed_rows_stay():
    given = np.arange(4.0)
    mechanism = Mechanism(np.square, 1, given)
    given[0] = 99
    X, y = mechanism.sample(random_state=0)
    assert X[:, 0].tolist() == [0, 1, 2, 3]
    assert len(y) == 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"f": 3}, "f must be a function of the columns. Got 3."),
        ({"f": lambda x: x[:2]}, r"f must return one entry per row: shape \(5,\). Got shape \(2,\)."),
        ({"f": lambda x: np.stack([x, x], 1)}, r"f must return one entry per row"),
        ({"f": lambda x: np.array(["a"] * len(x))}, "f must return finite numbers or booleans"),
        ({"f": lambda x: x / 0}, "f must return finite numbers or booleans"),
        ({"f": lambda x: x + 2, "classes": [0, 1]}, "f must return probabilities from 0 to 1"),
        ({"f": lambda x: np.array(["c"] * len(x)), "classes": ["a", "b"]}, "f must return labels of classes"),
        ({"noise": -1}, "noise must be a finite number of at least 0, or a function of the columns. Got -1."),
        ({"noise": lambda x: -x - 1}, "noise must return 5 finite numbers of at least 0"),
        ({"f": lambda x: x > 1, "noise": 2}, "noise of classes must be a probability from 0 to 1. Got 2."),
        ({"x": []}, r"x must hold finite numbers of shape"),
        ({"x": 0}, r"shape \(rows,\) or .*, a number of columns, or a function of a generator .* Got 0."),
        ({"f": math.sin}, "f must be a function of an array, such as np.exp in place of math.exp."),
        ({"f": lambda x: 1e150 * x + 1e149}, "f must lie between -1e[+]145 and 1e[+]145"),
        ({"noise": 1e160}, "noise must lie between -1e[+]145 and 1e[+]145"),
        ({"noise": np.float64("nan")}, r"or a function of the columns. Got nan\."),
        ({"f": lambda x: x + 2, "classes": ["a", "b"]}, r"that sum to 1. Got \d\.\d+\.$"),
        ({"x": [1, np.nan]}, r"x must hold finite numbers of shape"),
        ({"x": "abc"}, r"x must hold finite numbers of shape"),
        ({"x": lambda rng, n: rng.random(n + 1)}, "x must return 5 rows if n is 5. Got 6."),
        ({"x": lambda rng: rng.random(5)}, "x must be a function of a generator and a number of rows"),
        (
            {"f": lambda x, z: x + z},
            r"f must be a function of the columns: of 1 argument. Got a function of \(x, z\).",
        ),
        (
            {"f": lambda x: [[1], [2, 3]][: len(x)]},
            r"f must return one entry per row. Got \[\[1\], \[2, 3\]\].",
        ),
        (
            {"noise": lambda: 1},
            "noise must be a function of the columns: of 1 argument. Got a function of ().",
        ),
        ({"noise": str}, "noise must return 5 finite numbers of at least 0"),
        *(
            (
                {"classes": classes},
                "classes must be at least two different labels: all text, all whole numbers",
            )
            for classes in (
                ["a"],
                ["a", "a"],
                [1.0, 0.0],
                [np.nan, 1],
                [None, "a"],
                [[1], [2, 3]],
                [1, "a"],
                "ab",
            )
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_bad_input(values, message):
    with pytest.raises(ValueError, match=message):
        Mechanism(**({"f": lambda x: x} | values)).sample(5)


def test_the_truth_is_that_of_as_many_columns():
    with pytest.raises(ValueError, match="X must have the columns of the mechanism: 1"):
        Mechanism.named("sine").truth([[1, 2]])


def test_a_name_that_is_nearly_one():
    with pytest.raises(ValueError, match=r"Got 'Sine'. Did you mean 'sine'\?"):
        Mechanism.named("Sine")


def test_f_may_return_objects():
    assert Mechanism(lambda x: (x > 0.5).astype(object)).sample(5, 0).y.dtype == bool
    assert Mechanism(lambda x: x.astype(object)).sample(5, 0).y.dtype == float


@pytest.mark.parametrize("n", [0, 1.5, None, True])
def test_bad_number_of_rows(n):
    with pytest.raises(ValueError, match="n must be an int of at least 1"):
        Mechanism.named("sine").sample(n)
