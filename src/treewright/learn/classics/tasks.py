"""Classes or numbers: which of both, for the classics that take both."""

from __future__ import annotations

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from ..params import CLASSIFICATION, REGRESSION

__all__ = ["CLASSIFICATION", "REGRESSION", "estimator_for"]


def estimator_for(task: str, program: str) -> type[DecisionTreeClassifier | DecisionTreeRegressor]:
    """The estimator for classes or for numbers."""
    if task == CLASSIFICATION:
        return DecisionTreeClassifier
    if task == REGRESSION:
        return DecisionTreeRegressor
    raise ValueError(f"task of {program} must be 'classification' or 'regression'. Got {task!r}.")
