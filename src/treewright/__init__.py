"""Decision trees: exact, fast, readable, and a drop-in for scikit-learn's.

The public names are loaded when they are asked for: ``import treewright`` costs little more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .data.schema import ColumnType
    from .evaluate.data_check import DataCheck, check
    from .evaluate.decision import with_decision
    from .evaluate.honest import honest_score
    from .evaluate.learning_curve import learning_curve
    from .evaluate.pruning_report import pruning_report
    from .evaluate.ranking_tree import ranking_tree
    from .evaluate.recipes.compare import compare
    from .evaluate.recipes.fit import fit
    from .evaluate.reliability import reliability
    from .evaluate.reliability_plot import plot_reliability
    from .evaluate.roc.curves import roc
    from .evaluate.roc.operating_point import operating_point
    from .evaluate.roc.plots import plot_coverage, plot_roc
    from .evaluate.tune import tune
    from .explain.counterfactual.counterfactual import counterfactual
    from .explain.explanation import explain
    from .explain.importances.importances import importances
    from .explain.leaves.leaves import leaves
    from .explain.leaves.plots import plot_leaves
    from .explain.next_best.splits import runners_up
    from .explain.rules import rules
    from .explain.shapley.shapley import shapley
    from .learn.entropies import cross_entropy, differential_entropy, entropy, information, kl_divergence
    from .learn.estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )
    from .learn.impurities import gain, gain_ratio, impurity, relative_impurity, split_information
    from .learn.model_file import load
    from .learn.pruning.model import prune
    from .present.drawing.draw import draw
    from .present.drawing.plot import plot_tree
    from .present.export.graphviz import export_graphviz
    from .present.page import Report, report
    from .present.plots.impurities import plot_impurities
    from .present.plots.regions import plot_regions
    from .present.text.terminal import folded
    from .present.text.text import export_text, show
    from .tree.tree import Tree, tree_from_dict

    __version__: str

__all__ = [
    "ColumnType",
    "DataCheck",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "Report",
    "Tree",
    "__version__",
    "check",
    "compare",
    "counterfactual",
    "cross_entropy",
    "differential_entropy",
    "draw",
    "entropy",
    "explain",
    "export_graphviz",
    "export_text",
    "fit",
    "folded",
    "gain",
    "gain_ratio",
    "honest_score",
    "importances",
    "impurity",
    "information",
    "kl_divergence",
    "learning_curve",
    "leaves",
    "load",
    "operating_point",
    "plot_coverage",
    "plot_impurities",
    "plot_leaves",
    "plot_regions",
    "plot_reliability",
    "plot_roc",
    "plot_tree",
    "prune",
    "pruning_report",
    "ranking_tree",
    "relative_impurity",
    "reliability",
    "report",
    "roc",
    "rules",
    "runners_up",
    "shapley",
    "show",
    "split_information",
    "tree_from_dict",
    "tune",
    "with_decision",
]

_HOMES = {
    "Report": ".present.page",
    "report": ".present.page",
    "draw": ".present.drawing.draw",
    "folded": ".present.text.terminal",
    "runners_up": ".explain.next_best.splits",
    "explain": ".explain.explanation",
    "counterfactual": ".explain.counterfactual.counterfactual",
    "importances": ".explain.importances.importances",
    "shapley": ".explain.shapley.shapley",
    "load": ".learn.model_file",
    "compare": ".evaluate.recipes.compare",
    "fit": ".evaluate.recipes.fit",
    "with_decision": ".evaluate.decision",
    "plot_regions": ".present.plots.regions",
    "plot_impurities": ".present.plots.impurities",
    "plot_leaves": ".explain.leaves.plots",
    "plot_reliability": ".evaluate.reliability_plot",
    "plot_coverage": ".evaluate.roc.plots",
    "plot_roc": ".evaluate.roc.plots",
    "rules": ".explain.rules",
    "reliability": ".evaluate.reliability",
    "leaves": ".explain.leaves.leaves",
    "ranking_tree": ".evaluate.ranking_tree",
    "operating_point": ".evaluate.roc.operating_point",
    "roc": ".evaluate.roc.curves",
    "ColumnType": ".data.schema",
    "DataCheck": ".evaluate.data_check",
    "DecisionTreeClassifier": ".learn.estimators",
    "DecisionTreeRegressor": ".learn.estimators",
    "ExtraTreeClassifier": ".learn.estimators",
    "ExtraTreeRegressor": ".learn.estimators",
    "Tree": ".tree.tree",
    "check": ".evaluate.data_check",
    "cross_entropy": ".learn.entropies",
    "differential_entropy": ".learn.entropies",
    "entropy": ".learn.entropies",
    "export_graphviz": ".present.export.graphviz",
    "export_text": ".present.text.text",
    "gain": ".learn.impurities",
    "gain_ratio": ".learn.impurities",
    "honest_score": ".evaluate.honest",
    "impurity": ".learn.impurities",
    "information": ".learn.entropies",
    "kl_divergence": ".learn.entropies",
    "learning_curve": ".evaluate.learning_curve",
    "plot_tree": ".present.drawing.plot",
    "prune": ".learn.pruning.model",
    "pruning_report": ".evaluate.pruning_report",
    "relative_impurity": ".learn.impurities",
    "show": ".present.text.text",
    "split_information": ".learn.impurities",
    "tree_from_dict": ".tree.tree",
    "tune": ".evaluate.tune",
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
