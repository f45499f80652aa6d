"""Trees that are grown side by side predict, bit for bit, as those of a plain loop."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.evaluate.lab.repeats import predictions
from treewright.evaluate.lab.samples import source_of
from treewright.lab import Mechanism

FIVE = Mechanism(lambda a, b, c, d, e: np.sin(3 * a) + b * c - d * e, 0.3, 5)
FIXED = Mechanism(lambda x: x**2, 5, range(10))
CORNER = Mechanism(lambda a, b: a + b <= 1, 0.1, 2)
THREE = Mechanism(lambda x: np.array(["z", "a", "m"])[(3 * x).astype(int)], 0.2, classes=["z", "a", "m"])


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
    (batch,) = source.batches(6, rng)
    estimator = clone(estimator).set_params(n_jobs=n_jobs)
    found = predictions(estimator, batch, source.at, source.classes, rng)
    found = found if source.classes is None else source.classes[found]
    for k, y in enumerate(batch.y):
        assert np.array_equal(found[k], clone(estimator).fit(batch.table(k), y).predict(source.at))


def test_a_table_with_missing_values():
    X, y = FIVE.sample(60, random_state=0)
    X[::7, 0] = np.nan
    rng = np.random.default_rng(0)
    source = source_of((X, y), None, None, rng)
    (batch,) = source.batches(5, rng)
    found = predictions(DecisionTreeRegressor(), batch, X, None, rng)
    for k, target in enumerate(batch.y):
        assert np.array_equal(found[k], DecisionTreeRegressor().fit(batch.table(k), target).predict(X))
