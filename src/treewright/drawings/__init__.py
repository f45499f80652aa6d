"""The shelf of drawings: a tree as text and as a picture. Each reads a Tree and nothing else."""

from .plot import plot_tree
from .text import export_text, show

__all__ = ["export_text", "plot_tree", "show"]
