"""C4.5 release 8 (Quinlan 1993, 1996): gain ratio, a cost for thresholds, pessimistic pruning."""

from __future__ import annotations

from typing import Any

from ..estimators import DecisionTreeClassifier
from .options import CommandLine, real, whole
from .weka import FOR_CLASSES

WINDOWS = "it grows trees on part of the rows (windowing)"
C45 = CommandLine(
    "C4.5",
    flags=("-g", "-s"),
    values={"-m": whole(1), "-c": real(1e-3, 100)},
    no_effect=("-b", "-u"),
    no_effect_values=("-f", "-v"),
    later={"-p": "it makes thresholds soft", "-t": WINDOWS, "-w": WINDOWS, "-i": WINDOWS},
    names=("c4.5", "c45"),
    attached=True,
)
MOST = 1 - 2.0**-53  # confidence: with 100 % no errors are added
RULES: dict[str, Any] = {
    "choice": "c4.5",
    "threshold_cost": "cuts",
    "min_gap": 1e-5,
    "side_share": 0.1,
    "branches": "two",
    "empty_branches": "class",
    "unknown_number": -999.0,
}


def c45(options: str = "", *, pruned: bool = True) -> DecisionTreeClassifier:
    """A classifier that is grown and pruned as C4.5 does it.

    `options` are those of its command line: `-g` compares by gain instead of gain ratio, `-s` groups levels,
    `-m` is the fewest rows of two branches (2), `-c` the confidence of pruning in percent (25). With
    `pruned=False` it is the tree called unpruned there: only what errs no less on its own rows is cut.
    """
    given = C45.parse(options)
    least = given.get("-m", 2)
    pessimistic: dict[str, Any] = {"CF": min(given.get("-c", 25.0) / 100, MOST), "bound": "table"}
    if "-s" in given:
        pessimistic["join"] = "possible"
    return DecisionTreeClassifier(
        criterion="entropy" if "-g" in given else "gain_ratio",
        nominal_splits="merged" if "-s" in given else "multiway",
        thresholds="recorded",
        missing="fractional",
        min_samples_leaf=least,
        min_samples_split=2,  # what must have twice `-m` rows is known to the search
        growth_rules=dict(RULES),
        pruning="pessimistic" if pruned else "collapse",
        pruning_options=pessimistic if pruned else None,
        **FOR_CLASSES,
    )
