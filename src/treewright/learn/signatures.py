"""The constructors as editors and type checkers see them, written by tools/signatures.py."""

# ruff: noqa: E501, PLR0913, D101
# fmt: off
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import RandomState
    from numpy.typing import ArrayLike


class SharedParameters:
    if TYPE_CHECKING:
        splitter: Literal["best", "random", "gaussian"]
        max_depth: int | None
        min_samples_split: float
        min_samples_leaf: float
        min_weight_fraction_leaf: float
        max_features: float | Literal["sqrt", "log2"] | None
        random_state: int | RandomState | None
        max_leaf_nodes: int | None
        min_impurity_decrease: float
        ccp_alpha: float | str
        cv: int | Any
        cv_repeats: int
        pruning: str | None
        pruning_options: dict[str, Any] | None
        smoothing: Literal["laplace", "laplace_shares", "even", "m_estimate", "events", "pooled", "hierarchical", "branch"] | None
        smoothing_strength: float | Literal["cv"] | None
        monotonic_cst: dict[str, int] | ArrayLike | None
        categorical_features: Literal["from_dtype", "unordered"] | Sequence[Any] | None
        nominal_splits: Literal["subset", "multiway", "one_vs_rest", "merged"]
        oblique: int | None
        level_correction: bool
        missing: Literal["learned", "branch", "surrogate", "fractional"]
        thresholds: Literal["midpoint", "observed", "rounded", "recorded"]
        growth_rules: dict[str, Any] | None
        growth: Literal["depth", "breadth", "best"] | None
        n_jobs: int | None
        leaf_options: dict[str, Any] | None


class DecisionTreeClassifierSignature(SharedParameters):
    if TYPE_CHECKING:
        criterion: Literal["gini", "entropy", "error", "sqrt_gini", "gain_ratio", "log_loss", "hellinger"]
        leaf_model: Literal["constant", "logistic"]
        class_weight: Literal["balanced"] | dict[Any, float] | list[dict[Any, float]] | None
        min_confidence: float
        priors: dict[Any, float] | ArrayLike | None
        costs: ArrayLike | None
        class_order: Literal["sorted", "declared"] | Sequence[Any]
        decision: dict[str, Any] | None
        def __init__(
            self, *,
            criterion: Literal["gini", "entropy", "error", "sqrt_gini", "gain_ratio", "log_loss", "hellinger"] = "gini",
            splitter: Literal["best", "random", "gaussian"] = "best", max_depth: int | None = None,
            min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
            max_features: float | Literal["sqrt", "log2"] | None = None,
            random_state: int | RandomState | None = None, max_leaf_nodes: int | None = None,
            min_impurity_decrease: float = 0.0, ccp_alpha: float | str = 0.0, cv: int | Any = 5,
            cv_repeats: int = 1, pruning: str | None = None, pruning_options: dict[str, Any] | None = None,
            smoothing: Literal["laplace", "laplace_shares", "even", "m_estimate", "events", "pooled", "hierarchical", "branch"] | None = None,
            smoothing_strength: float | Literal["cv"] | None = None,
            monotonic_cst: dict[str, int] | ArrayLike | None = None,
            categorical_features: Literal["from_dtype", "unordered"] | Sequence[Any] | None = "from_dtype",
            nominal_splits: Literal["subset", "multiway", "one_vs_rest", "merged"] = "subset",
            oblique: int | None = None, level_correction: bool = False,
            missing: Literal["learned", "branch", "surrogate", "fractional"] = "learned",
            thresholds: Literal["midpoint", "observed", "rounded", "recorded"] = "midpoint",
            growth_rules: dict[str, Any] | None = None,
            growth: Literal["depth", "breadth", "best"] | None = None, n_jobs: int | None = None,
            leaf_model: Literal["constant", "logistic"] = "constant",
            leaf_options: dict[str, Any] | None = None,
            class_weight: Literal["balanced"] | dict[Any, float] | list[dict[Any, float]] | None = None,
            min_confidence: float = 1.0, priors: dict[Any, float] | ArrayLike | None = None,
            costs: ArrayLike | None = None,
            class_order: Literal["sorted", "declared"] | Sequence[Any] = "sorted",
            decision: dict[str, Any] | None = None,
        ) -> None: ...


