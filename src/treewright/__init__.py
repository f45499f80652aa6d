"""Decision trees: exact, fast, readable, and a drop-in for scikit-learn's.

The public names are loaded when they are asked for: ``import treewright`` costs little more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .checking import DataCheck, check
    from .deciding.decision import with_decision
    from .deciding.leaf_plots import plot_leaves, plot_reliability
    from .deciding.leaves import leaves
    from .deciding.operating import operating_point
    from .deciding.recipe import ranking_tree
    from .deciding.reliability import reliability
    from .deciding.roc_plots import plot_coverage, plot_roc
    from .deciding.rocs import roc
    from .drawings.draw import draw
    from .drawings.impurity_plot import plot_impurities
    from .drawings.plot import plot_tree
    from .drawings.regions import plot_regions
    from .drawings.text import export_text, show
    from .entropies import cross_entropy, differential_entropy, entropy, information, kl_divergence
    from .estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )
    from .explaining import explain, folded, runners_up
    from .explaining.counterfactual import counterfactual
    from .explaining.importances import importances
    from .explaining.shapley import shapley
    from .exporters.graphviz import export_graphviz
    from .filing import load
    from .impurities import gain, gain_ratio, impurity, relative_impurity, split_information
    from .judging.honest import honest_score
    from .judging.learning import learning_curve
    from .judging.report import pruning_report
    from .judging.tune import tune
    from .pruning.model import prune
    from .recipes.compare import compare
    from .recipes.fit import fit
    from .reporting import Report, report
    from .rulebook import rules
    from .schema import ColumnType
    from .tree import Tree, tree_from_dict

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
    "Report": ".reporting",
    "report": ".reporting",
    "draw": ".drawings.draw",
    "folded": ".explaining",
    "runners_up": ".explaining",
    "explain": ".explaining",
    "counterfactual": ".explaining.counterfactual",
    "importances": ".explaining.importances",
    "shapley": ".explaining.shapley",
    "load": ".filing",
    "compare": ".recipes.compare",
    "fit": ".recipes.fit",
    "with_decision": ".deciding.decision",
    "plot_regions": ".drawings.regions",
    "plot_impurities": ".drawings.impurity_plot",
    "plot_leaves": ".deciding.leaf_plots",
    "plot_reliability": ".deciding.leaf_plots",
    "plot_coverage": ".deciding.roc_plots",
    "plot_roc": ".deciding.roc_plots",
    "rules": ".rulebook",
    "reliability": ".deciding.reliability",
    "leaves": ".deciding.leaves",
    "ranking_tree": ".deciding.recipe",
    "operating_point": ".deciding.operating",
    "roc": ".deciding.rocs",
    "ColumnType": ".schema",
    "DataCheck": ".checking",
    "DecisionTreeClassifier": ".estimators",
    "DecisionTreeRegressor": ".estimators",
    "ExtraTreeClassifier": ".estimators",
    "ExtraTreeRegressor": ".estimators",
    "Tree": ".tree",
    "check": ".checking",
    "cross_entropy": ".entropies",
    "differential_entropy": ".entropies",
    "entropy": ".entropies",
    "export_graphviz": ".exporters.graphviz",
    "export_text": ".drawings.text",
    "gain": ".impurities",
    "gain_ratio": ".impurities",
    "honest_score": ".judging.honest",
    "impurity": ".impurities",
    "information": ".entropies",
    "kl_divergence": ".entropies",
    "learning_curve": ".judging.learning",
    "plot_tree": ".drawings.plot",
    "prune": ".pruning.model",
    "pruning_report": ".judging.report",
    "relative_impurity": ".impurities",
    "show": ".drawings.text",
    "split_information": ".impurities",
    "tree_from_dict": ".tree",
    "tune": ".judging.tune",
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
