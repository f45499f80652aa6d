"""The laboratory: experiments that show why a tree does what it does, and what theory says about it."""

from .evaluate.lab.mechanism import Mechanism
from .evaluate.lab.vc import vc_bound

__all__ = [
    "Mechanism",
    "vc_bound",
]
