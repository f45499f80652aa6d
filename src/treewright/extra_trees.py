"""Trees of random splits, to be used inside ensembles."""

from __future__ import annotations

from typing import Any

from .estimators import DecisionTreeClassifier, DecisionTreeRegressor, keep
from .params import CLASSIFICATION, REGRESSION, documented


@documented(CLASSIFICATION, splitter="random", max_features="sqrt")
class ExtraTreeClassifier(DecisionTreeClassifier):
    """A classifier of random splits, to be used inside ensembles."""

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = "sqrt",
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float | str = 0.0,
        cv: Any = 5,
        pruning: str | None = None,
        pruning_options: dict[str, Any] | None = None,
        smoothing: str | None = None,
        smoothing_strength: float | str | None = None,
        monotonic_cst: Any = None,
        min_confidence: float = 1.0,
        priors: Any = None,
        costs: Any = None,
        categorical_features: Any = "from_dtype",
        nominal_splits: str = "subset",
        level_correction: bool = False,
        missing: str = "learned",
        thresholds: str = "midpoint",
        growth: str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep(self, locals())


@documented(REGRESSION, splitter="random", max_features=1.0)
class ExtraTreeRegressor(DecisionTreeRegressor):
    """A regressor of random splits, to be used inside ensembles."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = 1.0,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float | str = 0.0,
        cv: Any = 5,
        pruning: str | None = None,
        pruning_options: dict[str, Any] | None = None,
        smoothing: str | None = None,
        smoothing_strength: float | str | None = None,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        nominal_splits: str = "subset",
        level_correction: bool = False,
        missing: str = "learned",
        thresholds: str = "midpoint",
        growth: str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep(self, locals())
