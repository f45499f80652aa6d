"""J48, Weka's C4.5: double precision, slacks of 1e-6, an exact normal quantile, and options of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators import DecisionTreeClassifier
from .options import real, whole
from .weka import FOR_CLASSES, command_line

ACTUAL = "-doNotMakeSplitPointActualValue"
J48 = command_line(
    "J48",
    flags=("-U", "-O", "-R", "-B", "-S", "-A", "-J", ACTUAL),
    values={"-C": real(0, 1), "-M": whole(1), "-N": whole(2), "-Q": whole(-(2**63))},
    idle=("-L",),
)
# What it rejects, in its own order: (option, option, why).
CLASHES = (
    ("-U", "-S", "an unpruned tree has nothing to raise"),
    ("-U", "-R", "an unpruned tree is not pruned by reduced error either"),
    ("-C", "-U", "an unpruned tree has no confidence"),
    ("-C", "-R", "reduced-error pruning has no confidence"),
)


def j48(options: str = "") -> DecisionTreeClassifier:
    """A classifier that is grown and pruned as Weka's J48 does it.

    `-U` does not prune but for branches that err no less on their own rows, `-O` keeps these too, `-C` is the
    confidence of pruning (0.25), `-S` raises no branch, `-R` prunes by `-N` (3) folds, of which the last one
    is held out, `-M` is the fewest rows of two branches (2), `-B` tests one level at a time, `-J` takes no
    cost off the gain of thresholds, `-A` adds one row of each class to the probabilities of a leaf.
    """
    given = J48.parse(options)
    for one, two, why in CLASHES:
        if one in given and two in given:
            raise ValueError(f"J48 does not take {one} with {two}: {why}. Leave one of them out.")
    least = given.get("-M", 2)
    rules: dict[str, Any] = {
        "choice": "j48",
        "threshold_cost": "none" if "-J" in given else "cuts",
        "min_gap": 1e-5,
        "side_share": 0.1,
        "better_by": 1e-6,
        "branches": "two",
        "empty_branches": "shares",
    }
    return DecisionTreeClassifier(
        criterion="gain_ratio",
        nominal_splits="one_vs_rest" if "-B" in given else "multiway",
        thresholds="midpoint" if ACTUAL in given else "recorded",
        missing="fractional",
        min_samples_leaf=least,
        min_samples_split=2 * least,
        smoothing="laplace_shares" if "-A" in given else None,
        growth_rules=rules,
        **_pruning(given),
        **FOR_CLASSES,
    )


def _pruning(given: dict[str, Any]) -> dict[str, Any]:
    if "-R" in given:  # no shuffling: the seed of -Q changes nothing
        return {"pruning": "reduced_error", "pruning_options": {"folds": given.get("-N", 3), "fold": -1}}
    if "-U" in given:
        return {} if "-O" in given else {"pruning": "collapse"}
    options = {
        "CF": float(np.float32(given.get("-C", 0.25))),  # kept in single precision there
        "bound": "normal",
        "raising": "-S" not in given,
        "collapse": "-O" not in given,
    }
    return {"pruning": "pessimistic", "pruning_options": options}
