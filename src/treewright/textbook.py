"""The formulas and procedures of a textbook as functions: information, impurity, gain,
dissimilarity, risk, ranking trees."""

from .evaluate.ranking_tree import ranking_tree
from .evaluate.risk import risk
from .learn.clustering.dissimilarity import dissimilarity, split_dissimilarity
from .learn.entropies import cross_entropy, differential_entropy, entropy, information, kl_divergence
from .learn.impurities import gain, gain_ratio, impurity, relative_impurity, split_information
from .learn.joint_information import (
    code_length,
    conditional_entropy,
    expected_error,
    jensen_gap,
    mutual_information,
)
from .present.plots.coverage_split import plot_coverage_split
from .present.plots.impurities import plot_impurities

__all__ = [
    "code_length",
    "conditional_entropy",
    "cross_entropy",
    "differential_entropy",
    "dissimilarity",
    "entropy",
    "expected_error",
    "gain",
    "gain_ratio",
    "impurity",
    "information",
    "jensen_gap",
    "kl_divergence",
    "mutual_information",
    "plot_coverage_split",
    "plot_impurities",
    "ranking_tree",
    "relative_impurity",
    "risk",
    "split_dissimilarity",
    "split_information",
]
