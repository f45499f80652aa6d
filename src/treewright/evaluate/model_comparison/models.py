"""The models that `compare` knows by name, each with the preparation of columns that it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...learn.params import CLASSIFICATION, REGRESSION
from .result import (
    CURVED,
    LINEAR,
    MANY_TREES,
    MODEL_TREE,
    NEAR,
    SINGLE_COLUMNS,
)

TASKS = {CLASSIFICATION: "classes", REGRESSION: "numbers"}


@dataclass(frozen=True)
class About:
    """What a model needs to know of the table that it is made for."""

    task: str
    n_rows: int
    random_state: int

    @property
    def classes(self) -> bool:
        """Whether classes are predicted."""
        return self.task == CLASSIFICATION


@dataclass(frozen=True)
class Named:
    """A model with a name: what it is called in the comparison, what kind it is, and how it is made."""

    label: str
    family: str
    make: Callable[[About], Any]
    tasks: tuple[str, ...] = (CLASSIFICATION, REGRESSION)


# -- the models


def prepared(model: Any, **how: Any) -> Any:
    """A pipeline that prepares the columns of a table for a model."""
    from sklearn.pipeline import make_pipeline

    from .prepare import PreparedTable

    return make_pipeline(PreparedTable(**how), model)


def calibrated(model: Any) -> Any:
    """Probabilities for a model that has none, from its distances to the boundary (Platt scaling)."""
    from sklearn.calibration import CalibratedClassifierCV

    return CalibratedClassifierCV(model, cv=3)


def _least_squares(table: About) -> Any:  # noqa: ARG001
    from sklearn.linear_model import LinearRegression

    return prepared(LinearRegression())


def _ridge(table: About) -> Any:  # noqa: ARG001
    from sklearn.linear_model import RidgeCV

    return prepared(RidgeCV(np.logspace(-3, 3, 13)))


def _lasso(table: About) -> Any:
    from sklearn.linear_model import LassoCV

    return prepared(LassoCV(random_state=table.random_state))


def _elastic_net(table: About) -> Any:
    from sklearn.linear_model import ElasticNetCV

    return prepared(ElasticNetCV(l1_ratio=[0.1, 0.5, 0.9], random_state=table.random_state))


def _logistic(degree: int) -> Callable[[About], Any]:
    def make(table: About) -> Any:  # noqa: ARG001
        from sklearn.linear_model import LogisticRegression

        return prepared(LogisticRegression(max_iter=1000), degree=degree)

    return make


def _perceptron(table: About) -> Any:
    from sklearn.linear_model import Perceptron

    return prepared(calibrated(Perceptron(random_state=table.random_state)))


def _svm(table: About) -> Any:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    if table.classes:
        return prepared(calibrated(SVC(random_state=table.random_state)))
    return prepared(TransformedTargetRegressor(SVR(), transformer=StandardScaler()))


def _neighbours(table: About) -> Any:
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    kind = KNeighborsClassifier if table.classes else KNeighborsRegressor
    return prepared(kind(min(15, table.n_rows // 2)))


def _naive_bayes(table: About) -> Any:  # noqa: ARG001
    from .naive_bayes import NaiveBayes

    return NaiveBayes()


def _forest(table: About) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestClassifier if table.classes else RandomForestRegressor
    forest = kind(200, min_samples_leaf=2, random_state=table.random_state, n_jobs=-1)
    return prepared(forest, scaled=False)


def _boosting(table: About) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if table.classes else HistGradientBoostingRegressor
    return prepared(kind(random_state=table.random_state), scaled=False)


def _model_tree(table: About) -> Any:
    from ...learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

    if table.classes:
        return DecisionTreeClassifier(leaf_model="logistic", random_state=table.random_state)
    return DecisionTreeRegressor(leaf_model="linear", random_state=table.random_state)


NUMBERS, CLASSES = (REGRESSION,), (CLASSIFICATION,)
NAMED: dict[str, Named] = {
    "least squares": Named("least squares", LINEAR, _least_squares, NUMBERS),
    "ridge": Named("ridge regression", LINEAR, _ridge, NUMBERS),
    "lasso": Named("lasso", LINEAR, _lasso, NUMBERS),
    "elastic net": Named("elastic net", LINEAR, _elastic_net, NUMBERS),
    "logistic": Named("logistic regression", LINEAR, _logistic(1), CLASSES),
    "polynomial logistic": Named("logistic regression, degree 2", CURVED, _logistic(2), CLASSES),
    "perceptron": Named("perceptron, calibrated", LINEAR, _perceptron, CLASSES),
    "svm": Named("SVM, RBF kernel", CURVED, _svm),
    "knn": Named("nearest neighbours", NEAR, _neighbours),
    "naive bayes": Named("naive Bayes", SINGLE_COLUMNS, _naive_bayes, CLASSES),
    "forest": Named("random forest", MANY_TREES, _forest),
    "boosting": Named("gradient boosting", MANY_TREES, _boosting),
    "model tree": Named("model tree", MODEL_TREE, _model_tree),
}
DEFAULT = {
    CLASSIFICATION: ("logistic", "knn", "forest", "boosting"),
    REGRESSION: ("ridge", "knn", "forest", "boosting"),
}


def names_for(task: str) -> list[str]:
    """The names of the models that predict classes, or numbers."""
    return [name for name, model in NAMED.items() if task in model.tasks]


def plain_name(name: str) -> str:
    """A name as it is in the list: `Elastic-Net` is "elastic net"."""
    return " ".join(name.replace("_", " ").replace("-", " ").split()).casefold()


def is_model_name(given: Any) -> bool:
    """Whether this is the name of a model."""
    return isinstance(given, str) and plain_name(given) in NAMED
