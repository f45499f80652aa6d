"""Trees that are grown side by side predict, bit for bit, as those of a plain loop."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.errors import ParameterError
from treewright.evaluate.lab.repeats import all_predictions
from treewright.evaluate.lab.samples import source_of
from treewright.lab import Mechanism, bias_variance

FIVE = Mechanism(lambda a, b, c, d, e: np.sin(3 * a) + b * c - d * e, 0.3, 5)
FIXED = Mechanism(lambda x: x**2, 5, range(10))
CORNER = Mechanism(lambda a, b: a + b <= 1, 0.1, 2)
THREE = Mechanism(lambda x: np.array(["z", "a", "m"])[(3 * x).astype(int)], 0.2, classes=["z", "a", "m"])


class Remembered:
    """A source that remembers the samples it has given."""

    def __init__(self, source, seen):
        self.source, self.seen = source, seen
        self.at, self.classes = source.at, source.classes

    def batches(self, repeats, rng):
        for batch in self.source.batches(repeats, rng):
            self.seen.extend((batch.table(k), y) for k, y in enumerate(batch.y))
            yield batch


@pytest.mark.parametrize("missing", ["learned", "branch", "surrogate", "fractional"])
@pytest.mark.parametrize("cls", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_missing_values_are_predicted_as_by_a_loop(cls, missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = X.sum(axis=1) if cls is DecisionTreeRegressor else X.sum(axis=1) > 0
    X[rng.random(X.shape) < 0.3] = np.nan
    tree = cls(max_depth=3, missing=missing)
    each = bias_variance(lambda X, y: tree.fresh().fit(X, y), (X, y), repeats=10, random_state=0)
    together = bias_variance(tree, (X, y), repeats=10, random_state=0)
    np.testing.assert_array_equal(together.predictions, each.predictions)


def test_a_target_of_one_class_has_no_error():
    X, y = np.arange(20.0)[:, None], np.array(["a"] * 20)
    assert bias_variance(DecisionTreeClassifier(), (X, y), repeats=5).total == 0


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize(
    ("estimator", "mechanism"),
    [
        (DecisionTreeRegressor(max_depth=6), FIVE),
        (DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=0.05), FIVE),
        (DecisionTreeRegressor(ccp_alpha=0.01, smoothing="branch"), FIVE),
        (DecisionTreeRegressor(leaf_model="linear"), FIVE),
        (DecisionTreeRegressor(max_leaf_nodes=5), FIXED),
        (DecisionTreeClassifier(criterion="entropy"), CORNER),
        (DecisionTreeClassifier(max_features=1, random_state=3), CORNER),
        (DecisionTreeClassifier(class_weight="balanced"), CORNER),
        (DecisionTreeClassifier(oblique=2), CORNER),
        (DecisionTreeClassifier(max_depth=4), THREE),
        (KNeighborsClassifier(3), THREE),
    ],
    ids=str,
)
def test_predictions_are_those_of_a_loop(estimator, mechanism, n_jobs):
    rng = np.random.default_rng(0)
    source = source_of(mechanism, None if mechanism.fixed is not None else 60, None, rng)
    estimator, seen = clone(estimator).set_params(n_jobs=n_jobs), []
    (found,), used = all_predictions([estimator], Remembered(source, seen), 14, rng)
    assert used is None
    assert len(found) == len(seen) == 14
    found = found if source.classes is None else source.classes[found]
    for predicted, (X, y) in zip(found, seen, strict=True):
        assert np.array_equal(predicted, clone(estimator).fit(X, y).predict(source.at))


def test_a_table_with_missing_values():
    X, y = FIVE.sample(60, random_state=0)
    X[::7, 0] = np.nan
    rng = np.random.default_rng(0)
    source, seen = source_of((X, y), None, None, rng), []
    (found,), used = all_predictions([DecisionTreeRegressor()], Remembered(source, seen), 5, rng)
    assert used.shape == (5, 60)
    for predicted, sample in zip(found, seen, strict=True):
        assert np.array_equal(predicted, DecisionTreeRegressor().fit(*sample).predict(X))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_samples_that_lack_a_class(criterion):
    rng, seen = np.random.default_rng(0), []
    source = source_of(Mechanism(lambda x: x < 0.1, 0.0), 12, None, rng)
    model = DecisionTreeClassifier(criterion=criterion, n_jobs=3)
    (found,), _ = all_predictions([model], Remembered(source, seen), 40, rng)
    assert {len(np.unique(y)) for _, y in seen} == {1, 2}
    for predicted, sample in zip(source.classes[found], seen, strict=True):
        assert np.array_equal(predicted, clone(model).fit(*sample).predict(source.at))


@pytest.mark.parametrize("source", ["sine", FIVE.sample(40, random_state=0)], ids=["mechanism", "table"])
def test_threads_do_not_matter(source):
    trees = [
        bias_variance(DecisionTreeRegressor(max_depth=4, n_jobs=n), source, repeats=30, random_state=3)
        for n in (1, 2, 5)
    ]
    for each in trees[1:]:
        assert np.array_equal(each.predictions, trees[0].predictions)
        assert each.total == trees[0].total


def test_an_error_of_the_mechanism_ends_all_threads():
    calls = []

    def f(x):
        calls.append(len(x))
        if len(calls) > 3:
            raise RuntimeError("f has had enough")
        return x

    with pytest.raises(RuntimeError, match="had enough"):
        bias_variance(DecisionTreeRegressor(n_jobs=4), Mechanism(f, 0.1), n=500, repeats=400)
    assert len(calls) == 4


def constant(predicted):
    """A procedure whose model predicts the same for any rows."""
    return lambda _X, _y: SimpleNamespace(predict=lambda _at: predicted)


@pytest.mark.parametrize(
    ("predicted", "said"),
    [
        (np.zeros((5, 2)), r"one entry per row: shape \(5,\)\. Got shape \(5, 2\)\."),
        (np.zeros(4), r"one entry per row: shape \(5,\)\. Got shape \(4,\)\."),
        (0.0, r"one entry per row: shape \(5,\)\. Got shape \(\)\."),
        (np.array(["a"] * 5), "must return finite numbers. Got 'a'."),
        (np.array([0, np.nan, 0, 0, 0]), "must return finite numbers. Got nan."),
        (np.array([0, 0, -np.inf, 0, 0]), "must return finite numbers. Got -inf."),
    ],
)
def test_predictions_of_the_wrong_shape_or_kind_are_refused(predicted, said):
    with pytest.raises(ParameterError, match=said):
        bias_variance(constant(predicted), "sine", repeats=2, at=np.linspace(0, 1, 5), random_state=0)


def test_predictions_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match="The predictions must lie between"):
        bias_variance(constant(np.full(5, 1e160)), "sine", repeats=2, at=np.linspace(0, 1, 5))


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: DecisionTreeRegressor(max_depth=2).fit(X, y.astype(float) + 0.25),
        lambda X, y: KNeighborsClassifier(3).fit(X, np.where(y, "yes", "no")),
    ],
)
def test_predictions_that_are_no_labels_are_refused(fit):
    X, y = Mechanism.named("xor").sample(30, random_state=0)
    for source in ("xor", (X, y), (X, y.astype(int))):
        with pytest.raises(ParameterError, match=r"must return labels of the target, .* Got"):
            bias_variance(fit, source, repeats=3, random_state=0)


def test_one_column_of_predictions_will_do():
    points = np.linspace(0, 1, 5)
    found = bias_variance(constant(np.zeros((5, 1))), "sine", repeats=2, at=points, random_state=0)
    assert found.variance == 0
    assert np.allclose(found.points.bias2, np.sin(2 * np.pi * points) ** 2)
