"""What bias and variance are measured of: targets in every form, and objects that fit and predict."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.lab import Mechanism, bias_variance

FIVE = Mechanism(lambda a, b, c, d, e: np.sin(3 * a) + b * c - d * e, 0.3, 5)


def test_targets_are_read_as_fit_reads_them():
    X, y = FIVE.sample(30, random_state=0)
    pd = pytest.importorskip("pandas")
    tree, options = DecisionTreeRegressor(max_depth=2), {"repeats": 9, "random_state": 0}
    plain = bias_variance(tree, (X, y), **options).total
    for column in (y[:, None], pd.DataFrame({"y": y}), y.astype(object), pd.Series(y).astype("Float64")):
        assert bias_variance(tree, (X, column), **options).total == plain
        assert bias_variance(tree.fit, (X, column), **options).loss == "squared error"


LABELS, MISSING = ["a", "b"] * 5, "y must be known for every row. Got 1 missing of 10"


@pytest.mark.parametrize(
    ("tree", "y", "message"),
    [
        (DecisionTreeClassifier(), [np.nan, *LABELS[1:]], MISSING),
        (DecisionTreeClassifier(), [None, *LABELS[1:]], MISSING),
        (DecisionTreeClassifier(), [np.nan] + [0, 1.0, 1] * 3, MISSING),
        (DecisionTreeRegressor(), [np.nan] + [0, 1.0, 1] * 3, MISSING),
        (DecisionTreeRegressor(), [np.inf] + [0, 1.0, 1] * 3, "y must hold finite numbers, .* Got inf"),
        (DecisionTreeClassifier(),
         np.array([3, *LABELS[1:]], object), "of one kind, none missing. Got int"),
        (DecisionTreeClassifier(), [0.25] * 10, "y must hold classes .* Got 0.25, which is no whole number"),
    ],
)  # fmt: skip
def test_targets_that_are_refused(tree, y, message):
    with pytest.raises(ValueError, match=message):
        bias_variance(tree, (np.arange(10.0)[:, None], y), repeats=5, random_state=0)


class Mean:
    """An object of scikit-learn's methods that says nothing of itself, and whose fit returns nothing."""

    def fit(self, X, y):  # noqa: ARG002
        self.mean = y.mean()

    def predict(self, X):
        return np.full(len(X), self.mean)


def test_an_object_that_fits_and_predicts_will_do():
    options = {"repeats": 9, "at": 5, "random_state": 0}
    found = bias_variance(Mean(), "sine", **options)
    assert found.loss == "squared error"
    dummy = bias_variance(DummyRegressor(), "sine", **options)
    np.testing.assert_allclose(found.predictions, dummy.predictions)
