"""A boosted model ↔ the "boosted" of a file, whose other parts are those of its first tree."""

from __future__ import annotations

from dataclasses import astuple, fields, replace
from typing import Any

from ..boosting.fitted import FittedTrees, Trial, boosted
from ..fitted_tree import FittedTree
from .json_values import encoded
from .limits import MAX_TRIALS, FileError, short_text

KEYS = ("n_estimators", "stopped", "trials", "members")
OF_MEMBER = ("params", "fitted", "decision", "tree")  # what the trees after the first have of their own


def boosted_doc(saved: FittedTrees, members: list[dict[str, Any]]) -> dict[str, Any]:
    """What a file says of the trials, with the trees after the first."""
    trials = [list(astuple(trial)) for trial in saved.trials]
    facts = {"n_estimators": saved.n_estimators, "stopped": saved.stopped, "trials": trials}
    facts |= {} if saved.early_stopping else {"early_stopping": False}
    check(facts | {"members": members})
    return {**encoded(facts, '"boosted"'), "members": members}


def check(doc: Any) -> None:
    """Reject a "boosted" that no fit has made, before anything of it is used."""
    if not isinstance(doc, dict) or doc.keys() - {"early_stopping"} != set(KEYS):
        raise FileError(f'"boosted" must be an object with {", ".join(KEYS)}. Got {short_text(doc)}.')
    most, members, trials = doc["n_estimators"], doc["members"], doc["trials"]
    if type(most) is not int or not 1 <= most <= MAX_TRIALS:
        raise FileError(
            f'"n_estimators" must be a whole number in 1..{MAX_TRIALS:,}. Got {short_text(most)}.'
        )
    if type(doc.get("early_stopping", True)) is not bool:
        raise FileError(f'"early_stopping" must be true or false. Got {short_text(doc["early_stopping"])}.')
    if not isinstance(doc["stopped"], str):
        raise FileError(f'"stopped" must be text. Got {short_text(doc["stopped"])}.')
    whole = isinstance(members, list) and len(members) < most and all(isinstance(m, dict) for m in members)
    if not whole or not all(set(OF_MEMBER) == member.keys() - {"rules"} for member in members):
        raise FileError(
            f'"members" must list fewer than n_estimators objects with {", ".join(OF_MEMBER)}. '
            f"Got {short_text(members)}."
        )
    if not isinstance(trials, list) or len(trials) != len(members) + 1 or not all(map(_is_trial, trials)):
        raise FileError(
            f'"trials" must have {len(fields(Trial))} numbers of at least 0 for each tree. '
            f"Got {short_text(trials)}."
        )


def _is_trial(given: Any) -> bool:
    if not isinstance(given, list) or len(given) != len(fields(Trial)):
        return False
    leaves, wrong, weight, rows = given
    return all(type(count) is int and count >= 0 for count in (leaves, wrong, rows)) and (
        type(weight) in (int, float) and 0 <= weight < float("inf")
    )


def with_members(first: FittedTree, doc: dict[str, Any], others: list[FittedTree]) -> FittedTrees:
    """The boosted model of a file."""
    if len(first.classes) != 1:
        raise FileError('"boosted" must stand beside a classifier of one output. Got another model.')
    for each in others:
        if each.tree.n_outputs != 1 or each.tree.max_n_classes != first.tree.max_n_classes:
            raise FileError('The trees in "members" must have the classes of the first. Got others.')
        if type(each) is not type(first):
            raise FileError('Every tree of "boosted" must have "rules", or none. Got some.')
    trials = [Trial(*trial) for trial in doc["trials"]]
    made = boosted(first, (first, *others), doc["n_estimators"], trials, doc["stopped"])
    return replace(made, early_stopping=doc.get("early_stopping", True))
