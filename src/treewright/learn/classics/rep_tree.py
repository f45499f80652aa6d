"""REPTree, Weka's fast tree: gain or variance, pruned by rows held out, which it then counts too."""

from __future__ import annotations

from typing import Any

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from .options import real, whole
from .tasks import CLASSIFICATION, estimator_for
from .weka import FOR_CLASSES, SHARED, command_line

REP_TREE = command_line(
    "REPTree",
    flags=("-P", "-R"),
    values={
        "-M": whole(1),
        "-V": real(0, 1),
        "-N": whole(2),
        "-S": whole(-(2**63)),
        "-L": whole(-1),
        "-I": real(0),
    },
)


def rep_tree(
    options: str = "", *, task: str = CLASSIFICATION
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """An estimator that is grown and pruned as Weka's REPTree does it, for classes or (`task`) numbers.

    `-M` is the least weight of two branches (2), `-V` the share of the whole variance below which a node of
    numbers is a leaf (0.001), `-N` the folds of which one prunes (3), `-S` the seed of the shuffle (1), `-L`
    the greatest depth (-1: any), `-P` does not prune, `-I` is the initial count of every class (0), or with
    `-R` of all together.
    """
    given = REP_TREE.parse(options)
    least = given.get("-M", 2)
    depth = given.get("-L", -1)
    if depth == 0:
        raise ValueError("-L of REPTree must be at least 1, or -1 for any depth. Got 0.")
    numbers = task != CLASSIFICATION
    rules: dict[str, Any] = {
        "least_gain": 1e-6,
        "branches": "chosen",
        "spread_missing": True,
        "empty_branches": "shares",
        "strict": True,
    }
    if numbers:
        rules["flat"] = given.get("-V", 0.001)
    chosen: Any = "squared_error" if numbers else "entropy"
    return estimator_for(task, "REPTree")(
        criterion=chosen,
        nominal_splits="multiway",
        missing="fractional",
        max_depth=None if depth == -1 else depth,
        min_samples_leaf=least,
        min_samples_split=2 * least,
        growth_rules=rules,
        **_pruning(given),
        **_smoothing(given, numbers),
        **(SHARED if numbers else FOR_CLASSES),
    )


def _pruning(given: dict[str, Any]) -> dict[str, Any]:
    if "-P" in given:
        return {}
    held_out = {"folds": given.get("-N", 3), "fold": 0, "seed": given.get("-S", 1)}
    return {"pruning": "reduced_error", "pruning_options": {"backfit": True} | held_out}


def _smoothing(given: dict[str, Any], numbers: bool) -> dict[str, Any]:
    if not given.get("-I", 0.0):
        return {}
    if numbers:
        raise ValueError("-I of REPTree is for classes here. Got a target of numbers. Leave it out.")
    return {"smoothing": "even" if "-R" in given else "laplace", "smoothing_strength": given["-I"]}
