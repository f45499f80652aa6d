"""The models whose accuracy is compared: a method trains on a table and returns a model that predicts."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

ALPHAS = 20  # of scikit-learn's grid search


class Trained(NamedTuple):
    """A trained model, and the number of its leaves if it is one tree."""

    model: Any
    leaves: int | None = None


Method = Callable[[Any, Any, bool], Trained]


def treewright_fit(X: Any, y: Any, classes: bool) -> Trained:
    """`treewright.fit` with its defaults: the simplest tree within one standard error of the best."""
    import treewright

    task = "classification" if classes else "regression"
    model = treewright.fit(X, y, task=task, check=False, score=False).model
    return Trained(model, model.get_n_leaves())


def treewright_best(X: Any, y: Any, classes: bool) -> Trained:
    """The best tree of the same fit: that of least cross-validated loss."""
    model = treewright_fit(X, y, classes).model
    best = getattr(model, "best_", model)
    return Trained(best, best.get_n_leaves())


def treewright_pruned(X: Any, y: Any, classes: bool) -> Trained:
    """The estimator with `ccp_alpha="cv"`."""
    import treewright

    kind = treewright.DecisionTreeClassifier if classes else treewright.DecisionTreeRegressor
    model = kind(ccp_alpha="cv").fit(X, y)
    return Trained(model, model.get_n_leaves())


def sklearn_tree(X: Any, y: Any, classes: bool) -> Trained:
    """scikit-learn's tree with its defaults, which is not pruned."""
    model = _encoded(_tree(classes)).fit(X, y)
    return Trained(model, model[-1].get_n_leaves())


def sklearn_pruned(X: Any, y: Any, classes: bool) -> Trained:
    """scikit-learn's tree, with `ccp_alpha` chosen by GridSearchCV on 5 folds."""
    from sklearn.model_selection import GridSearchCV

    encoded = _encoded(_tree(classes)).fit(X, y)
    path = encoded[-1].cost_complexity_pruning_path(encoded[:-1].transform(X), y).ccp_alphas
    alphas = np.unique(np.maximum(path, 0)[np.linspace(0, len(path) - 1, ALPHAS).astype(int)])
    name = f"{encoded.steps[-1][0]}__ccp_alpha"
    model = GridSearchCV(encoded, {name: alphas}, cv=5).fit(X, y).best_estimator_
    return Trained(model, model[-1].get_n_leaves())


def linear(X: Any, y: Any, classes: bool) -> Trained:
    """Logistic regression or ridge regression on standardised columns, with scikit-learn's defaults."""
    from sklearn.linear_model import LogisticRegression, Ridge

    return Trained(
        _encoded(LogisticRegression(max_iter=2_000) if classes else Ridge(), scaled=True).fit(X, y)
    )


def hist_gradient_boosting(X: Any, y: Any, classes: bool) -> Trained:
    """scikit-learn's histogram gradient boosting with its defaults; many levels are encoded as numbers."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    prepare = make_column_transformer(
        (codes, make_column_selector(dtype_include="category")), remainder="passthrough"
    )
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return Trained(make_pipeline(prepare, kind(random_state=0)).fit(X, y))


def lightgbm(X: Any, y: Any, classes: bool) -> Trained:
    """LightGBM with its defaults and native categories."""
    from lightgbm import LGBMClassifier, LGBMRegressor

    return Trained((LGBMClassifier if classes else LGBMRegressor)(verbose=-1, random_state=0).fit(X, y))


def _tree(classes: bool) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    return (DecisionTreeClassifier if classes else DecisionTreeRegressor)(random_state=0)


def _encoded(model: Any, *, scaled: bool = False) -> Any:
    """The model after one-hot encoding, with the median or the most frequent level for missing values."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    levels = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", min_frequency=2)
    )
    numbers = SimpleImputer(strategy="median", keep_empty_features=True)
    prepare = make_column_transformer(
        (levels, make_column_selector(dtype_include="category")),
        (
            make_pipeline(numbers, StandardScaler()) if scaled else numbers,
            make_column_selector(dtype_exclude="category"),
        ),
    )
    return make_pipeline(prepare, model)


METHODS: dict[str, Method] = {
    "treewright.fit": treewright_fit,
    "treewright.fit, best": treewright_best,
    "treewright, ccp_alpha='cv'": treewright_pruned,
    "scikit-learn tree": sklearn_tree,
    "scikit-learn tree, GridSearchCV": sklearn_pruned,
    "logistic or linear regression": linear,
    "HistGradientBoosting": hist_gradient_boosting,
    "LightGBM": lightgbm,
}


def methods() -> dict[str, Method]:
    """Those whose library is installed."""
    return {name: each for name, each in METHODS.items() if name != "LightGBM" or find_spec("lightgbm")}
