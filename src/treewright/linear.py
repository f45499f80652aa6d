"""Linear models beside the tree: least squares with its closed forms, total least squares, and two plots."""

from .learn.linear.least_squares import LeastSquares, least_squares
from .learn.linear.total_least_squares import TotalLeastSquares
from .present.plots.coefficient_paths import plot_coefficient_paths
from .present.plots.norm_balls import plot_norm_balls

__all__ = [
    "LeastSquares",
    "TotalLeastSquares",
    "least_squares",
    "plot_coefficient_paths",
    "plot_norm_balls",
]
