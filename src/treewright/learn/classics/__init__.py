"""The classic programs: each a function that returns one of our estimators, set up as the original.

They take the original's own options, so that a published command can be pasted. What comes back is an
ordinary estimator: its parameters say what the original does, and each of them can be used by anyone.
"""

from __future__ import annotations

from .c45 import c45
from .c50 import c50
from .cart import cart
from .ctree import ctree
from .cubist import cubist
from .id3 import id3
from .j48 import j48
from .like import like
from .m5p import m5p
from .rep_tree import rep_tree
from .rpart import rpart
from .stump import Triple, stump, triple

__all__ = [
    "Triple",
    "c45",
    "c50",
    "cart",
    "ctree",
    "cubist",
    "id3",
    "j48",
    "like",
    "m5p",
    "rep_tree",
    "rpart",
    "stump",
    "triple",
]
