"""Decision trees: exact, fast, readable, and a drop-in for scikit-learn's.

The public names are loaded when they are asked for: ``import treewright`` costs little more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .drawings.plot import plot_tree
    from .drawings.text import export_text, show
    from .estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )
    from .exporters.graphviz import export_graphviz
    from .tree import Tree, tree_from_dict

    __version__: str

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "Tree",
    "__version__",
    "export_graphviz",
    "export_text",
    "plot_tree",
    "show",
    "tree_from_dict",
]

_HOMES = {
    "DecisionTreeClassifier": ".estimators",
    "DecisionTreeRegressor": ".estimators",
    "ExtraTreeClassifier": ".estimators",
    "ExtraTreeRegressor": ".estimators",
    "Tree": ".tree",
    "export_graphviz": ".exporters.graphviz",
    "export_text": ".drawings.text",
    "plot_tree": ".drawings.plot",
    "show": ".drawings.text",
    "tree_from_dict": ".tree",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("treewright")
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
