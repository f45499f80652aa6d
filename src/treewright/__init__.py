"""Decision trees: exact, fast, readable, and a drop-in for scikit-learn's.

Start with ``treewright.fit(table, "target")``. The public names, in groups:

- the main calls: `fit`, `compare`, `check`, `load`, `load_example`
- estimators: `DecisionTreeClassifier`, `DecisionTreeRegressor`, `ExtraTreeClassifier`, `ExtraTreeRegressor`,
  `BoostedTreeClassifier`, `RuleSetClassifier`, `RuleModelRegressor`, `ClusteringTree`; `Conjunctions`
  constructs columns for them
- size and score: `prune`, `compare_pruning`, `tune`, `nested_cv_score`, `learning_curve`
- probabilities and decisions: `roc_curve`, `operating_point`, `calibration_curve`
- explanations: `explain`, `counterfactual`, `shapley_values`, `importances`, `rules`, `leaves`,
  `next_best_splits`
- output: `show`, `draw`, `report`, `export_text`, `export_graphviz`, `plot_tree`, `plot_fit`,
  `plot_regions`
- deployment: `export` (Python, C, JavaScript, SQL, ...), `export_check`, `register_skl2onnx`
- types: `Tree`, `FittedTree`, `ColumnType`
- modules: `classics` (ID3, C4.5, CART, ...), `lab` (bias and variance, ...), `linear` (least squares, ...),
  `textbook` (entropy, gain, ...)

Names are loaded when they are first used: ``import treewright`` costs little more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import classics, lab, linear, textbook
    from .data.examples import load_example
    from .data.schema import ColumnType
    from .evaluate.calibration import calibration_curve
    from .evaluate.compare_pruning import compare_pruning
    from .evaluate.data_check import check
    from .evaluate.default_fit.fit import fit
    from .evaluate.learning_curve import learning_curve
    from .evaluate.model_comparison.compare import compare
    from .evaluate.nested_cv import nested_cv_score
    from .evaluate.roc.curves import roc_curve
    from .evaluate.roc.operating_point import operating_point
    from .evaluate.tune import tune
    from .interpret.counterfactual.counterfactual import counterfactual
    from .interpret.explanation import explain
    from .interpret.importances.importances import importances
    from .interpret.leaves.leaves import leaves
    from .interpret.next_best.splits import next_best_splits
    from .interpret.rules.rule_list import rules
    from .interpret.shapley.shapley import shapley_values
    from .learn.boosting.estimator import BoostedTreeClassifier
    from .learn.clustering.estimator import ClusteringTree
    from .learn.conjunctions.estimator import Conjunctions
    from .learn.estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )
    from .learn.fitted_tree import FittedTree
    from .learn.model_file.reader import load
    from .learn.pruning.model import prune
    from .learn.rule_models.estimator import RuleModelRegressor
    from .learn.rule_sets.estimator import RuleSetClassifier
    from .present.drawing.draw import draw
    from .present.drawing.plot import plot_tree
    from .present.export.check import export_check
    from .present.export.graphviz import export_graphviz
    from .present.export.skl2onnx import register_skl2onnx
    from .present.export.write import export
    from .present.page.making import report
    from .present.plots.fit import plot_fit
    from .present.plots.regions import plot_regions
    from .present.text.export_text import export_text
    from .present.text.terminal import show
    from .tree.tree import Tree

    __version__: str

__all__ = [
    "BoostedTreeClassifier",
    "ClusteringTree",
    "ColumnType",
    "Conjunctions",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "FittedTree",
    "RuleModelRegressor",
    "RuleSetClassifier",
    "Tree",
    "__version__",
    "calibration_curve",
    "check",
    "classics",
    "compare",
    "compare_pruning",
    "counterfactual",
    "draw",
    "explain",
    "export",
    "export_check",
    "export_graphviz",
    "export_text",
    "fit",
    "importances",
    "lab",
    "learning_curve",
    "leaves",
    "linear",
    "load",
    "load_example",
    "nested_cv_score",
    "next_best_splits",
    "operating_point",
    "plot_fit",
    "plot_regions",
    "plot_tree",
    "prune",
    "register_skl2onnx",
    "report",
    "roc_curve",
    "rules",
    "shapley_values",
    "show",
    "textbook",
    "tune",
]

_MODULES = {
    "data.examples": ["load_example"],
    "data.schema": ["ColumnType"],
    "evaluate.calibration": ["calibration_curve"],
    "evaluate.compare_pruning": ["compare_pruning"],
    "evaluate.data_check": ["check"],
    "evaluate.learning_curve": ["learning_curve"],
    "evaluate.model_comparison.compare": ["compare"],
    "evaluate.nested_cv": ["nested_cv_score"],
    "evaluate.default_fit.fit": ["fit"],
    "evaluate.roc.curves": ["roc_curve"],
    "evaluate.roc.operating_point": ["operating_point"],
    "evaluate.tune": ["tune"],
    "interpret.counterfactual.counterfactual": ["counterfactual"],
    "interpret.explanation": ["explain"],
    "interpret.importances.importances": ["importances"],
    "interpret.leaves.leaves": ["leaves"],
    "interpret.next_best.splits": ["next_best_splits"],
    "interpret.rules.rule_list": ["rules"],
    "interpret.shapley.shapley": ["shapley_values"],
    "learn.boosting.estimator": ["BoostedTreeClassifier"],
    "learn.clustering.estimator": ["ClusteringTree"],
    "learn.conjunctions.estimator": ["Conjunctions"],
    "learn.estimators": [
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "ExtraTreeClassifier",
        "ExtraTreeRegressor",
    ],
    "learn.fitted_tree": ["FittedTree"],
    "learn.model_file.reader": ["load"],
    "learn.pruning.model": ["prune"],
    "learn.rule_models.estimator": ["RuleModelRegressor"],
    "learn.rule_sets.estimator": ["RuleSetClassifier"],
    "present.drawing.draw": ["draw"],
    "present.drawing.plot": ["plot_tree"],
    "present.export.check": ["export_check"],
    "present.export.graphviz": ["export_graphviz"],
    "present.export.skl2onnx": ["register_skl2onnx"],
    "present.export.write": ["export"],
    "present.page.making": ["report"],
    "present.plots.fit": ["plot_fit"],
    "present.plots.regions": ["plot_regions"],
    "present.text.export_text": ["export_text"],
    "present.text.terminal": ["show"],
    "tree.tree": ["Tree"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("treewright")
    elif name in {"classics", "lab", "linear", "textbook"}:
        found = import_module(f".{name}", __name__)
    elif name in _MODULE_OF:
        found = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
