"""Paths in words, trees that fit a terminal, and the runners-up of every split."""

from .explanation import Explanation, explain
from .runners import RunnersUp, runners_up
from .terminal import folded

__all__ = ["Explanation", "RunnersUp", "explain", "folded", "runners_up"]
