"""The laboratory: experiments that show why a tree does what it does, and what theory says about it."""

from .evaluate.lab.bias_variance import bias_variance
from .evaluate.lab.bias_variance_curve import bias_variance_curve
from .evaluate.lab.bias_variance_plot import plot_bias_variance
from .evaluate.lab.mechanism import Mechanism
from .evaluate.lab.vc import vc_bound

__all__ = [
    "Mechanism",
    "bias_variance",
    "bias_variance_curve",
    "plot_bias_variance",
    "vc_bound",
]
