"""Collapsing: what errs no less than a leaf on the training rows is cut, and nothing else.

C4.5 and J48 do this even where they do not prune.
"""

from __future__ import annotations

import numpy as np

from ...tree.tree import Tree
from .pessimistic import useless
from .rebuild import COLLAPSE, KEEP, Pruned, rebuild
from .risk import must_have_classes


def collapse(tree: Tree) -> Pruned:
    """Cut every branch that makes no fewer errors than its node would as a leaf."""
    must_have_classes(tree, "Collapsing")
    decision = np.where(useless(tree), COLLAPSE, KEEP)
    return Pruned(rebuild(tree, decision), decision, {})
