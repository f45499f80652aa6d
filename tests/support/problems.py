"""Small made-up problems that several test files use."""

import numpy as np
from sklearn.base import is_classifier

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

CLASSIFIERS = [DecisionTreeClassifier, ExtraTreeClassifier]
REGRESSORS = [DecisionTreeRegressor, ExtraTreeRegressor]


def labels_for(cls, n=400):
    """A table of three columns, of which the first matters, and a noisy target that suits the class."""
    generator = np.random.default_rng(3)
    X = generator.normal(size=(n, 3))
    y = X[:, 0] + generator.normal(size=n)
    return X, (y > 0 if is_classifier(cls()) else y)
