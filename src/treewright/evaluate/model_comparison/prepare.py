"""Tables for models that read nothing but numbers: levels one-hot, gaps filled in, numbers scaled.

What is filled in and scaled is learned from the rows of `fit` alone, so that nothing leaks from other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from ...data.schema import ColumnType
from ...data.table import as_array, each_column, is_frame
from ...data.typed import as_at_fit, as_known

Array = NDArray[Any]
Types = tuple[ColumnType, ...]

MOST_LEVELS = 50  # of a column, one-hot; the rest are one
MOST_POLYNOMIAL = 50  # columns of numbers whose products are added


class PreparedTable(TransformerMixin, BaseEstimator):
    """A table as a matrix of numbers: levels one-hot (unknown ones as none of them), gaps filled in.

    Numbers are filled in by the median, with a column that marks the gaps. `scaled` gives them mean 0 and
    variance 1; with `degree` 2 their squares and products are added.
    """

    def __init__(self, scaled: bool = True, degree: int = 1) -> None:
        self.scaled, self.degree = scaled, degree

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Learn the types and levels of the columns, and what is filled in."""
        matrix, self.types_ = coded_table(X)
        nominal = nominal_places(self.types_)
        if self.degree > 1 and (count := matrix.shape[1] - len(nominal)) > MOST_POLYNOMIAL:
            raise ValueError(f"it needs at most {MOST_POLYNOMIAL} columns of numbers. Got {count}")
        levels = make_pipeline(
            SimpleImputer(strategy="constant", fill_value=-1),
            OneHotEncoder(
                handle_unknown="infrequent_if_exist", max_categories=MOST_LEVELS, sparse_output=False
            ),
        )
        numbers = [SimpleImputer(strategy="median", keep_empty_features=True, add_indicator=True)]
        numbers += [StandardScaler()] if self.scaled else []
        if self.degree > 1:
            numbers += [PolynomialFeatures(self.degree, include_bias=False), StandardScaler()]
        self.steps_ = make_column_transformer((levels, nominal), remainder=make_pipeline(*numbers))
        self.steps_.fit(matrix)
        return self

    def transform(self, X: Any) -> Array:
        """The matrix of these rows."""
        found: Array = self.steps_.transform(coded_table(X, self.types_)[0])
        return found


def coded_table(X: Any, types: Types | None = None) -> tuple[Array, Types]:
    """All columns as numbers (levels as codes, times as microseconds, missing as NaN), and their types.

    `types` are those of fit: levels that were unknown then have the code after the last one.
    """
    if hasattr(X, "toarray"):
        X = X.toarray()
    X = X if is_frame(X) else as_array(X)
    parts, found = [], []
    for place, read in enumerate(each_column(X)):
        column = as_at_fit(read, None) if types is None else as_known(read, types[place])
        values = column.values.astype(np.float64)
        if column.missing is not None:
            values = np.where(column.missing, np.nan, values)
        if column.type.has_levels:
            values = np.where(column.values < 0, np.nan, values)
        else:
            _must_be_finite(column.name, values)
        parts.append(values)
        found.append(column.type)
    return np.column_stack(parts), tuple(found)


def nominal_places(types: Sequence[ColumnType]) -> list[int]:
    """Which columns are nominal."""
    return [place for place, each in enumerate(types) if each.kind == "nominal"]


def _must_be_finite(name: str, values: Array) -> None:
    if np.isinf(values).any():
        raise ValueError(
            f"The other models need finite numbers. Got {values[np.isinf(values)][0]:g} in {name}. "
            "Exclude the column, or make its infinite cells missing."
        )
