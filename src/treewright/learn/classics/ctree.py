"""Conditional inference trees as in R's partykit: permutation tests choose the columns and end growth."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from .options import reject
from .tasks import CLASSIFICATION, estimator_for

STATISTICS = ("quadratic", "maximum")
ADJUSTMENTS = {"Bonferroni": "bonferroni", "Univariate": "none", "Teststatistic": "statistic"}
LATER = {
    "formula": "the columns and the target are given to fit",
    "data": "the table is given to fit",
    "weights": "they are given to fit, as sample_weight",
    "subset": "fit is given the rows that are wanted",
    "na_action": "missing values stay, as na.pass does",
    "ytrafo": "the target is tested as it is",
    "converged": "growth ends by the tests alone",
    "splittest": "columns are compared by linear statistics",
    "nmax": "values are not binned",
    "mtry": "every column is tested",
    "maxvar": "any number of columns may be split",
    "lookahead": "a split does not depend on the tests below it",
    "MIA": "missing values go with surrogates or with most rows",
    "multiway": "a test has two branches",
    "numsurrogate": "surrogates may be of any column",
    "splitflavour": "cuts are chosen by the two-sample statistic",
    "update": "the target is the same in every node",
}
IDLE = (
    "pargs",
    "nresample",
    "tol",
    "caseweights",
    "applyfun",
    "cores",
    "saveinfo",
)  # of no effect on the tree
OFF = {"multiway": False, "lookahead": False, "MIA": False, "numsurrogate": False, "splittest": False}
SIZES = {
    "minsplit": (20, 0),
    "minbucket": (7, 0),
    "maxsurrogate": (0, 0),
    "splittry": (2, 1),
}  # and the least


def ctree(
    task: str = CLASSIFICATION,
    *,
    teststat: str = "quadratic",
    splitstat: str = "quadratic",
    testtype: str = "Bonferroni",
    alpha: float = 0.05,
    mincriterion: float | None = None,
    **control: Any,
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """An estimator that is grown as partykit's ctree does it.

    A node is split by the column with the least p-value of a permutation test, if that is below `alpha`
    (`mincriterion` is 1 - alpha); with testtype="Teststatistic" by the greatest statistic, if that is above
    `mincriterion`. `model.tree_.p_value` has the p-values of every node and column.

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    teststat, splitstat : {"quadratic", "maximum"}
        The statistic by which columns are tested, and by which the cut of a column is chosen.
    testtype : {"Bonferroni", "Univariate", "Teststatistic"}
        Whether p-values are corrected for the number of columns.
    alpha : float, default=0.05
        The significance level.
    mincriterion : float, optional
        1 - alpha, or the least statistic.
    **control
        minsplit (20), minbucket (7), minprob (0.01), maxdepth (Inf), stump (False), maxsurrogate (0),
        splittry (2), intersplit (False) and majority, of which both values send a row that no surrogate
        knows to the side of most rows (partykit's FALSE draws a side).

    Returns
    -------
    DecisionTreeClassifier or DecisionTreeRegressor
        Not fitted.
    """
    sizes = _sizes(control)
    for name, value in (("teststat", teststat), ("splitstat", splitstat)):
        if value not in STATISTICS:
            raise ValueError(f"{name} of ctree must be 'quadratic' or 'maximum'. Got {value!r}.")
    if testtype not in ADJUSTMENTS:
        hint = " Monte Carlo p-values are not available." if "MonteCarlo" in np.ravel(testtype) else ""
        raise ValueError(f"testtype of ctree must be one of {[*ADJUSTMENTS]}. Got {testtype!r}.{hint}")
    rules: dict[str, Any] = {
        "choice": "permutation_test",
        "test_statistic": teststat,
        "cut_statistic": splitstat,
        "adjustment": ADJUSTMENTS[testtype],
        "min_share": _share("minprob", control.get("minprob", 0.01), 0.5),
        "columns_tried": sizes["splittry"],
        "max_surrogates": sizes["maxsurrogate"],
    }
    if testtype == "Teststatistic":
        most = np.finfo(np.float64).max
        rules["least_statistic"] = (
            1 - _share("alpha", alpha) if mincriterion is None else _share("mincriterion", mincriterion, most)
        )
    elif mincriterion is None:
        rules["alpha"] = _share("alpha", alpha)
    else:
        rules["alpha"] = 1 - _share("mincriterion", mincriterion)
    only_classes: dict[str, Any] = {"criterion": "gini", "class_order": "declared"}
    return estimator_for(task, "ctree")(
        **(only_classes if task == CLASSIFICATION else {}),
        missing="surrogate",
        thresholds="midpoint" if control.get("intersplit") else "observed",
        min_samples_split=max(2, sizes["minsplit"]),
        min_samples_leaf=max(1, sizes["minbucket"]),
        max_depth=1 if control.get("stump") else _depth(control.get("maxdepth")),
        growth_rules=rules,
    )


def _sizes(control: dict[str, Any]) -> dict[str, int]:
    """The whole numbers of `control`, checked, with the program's defaults."""
    known = (*SIZES, "minprob", "maxdepth", "stump", "intersplit", "majority")
    others = {
        name: value
        for name, value in control.items()
        if name not in {*known, *IDLE} and not (name in OFF and value is OFF[name])
    }
    reject(
        "ctree", others, LATER, ("teststat", "splitstat", "testtype", "alpha", "mincriterion", *known, *IDLE)
    )
    found = {}
    for name, (usual, least) in SIZES.items():
        value = control.get(name, usual)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < least:
            raise ValueError(f"{name} of ctree must be a whole number of at least {least}. Got {value!r}.")
        found[name] = int(value)
    return found


def _share(name: str, value: Any, most: float = 1.0) -> float:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0 <= value <= most:
        raise ValueError(f"{name} of ctree must be a number from 0 to {most:g}. Got {value!r}.")
    return float(value)


def _depth(value: Any) -> int | None:
    """A limit; Inf and 0 are none."""
    if value is None or value in {"Inf", 0, np.inf}:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"maxdepth of ctree must be a whole number of at least 1, or Inf. Got {value!r}.")
    return int(value)
