"""Other models read matrices of numbers: how a table becomes one for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import each_column
from ...data.typed import as_at_fit
from .dataset import Dataset

Array = NDArray[Any]

MOST_LEVELS = 50  # of a column, one-hot; the rest are one


def encoder(dataset: Dataset, random_state: int) -> tuple[Array, dict[str, Callable[[], Any]]]:
    """The table as a matrix (levels are codes, missing is NaN), and the models that read it."""
    table, nominal = as_matrix(dataset.data.X)

    def linear() -> Any:
        from sklearn.linear_model import LogisticRegression, RidgeCV

        model = (
            LogisticRegression(max_iter=1000)
            if dataset.is_classification
            else RidgeCV(np.logspace(-3, 3, 13))
        )
        return _prepared(nominal, model, scaled=True)

    def neighbours() -> Any:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

        kind = KNeighborsClassifier if dataset.is_classification else KNeighborsRegressor
        return _prepared(nominal, kind(min(15, dataset.n_rows // 2)), scaled=True)

    def forest() -> Any:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if dataset.is_classification else RandomForestRegressor
        return _prepared(nominal, kind(200, min_samples_leaf=2, random_state=random_state, n_jobs=-1))

    def boosting() -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = HistGradientBoostingClassifier if dataset.is_classification else HistGradientBoostingRegressor
        return _prepared(nominal, kind(random_state=random_state))

    first = "logistic regression" if dataset.is_classification else "linear regression"
    return table, {
        first: linear,
        "nearest neighbours": neighbours,
        "random forest": forest,
        "gradient boosting": boosting,
    }


def as_matrix(X: Any) -> tuple[Array, list[int]]:
    """All columns as numbers: levels as codes, times as microseconds; and which columns are nominal."""
    if hasattr(X, "toarray"):
        X = X.toarray()
    parts, nominal = [], []
    for place, read in enumerate(each_column(X)):
        column = as_at_fit(read, None)
        values = column.values.astype(np.float64)
        if column.missing is not None:
            values = np.where(column.missing, np.nan, values)
        if column.type.has_levels:
            values = np.where(column.values < 0, np.nan, values)
        else:
            _must_be_finite(column.name, values)
        if column.type.kind == "nominal":
            nominal.append(place)
        parts.append(values)
    return np.column_stack(parts), nominal


def _must_be_finite(name: str, values: Array) -> None:
    if np.isinf(values).any():
        raise ValueError(
            f"The other models need finite numbers. Got {values[np.isinf(values)][0]:g} in {name}. "
            "Exclude the column, or make its infinite cells missing."
        )


def _prepared(nominal: list[int], model: Any, scaled: bool = False) -> Any:
    """A pipeline: levels one-hot, numbers filled by the median, and scaled if the model needs that."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    levels = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=-1),
        OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=MOST_LEVELS, sparse_output=False),
    )
    numbers = [SimpleImputer(strategy="median", keep_empty_features=True, add_indicator=True)]
    numbers += [StandardScaler()] if scaled else []
    prepare = make_column_transformer((levels, nominal), remainder=make_pipeline(*numbers))
    return make_pipeline(prepare, model)
