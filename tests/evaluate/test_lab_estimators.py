"""The bias of estimators, optimism and risk, against closed forms and definitions."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.lab import Mechanism, estimator_bias, optimism, vc_bound
from treewright.textbook import risk

NORMAL = Mechanism(lambda x: 3 + 0 * x, noise=2)


def bessel(y):
    return np.var(y, ddof=1)


@pytest.mark.parametrize("n", [2, 5, 20])
@pytest.mark.parametrize(
    ("statistic", "truth", "bias"),
    [(np.mean, 3, 0), (np.var, 4, -4), (bessel, 4, 0)],
    ids=["mean", "var", "bessel"],
)
def test_the_bias_of_mean_and_variance(statistic, truth, bias, n):
    """The mean is unbiased, the variance has bias −σ²/n, Bessel's correction removes it."""
    found = estimator_bias(statistic, NORMAL, n, truth=truth, random_state=0)
    assert abs(found.bias - bias / n) < 4 * found.bias_error
    if statistic is np.mean:
        assert found.standard_error == pytest.approx(2 / np.sqrt(n), rel=0.03)


def test_the_truth_of_a_large_sample():
    found = estimator_bias(np.var, NORMAL, 5, repeats=200, random_state=0)
    assert found.truth == pytest.approx(4, rel=0.01)
    fixed = estimator_bias(np.mean, Mechanism(lambda x: x, 1, range(10)), repeats=500, random_state=0)
    assert fixed.n == 10
    assert fixed.truth == pytest.approx(4.5, abs=0.01)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"statistic": 3}, "statistic must be a function of y. Got 3."),
        ({"statistic": lambda y: y}, "statistic must return one finite number."),
        ({"repeats": 1}, "repeats must be an int of at least 2. Got 1."),
        ({"n": 0}, "n must be an int of at least 1. Got 0."),
        ({"truth": "a"}, "truth must be one finite number. Got 'a'."),
        ({"truth": np.nan}, "truth must be one finite number. Got nan."),
        ({"mechanism": "xor"}, "mechanism must be one of numbers. Got one of classes."),
        (
            {"statistic": lambda a, b: a + b},
            r"statistic must be a function of y: of 1 argument. Got a function of",
        ),
        ({"statistic": lambda _: np.float64("nan")}, "statistic must return one finite number. Got nan."),
    ],
)
def test_bad_input_of_estimator_bias(values, message):
    with pytest.raises(ValueError, match=message):
        estimator_bias(**({"statistic": np.mean, "mechanism": NORMAL, "n": 5, "repeats": 10} | values))


# -- optimism


def test_optimism_grows_with_the_leaves():
    found = optimism(DecisionTreeClassifier(), "circle and boxes", n=200, leaves=[2, 10, 60], random_state=0)
    assert (np.diff(found.training) < 0).all()
    assert (np.diff(found.optimism) > 0).all()
    assert (found.test <= found.bound).all()
    expected = vc_bound(found.training, [2, 10, 60], 200, a1=1, a2=1).bound
    np.testing.assert_allclose(found.bound, expected)
    assert len(found.to_dicts()) == 3
    assert "60" in str(found)


def test_optimism_of_a_table():
    X, y = Mechanism.named("xor").sample(120, random_state=0)
    found = optimism(DecisionTreeClassifier(), (X, y), leaves=[4, 40], cv=3, random_state=0)
    assert found.n == 80
    assert found.training[1] < found.training[0]
    tree = DecisionTreeClassifier(max_leaf_nodes=4)
    from treewright.learn.folds import folds_of

    errors = [
        (tree.fit(X[f.train], y[f.train]).predict(X[f.test]) != y[f.test]).mean()
        for f in folds_of(3, X, y, classifier=True)
    ]
    assert found.test[0] == pytest.approx(np.mean(errors))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"data": "sine"}, "data must have two classes. Got numbers."),
        ({"data": (np.zeros((6, 1)), list("abcabc"))}, "data must have two classes. Got 3 classes."),
        ({"leaves": [1]}, r"leaves must be ints of at least 2. Got \[1\]."),
        ({"leaves": None}, "leaves must be ints of at least 2. Got None."),
        ({"estimator": DecisionTreeRegressor()}, "estimator must predict classes. Got DecisionTreeRegressor"),
        ({"data": (np.zeros((6, 1)), ["a"] * 6)}, "data must have two classes. Got 1 class."),
        ({"a2": 3, "leaves": [2, 2000]}, r"a2 must be in \(0, 2\]. Got 3."),
        ({"estimator": LogisticRegression()}, "estimator must have the parameter max_leaf_nodes."),
        ({"eta": 2}, r"eta must be in \(0, 1\). Got 2."),
    ],
)
def test_bad_input_of_optimism(values, message):
    every = {"estimator": DecisionTreeClassifier(), "data": "xor", "n": 20, "repeats": 2, "leaves": [2]}
    with pytest.raises(ValueError, match=message):
        optimism(**(every | values))


def test_more_leaves_than_rows_have_no_bound():
    few = optimism(DecisionTreeClassifier(), "xor", n=20, leaves=[5, 20, 21], repeats=2, random_state=0)
    assert np.isnan(few.bound).tolist() == [False, False, True]
    assert [row["bound"] is None for row in few.to_dicts()] == [False, False, True]
    assert str(few).endswith("–")
    usual = optimism(DecisionTreeClassifier(), "xor", n=5, repeats=2, random_state=0)
    assert usual.leaves.tolist() == [2, 3, 5]


# -- risk


