"""C5.0 (GPL release 2.07), with the options of its R function: trees, no rules, boosting or winnowing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators import DecisionTreeClassifier
from .options import reject
from .weka import FOR_CLASSES

LATER = {
    "rules": "it makes rules of the tree, which is left for later",
    "trials": "boosting is left for later",
    "winnow": "winnowing columns is left for later",
    "fuzzyThreshold": "soft thresholds are left for later",
    "bands": "it orders rules, which are left for later",
    "sample": "it grows on a random part of the rows, which is left for later",
}
IDLE = ("earlyStopping", "label", "seed", "strip_time_stamps")
KNOWN = ("subset", "CF", "minCases", "noGlobalPruning", "costs")
RULES: dict[str, Any] = {
    "choice": "c5.0",
    "threshold_cost": "gap",
    "side_share": 0.1,
    "branches": "two",
    "least_gain": 1e-4,
    "empty_branches": "shares",
    "merging": "c5.0",
    "ties": "root",
    "weights": "mean",
    "single": True,
}


def c50(
    *,
    subset: bool = True,
    CF: float = 0.25,
    minCases: int = 2,
    noGlobalPruning: bool = False,
    costs: Any = None,
    **others: Any,
) -> DecisionTreeClassifier:
    """A classifier that is grown and pruned as C5.0 does it.

    `subset` groups levels, `CF` is the confidence of pruning, `minCases` the fewest rows of two branches,
    `noGlobalPruning` stops before the last step of pruning. `costs` has a row per predicted class and a
    column per true class, as there, in the order of the classes.
    """
    given = {name: value for name, value in others.items() if name not in IDLE}
    reject("C5.0", {name: v for name, v in given.items() if not _is_off(name, v)}, LATER, (*KNOWN, *LATER))
    rules = dict(RULES)
    if costs is not None:  # two classes are weighed; of more only the decision changes
        rules["costs"] = "growth" if len(costs) == 2 else "decision"
    return DecisionTreeClassifier(
        criterion="gain_ratio",
        nominal_splits="merged" if subset else "multiway",
        thresholds="recorded",
        missing="fractional",
        min_samples_leaf=minCases,
        min_samples_split=2 * minCases,
        min_confidence=0.999,
        costs=None if costs is None else _as_ours(costs),
        pruning="pessimistic",
        pruning_options=_pruning(subset, CF, minCases, noGlobalPruning, costs),
        smoothing="pooled",
        smoothing_strength=1.0,
        growth_rules=rules,
        **FOR_CLASSES,
    )


def _pruning(subset: bool, CF: float, minCases: int, noGlobalPruning: bool, costs: Any) -> dict[str, Any]:
    return {
        "CF": CF,
        "bound": "c5.0",
        "raising": "regrown",
        "collapse": False,
        "pool": float(minCases),
        "within": 0.0 if noGlobalPruning or costs is not None else 1.0,
        "join": "all" if subset else "filled",
        "errors": "decided" if costs is None else "heaviest" if len(costs) > 2 else "weighed",
    }


def _is_off(name: str, value: Any) -> bool:
    return name in LATER and (value in (None, False, 0) or (name == "trials" and value == 1))


def _as_ours(costs: Any) -> list[list[float]]:
    """True class by predicted class. A cost of up to 1 is that of any mistake there."""
    given = np.asarray(costs, dtype=np.float64).T
    return [list(row) for row in np.maximum(given, 1.0) * (1.0 - np.eye(len(given)))]
