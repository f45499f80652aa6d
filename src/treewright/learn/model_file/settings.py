"""What must hold of the parts of a file beside the tree: parameters, what was fitted, the decision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...data.priors import check_shares
from ..costs import cost_matrix
from ..fitted_tree import FITTED
from ..params import CLASSIFICATION, PARAMETERS, REGRESSION
from .json_values import encoded
from .limits import MAX_THREADS, FileError, rejected, short_text
from .validation import check_tree

if TYPE_CHECKING:
    from ..fitted_tree import FittedTree

# The estimators that a file may name, and their tasks: nothing is imported by a name from a file.
ESTIMATORS = {
    "DecisionTreeClassifier": CLASSIFICATION,
    "DecisionTreeRegressor": REGRESSION,
    "ExtraTreeClassifier": CLASSIFICATION,
    "ExtraTreeRegressor": REGRESSION,
}
DECISION = {"words", "threshold", "positive", "leaves", "costs", "prevalence"}


def check_saved(saved: FittedTree) -> None:
    """Reject a model that is not valid: the checks of saving and of reading."""
    known = ESTIMATORS.get(saved.estimator) if isinstance(saved.estimator, str) else None
    if known is None or saved.task != known:
        raise FileError(
            f'"kind" and "estimator" must belong together, one of {", ".join(ESTIMATORS)}. '
            f"Got {short_text(saved.task)} and {short_text(saved.estimator)}."
        )
    rules = saved.params.get("growth_rules") if isinstance(saved.params, dict) else None
    check_tree(saved.tree, saved.task, isinstance(rules, dict) and rules.get("missing_to_more") is True)
    if saved.target is not None and not isinstance(saved.target, str):
        raise FileError(f'"target" must be the name of a column, or null. Got {short_text(saved.target)}.')
    _check_params(saved)
    for name, value in saved.fitted.items():
        if name in FITTED and not _is(value, FITTED[name]):
            raise FileError(f'"{name}" of "fitted" must be {FITTED[name]}. Got {short_text(value)}.')
    for name, part in (("training", saved.training), ("unsaved", saved.unsaved)):
        if not isinstance(part, dict) or not all(isinstance(key, str) for key in part):
            raise FileError(f'"{name}" must be an object. Got {short_text(part)}.')
    _check_decision(saved)


def savable(kind: str, name: str, value: Any) -> Any:
    """The value of a parameter as JSON; FileError for one that a file cannot hold or a fit would reject."""
    known = {parameter.name: parameter for parameter in PARAMETERS[kind]}
    if name not in known:
        raise FileError(f'"params" must be among {", ".join(known)}. Got {name[:60]!r}.')
    doc = encoded(value, f'The parameter "{name}"')
    with rejected(f'The parameter "{name}"'):
        known[name].check(value)
    if name == "n_jobs" and value is not None and value > MAX_THREADS:
        raise FileError(f'"n_jobs" must be at most {MAX_THREADS}. Got {value}.')
    return doc


def _check_params(saved: FittedTree) -> None:
    if not isinstance(saved.params, dict) or not all(isinstance(name, str) for name in saved.params):
        raise FileError(f'"params" must be an object. Got {short_text(saved.params)}.')
    for name, value in saved.params.items():
        savable(saved.task, name, value)


def _is(value: Any, wanted: str) -> bool:
    if wanted in {"text", "an object", "a list"}:
        return isinstance(value, {"text": str, "an object": dict, "a list": list}[wanted])
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or value < 0:
        return False
    return isinstance(value, int) or wanted != FITTED["max_features_"]


def _check_decision(saved: FittedTree) -> None:
    given = saved.decision
    if given is None:
        return
    valid = isinstance(given, dict) and given.keys() == DECISION and isinstance(given["words"], str)
    if not valid or saved.task != CLASSIFICATION or saved.tree.costs is None or saved.tree.n_outputs > 1:
        raise FileError(
            f'"decision" must be null, or an object with {sorted(DECISION)} for a classifier of one output '
            f'with "costs" in its tree. Got {short_text(given)}.'
        )
    threshold, positive, leaves = given["threshold"], given["positive"], given["leaves"]
    if threshold is not None and (isinstance(threshold, bool) or not isinstance(threshold, int | float)):
        raise FileError(f'"threshold" of the decision must be a number or null. Got {short_text(threshold)}.')
    labels = [(type(label), label) for label in saved.classes[0].tolist()]
    if positive is not None and (type(positive), positive) not in labels:
        raise FileError(f'"positive" of the decision must be one of the classes. Got {short_text(positive)}.')
    pair = isinstance(leaves, list) and len(leaves) == 2
    if not pair or not all(type(count) is int and count >= 0 for count in leaves):
        raise FileError(f'"leaves" of the decision must be two whole numbers. Got {short_text(leaves)}.')
    _check_costs_and_prevalence(saved.classes[0], given["costs"], given["prevalence"])


def _check_costs_and_prevalence(classes: Any, costs: Any, prevalence: Any) -> None:
    if costs is None and prevalence is not None:
        raise FileError(
            f'"prevalence" of the decision must go with "costs". Got {short_text(prevalence)} alone.'
        )
    for name, part in (("costs", costs), ("prevalence", prevalence)):
        if part is not None and not isinstance(part, list):
            raise FileError(f'"{name}" of the decision must be a list or null. Got {short_text(part)}.')
    with rejected("The decision"):
        cost_matrix(costs, classes, 0)
        if prevalence is not None:
            check_shares("prevalence", prevalence, classes.tolist())
