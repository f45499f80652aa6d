"""CART as R's rpart has it: gini, information, anova and poisson, with priors, losses and surrogates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..estimators import DecisionTreeClassifier, DecisionTreeRegressor
from .options import reject

METHODS = ("class", "anova", "poisson")
CRITERIA = {"gini": "gini", "information": "entropy"}
OF_CLASS, OF_POISSON = ("split", "prior", "loss"), ("shrink", "method")  # in parms
LATER = {
    "formula": "the columns and the target are given to fit",
    "data": "the table is given to fit",
    "weights": "they are given to fit, as sample_weight",
    "subset": "fit is given the rows that are wanted",
    "na_action": "rows without any value are left out, as na.rpart does",
}
IDLE = ("model", "x", "y", "maxcompete", "xval")  # of no effect on the tree
SIZES: dict[str, tuple[int, float]] = {  # whole numbers, from and to
    "minsplit": (0, np.inf),
    "minbucket": (0, np.inf),
    "maxdepth": (1, 30),
    "maxsurrogate": (0, np.inf),
    "usesurrogate": (0, 2),
    "surrogatestyle": (0, 1),
}
# What the program does in its own way, whatever its options.
RULES: dict[str, Any] = {
    "strict": True,
    "least_gain": 0.0,
    "imperfect_levels": True,
    "ordered_sets": True,
    "plain_sums": True,
    "drop_empty_rows": True,
    "count_zero_weights": True,
}


def rpart(
    method: str = "class",
    *,
    cp: float = 0.01,
    parms: Mapping[str, Any] | None = None,
    cost: Any = None,
    **control: Any,
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """An estimator that is grown and pruned as rpart does it.

    `method` is "class", "anova" or "poisson", whose fit takes `exposure`. `parms` has "split" ("gini" or
    "information"), "prior" and "loss" (a row per true class) in the order of the classes; for poisson
    "shrink" and "method". `cost` has a number per column, by which its gains are divided. `control` are
    minsplit (20), minbucket (a third of it), maxdepth (30), maxsurrogate (5), usesurrogate (2: surrogates,
    then the side of most rows; 1: surrogates, then it stays at the node; 0: it stays) and surrogatestyle (0).
    maxcompete and xval do not change the tree; see `treewright.next_best_splits` and `treewright.report`.
    """
    if method not in METHODS:
        raise ValueError(f"method of rpart must be one of {', '.join(map(repr, METHODS))}. Got {method!r}.")
    sizes = _sizes(control)
    made, rules = _of_method(method, parms or {}), RULES | _of_surrogates(sizes)
    if method == "poisson":
        rules["zero_rates"] = True
    if cost is not None and not np.all(np.asarray(cost) == 1):
        rules["column_costs"] = np.ravel(cost).tolist()
    return (DecisionTreeClassifier if method == "class" else DecisionTreeRegressor)(
        missing="surrogate",
        min_samples_split=max(2, sizes["minsplit"]),
        min_samples_leaf=max(1, sizes["minbucket"]),
        max_depth=sizes["maxdepth"],
        growth_rules=rules,
        **_pruning(cp, made.pop("risk")),
        **made,
    )


# -- what rpart.control has


def _sizes(control: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of `control`, checked, with the program's defaults."""
    others = {name: value for name, value in control.items() if name not in {*SIZES, *IDLE}}
    reject("rpart", others, LATER, ("method", "cp", "parms", "cost", *SIZES, *IDLE))
    given = {name: value for name, value in control.items() if name in SIZES and value is not None}
    for name, value in given.items():
        low, high = SIZES[name]
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or not low <= value <= high:
            words = f"of at least {low}" if high == np.inf else f"from {low} to {high}"
            raise ValueError(f"{name} of rpart must be a whole number {words}. Got {value!r}.")
    usual = {"maxdepth": 30, "maxsurrogate": 5, "usesurrogate": 2, "surrogatestyle": 0}
    usual["minsplit"] = 3 * given.get("minbucket", 20 / 3)
    usual["minbucket"] = round(given.get("minsplit", 20) / 3)
    return {name: int(given.get(name, usual[name])) for name in SIZES}


def _of_surrogates(sizes: dict[str, int]) -> dict[str, Any]:
    use, most = sizes["usesurrogate"], sizes["maxsurrogate"]
    return {
        "max_surrogates": most,
        "surrogate_style": "known" if sizes["surrogatestyle"] else "total",
        "use_surrogates": use > 0,
        "after_surrogates": "heavier" if use == 2 and most else "stop",
        "missing_to_more": use == 2,
    }


def _pruning(cp: Any, risk: str) -> dict[str, Any]:
    """Below 0 nothing is cut, not even what gains nothing."""
    if isinstance(cp, bool) or not isinstance(cp, int | float | np.number) or not np.isfinite(cp):
        raise ValueError(f"cp of rpart must be a number. Got {cp!r}.")
    if cp < 0:
        return {}
    options = {"alpha": float(cp), "risk": risk, "rule": "rpart"}
    return {"pruning": "cost_complexity", "pruning_options": options}


# -- parms


def _of_method(method: str, parms: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a method, and the risk to prune by."""
    known = {"class": OF_CLASS, "poisson": OF_POISSON, "anova": ()}[method]
    for name in parms:
        if name not in known:
            words = f"takes {', '.join(known)}" if known else "takes none"
            raise ValueError(f"parms of rpart(method={method!r}) {words}. Got {name!r}.")
    if method == "anova":
        return {"criterion": "squared_error", "risk": "impurity"}
    return _of_class(parms) if method == "class" else _of_poisson(parms)


def _of_class(parms: Mapping[str, Any]) -> dict[str, Any]:
    split = parms.get("split", "gini")
    words = {"1": "gini", "2": "information"}.get(str(split), str(split))
    named = [name for name in CRITERIA if words and name.startswith(words)]
    if len(named) != 1:
        raise ValueError(f'"split" in parms of rpart must be "gini" or "information". Got {split!r}.')
    prior, loss = parms.get("prior"), parms.get("loss")
    if loss is not None:
        loss = np.asarray(loss, dtype=np.float64)
        usual = loss.ndim == 2 and np.array_equal(loss, 1 - np.eye(len(loss)))
        loss = None if usual else loss.tolist()
    return {
        "criterion": CRITERIA[named[0]],
        "priors": None if prior is None else np.asarray(prior, dtype=np.float64).tolist(),
        "costs": loss,
        "class_order": "declared",
        "risk": "error" if loss is None else "cost",
    }


def _of_poisson(parms: Mapping[str, Any]) -> dict[str, Any]:
    """Rates are shrunken towards that of all rows, as by 1 / shrink^2 more events."""
    errors = parms.get("method", "deviance")
    if errors not in ("deviance", "sqrt", 1, 2):
        raise ValueError(f'"method" in parms of rpart must be "deviance" or "sqrt". Got {errors!r}.')
    shrink = parms.get("shrink", 1.0 if errors in ("deviance", 1) else 0.0)
    if isinstance(shrink, bool) or not isinstance(shrink, int | float | np.number) or not shrink >= 0:
        raise ValueError(f'"shrink" in parms of rpart must be a number of at least 0. Got {shrink!r}.')
    made = {"criterion": "poisson", "risk": "poisson"}
    return made | ({"smoothing": "events", "smoothing_strength": shrink**-2.0} if shrink else {})
