"""Other models read matrices of numbers: how a table becomes one for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .goal import Goal

Array = NDArray[Any]

MOST_LEVELS = 50  # of a column, one-hot; the rest are one


def encoder(goal: Goal, seed: int) -> tuple[Array, dict[str, Callable[[], Any]]]:
    """The table as a matrix (levels are codes, missing is NaN), and the models that read it."""
    table, nominal = as_matrix(goal.frame)

    def linear() -> Any:
        from sklearn.linear_model import LogisticRegression, RidgeCV

        model = (
            LogisticRegression(max_iter=1000) if goal.is_classification else RidgeCV(np.logspace(-3, 3, 13))
        )
        return _prepared(nominal, model, scaled=True)

    def neighbours() -> Any:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

        kind = KNeighborsClassifier if goal.is_classification else KNeighborsRegressor
        return _prepared(nominal, kind(min(15, goal.n_rows // 2)), scaled=True)

    def forest() -> Any:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if goal.is_classification else RandomForestRegressor
        return _prepared(nominal, kind(200, min_samples_leaf=2, random_state=seed, n_jobs=-1))

    def boosting() -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = HistGradientBoostingClassifier if goal.is_classification else HistGradientBoostingRegressor
        return _prepared(nominal, kind(random_state=seed))

    first = "logistic regression" if goal.is_classification else "linear regression"
    return table, {
        first: linear,
        "nearest neighbours": neighbours,
        "random forest": forest,
        "gradient boosting": boosting,
    }


def as_matrix(frame: Any) -> tuple[Array, list[int]]:
    """All columns as numbers: levels as codes, times as seconds; and which columns are nominal."""
    import narwhals.stable.v2 as nw

    table = nw.from_native(frame, eager_only=True)
    parts, nominal = [], []
    for place, name in enumerate(table.columns):
        series = table[name]
        missing = series.is_null().to_numpy()
        if series.dtype.is_numeric() or series.dtype == nw.Boolean:
            cells = zip(series.to_list(), missing, strict=True)
            values = np.array([np.nan if gone else float(cell) for cell, gone in cells])
            _must_be_finite(name, values)
        elif series.dtype.is_temporal():
            values = series.to_numpy().astype("datetime64[s]" if series.dtype != nw.Duration else "m8[s]")
            values = np.where(np.isnat(values), np.nan, values.astype(np.int64).astype(np.float64))
        else:
            nominal.append(place)
            text = np.array([str(cell) for cell in series.to_list()], dtype=object)
            codes = np.unique(text, return_inverse=True)[1].astype(np.float64)
            values = np.where(missing, np.nan, codes)
        parts.append(values)
    return np.column_stack(parts), nominal


def _must_be_finite(name: str, values: Array) -> None:
    if np.isinf(values).any():
        raise ValueError(
            f"The other models need finite numbers. Got {values[np.isinf(values)][0]:g} in column {name!r}. "
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
