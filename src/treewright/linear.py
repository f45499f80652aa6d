"""Linear models beside the tree: least squares with its closed forms, total least squares, two plots."""

from .learn.linear.least_squares import LeastSquares, least_squares
from .learn.linear.total_least_squares import TotalLeastSquares

__all__ = ["LeastSquares", "TotalLeastSquares", "least_squares"]
