"""C5.0 (GPL release 2.07), with the options of its R function or of its own command line."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..boosting.estimator import BoostedTreeClassifier
from ..estimators import DecisionTreeClassifier
from ..rule_sets.estimator import RuleSetClassifier
from .options import CommandLine, real, reject, whole
from .weka import FOR_CLASSES

BANDS = (
    "it only changes the order in which rules are printed, by their effect on the errors; "
    "treewright.RuleSetClassifier has them by class and confidence"
)
LATER = {
    "weights": "they are given to fit, as sample_weight",
    "bands": BANDS,
}
IDLE = ("label", "strip_time_stamps")  # they change what is printed alone
KNOWN = (
    *("subset", "CF", "minCases", "noGlobalPruning", "costs", "trials", "winnow", "fuzzyThreshold"),
    *("sample", "seed", "rules", "earlyStopping"),
)
NOT_SOFT = (
    "fuzzyThreshold has no effect on rules: soft thresholds are of trees alone, in C5.0 too. Leave it out."
)
# The options of the program's own command line, where levels are grouped only with -s.
COMMAND = CommandLine(
    "C5.0",
    flags=("-b", "-w", "-p", "-s", "-g", "-e", "-r"),
    values={
        "-t": whole(1),
        "-c": real(0, 100),
        "-m": whole(1),
        "-S": real(0, 100),
        "-I": whole(0),
    },
    no_effect_values=("-f",),
    later={
        "-u": BANDS,
        "-X": "it cross-validates; use treewright.nested_cv_score",
    },
    names=("c5.0", "C5.0", "see5"),
    attached=True,
)
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


def c50(  # noqa: PLR0913
    options: str = "",
    *,
    trials: int = 1,
    rules: bool = False,
    subset: bool = True,
    CF: float = 0.25,
    minCases: int = 2,
    winnow: bool = False,
    fuzzyThreshold: bool = False,
    noGlobalPruning: bool = False,
    sample: float = 0.0,
    seed: int | None = None,
    earlyStopping: bool = True,
    costs: Any = None,
    **others: Any,
) -> Any:
    """A classifier that is grown and pruned as C5.0 does it; with `trials`, a BoostedTreeClassifier.

    `rules` makes a set of rules of the tree, a RuleSetClassifier, or of every tree. `subset` groups levels,
    `CF` is the confidence of pruning, `minCases` the fewest rows of two branches, `noGlobalPruning` stops
    before the last step of pruning. `winnow` first leaves out columns that do not help to predict,
    `fuzzyThreshold` makes thresholds soft (of trees: rules ignore it, with a warning), `sample` grows on this
    share of the rows, drawn by `seed` (by another generator than the original's). `earlyStopping=False` makes
    all trials, whatever their errors. `costs` has a row per predicted class and a column per true
    class, as there, in the order of the classes.

    `options` is a line of the program itself in their place: -r rules, -t trials, -b (10 trials), -w, -p
    (soft thresholds), -s (subset, off without it), -g, -c (CF in percent), -m, -S (percent), -I (seed), -e
    (no costs).
    """
    if options:
        others |= _of_line(options)
        given = {"trials": trials, "CF": CF, "minCases": minCases, "sample": sample, "seed": seed}
        given |= {"subset": False, "costs": costs, "earlyStopping": earlyStopping}
        return c50(**given | others)
    given = {name: value for name, value in others.items() if name not in IDLE}
    reject("C5.0", {name: v for name, v in given.items() if not _is_off(name, v)}, LATER, (*KNOWN, *LATER))
    switches = {"winnow": winnow, "fuzzyThreshold": fuzzyThreshold, "rules": rules}
    _check(trials, minCases, sample, subset=subset, earlyStopping=earlyStopping, **switches)
    if rules and costs is not None:
        raise ValueError(
            "C5.0: rules cannot be combined with costs: how the program chooses rules under costs is not "
            "known. Leave one of them out, or give RuleSetClassifier a tree and fit it with sample_weight."
        )
    if rules and fuzzyThreshold:
        warnings.warn(NOT_SOFT, UserWarning, stacklevel=2)
        fuzzyThreshold = False
    growth, ours = dict(RULES), None if costs is None else _as_ours(costs)
    if ours is not None:  # two classes are weighed; of more only the decision changes
        growth["costs"] = "growth" if len(ours) == 2 else "decision"
    growth |= {"winnow": True} if winnow else {}
    growth |= {"soft_thresholds": True} if fuzzyThreshold else {}
    growth |= {"sample": float(sample)} if sample else {}
    tree = DecisionTreeClassifier(
        criterion="gain_ratio",
        nominal_splits="merged" if subset else "multiway",
        thresholds="recorded",
        missing="fractional",
        min_samples_leaf=minCases,
        min_samples_split=2 * minCases,
        min_confidence=0.999,
        costs=ours,
        pruning="pessimistic",
        pruning_options=_pruning(subset, CF, minCases, noGlobalPruning, costs),
        smoothing="pooled",
        smoothing_strength=1.0,
        random_state=seed,
        growth_rules=growth,
        **FOR_CLASSES,
    )
    made = RuleSetClassifier(tree) if rules else tree
    return made if trials == 1 else BoostedTreeClassifier(made, trials, early_stopping=bool(earlyStopping))


def _of_line(options: str) -> dict[str, Any]:
    """The keywords that a line of flags stands for."""
    line = COMMAND.parse(options)
    flags = {"-r": "rules", "-w": "winnow", "-p": "fuzzyThreshold", "-s": "subset", "-g": "noGlobalPruning"}
    found: dict[str, Any] = {name: True for flag, name in flags.items() if flag in line}
    found |= {"trials": 10} if "-b" in line else {}
    whole_numbers = (("-t", "trials"), ("-m", "minCases"), ("-I", "seed"))
    found |= {name: line[flag] for flag, name in whole_numbers if flag in line}
    found |= {name: line[flag] / 100 for flag, name in (("-c", "CF"), ("-S", "sample")) if flag in line}
    return found | ({"costs": None} if "-e" in line else {})


def _check(trials: Any, minCases: Any, sample: Any, **switches: Any) -> None:
    if isinstance(trials, bool) or not isinstance(trials, int | np.integer) or not 1 <= trials <= 100:
        raise ValueError(f"trials of C5.0 must be a whole number from 1 to 100. Got {trials!r}.")
    if isinstance(minCases, bool) or not isinstance(minCases, int | np.integer) or minCases < 1:
        raise ValueError(f"minCases of C5.0 must be a whole number of at least 1. Got {minCases!r}.")
    if isinstance(sample, bool) or not isinstance(sample, int | float | np.number) or not 0 <= sample < 1:
        raise ValueError(f"sample of C5.0 must be a number of at least 0 and below 1. Got {sample!r}.")
    for name, value in switches.items():
        if value not in (True, False):
            raise ValueError(f"{name} of C5.0 must be True or False. Got {value!r}.")


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
    return name in LATER and value in (None, False, 0)


def _as_ours(costs: Any) -> list[list[float]]:
    """True class by predicted class. A cost of up to 1 is that of any mistake there."""
    try:
        given = np.asarray(costs, dtype=np.float64).T
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.ndim != 2 or len(given) < 2 or given.shape[0] != given.shape[1] or not np.isfinite(given).all():
        raise ValueError(
            f"costs of C5.0 must have a row per predicted class and a column per true class. Got {costs!r}."
        )
    return [list(row) for row in np.maximum(given, 1.0) * (1.0 - np.eye(len(given)))]
