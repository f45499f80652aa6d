"""The laboratory: experiments that show why a tree does what it does, and what theory says about it."""

from .evaluate.lab.mechanism import Mechanism
from .evaluate.lab.vc import vc_bound
from .interpret.growth.candidates import candidates
from .interpret.growth.stability import stability
from .interpret.growth.trace import trace

__all__ = [
    "Mechanism",
    "candidates",
    "stability",
    "trace",
    "vc_bound",
]
