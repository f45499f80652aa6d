"""The classic programs (ID3, C4.5, C5.0, CART, J48, ...), each as a function that returns an estimator."""

from .learn import classics as _classics
from .learn.classics import *  # noqa: F403
from .present.originals.output_text import output_text

__all__ = ["output_text"]
__all__ += _classics.__all__
