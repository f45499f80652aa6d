"""The exporters: a tree in the languages of other programs."""

from .graphviz import export_graphviz
from .sklearn import to_sklearn

__all__ = ["export_graphviz", "to_sklearn"]
