"""The classic programs (ID3, C4.5, C5.0, CART, J48, ...), each as a function that returns an estimator."""

from .learn.classics import *  # noqa: F403
from .learn.classics import __all__  # noqa: F401
