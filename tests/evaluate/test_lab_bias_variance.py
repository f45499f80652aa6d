"""Bias², variance and noise: textbook numbers, identities, definitions, tables and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, BaggingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.lab.decomposition import squared_parts, zero_one_parts
from treewright.lab import Mechanism, bias_variance, bias_variance_curve

SQUARES = {"x": range(10), "f": lambda x: x**2}
FIVE = Mechanism(lambda a, b, c, d, e: np.sin(3 * a) + b * c - d * e, 0.3, 5)


# -- numbers of the literature


@pytest.mark.parametrize(
    ("k", "bias2"), [(1, 0), pytest.param(3, 2.7778, marks=pytest.mark.slow), (10, 812.25)]
)
def test_neighbours_of_squares(k, bias2):
    """kNN on x = 0..9, f = x², at 0: bias² by hand, variance σ²/k."""
    still = bias_variance(KNeighborsRegressor(k), Mechanism(**SQUARES), at=[0], repeats=2)
    assert (round(still.bias2, 4), still.variance, still.noise) == (bias2, 0, 0)
    noisy = Mechanism(**SQUARES, noise=2)
    found = bias_variance(KNeighborsRegressor(k), noisy, at=[0], repeats=1000, random_state=0)
    assert found.noise == 4
    assert found.variance == pytest.approx(4 / k, rel=0.1)
    chance = 2 * np.sqrt(bias2 * found.variance / 1000)  # the standard error of a squared mean
    assert found.bias2 == pytest.approx(bias2, abs=4 * chance + 0.05)


def test_more_rows_leave_only_the_noise():
    tree = DecisionTreeRegressor(min_samples_leaf=0.05)
    few, many = (bias_variance(tree, "sine", n=n, repeats=40, random_state=0) for n in (40, 4000))
    assert many.epistemic < few.epistemic / 5
    assert many.aleatoric == few.aleatoric == pytest.approx(0.09)


@pytest.mark.parametrize(
    ("tree", "mechanism"), [(DecisionTreeRegressor(), "sine"), (DecisionTreeClassifier(), "circle and boxes")]
)
def test_deeper_trees_have_less_bias_and_more_variance(tree, mechanism):
    depths = {"max_depth": [1, 3, 10]}
    curve = bias_variance_curve(tree, mechanism, depths, n=300, repeats=60, random_state=0)
    assert (np.diff(curve.bias2) < 0).all()
    assert curve.variance[0] < curve.variance[-1]


# -- identities and definitions


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10**6))
def test_the_parts_of_squared_error_sum_to_the_total(repeats, n_points, seed):
    rng = np.random.default_rng(seed)
    h, mean, noise = rng.normal(size=(repeats, n_points)), rng.normal(size=n_points), rng.random(n_points)
    found = squared_parts(np.zeros((n_points, 1)), h, mean, noise)
    np.testing.assert_allclose(found.bias2 + found.variance + found.noise, found.total, atol=1e-12)
    for i in range(n_points):  # from the definition
        assert found.total[i] == pytest.approx(noise[i] + sum((x - mean[i]) ** 2 for x in h[:, i]) / repeats)
        assert found.variance[i] == pytest.approx(np.var(h[:, i], ddof=1))


@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 10**6))
def test_the_parts_of_zero_one_loss_sum_to_the_error_rate(repeats, n_classes, seed):
    rng = np.random.default_rng(seed)
    codes, p = rng.integers(n_classes, size=(repeats, 3)), rng.dirichlet(np.ones(n_classes), 3)
    noise = (1 - (p * p).sum(axis=1)) / 2
    found = zero_one_parts(np.zeros((3, 1)), codes, p, noise, np.arange(n_classes))
    np.testing.assert_allclose(found.bias2 + found.variance + found.noise, found.total, atol=1e-12)
    for i in range(3):  # the error rate: a label that is drawn, against a model that is drawn
        error = np.mean([1 - p[i, code] for code in codes[:, i]])
        assert found.total[i] == pytest.approx(error)


def test_both_estimates_are_unbiased():
    """Few repeats, many times: the mean of the estimates is the truth."""
    rng = np.random.default_rng(0)
    h = 1 + 2 * rng.standard_normal((5, 20_000))
    found = squared_parts(np.zeros((20_000, 1)), h, np.zeros(20_000), np.zeros(20_000))
    assert found.bias2.mean() == pytest.approx(1, abs=0.05)
    assert found.variance.mean() == pytest.approx(4, abs=0.05)


# -- estimators of other kinds


def test_the_same_seed_gives_the_same_numbers():
    forest = BaggingRegressor(DecisionTreeRegressor(), n_estimators=3)  # whose own random_state is None
    first, second, other = (
        bias_variance(forest, "sine", repeats=5, random_state=seed).predictions for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_every_sample_is_a_draw_of_x_of_its_own():
    found = []
    for ordered in (False, True):  # a tree does not depend on the order of rows

        def x(rng, n, ordered=ordered):
            drawn = rng.random(n)
            return np.sort(drawn) if ordered else drawn

        mechanism = Mechanism(lambda x: np.sin(6 * x), 0.1, x)
        found.append(bias_variance(DecisionTreeRegressor(max_depth=4), mechanism, n=50, random_state=0))
    assert found[1].total == pytest.approx(found[0].total, rel=0.2)


def test_bagging_lowers_variance_and_boosting_lowers_bias():
    stump, deep = DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier()
    boosted, bagged = AdaBoostClassifier(stump, n_estimators=30), BaggingClassifier(deep, n_estimators=15)
    options = {"n": 200, "repeats": 15, "at": 400, "random_state": 0}
    one, many, tree, trees = (
        bias_variance(model, "circle and boxes", **options) for model in (stump, boosted, deep, bagged)
    )
    assert many.bias2 < 0.7 * one.bias2
    assert trees.variance < 0.8 * tree.variance
    assert abs(trees.bias2 - tree.bias2) < 0.02


def test_nested_parameters_of_a_pipeline():
    polynomial = make_pipeline(PolynomialFeatures(), LinearRegression())
    degrees = {"polynomialfeatures__degree": [1, 3, 9]}
    curve = bias_variance_curve(polynomial, "sine", degrees, n=30, repeats=50, random_state=0)
    assert curve.best == 3
    assert curve.bias2[0] > 0.15
    assert [row["polynomialfeatures__degree"] for row in curve.to_dicts()] == [1, 3, 9]


def test_a_sample_without_a_class():
    rare = Mechanism(lambda x: np.where(x > 0.97, 0.5, 0.0), classes=["no", "yes"])
    found = bias_variance(DecisionTreeClassifier(), rare, n=20, repeats=30, random_state=0)
    assert found.bias2 + found.variance + found.noise == pytest.approx(found.total)


# -- tables


def test_a_table_by_bootstrap():
    X, y = FIVE.sample(80, random_state=0)
    found = bias_variance(DecisionTreeRegressor(max_depth=3), (X, y), repeats=30, random_state=0)
    assert found.noise is None
    assert found.bias2 + found.variance == pytest.approx(found.total)
    assert "Bias² includes the noise" in str(found)
    rng = np.random.default_rng(0)  # from the definition
    rng.integers(2**31 - 1)  # the seed of estimators
    drawn = np.sort(rng.integers(80, size=(30, 80)), axis=1)
    errors = [[] for _ in y]
    for rows in drawn:
        h = DecisionTreeRegressor(max_depth=3).fit(X[rows], y[rows]).predict(X)
        for i in set(range(80)) - set(rows.tolist()):
            errors[i].append((y[i] - h[i]) ** 2)
    np.testing.assert_allclose(found.points.total, [np.mean(each) for each in errors])


def test_whole_numbers_are_classes_or_numbers_as_the_estimator_says():
    X, y = FIVE.sample(60, random_state=0)
    whole = np.round(3 * y).astype(int)
    kinds = {"squared error": DecisionTreeRegressor(), "zero-one loss": DecisionTreeClassifier()}
    for loss, tree in kinds.items():
        assert bias_variance(tree, (X, whole), repeats=9, random_state=0).loss == loss
    with pytest.raises(ValueError, match="y must hold numbers for an estimator that predicts numbers"):
        bias_variance(DecisionTreeRegressor(), (X, whole.astype(str)), repeats=9)


def test_frames_with_text():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"colour": list("aabbccdd") * 5, "size": range(40)})
    y = np.where(X["size"] % 8 < 4, "small", "large")
    found = bias_variance(DecisionTreeClassifier(), (X, y), repeats=20, random_state=0)
    assert found.loss == "zero-one loss"
    assert found.total < 0.2
    assert found.bias2 + found.variance == pytest.approx(found.total)


# -- bad input


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"repeats": 1}, "repeats must be an int of at least 2. Got 1."),
        ({"n": 1}, "n must be an int of at least 2. Got 1."),
        ({"mechanism": "sinus"}, "The name of a mechanism must be one of 'sine'"),
        ({"mechanism": 5}, "mechanism must be a Mechanism or the name of one. Got 5."),
        ({"mechanism": "xor"}, "estimator must predict classes, as the mechanism or table has them."),
        ({"at": [[1, 2]]}, "at must have the columns of the mechanism: 1. Got 2."),
        ({"at": [np.nan]}, "at must hold finite numbers of shape"),
        ({"at": 0}, "at must be an int of at least 1. Got 0."),
        ({"random_state": "x"}, "random_state must be None, an int of at least 0, or a generator of numpy."),
        ({"estimator": DecisionTreeRegressor}, "estimator must be an estimator"),
        (
            {"mechanism": Mechanism(lambda x: x, 0, [1, 1, 1]), "n": 3},
            "x of the mechanism must have at least two",
        ),
        *(
            (
                {"mechanism": Mechanism(lambda x: x, 0, lambda _, n: np.ones(n)), "at": at},
                "at least two different",
            )
            for at in (None, 10, [1, 2])
        ),
        ({"mechanism": Mechanism(lambda x: x, 0, [1]), "n": 1}, r"different rows. Got 1 equal row\."),
        (
            {"mechanism": Mechanism(lambda *x: x[0], 0, lambda rng, n: rng.random((n, 1 + (n == 10))))},
            "x of the mechanism must have as many columns for any number of rows. Got 1 and 2.",
        ),
        ({"at": 1.5}, "at must be None, a number of rows, or rows. Got 1.5."),
        ({"estimator": PCA()}, "estimator must predict classes or numbers. Got PCA"),
        ({"estimator": KMeans(2)}, "estimator must predict classes or numbers. Got KMeans"),
        ({"estimator": lambda X: X}, r"a function of X and y: of 2 arguments. Got a function of \(X\)"),
        ({"estimator": lambda *_: 3}, "estimator must be .* function of X and y that returns a fitted one"),
        ({"at": "a"}, "at must be None, a number of rows, or rows. Got 'a'."),
        ({"mechanism": Mechanism(lambda x: x, 0, [1, 2]), "n": 5}, "n must be 2, the number of fixed rows"),
        ({"mechanism": (np.zeros((3, 1)), [1.5, 2.5])}, "A table must be a pair"),
        ({"mechanism": (np.zeros((3, 1)), [1.5, 2.5, 3]), "at": [0]}, "at must be None for a table"),
    ],
)
def test_bad_input(values, message):
    every = {"estimator": DecisionTreeRegressor(), "mechanism": "sine", "n": 10, "repeats": 2} | values
    with pytest.raises(ValueError, match=message):
        bias_variance(**every)


@pytest.mark.parametrize("over", [{}, {"max_depth": []}, {"max_depth": 3}, {"depth": [1]}, "max_depth"])
def test_bad_parameters_of_a_curve(over):
    with pytest.raises(ValueError, match="over must"):
        bias_variance_curve(DecisionTreeRegressor(), "sine", over)
