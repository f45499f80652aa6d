"""The laboratory: experiments that show why a tree does what it does, and what theory says about it."""

from .evaluate.lab.bias_variance import bias_variance
from .evaluate.lab.bias_variance_curve import bias_variance_curve
from .evaluate.lab.bias_variance_plot import plot_bias_variance
from .evaluate.lab.estimator_bias import estimator_bias
from .evaluate.lab.mechanism import Mechanism
from .evaluate.lab.optimism import optimism
from .evaluate.lab.shattering import shatters
from .evaluate.lab.vc import vc_bound
from .interpret.growth.candidates import candidates
from .interpret.growth.stability import stability
from .interpret.growth.trace import trace
from .present.plots.candidates import plot_candidates

__all__ = [
    "Mechanism",
    "bias_variance",
    "bias_variance_curve",
    "candidates",
    "estimator_bias",
    "optimism",
    "plot_bias_variance",
    "plot_candidates",
    "shatters",
    "stability",
    "trace",
    "vc_bound",
]
