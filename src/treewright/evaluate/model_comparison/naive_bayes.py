"""Naive Bayes of a table with numbers and levels, which scikit-learn has for one kind at a time."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from .prepare import coded_table, nominal_places

Floats = NDArray[np.float64]


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """Each column by itself: a normal distribution per number, frequencies of levels (missing is one).

    log p(class | row) = log p(class | numbers) + log p(class | levels) − log p(class) + constant.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit one model of the numbers and one of the levels."""
        matrix, self.types_ = coded_table(X)
        nominal = nominal_places(self.types_)
        numbers = [place for place in range(matrix.shape[1]) if place not in set(nominal)]
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        mass = np.bincount(codes, sample_weight, len(self.classes_))
        self.prior_ = np.log(mass / mass.sum())
        self.parts_: list[tuple[list[int], Any, Any]] = []
        if numbers:
            fill = SimpleImputer(strategy="median", keep_empty_features=True)
            normal = GaussianNB().fit(fill.fit_transform(matrix[:, numbers]), codes, sample_weight)
            self.parts_.append((numbers, fill.transform, normal))
        if nominal:  # 0 is missing, the last one unknown
            sizes = [len(self.types_[place].levels) + 2 for place in nominal]
            frequencies = CategoricalNB(min_categories=sizes)
            frequencies.fit(_shifted(matrix[:, nominal]), codes, sample_weight)
            self.parts_.append((nominal, _shifted, frequencies))
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class."""
        matrix = coded_table(X, self.types_)[0]
        total = self.prior_ + sum(
            model.predict_log_proba(read(matrix[:, places])) - self.prior_
            for places, read, model in self.parts_
        )
        total = np.exp(total - total.max(axis=1, keepdims=True))
        found: Floats = total / total.sum(axis=1, keepdims=True)
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class."""
        found: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found


def _shifted(codes: Floats) -> NDArray[np.int64]:
    return (np.nan_to_num(codes, nan=-1.0) + 1).astype(np.int64)