class DecisionTreeRegressorSignature(SharedParameters):
    if TYPE_CHECKING:
        criterion: Literal["squared_error", "poisson", "absolute_error", "friedman_mse"]
        leaf_model: Literal["constant", "linear"]
        def __init__(
            self, *,
            criterion: Literal["squared_error", "poisson", "absolute_error", "friedman_mse"] = "squared_error",
            splitter: Literal["best", "random", "gaussian"] = "best", max_depth: int | None = None,
            min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
            max_features: float | Literal["sqrt", "log2"] | None = None,
            random_state: int | RandomState | None = None, max_leaf_nodes: int | None = None,
            min_impurity_decrease: float = 0.0, ccp_alpha: float | str = 0.0, cv: int | Any = 5,
            cv_repeats: int = 1, pruning: str | None = None, pruning_options: dict[str, Any] | None = None,
            smoothing: Literal["laplace", "laplace_shares", "even", "m_estimate", "events", "pooled", "hierarchical", "branch"] | None = None,
            smoothing_strength: float | Literal["cv"] | None = None,
            monotonic_cst: dict[str, int] | ArrayLike | None = None,
            categorical_features: Literal["from_dtype", "unordered"] | Sequence[Any] | None = "from_dtype",
            nominal_splits: Literal["subset", "multiway", "one_vs_rest", "merged"] = "subset",
            oblique: int | None = None, level_correction: bool = False,
            missing: Literal["learned", "branch", "surrogate", "fractional"] = "learned",
            thresholds: Literal["midpoint", "observed", "rounded", "recorded"] = "midpoint",
            growth_rules: dict[str, Any] | None = None,
            growth: Literal["depth", "breadth", "best"] | None = None, n_jobs: int | None = None,
            leaf_model: Literal["constant", "linear"] = "constant",
            leaf_options: dict[str, Any] | None = None,
        ) -> None: ...


class ExtraTreeClassifierSignature:
    if TYPE_CHECKING:
        def __init__(
            self, *,
            criterion: Literal["gini", "entropy", "error", "sqrt_gini", "gain_ratio", "log_loss", "hellinger"] = "gini",
            splitter: Literal["best", "random", "gaussian"] = "random", max_depth: int | None = None,
            min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
            max_features: float | Literal["sqrt", "log2"] | None = "sqrt",
            random_state: int | RandomState | None = None, max_leaf_nodes: int | None = None,
            min_impurity_decrease: float = 0.0, ccp_alpha: float | str = 0.0, cv: int | Any = 5,
            cv_repeats: int = 1, pruning: str | None = None, pruning_options: dict[str, Any] | None = None,
            smoothing: Literal["laplace", "laplace_shares", "even", "m_estimate", "events", "pooled", "hierarchical", "branch"] | None = None,
            smoothing_strength: float | Literal["cv"] | None = None,
            monotonic_cst: dict[str, int] | ArrayLike | None = None,
            categorical_features: Literal["from_dtype", "unordered"] | Sequence[Any] | None = "from_dtype",
            nominal_splits: Literal["subset", "multiway", "one_vs_rest", "merged"] = "subset",
            oblique: int | None = None, level_correction: bool = False,
            missing: Literal["learned", "branch", "surrogate", "fractional"] = "learned",
            thresholds: Literal["midpoint", "observed", "rounded", "recorded"] = "midpoint",
            growth_rules: dict[str, Any] | None = None,
            growth: Literal["depth", "breadth", "best"] | None = None, n_jobs: int | None = None,
            leaf_model: Literal["constant", "logistic"] = "constant",
            leaf_options: dict[str, Any] | None = None,
            class_weight: Literal["balanced"] | dict[Any, float] | list[dict[Any, float]] | None = None,
            min_confidence: float = 1.0, priors: dict[Any, float] | ArrayLike | None = None,
            costs: ArrayLike | None = None,
            class_order: Literal["sorted", "declared"] | Sequence[Any] = "sorted",
            decision: dict[str, Any] | None = None,
        ) -> None: ...


class ExtraTreeRegressorSignature:
    if TYPE_CHECKING:
        def __init__(
            self, *,
            criterion: Literal["squared_error", "poisson", "absolute_error", "friedman_mse"] = "squared_error",
            splitter: Literal["best", "random", "gaussian"] = "random", max_depth: int | None = None,
            min_samples_split: float = 2, min_samples_leaf: float = 1, min_weight_fraction_leaf: float = 0.0,
            max_features: float | Literal["sqrt", "log2"] | None = 1.0,
            random_state: int | RandomState | None = None, max_leaf_nodes: int | None = None,
            min_impurity_decrease: float = 0.0, ccp_alpha: float | str = 0.0, cv: int | Any = 5,
            cv_repeats: int = 1, pruning: str | None = None, pruning_options: dict[str, Any] | None = None,
            smoothing: Literal["laplace", "laplace_shares", "even", "m_estimate", "events", "pooled", "hierarchical", "branch"] | None = None,
            smoothing_strength: float | Literal["cv"] | None = None,
            monotonic_cst: dict[str, int] | ArrayLike | None = None,
            categorical_features: Literal["from_dtype", "unordered"] | Sequence[Any] | None = "from_dtype",
            nominal_splits: Literal["subset", "multiway", "one_vs_rest", "merged"] = "subset",
            oblique: int | None = None, level_correction: bool = False,
            missing: Literal["learned", "branch", "surrogate", "fractional"] = "learned",
            thresholds: Literal["midpoint", "observed", "rounded", "recorded"] = "midpoint",
            growth_rules: dict[str, Any] | None = None,
            growth: Literal["depth", "breadth", "best"] | None = None, n_jobs: int | None = None,
            leaf_model: Literal["constant", "linear"] = "constant",
            leaf_options: dict[str, Any] | None = None,
        ) -> None: ...
