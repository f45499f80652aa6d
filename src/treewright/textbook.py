"""The formulas and procedures of a textbook as functions: information, impurity, gain,
dissimilarity, ranking trees."""

from .evaluate.ranking_tree import ranking_tree
from .learn.clustering.dissimilarity import dissimilarity, split_dissimilarity
from .learn.entropies import cross_entropy, differential_entropy, entropy, information, kl_divergence
from .learn.impurities import gain, gain_ratio, impurity, relative_impurity, split_information
from .present.plots.impurities import plot_impurities

__all__ = [
    "cross_entropy",
    "differential_entropy",
    "dissimilarity",
    "entropy",
    "gain",
    "gain_ratio",
    "impurity",
    "information",
    "kl_divergence",
    "plot_impurities",
    "ranking_tree",
    "relative_impurity",
    "split_dissimilarity",
    "split_information",
]
