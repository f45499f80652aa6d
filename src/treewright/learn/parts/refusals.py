"""What cannot be done with a table that is larger than memory: refused before any work, with what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ..cross_validation.choose import strengths_of

Params = dict[str, Any]


class Refusal(NamedTuple):
    """A parameter, when it is refused, why, and what to do."""

    parameter: str
    holds: Callable[[Params], bool]
    instead: str


def is_chosen(params: Params) -> bool:
    """Whether cross-validation shall choose a parameter."""
    return isinstance(params["ccp_alpha"], str) or len(strengths_of(params)) > 1


def _n_weights(params: Params) -> int:
    return sum(params.get(name) is not None for name in ("class_weight", "priors", "costs"))


def _is(name: str, *values: Any) -> Callable[[Params], bool]:
    return lambda params: params.get(name) in values


def _given(name: str) -> Callable[[Params], bool]:
    return lambda params: params.get(name) is not None


def _finds_threshold(params: Params) -> bool:
    return bool({"recall", "precision", "capacity"} & set(params.get("decision") or ()))


def _limits_many_branches(params: Params) -> bool:
    many = params["nominal_splits"] == "multiway" or params["missing"] == "branch"
    return params["max_leaf_nodes"] is not None and many


REFUSALS = (
    Refusal("criterion", _is("criterion", "absolute_error"), "Use 'squared_error' or 'poisson'"),
    Refusal("leaf_model", _is("leaf_model", "linear", "logistic"), "Use 'constant'"),
    Refusal("missing", _is("missing", "fractional", "surrogate"), "Use 'learned' or 'branch'"),
    Refusal("splitter", _is("splitter", "random", "gaussian"), "Use 'best'"),
    Refusal("oblique", _given("oblique"), "Leave it None"),
    Refusal("thresholds", _is("thresholds", "recorded"), "Use 'midpoint', 'observed' or 'rounded'"),
    Refusal("nominal_splits", _is("nominal_splits", "merged"), "Use 'subset', 'one_vs_rest' or 'multiway'"),
    Refusal(
        "max_leaf_nodes",
        _limits_many_branches,
        "Leave it None, use nominal_splits='subset' and missing='learned'",
    ),
    Refusal("max_features", _given("max_features"), "Leave it None"),
    Refusal("growth_rules", lambda params: bool(params["growth_rules"]), "Leave it None"),
    Refusal("pruning", _given("pruning"), "Leave it None and prune the model with treewright.prune"),
    Refusal("class_order", lambda params: params.get("class_order", "sorted") != "sorted", "Use 'sorted'"),
    Refusal("decision", _finds_threshold, "Give a 'threshold', or use with_decision on held-out rows"),
)


FILES = ("does not fit in memory", "let the fit have more memory with memory=")
CLUSTER = ("is on a cluster", "compute() it first")


def refuse(params: Params, where: tuple[str, str] = FILES, **beside: Any) -> None:
    """Reject parameters of a tree, and arguments of `fit`, that need all rows in memory.

    `where` says in words what keeps the rows from memory, and what else to do.
    """
    if is_chosen(params):
        for name, usual in (("cv", is_whole(params["cv"])), ("cv_repeats", params["cv_repeats"] == 1)):
            if not usual:
                raise _refused(name, params[name], "Give cv a number of folds, and cv_repeats=1", where)
    for refusal in REFUSALS:
        if refusal.holds(params):
            raise _refused(refusal.parameter, params[refusal.parameter], refusal.instead, where)
    if beside.get("prune_rows") is not None:
        raise _refused("prune_rows", beside["prune_rows"], "Leave it out", where)
    if beside.get("sample_weight") is not None and _n_weights(params) > 1:  # sums of products, not of weights
        instead = "Give one of class_weight, priors and costs with it"
        raise _refused("sample_weight", beside["sample_weight"], instead, where)
    if beside.get("groups") is not None and beside.get("time") is not None:
        raise _refused("groups", beside["groups"], "Give one of groups and time", where)


def _refused(name: str, value: Any, instead: str, where: tuple[str, str]) -> ParameterError:
    given = " ".join(repr(value).split())[:80]
    return ParameterError(
        f"{name} must not be {given} where the table {where[0]}. {instead}, or {where[1]}.", name
    )