def test_risk_from_the_definition():
    X, y = Mechanism.named("sine").sample(50, random_state=0)
    new, truth = Mechanism.named("sine").sample(400, random_state=1)
    for model in (DecisionTreeRegressor(max_depth=3).fit(X, y), LinearRegression().fit(X, y)):
        squares = (model.predict(new) - truth) ** 2
        found = risk(model, new, truth)
        assert float(found) == found.value == pytest.approx(squares.mean())
        assert found.standard_error == pytest.approx(squares.std(ddof=1) / 20)
        assert risk(model, new, truth, "absolute").value == pytest.approx(np.sqrt(squares).mean())
        assert risk(model, new, truth, lambda a, b: (a - b) ** 2).value == pytest.approx(squares.mean())


def test_risk_of_classes():
    X, y = Mechanism.named("xor").sample(200, random_state=0)
    model = DecisionTreeClassifier(max_depth=3, smoothing="laplace").fit(X, y)
    p = model.predict_proba(X)[np.arange(200), y.astype(int)]
    assert risk(model, X, y).value == pytest.approx(1 - model.score(X, y))
    assert risk(model, X, y, "log_loss").value == pytest.approx(-np.log(p).mean())
    assert risk(model, X, y, "brier").value == pytest.approx(((1 - p) ** 2).mean())
    assert "error rate" in str(risk(model, X, y))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"loss": "squared"}, "loss must be one of"),
        (
            {"loss": lambda y, h: (y == h).mean()},
            r"loss must return one finite number per row. Got shape \(\).",
        ),
        ({"loss": lambda *_: np.full(20, np.nan)}, "loss must return one finite number per row"),
        ({"X": [[0, 0]], "y": [True]}, "y must have at least two rows"),
        ({"y": [True] * 5}, "y must be as long as the 20 rows of X"),
        ({"y": ["yes"] * 20, "loss": "log_loss"}, r"y must hold only the classes .* Got 'yes' in row 0"),
        ({"y": [True] * 19 + [None]}, "y must be known for every row"),
        ({"y": np.ones((20, 2), bool)}, "y must have the shape of what the model predicts"),
        ({"X": None}, "X must be a table. Got None."),
        ({"y": [True] * 19 + [np.nan]}, "y must be known for every row"),
        (
            {"loss": lambda y: y},
            r"loss must be a function of y and prediction: of 2 arguments. Got a function of \(y\)",
        ),
        ({"loss": lambda *_: "a"}, "loss must return one finite number per row. Got 'a'."),
        ({"model": LogisticRegression()}, "model must be fitted, and have classes_. Got LogisticRegression"),
        ({"model": KMeans(2)}, "model must predict classes or numbers. Got KMeans"),
    ],
)
def test_bad_input_of_risk(values, message):
    X, y = Mechanism.named("xor").sample(20, random_state=0)
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match=message):
        risk(**({"model": model, "X": X, "y": y} | values))


def test_risk_without_probabilities():
    X, y = Mechanism.named("xor").sample(20, random_state=0)
    with pytest.raises(ValueError, match="loss='log_loss' needs probabilities"):
        risk(LinearSVC().fit(X, y), X, y, "log_loss")


@pytest.mark.parametrize("y", [["a"] * 20, [np.nan] * 20, [1e200] * 20, ["2020-01-01"] * 20])
def test_risk_of_numbers_needs_numbers(y):
    X, numbers = Mechanism.named("sine").sample(20, random_state=0)
    y = np.array(y, dtype="datetime64[s]") if "2020-01-01" in y else y
    with pytest.raises(ValueError, match=r"y must (hold finite numbers|be known|lie between)"):
        risk(DecisionTreeRegressor().fit(X, numbers), X, y)


def test_risk_knows_the_classes_of_the_model():
    """Rows may lack some of them, and costs have them in the order of the model."""
    X = np.random.default_rng(0).normal(size=(150, 2))
    y = np.array(["b", "a", "c"])[np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 1])]
    few = np.flatnonzero(y != "c")
    costs = np.array([[0, 7, 2], [1, 0, 5], [4, 3, 0]])
    order = ["c", "b", "a"]
    models = (DecisionTreeClassifier(max_depth=2), LogisticRegression(),
              DecisionTreeClassifier(max_depth=2, class_order=order, costs=costs))  # fmt: skip
    for model in (each.fit(X, y) for each in models):
        for loss in ("log_loss", "brier", "error", None):
            whole, part = risk(model, X, y, loss).losses, risk(model, X[few], y[few], loss).losses
            assert whole[few] == pytest.approx(part)
    place = {label: k for k, label in enumerate(order)}
    paid = [costs[place[true], place[said]] for true, said in zip(y, model.predict(X), strict=True)]
    assert risk(model, X, y).losses.tolist() == paid


def test_risk_needs_a_model():
    with pytest.raises(TypeError):
        risk(3, [[1], [2]], [0, 1])


def test_pictures():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    found = estimator_bias(np.var, NORMAL, 5, repeats=50, truth=4, random_state=0)
    assert f"truth {found.truth:.4g}" in found.plot().get_legend_handles_labels()[1]
    made = optimism(DecisionTreeClassifier(), "xor", n=50, leaves=[2, 5], repeats=3, random_state=0)
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in made.plot().lines}
    np.testing.assert_allclose(lines["test error"], made.test)
    np.testing.assert_allclose(lines["VC bound of the test error"], made.bound)
    plt.close("all")


def test_every_sample_is_a_draw_of_x_of_its_own():
    def ordered(rng, n):
        return np.sort(rng.random(n))

    found = estimator_bias(np.mean, Mechanism(lambda x: x, 0.1, ordered), n=20, repeats=200, random_state=0)
    assert found.estimates.std() < 0.1  # of the mean of 20 uniform numbers it is 0.065
